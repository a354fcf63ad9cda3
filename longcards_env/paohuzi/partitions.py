"""Every way to split a hand into groups (P7.1, P7.2)."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike

from ..pack import checked_numbers
from .cards import IN_HAND, PACK, SIZE
from .groups import groups_of, huxi_of
from .rules import GROUPS, KAN_HUXI

Partition = tuple[tuple[int, ...], ...]  # groups of kinds in kind order: kan, runs, 2-7-10 and mixes, then the pair


def partitions(counts: ArrayLike, melds: int = 0, fours: int = 0) -> list[Partition]:
    """Return all partitions of a hand that makes seven groups with this many melds; none if it does not.

    counts: int[20], copies of each kind in hand, three of a kind are a kan. fours: four-groups among the melds: with
    one or more of them one of the groups is a pair (P7.2). Raises ValueError for what is no hand.
    """
    [hand] = PACK.checked(np.asarray(counts)[None])
    [made], [four] = checked_numbers("melds", melds, 1, GROUPS), checked_numbers("fours", fours, 1, GROUPS)
    kan = tuple((int(kind),) * IN_HAND for kind in np.flatnonzero(hand == IN_HAND))
    loose = [0 if n == IN_HAND else int(n) for n in hand]
    due = GROUPS - int(made) - len(kan)
    found = {kan + tuple(sorted(rest, key=_order)) for rest in _splits(loose, due, int(four > 0))}
    return sorted(found)


def partition_huxi(partition: Partition) -> int:
    """Return the huxi of the groups of a partition (P2)."""
    kan = sum(int(KAN_HUXI[SIZE[group[0]]]) for group in partition if len(group) == 3 and group[0] == group[2])
    return kan + sum(huxi_of(group) for group in partition)


def _order(group: tuple[int, ...]) -> tuple[bool, tuple[int, ...]]:
    """The pair last, the others in kind order."""
    return len(group) == 2, group


def _splits(loose: list[int], groups: int, pairs: int) -> Iterator[Partition]:
    """Yield the ways to split loose cards; the lowest card is in some group, so that only its groups are tried."""
    lowest = next((kind for kind, n in enumerate(loose) if n), None)
    if lowest is None or groups == 0:
        if lowest is None and groups == pairs == 0:
            yield ()
        return
    for group in [*groups_of(lowest), *[(lowest, lowest)] * pairs]:
        rest = list(loose)
        for kind in group:
            rest[kind] -= 1
        if min(rest) >= 0:
            for others in _splits(rest, groups - 1, pairs - (len(group) == 2)):
                yield (group, *others)
