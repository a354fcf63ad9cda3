"""Runs, 2-7-10, mixes and pairs: the partition with the most huxi (sections 2 and 7).

Loose cards are those in hand that stand in no kan. There are at most two of a kind: three or four were dealt as a kan
or a ti, and cards that are claimed or revealed never enter the hand. A set of them is two sets of kinds: `once`, of
which at least one is there, and `twice`, of which two are.
"""

from collections.abc import Iterator

import numpy as np

from .._jit import inline, jit, widen
from ..bits import count
from .cards import LOOSE, NUM_KINDS, RANKS, SIZE, SIZE_RANKS
from .rules import UNIT_HUXI

KEYS = (LOOSE + 1) ** RANKS  # hands of one size; the key of a hand has a digit, base 3, for each rank
NO_PARTITION = -1
SMALL_HUXI, BIG_HUXI = int(UNIT_HUXI[0]), int(UNIT_HUXI[1])

UNITS = ((0, 1, 2), (1, 6, 9))  # ranks of 1-2-3 and 2-7-10, the groups of one size that bring huxi
SIZE_GROUPS = (*((r, r + 1, r + 2) for r in range(RANKS - 2)), UNITS[1])  # P5.1: all groups within one size


def groups_of(kind: int) -> list[tuple[int, ...]]:
    """Return the groups of three that hold a kind, as kinds: runs, 2-7-10, then the two mixes (section 2)."""
    size, rank = divmod(kind, RANKS)
    other = (kind + RANKS) % NUM_KINDS
    own = [tuple(size * RANKS + r for r in ranks) for ranks in SIZE_GROUPS if rank in ranks]
    return [*own, tuple(sorted((kind, other, other))), tuple(sorted((kind, kind, other)))]


GROUPS_OF_THREE = sorted({group for kind in range(NUM_KINDS) for group in groups_of(kind)})


