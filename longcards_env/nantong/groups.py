"""Runs, triples and pairs: what completes a hand, and every way to split it (N2).

A hand is four suit keys (automaton.py), int64[4]; the honours are the fourth suit, whose key has one chunk.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike

from .._jit import inline, jit, widen
from ..automaton import CHUNK_BITS, KEY_STEP, RANKS, SIZE_SHIFT, chunk_order, compress, look_up
from ..bits import count
from ..pack import checked_numbers
from .cards import COPIES, END_KIND, FIRST_KIND, HONOURS, NUM_SUITS, RANK, SUIT_RANKS
from .rules import GROUPS

STEP = KEY_STEP[RANK]  # what each kind adds to the key of its suit
WHOLE, WITH_PAIR = 1, 2  # a suit is runs and triples only, or these and one pair (N2.4)


def suit_groups(ranks: int, runs: bool) -> np.ndarray:
    """Return the runs and triples of one suit as counts int8[groups, ranks] (N2.1, N2.2)."""
    triples = 3 * np.eye(ranks, dtype=np.int8)
    if not runs:
        return triples
    return np.vstack([triples, [[r <= i < r + 3 for i in range(ranks)] for r in range(ranks - 2)]]).astype(np.int8)


def complete_hands(ranks: int, runs: bool) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield, for 0, 1, 2, ... groups, the counts of all hands of that many groups, without and with a pair."""
    groups = suit_groups(ranks, runs)
    pairs = 2 * np.eye(ranks, dtype=np.int8)
    hands = np.zeros((1, ranks), np.int8)
    while len(hands):
        yield hands, _add_each(hands, pairs)
        hands = _add_each(hands, groups)


def _add_each(hands: np.ndarray, groups: np.ndarray) -> np.ndarray:
    """Return the distinct hands made by adding one of the groups, with at most four copies of a kind."""
    grown = (hands[:, None] + groups[None]).reshape(-1, hands.shape[1])
    grown = grown[(grown <= COPIES).all(axis=1)]
    codes = grown @ (COPIES + 1) ** np.arange(hands.shape[1])
    return grown[np.unique(codes, return_index=True)[1]]


def _wins_table(ranks: int, runs: bool) -> np.ndarray:
    table = np.zeros((COPIES + 1,) * ranks, np.uint8)
    for whole, with_pair in complete_hands(ranks, runs):
        table[tuple(whole.T)] = WHOLE
        table[tuple(with_pair.T)] = WITH_PAIR
    return table


_FIRST, _SECOND, _THIRD = compress(chunk_order(_wins_table(RANKS, runs=True)))
_HONOURS = _wins_table(HONOURS, runs=False).transpose(2, 1, 0).ravel()


@inline
def suit_wins(suit: int, key: int) -> int:
    """Return WHOLE, WITH_PAIR or 0 for the cards of one suit."""
    if suit == NUM_SUITS - 1:
        return widen(_HONOURS[key & CHUNK_BITS])
    return look_up(_FIRST, _SECOND, _THIRD, key)


def _keys_of_ranks() -> np.ndarray:
    """For each set of ranks: the key of one card of each."""
    return np.array([sum(KEY_STEP[r] for r in range(RANKS) if ranks >> r & 1) for ranks in range(1 << RANKS)])


_KEY_OF_RANKS = _keys_of_ranks()


@jit
def keys_of_held(held: np.ndarray) -> np.ndarray:
    """Return the suit keys int64[4] of a hand.

    held: int64[4], the kinds of which more than 0, 1, 2, 3 copies are in the hand.
    """
    keys = np.empty(NUM_SUITS, np.int64)
    for suit in range(NUM_SUITS):
        keys[suit] = 0
        for kinds in held:
            keys[suit] += _KEY_OF_RANKS[kinds >> FIRST_KIND[suit] & SUIT_RANKS]
    return keys


@inline
def size(key: int) -> int:
    """Return how many cards of the suit the hand holds."""
    return key >> SIZE_SHIFT


