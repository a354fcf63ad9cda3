"""Whole arrays of hands: text <-> counts int8[N, 20] <-> loose cards and kan, and huxi, wins, distance, useful cards.

A hand is the cards not exposed; three of a kind are a kan (P2.1). What is exposed stands in three numbers, each one
for all hands or int[N]: `melds`, the groups on the table; `huxi`, theirs; `fours`, the four-groups among them (P7.2).
Text is tokens with spaces between them, `"s1 s2 b10"`.
"""

import numpy as np
from numpy.typing import ArrayLike

from .._jit import inline, jit
from ..pack import checked_numbers
from . import groups
from .cards import IN_HAND, LOOSE, NUM_KINDS, PACK, SIZE
from .distance import FAR, distance_tables
from .distance import distance as distance_of
from .groups import MOST_PARTNERS, NO_PARTITION, PARTNER_HUXI, PARTNERS, holds, without
from .rules import GROUPS, KAN_HUXI, LEAST_HUXI, MELD_HUXI, Meld

counts_of, text_of = PACK.counts_of, PACK.text_of
_MOST_HUXI = 100  # more than seven groups have


def loose_of(counts: ArrayLike) -> np.ndarray:
    """Return int64[N, 3], sets of kinds of hands int[N, 20]: once, twice (groups.py) and kan."""
    hands = PACK.checked(counts)
    bits = 1 << np.arange(NUM_KINDS)
    kan = hands == IN_HAND
    return np.stack([((hands >= n) & ~kan) @ bits for n in range(1, LOOSE + 1)] + [kan @ bits], axis=1)


def counts_of_loose(sets: ArrayLike) -> np.ndarray:
    """Return the counts int8[N, 20] of hands as once, twice and kan, int64[N, 3]."""
    bits = np.asarray(sets, np.int64)[:, :, None] >> np.arange(NUM_KINDS) & 1
    return (bits[:, 0] + bits[:, 1] + IN_HAND * bits[:, 2]).astype(np.int8)


def most_huxi(counts: ArrayLike, melds: ArrayLike = 0, huxi: ArrayLike = 0, fours: ArrayLike = 0) -> np.ndarray:
    """Return int64[N]: the most huxi of each hand with its melds as seven groups (P7.1-P7.3); -1 if it is not that."""
    hands, due = _prepared(counts, melds, huxi, fours)
    out = np.empty(len(hands), np.int64)
    _fill_huxi(hands, due, out)
    return out


def wins(counts: ArrayLike, melds: ArrayLike = 0, huxi: ArrayLike = 0, fours: ArrayLike = 0) -> np.ndarray:
    """Return bool[N]: whether each hand and its melds are seven groups worth 15 huxi (P7.1, P7.2)."""
    won: np.ndarray = most_huxi(counts, melds, huxi, fours) >= LEAST_HUXI
    return won


def distance(
    counts: ArrayLike, melds: ArrayLike = 0, huxi: ArrayLike = 0, fours: ArrayLike = 0, least: int = LEAST_HUXI
) -> np.ndarray:
    """Return int8[N]: how many table cards each hand must take to win (distance.py), or FAR, if it cannot.

    least: the huxi that a win needs, 0..15; 0 asks for the seven groups alone.
    """
    hands, due = _prepared(counts, melds, huxi, fours, least)
    out = np.empty(len(hands), np.int8)
    _fill_distance(distance_tables(), hands, due, out)
    return out


def useful(
    counts: ArrayLike, melds: ArrayLike = 0, huxi: ArrayLike = 0, fours: ArrayLike = 0, least: int = LEAST_HUXI
) -> np.ndarray:
    """Return bool[N, 20]: the kinds that, taken from the table, complete a group and so lower the distance.

    Two loose cards go with the card claimed, or one if it makes the pair. least: as in `distance`.
    """
    hands, due = _prepared(counts, melds, huxi, fours, least)
    out = np.empty((len(hands), NUM_KINDS), np.bool_)
    _fill_useful(distance_tables(), hands, due, out)
    return out


def _prepared(
    counts: ArrayLike, melds: ArrayLike, huxi: ArrayLike, fours: ArrayLike, least: int = LEAST_HUXI
) -> tuple[np.ndarray, np.ndarray]:
    """Return once and twice int64[N, 2], and int64[N, 4]: groups due, pair due, huxi needed, huxi at hand."""
    if not 0 <= least <= LEAST_HUXI:
        raise ValueError(f"least is 0..{LEAST_HUXI} huxi, not {least}")
    sets = loose_of(counts)
    n = len(sets)
    kan = counts_of_loose(sets) == IN_HAND
    at_hand = checked_numbers("huxi", huxi, n, _MOST_HUXI) + kan @ KAN_HUXI[SIZE]
    made = checked_numbers("melds", melds, n, GROUPS) + kan.sum(axis=1)
    pair = checked_numbers("fours", fours, n, GROUPS) > 0
    return sets[:, :LOOSE], np.stack([GROUPS - made, pair, least - at_hand, at_hand], axis=1)


@jit
def _fill_huxi(hands: np.ndarray, due: np.ndarray, out: np.ndarray) -> None:
    for i in range(len(hands)):
        most = groups.most_huxi(hands[i, 0], hands[i, 1], due[i, 0], due[i, 1])
        out[i] = most if most == NO_PARTITION else most + due[i, 3]


@inline
def _distance(tables: np.record, once: int, twice: int, due: int, pair: int, need: int) -> int:
    """The distance to any number of groups; FAR if there are more than seven already."""
    return distance_of(tables, once, twice, due, pair, need) if due >= 0 else FAR


@jit
def _fill_distance(tables: np.record, hands: np.ndarray, due: np.ndarray, out: np.ndarray) -> None:
    for i in range(len(hands)):
        out[i] = _distance(tables, hands[i, 0], hands[i, 1], due[i, 0], due[i, 1], due[i, 2])


@jit
def _fill_useful(tables: np.record, hands: np.ndarray, due: np.ndarray, out: np.ndarray) -> None:
    for i in range(len(hands)):
        now = _distance(tables, hands[i, 0], hands[i, 1], due[i, 0], due[i, 1], due[i, 2])
        for kind in range(NUM_KINDS):
            out[i, kind] = 0 < now < FAR and _lowers(tables, hands[i], due[i], kind, now)


@jit
def _lowers(tables: np.record, hand: np.ndarray, due: np.ndarray, kind: int, now: int) -> bool:
    """Whether a table card of this kind completes a group of an arrangement of least distance."""
    once, twice, rest, pair, need = hand[0], hand[1], due[0] - 1, due[1], due[2]
    card = 1 << kind
    if twice & card:
        peng = need - MELD_HUXI[Meld.PENG, SIZE[kind]]
        if distance_of(tables, once & ~card, twice & ~card, rest, pair, peng) < now:
            return True
    if pair and once & card:
        fewer_once, fewer_twice = without(once, twice, card, 0)
        if distance_of(tables, fewer_once, fewer_twice, rest, 0, need) < now:
            return True
    for place in range(MOST_PARTNERS):
        ones, twos = PARTNERS[kind, place, 0], PARTNERS[kind, place, 1]
        if ones >= 0 and holds(once, twice, ones, twos):
            fewer_once, fewer_twice = without(once, twice, ones, twos)
            if distance_of(tables, fewer_once, fewer_twice, rest, pair, need - PARTNER_HUXI[kind, place]) < now:
                return True
    return False