def huxi_of(group: tuple[int, ...]) -> int:
    """Return the huxi of a run, 2-7-10 or mix, given as kinds (P2)."""
    ranks = tuple(kind % RANKS for kind in group)
    same_size = len({kind // RANKS for kind in group}) == 1
    return int(UNIT_HUXI[SIZE[group[0]]]) if same_size and ranks in UNITS else 0


def _keys_of_ranks() -> np.ndarray:
    """For each set of ranks: the key of one card of each."""
    return np.array([sum(3**r for r in range(RANKS) if ranks >> r & 1) for ranks in range(1 << RANKS)])


KEY_OF_RANKS = _keys_of_ranks()


def _covered_hands() -> Iterator[dict[tuple[int, ...], int]]:
    """Yield, for 0, 1, 2, ... groups of one size, all hands that they make, with the most units among them."""
    hands = {(0,) * RANKS: 0}
    while hands:
        yield hands
        grown: dict[tuple[int, ...], int] = {}
        for hand, units in hands.items():
            for ranks in SIZE_GROUPS:
                more = tuple(n + (r in ranks) for r, n in enumerate(hand))
                if max(more) <= LOOSE:
                    grown[more] = max(grown.get(more, 0), units + (ranks in UNITS))
        hands = grown


PAIR_SHIFT = 2  # an entry of _COVER: 1 + units without a pair, and above it 1 + units with one pair; 0 = not covered


def _cover_table() -> np.ndarray:
    """For each key: the most units if its cards are all in groups of this size, without and with one pair."""
    whole, with_pair = np.zeros(KEYS, np.uint8), np.zeros(KEYS, np.uint8)
    for hands in _covered_hands():
        for hand, units in hands.items():
            key = sum(n * 3**r for r, n in enumerate(hand))
            whole[key] = max(whole[key], units + 1)
            for pair in (2 * 3**r for r, n in enumerate(hand) if n == 0):
                with_pair[key + pair] = max(with_pair[key + pair], units + 1)
    return whole | with_pair << PAIR_SHIFT


_COVER = _cover_table()
_RUN_STARTS = sum(1 << kind for kind in range(NUM_KINDS) if kind % RANKS < RANKS - 2)
_TWO_SEVEN_TEN = sum(1 << rank for rank in UNITS[1])


@inline
def other_size(kinds: int) -> int:
    """Return the same ranks of the other size."""
    return kinds >> RANKS | (kinds & SIZE_RANKS) << RANKS


@inline
def _alone(once: int) -> int:
    """Return the kinds that no group of their own size holds (which has three different ranks)."""
    runs = once & once >> 1 & once >> 2 & _RUN_STARTS
    grouped = runs | runs << 1 | runs << 2
    if once & _TWO_SEVEN_TEN == _TWO_SEVEN_TEN:
        grouped |= _TWO_SEVEN_TEN
    if once >> RANKS & _TWO_SEVEN_TEN == _TWO_SEVEN_TEN:
        grouped |= _TWO_SEVEN_TEN << RANKS
    return once & ~grouped


@inline
def _hopeless(once: int, twice: int, pair: int) -> bool:
    """Whether cards are left over whatever the partition: a necessary check, cheap, that ends most searches.

    A kind that no group of its size holds is in a mix, a single with two of the other size and a double with one or
    two of them, or it is the pair.
    """
    alone = _alone(once)
    stranded = alone & ~(other_size(twice) | twice & other_size(once))
    if stranded == 0:
        return False
    return pair == 0 or stranded & ~twice != 0 or stranded & (stranded - 1) != 0


@inline
def _huxi_of_keys(small: int, big: int, pair: int) -> int:
    """Return the most huxi of two sizes that are covered each by its own groups, and one pair if it is due."""
    a, b = widen(_COVER[small]), widen(_COVER[big])
    a_units, b_units = a & 3, b & 3
    if pair == 0:
        return SMALL_HUXI * (a_units - 1) + BIG_HUXI * (b_units - 1) if a_units and b_units else NO_PARTITION
    a_pair, b_pair = a >> PAIR_SHIFT, b >> PAIR_SHIFT
    best = NO_PARTITION
    if a_pair and b_units:
        best = SMALL_HUXI * (a_pair - 1) + BIG_HUXI * (b_units - 1)
    if a_units and b_pair:
        best = max(best, SMALL_HUXI * (a_units - 1) + BIG_HUXI * (b_pair - 1))
    return best


@jit
def _search(once: int, twice: int, pair: int) -> int:
    """Try all mixes, and cover the rest by tables: the most huxi of a partition of all cards, or NO_PARTITION.

    With up to two of each kind a rank makes one mix at most: two small and a big, or a small and two big.
    """
    small_1, small_2, big_1, big_2 = once & SIZE_RANKS, twice & SIZE_RANKS, once >> RANKS, twice >> RANKS
    small, big = KEY_OF_RANKS[small_1] + KEY_OF_RANKS[small_2], KEY_OF_RANKS[big_1] + KEY_OF_RANKS[big_2]
    best = NO_PARTITION
    more_small = small_2 & big_1
    while True:  # all subsets
        choices = small_1 & big_2 & ~more_small
        more_big = choices
        while True:
            two_small, two_big = KEY_OF_RANKS[more_small], KEY_OF_RANKS[more_big]
            best = max(best, _huxi_of_keys(small - 2 * two_small - two_big, big - two_small - 2 * two_big, pair))
            if more_big == 0:
                break
            more_big = more_big - 1 & choices
        if more_small == 0:
            return best
        more_small = more_small - 1 & small_2 & big_1


@inline
def num_cards(once: int, twice: int) -> int:
    """Return how many cards these are."""
    return count(once) + count(twice)


@jit
def most_huxi(once: int, twice: int, groups: int, pair: int) -> int:
    """Return the most huxi of a partition of all these cards into so many groups, or NO_PARTITION (P7.1, P7.2).

    pair: 1 if exactly one of the groups is a pair, 0 if none is.
    """
    if num_cards(once, twice) != 3 * groups - pair or _hopeless(once, twice, pair):
        return NO_PARTITION
    return _search(once, twice, pair)


@inline
def without(once: int, twice: int, ones: int, twos: int) -> tuple[int, int]:
    """Return loose cards less one of each kind of `ones` and all of each kind of `twos`; all of `ones` are there."""
    return once & ~(twos | ones & ~twice), twice & ~(twos | ones)


MOST_PARTNERS = max(len(groups_of(kind)) for kind in range(NUM_KINDS))


def _partners() -> tuple[np.ndarray, np.ndarray]:
    """For each kind and group that holds it: the other cards, kinds needed once and twice; and the group's huxi.

    int64[20, MOST_PARTNERS + 1, 2] by kind and place, -1 after the last group; int64[20, MOST_PARTNERS].
    """
    partners = np.full((NUM_KINDS, MOST_PARTNERS + 1, 2), -1)
    huxi = np.zeros((NUM_KINDS, MOST_PARTNERS), np.int64)
    for kind in range(NUM_KINDS):
        for place, group in enumerate(groups_of(kind)):
            others = list(group)
            others.remove(kind)
            partners[kind, place] = (0, 1 << others[0]) if others[0] == others[1] else (sum(1 << k for k in others), 0)
            huxi[kind, place] = huxi_of(group)
    return partners, huxi


PARTNERS, PARTNER_HUXI = _partners()


@inline
def holds(once: int, twice: int, ones: int, twos: int) -> bool:
    """Whether loose cards hold one of each kind of `ones` and two of each kind of `twos`."""
    return (ones | twos) & ~once == 0 and twos & ~twice == 0
