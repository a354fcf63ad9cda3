"""Whole arrays of hands: text <-> counts int8[N, 30] <-> suit keys, and wins, distance, useful cards over them.

A hand is the cards not melded; `melds` is one number for all hands or int[N], the groups already on the table
(N2.3). Text is tokens with spaces between them, `"m1 m1 m2 TH"`.
"""

import numpy as np
from numpy.typing import ArrayLike

from .._jit import jit
from ..automaton import CHUNK_BITS
from . import groups
from .cards import COPIES, NUM_KINDS, NUM_SUITS, PACK, RANK, SUIT
from .distance import distance as distance_of
from .distance import distance_tables
from .groups import STEP, checked_melds

counts_of, text_of = PACK.counts_of, PACK.text_of


def keys_of(counts: ArrayLike) -> np.ndarray:
    """Return the suit keys int64[N, 4] (automaton.py) of hands int[N, 30]."""
    hands = PACK.checked(counts)
    keys = np.empty((len(hands), NUM_SUITS), np.int64)
    _fill_keys(hands, keys)
    return keys


def counts_of_keys(keys: ArrayLike) -> np.ndarray:
    """Return the counts int8[N, 30] of hands as suit keys int64[N, 4]."""
    of_suit = np.asarray(keys, np.int64)[:, SUIT]
    chunk = of_suit >> 8 * (RANK // 3) & CHUNK_BITS
    return (chunk // 5 ** (RANK % 3) % 5).astype(np.int8)


def wins(counts: ArrayLike, melds: ArrayLike = 0) -> np.ndarray:
    """Return bool[N]: whether each hand and its melds are seven groups and one pair (N2.4)."""
    hands = PACK.checked(counts)
    out = np.empty(len(hands), np.bool_)
    _fill_wins(hands, checked_melds(melds, len(hands)), out)
    return out


def distance(counts: ArrayLike, melds: ArrayLike = 0) -> np.ndarray:
    """Return int8[N]: how many cards each hand is short of a win (0 = it wins or holds a winning hand)."""
    hands = PACK.checked(counts)
    out = np.empty(len(hands), np.int8)
    _fill_distance(distance_tables(), hands, checked_melds(melds, len(hands)), out)
    return out


def useful(counts: ArrayLike, melds: ArrayLike = 0) -> np.ndarray:
    """Return bool[N, 30]: the kinds, of which a hand holds fewer than four, whose addition lowers its distance."""
    hands = PACK.checked(counts)
    out = np.empty(hands.shape, np.bool_)
    _fill_useful(distance_tables(), hands, checked_melds(melds, len(hands)), out)
    return out


@jit
def _keys(counts: np.ndarray, keys: np.ndarray) -> None:
    """Overwrite int64[4] keys with those of int8[30] counts."""
    keys[:] = 0
    for kind in range(NUM_KINDS):
        keys[SUIT[kind]] += counts[kind] * STEP[kind]


@jit
def _fill_keys(counts: np.ndarray, out: np.ndarray) -> None:
    for i in range(len(counts)):
        _keys(counts[i], out[i])


@jit
def _fill_wins(counts: np.ndarray, melds: np.ndarray, out: np.ndarray) -> None:
    keys = np.empty(NUM_SUITS, np.int64)
    for i in range(len(counts)):
        _keys(counts[i], keys)
        out[i] = groups.wins(keys, melds[i])


@jit
def _fill_distance(tables: np.record, counts: np.ndarray, melds: np.ndarray, out: np.ndarray) -> None:
    keys = np.empty(NUM_SUITS, np.int64)
    for i in range(len(counts)):
        _keys(counts[i], keys)
        out[i] = distance_of(tables, keys, melds[i])


@jit
def _fill_useful(tables: np.record, counts: np.ndarray, melds: np.ndarray, out: np.ndarray) -> None:
    keys = np.empty(NUM_SUITS, np.int64)
    for i in range(len(counts)):
        _keys(counts[i], keys)
        before = distance_of(tables, keys, melds[i])
        for kind in range(NUM_KINDS):
            keys[SUIT[kind]] += STEP[kind]
            fewer = counts[i, kind] < COPIES
            out[i, kind] = fewer and distance_of(tables, keys, melds[i]) < before
            keys[SUIT[kind]] -= STEP[kind]
