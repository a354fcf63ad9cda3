"""States of Nantong Long Cards that differ only in what the acting seat may not know (N3.4)."""

from collections.abc import Sequence

import numpy as np

from longcards_env.nantong.cards import COPIES
from longcards_env.nantong.cards import NUM_KINDS as KINDS
from longcards_env.nantong.state import hand_counts
from longcards_env.seats import NUM_SEATS as SEATS


def held_of(cards: Sequence[int]) -> list[int]:
    """Cards as the kinds of which more than 0, 1, 2, 3 copies are there."""
    counts = np.bincount(cards, minlength=KINDS)
    return [sum(1 << kind for kind in range(KINDS) if counts[kind] > n) for n in range(COPIES)]


def scrambled(state: np.record, rng: np.random.Generator) -> np.record:
    """The state with all cards that the acting seat does not see permuted, and what derives from them unfit."""
    other = state.copy()
    others = [seat for seat in range(SEATS) if seat != state.seat]
    hands = [np.repeat(np.arange(KINDS), hand_counts(state, seat)) for seat in others]
    stock = slice(state.front, state.back)
    hidden = rng.permutation(np.concatenate([*hands, state.deck[stock]]))
    other.deck[:] = rng.permutation(state.deck)
    other.deck[stock] = hidden[sum(map(len, hands)) :]
    at = 0
    for seat, hand in zip(others, hands, strict=True):
        other.held[seat] = held_of(hidden[at : at + len(hand)].tolist())
        other.waits[seat], other.openable[seat] = rng.integers(0, 1 << KINDS, 2)
        at += len(hand)
    return other
