"""Every way to split a hand into runs, triples and a pair (N2.4, N6.9)."""

from itertools import product

import numpy as np
from numpy.typing import ArrayLike

from .._jit import inline, jit
from ..automaton import RANKS
from ..bits import lowest
from .cards import COPIES, FIRST_KIND, HONOURS, NUM_SUITS, PACK, SUIT_RANKS
from .groups import checked_melds
from .rules import GROUPS

NIBBLE = 4  # a suit as one word: the copies of each rank, four bits a rank
NO_PAIR = -1
MAX_WAYS = 13  # no suit of up to 23 cards has more partitions

Partition = tuple[tuple[int, ...], ...]  # groups of kinds in kind order: triples and runs, then the pair


def _spread() -> np.ndarray:
    """For each set of ranks: one copy of each, as nibbles."""
    return np.array([sum(1 << NIBBLE * r for r in range(RANKS) if ranks >> r & 1) for ranks in range(1 << RANKS)])


_SPREAD = _spread()


@inline
def suit_copies(held: np.ndarray, suit: int) -> int:
    """Return the copies of each rank of a suit, four bits a rank.

    held: int64[4], the kinds of which more than 0, 1, 2, 3 copies are in the hand.
    """
    copies = 0
    for n in range(COPIES):
        copies += _SPREAD[held[n] >> FIRST_KIND[suit] & SUIT_RANKS]
    return copies


@inline
def _runs_of(copies: int) -> int:
    """Return how many runs begin at each rank if the cards are runs alone, four bits a rank; -1 if they are not."""
    runs = 0
    while copies:
        shift = lowest(copies) & ~(NIBBLE - 1)
        n = copies >> shift & 15
        following = copies >> shift + NIBBLE
        if shift >= NIBBLE * (RANKS - 2) or following & 15 < n or following >> NIBBLE & 15 < n:
            return -1
        runs |= n << shift
        copies -= n * 0x111 << shift
    return runs


@inline
def _at_least(copies: int, n: int) -> int:
    """Return the ranks of which at least n copies are there, as nibbles with value 1 (n is 2 or 3)."""
    return (copies + (8 - n) * 0x111111111) >> 3 & 0x111111111


@jit
def suit_partitions(copies: int, has_runs: bool, with_pair: bool, out: np.ndarray) -> int:
    """List the partitions of one suit; return how many there are.

    copies: four bits a rank. out: int64[MAX_WAYS, 3], overwritten: the rank of the pair or NO_PAIR, the triples
    and the runs (by first rank), each four bits a rank. Once pair and triples are chosen, the runs are fixed.
    """
    n = 0
    pairs = _at_least(copies, 2) if with_pair else 1
    while pairs:
        rank = lowest(pairs) // NIBBLE if with_pair else NO_PAIR
        pairs &= pairs - 1
        rest = copies - (2 << NIBBLE * rank) if with_pair else copies
        choices = _at_least(rest, 3)
        triples = choices
        while True:  # all subsets of the ranks that could be triples
            runs = _runs_of(rest - 3 * triples)
            if runs == 0 or (runs > 0 and has_runs):
                out[n, 0], out[n, 1], out[n, 2] = rank, triples, runs
                n += 1
            if triples == 0:
                break
            triples = (triples - 1) & choices
    return n


def partitions(counts: ArrayLike, melds: int = 0) -> list[Partition]:
    """Return all partitions of a hand that wins with this many melds; none if it does not win (N2.4).

    counts: int[30], copies of each kind in hand, the winning card among them. Each partition lists its groups
    as tuples of kinds, the pair last. Raises ValueError for what is no hand.
    """
    [hand] = PACK.checked(np.asarray(counts)[None])
    [number] = checked_melds(melds, 1).tolist()
    if hand.sum() != 3 * (GROUPS - number) + 2:
        return []
    suits = [_ways_of_suit(hand, suit) for suit in range(NUM_SUITS)]
    found = []
    for ways in product(*suits):
        groups = tuple(group for way in ways for group in way)
        if sum(len(group) == 2 for group in groups) == 1:
            found.append(tuple(sorted(groups, key=lambda group: (len(group) == 2, group))))
    return sorted(found)


def winning_places(partition: Partition, kind: int) -> list[int]:
    """Return the groups of a partition, by index, in which the winning card may stand (N6.9)."""
    return [i for i, group in enumerate(partition) if kind in group]


def _ways_of_suit(counts: np.ndarray, suit: int) -> list[Partition]:
    """Return the partitions of the cards of one suit."""
    first = int(FIRST_KIND[suit])
    ranks = HONOURS if suit == NUM_SUITS - 1 else RANKS
    cards = counts[first : first + ranks]
    copies = sum(int(n) << NIBBLE * rank for rank, n in enumerate(cards))
    out = np.empty((MAX_WAYS, 3), np.int64)
    n = suit_partitions(copies, ranks == RANKS, cards.sum() % 3 == 2, out)
    return [_groups(first, *(int(word) for word in row)) for row in out[:n]]


def _groups(first: int, pair: int, triples: int, runs: int) -> Partition:
    """Return a row of `suit_partitions` as groups of kinds."""
    groups: list[tuple[int, ...]] = []
    for rank in range(RANKS):
        kind = first + rank
        groups += [(kind, kind, kind)] * (triples >> NIBBLE * rank & 15)
        groups += [(kind, kind + 1, kind + 2)] * (runs >> NIBBLE * rank & 15)
        groups += [(kind, kind)] * (pair == rank)
    return tuple(groups)
