"""States of Paohuzi that differ only in what the acting seat may not know."""

import numpy as np

from longcards_env.paohuzi.cards import IN_HAND
from longcards_env.paohuzi.cards import NUM_KINDS as KINDS
from longcards_env.paohuzi.hands import loose_of
from longcards_env.paohuzi.rules import PUBLIC_CARD
from longcards_env.paohuzi.state import hand_counts, kan_huxi
from longcards_env.seats import NUM_SEATS as SEATS


def scrambled(state: np.record, rng: np.random.Generator) -> np.record:
    """The state with all cards that the acting seat does not see permuted, and with other refusals of the others.

    Other hands keep their sizes; three of a kind are a kan (P2.1). Who locked a kind by a refusal (P6.1), or has
    refused the card on the table, tells of its hand.
    """
    other = state.copy()
    others = [seat for seat in range(SEATS) if seat != state.seat]
    hidden = [*(np.repeat(np.arange(KINDS), hand_counts(state, seat)) for seat in others), state.deck[state.front :]]
    *hands, stock = dealt_anew(hidden, rng)
    other.deck[:] = rng.permutation(state.deck)
    other.deck[state.front :] = stock
    other.deck[PUBLIC_CARD] = state.deck[PUBLIC_CARD]
    for seat, hand in zip(others, hands, strict=True):
        [[once, twice, kan]] = loose_of(np.bincount(hand, minlength=KINDS)[None])
        other.num_groups[seat] += int(kan).bit_count() - int(state.kan[seat]).bit_count()
        other.huxi[seat] += kan_huxi(int(kan)) - kan_huxi(int(state.kan[seat]))
        other.once[seat], other.twice[seat], other.kan[seat] = once, twice, kan
        other.locked[seat] |= rng.integers(1 << KINDS)
    other.refused = state.refused & 1 << state.seat | rng.integers(1 << SEATS) & ~(1 << state.seat)
    return other


def dealt_anew(hidden: list[np.ndarray], rng: np.random.Generator) -> list[np.ndarray]:
    """Cards of hands and then of the stock, dealt again; no hand holds four of a kind (P2.2)."""
    ends = np.cumsum([len(cards) for cards in hidden])[:-1]
    while True:
        *hands, stock = np.split(rng.permutation(np.concatenate(hidden)), ends)
        if all(np.bincount(hand, minlength=KINDS).max() <= IN_HAND for hand in hands):
            return [*hands, stock]