@jit
def wins(keys: np.ndarray, melds: int) -> bool:
    """Whether int64[4] keys and this many melds are seven groups and one pair (N2.4)."""
    cards = size(keys[0]) + size(keys[1]) + size(keys[2]) + size(keys[3])
    if cards != 3 * (GROUPS - melds) + 2:
        return False
    total = 0
    for suit in range(NUM_SUITS):
        value = suit_wins(suit, keys[suit])
        if value == 0:
            return False
        total += value
    return total == NUM_SUITS * WHOLE + WITH_PAIR - WHOLE


def _waiting_suits() -> np.ndarray:
    """For each set of suit sizes mod 3, as a number base 3: the suits that one more card could complete.

    One suit must end with two cards over (the pair), the others with none.
    """
    table = np.zeros(3**NUM_SUITS, np.int64)
    for sizes in np.ndindex((3,) * NUM_SUITS):
        for suit in range(NUM_SUITS):
            grown = list(sizes)
            grown[suit] = (grown[suit] + 1) % 3
            if sorted(grown) == [0, 0, 0, 2]:
                table[np.ravel_multi_index(sizes, (3,) * NUM_SUITS)] |= 1 << suit
    return table


_WAITING_SUITS = _waiting_suits()


# What a suit of each size adds to the number base 3 of suit sizes mod 3.
_SIZE_CODE = np.array([[size % 3 * 3**place for size in range(24)] for place in reversed(range(NUM_SUITS))])


@inline
def _waiting_suits_of(keys: np.ndarray) -> int:
    code = 0
    for suit in range(NUM_SUITS):
        code += _SIZE_CODE[suit, size(keys[suit])]
    return _WAITING_SUITS[code]


@inline
def _incomplete_suits(keys: np.ndarray) -> int:
    """Return the suits that are not groups, or groups and a pair, as they stand; a second one ends the search."""
    incomplete = 0
    for suit in range(NUM_SUITS):
        if suit_wins(suit, keys[suit]) == 0:
            if incomplete:
                return incomplete | 1 << suit
            incomplete = 1 << suit
    return incomplete


@jit
def _waits_of_suits(keys: np.ndarray, full: int) -> int:
    """Return the winning kinds, of which the hand does not hold all four copies (`full`)."""
    suits = _waiting_suits_of(keys)
    if suits == 0:
        return 0
    incomplete = _incomplete_suits(keys)
    found = 0
    for suit in range(NUM_SUITS):
        if suits >> suit & 1 and incomplete & ~(1 << suit) == 0:
            for kind in range(FIRST_KIND[suit], END_KIND[suit]):
                if not full >> kind & 1 and suit_wins(suit, keys[suit] + STEP[kind]):
                    found |= 1 << kind
    return found


_RUN_STARTS = sum(1 << kind for kind in range(3 * RANKS) if RANK[kind] < RANKS - 2)
_MOST_LONELY = 2  # the winning card's group has room for two more


@inline
def _lonely(held: np.ndarray) -> int:
    """Return the kinds of which a hand holds one card, and that no run of hand cards contains."""
    once, twice = held[0], held[1]
    runs = once & once >> 1 & once >> 2 & _RUN_STARTS
    return once & ~(twice | runs | runs << 1 | runs << 2)


@inline
def waits(held: np.ndarray) -> int:
    """Return the kinds that complete a hand of 3n + 1 cards (N2.4), as a set.

    held: as in `keys_of_held`. Lonely cards must all stand in the winning card's group, so that more than two of
    them rule a win out: most hands. Keys are made only for the others, which is faster than keeping them.
    """
    if count(_lonely(held)) > _MOST_LONELY:
        return 0
    return _waits_of_suits(keys_of_held(held), held[3])


def checked_melds(melds: ArrayLike, n: int) -> np.ndarray:
    """Return the melds of n hands as int64[n]; raises ValueError if they are not integers 0..7, one or n (N2.4)."""
    return checked_numbers("melds", melds, n, GROUPS)
