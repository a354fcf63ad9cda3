"""Distance to a win: how many table cards a seat must still take until it has seven groups and 15 huxi (P7).

Each claim lays out two loose cards with the card claimed, and the last card wins. So of the groups due, 7 less melds
and kan, each is complete, all its cards in hand, or partial: two cards in hand and one to be claimed (the pair: one and
one). Cards that stand in no group are discards. The distance is the least number of partial groups; each partial
counts the huxi that it will bring, three of a kind as a peng. Ti and pao that may yet come are not foreseen.

For one size a row holds the most huxi for each number of complete and of partial groups. Mixes are enumerated, complete
and partial, and the rest is looked up.
"""

from functools import cache

import numpy as np

from .._jit import filled_record, inline, jit, record_dtype, widen
from ..automaton import distinct_rows
from ..bits import count, reverse_bytes
from .cards import LOOSE, RANKS, SIZE_RANKS
from .groups import KEY_OF_RANKS, KEYS, SIZE_GROUPS, UNITS, num_cards
from .rules import GROUPS, LEAST_HUXI, MELD_HUXI, UNIT_HUXI, Meld

FAR = GROUPS + 1  # no seven groups worth 15 huxi can be made by claims alone

_ENTRIES = 8  # 0..7 complete groups by 0..7 partial ones
_POSSIBLE = 32  # an entry of a row: 0 = impossible, else this and huxi up to those that a win needs
_ROWS, _CLASSES = 10976, 170  # distinct rows; distinct patterns of what is possible in them

# One record, so that compiled functions hand it on as one pointer; an argument, since numba copies global arrays.
TABLES = record_dtype(
    [
        ("row", "u2", KEYS),  # the number of the row of each key (groups.py)
        ("pattern", "u1", (KEYS, 2)),  # which numbers of groups are possible, by key, without and with a pair
        ("most", "i1", (_CLASSES, _CLASSES, _ENTRIES)),  # by the patterns of two sizes and the groups: most complete
        ("complete", "i1", (KEYS, 2)),  # the most complete groups, by key, without and with a pair
        ("rows", "u8", (_ROWS, 2, 2, _ENTRIES)),  # by row, size, pair and complete groups: a byte by partial ones
        ("tops", "u8", (_ROWS, 2, 2)),  # by row, size and pair: a byte by complete groups, the most of its row
    ]
)
NO_TABLES = np.zeros(1, TABLES)[0]  # for compiled code that needs the type but will not look anything up


def _shapes(unit: int, peng: int) -> list[tuple[tuple[int, ...], int, int, int]]:
    """Return what can be made of cards of one size: ranks, 1 if complete, 1 if partial, huxi when complete."""
    values = {ranks: unit if ranks in UNITS else 0 for ranks in SIZE_GROUPS}
    partial: dict[tuple[int, ...], int] = {(rank, rank): peng for rank in range(RANKS)}
    for ranks, huxi in values.items():
        for left_out in range(3):
            two = ranks[:left_out] + ranks[left_out + 1 :]
            partial[two] = max(partial.get(two, 0), huxi)
    complete = [(ranks, 1, 0, huxi) for ranks, huxi in values.items()]
    return complete + [(ranks, 0, 1, huxi) for ranks, huxi in partial.items()]


_COUNTS = np.arange(KEYS)[:, None] // 3 ** np.arange(RANKS) % 3
_NEVER = -100  # huxi of what cannot be made, before rows are packed


def _add(rows: np.ndarray, out: np.ndarray, shape: tuple[tuple[int, ...], int, int, int]) -> None:
    """Put one more group of this shape beside what each smaller hand makes, where that brings more huxi."""
    ranks, complete, partial, huxi = shape
    cards = np.bincount(ranks, minlength=RANKS)
    keys = np.flatnonzero((cards <= _COUNTS).all(axis=1))
    smaller = rows[keys - int(cards @ 3 ** np.arange(RANKS))]
    grown = np.full_like(smaller, _NEVER)
    grown[:, complete:, partial:] = smaller[:, : _ENTRIES - complete, : _ENTRIES - partial] + huxi
    out[keys] = np.maximum(out[keys], grown)


def _most_huxi(unit: int, peng: int) -> np.ndarray:
    """Return int8[KEYS, 2, 8, 8]: the most huxi by key, pair, complete and partial groups, with cards left over."""
    rows = np.full((KEYS, _ENTRIES, _ENTRIES), _NEVER, np.int8)
    rows[:, 0, 0] = 0
    for shape in _shapes(unit, peng):
        for _ in range(LOOSE):
            before = rows.copy()
            _add(before, rows, shape)
    with_pair = np.full_like(rows, _NEVER)
    for rank in range(RANKS):
        _add(rows, with_pair, ((rank, rank), 1, 0, 0))
        _add(rows, with_pair, ((rank,), 0, 1, 0))
    return np.stack([rows, with_pair], axis=1)


def _packed(huxi: np.ndarray) -> np.ndarray:
    """Return rows [..., 8, 8] as uint64[..., 8], a byte for each number of partial groups."""
    values = np.where(huxi < 0, 0, _POSSIBLE + np.minimum(huxi, LEAST_HUXI)).astype(np.uint8)
    packed: np.ndarray = values.view(np.uint64)[..., 0]
    return packed


def _most_complete(patterns: np.ndarray) -> np.ndarray:
    """Return int8[n, n, 8]: the most complete groups among 0..7 of two sizes, by their patterns bool[n, 8, 8].

    _NEVER if no such number of groups, complete and partial together, can be made.
    """
    n = len(patterns)
    together = np.zeros((n, n, _ENTRIES, _ENTRIES), np.bool_)
    for c, p in np.ndindex(_ENTRIES, _ENTRIES):
        rest = patterns[:, : _ENTRIES - c, : _ENTRIES - p]
        together[:, :, c:, p:] |= patterns[:, None, c, p, None, None] & rest[None]
    most = np.full((n, n, _ENTRIES), _NEVER, np.int8)
    for c, p in np.ndindex(_ENTRIES, _ENTRIES):  # c grows
        if c + p < _ENTRIES:
            most[together[:, :, c, p], c + p] = c
    return most


@cache
def distance_tables() -> np.record:
    """Return the filled `TABLES` record, built at the first call (about two seconds)."""
    huxi = [_most_huxi(int(UNIT_HUXI[size]), int(MELD_HUXI[Meld.PENG, size])) for size in range(2)]
    rows, number = distinct_rows(np.stack([_packed(each) for each in huxi], axis=1))
    patterns, pattern = distinct_rows((huxi[0] >= 0).reshape(-1, _ENTRIES, _ENTRIES))
    tops = rows.view(np.uint8).reshape(*rows.shape, _ENTRIES).max(axis=-1).view(np.uint64)[..., 0]
    complete = np.where(huxi[0] >= 0, np.arange(_ENTRIES)[:, None], _NEVER).max(axis=(2, 3))
    return filled_record(TABLES, number, pattern.reshape(KEYS, 2), _most_complete(patterns), complete, rows, tops)


_Two = tuple[int, int]  # of the small and the big cards, or complete and partial ones
_Due = tuple[int, int, int]  # groups, 1 if one of them is a pair, huxi
_ONES = np.uint64(0x0101010101010101)
_HIGH_BITS = np.uint64(0x8080808080808080)


@inline
def _reach(a: np.uint64, b: np.uint64, partial: int, need: int) -> bool:
    """Whether two rows make so many partial groups together that bring the huxi needed (1..15)."""
    reversed_b = reverse_bytes(b << np.uint64(8 * (_ENTRIES - 1 - partial)))  # byte i: b[partial - i]
    enough = np.uint64(128 - 2 * _POSSIBLE - need) * _ONES  # only two possible entries carry into the high bit
    return (a + reversed_b + enough) & _HIGH_BITS != np.uint64(0)


@inline
def _tops_reach(tables: np.record, small: int, big: int, complete: int, pair: int, need: int) -> bool:
    """Whether so many complete groups, with whatever partial ones, can bring the huxi: a quick necessary check."""
    if _reach(tables.tops[small, 0, pair], tables.tops[big, 1, 0], complete, need):
        return True
    return pair == 1 and _reach(tables.tops[small, 0, 0], tables.tops[big, 1, 1], complete, need)


@jit
def _huxi_reach(tables: np.record, keys: _Two, complete: int, partial: int, pair: int, need: int) -> bool:
    """Whether cards of two sizes make these groups, a pair among them if it is due, with the huxi needed."""
    small, big = tables.row[keys[0]], tables.row[keys[1]]
    if not _tops_reach(tables, small, big, complete, pair, need):
        return False
    for c in range(complete + 1):
        rest = complete - c
        if _reach(tables.rows[small, 0, pair, c], tables.rows[big, 1, 0, rest], partial, need):
            return True
        if pair and _reach(tables.rows[small, 0, 0, c], tables.rows[big, 1, 1, rest], partial, need):
            return True
    return False


@inline
def _most(tables: np.record, small: int, big: int, pair: int, groups: int) -> int:
    """Return the most complete groups among so many of two sizes; far below zero if they cannot be made."""
    most = widen(tables.most[tables.pattern[small, pair], tables.pattern[big, 0], groups])
    if pair:
        most = max(most, widen(tables.most[tables.pattern[small, 0], tables.pattern[big, 1], groups]))
    return most


@inline
def _nearer(tables: np.record, keys: tuple[int, int], mixes: tuple[int, int], due: _Due, best: int) -> int:
    """Return the distance with these keys beside complete and partial mixes if it is below `best`, else `best`."""
    groups, pair, need = due
    complete, partial = mixes
    rest = groups - complete - partial
    if rest < 0:
        return best
    distance = groups - complete - _most(tables, keys[0], keys[1], pair, rest)
    while distance < best:
        if need <= 0 or _huxi_reach(tables, keys, groups - distance - complete, distance - partial, pair, need):
            return distance
        distance += 1
        if distance - partial > rest:
            return best
    return best


@inline
def _most_in_sizes(tables: np.record, small: int, big: int, pair: int) -> int:
    """Return a bound on the complete groups that two sizes make, whatever else they must make."""
    most = widen(tables.complete[small, pair]) + widen(tables.complete[big, 0])
    return max(most, widen(tables.complete[small, 0]) + widen(tables.complete[big, pair]))


@jit
def _with_half_mixes(tables: np.record, keys: _Two, halves: int, complete: int, due: _Due, best: int) -> int:
    """Return the least distance with partial mixes of any of these ranks if it is below `best`, else `best`.

    keys: what complete mixes leave of both sizes. Two partial mixes of one rank are never better than two pairs.
    """
    groups, pair, _ = due
    if groups - complete - _most_in_sizes(tables, keys[0], keys[1], pair) >= best:
        return best  # partial mixes complete nothing
    half = 0
    while True:  # all subsets, in ascending order
        key = KEY_OF_RANKS[half]
        best = _nearer(tables, (keys[0] - key, keys[1] - key), (complete, count(half)), due, best)
        half = half - halves & halves
        if half == 0:
            return best


@jit
def distance(tables: np.record, once: int, twice: int, groups: int, pair: int, need: int) -> int:
    """Return the distance of loose cards to so many groups with the huxi needed, or FAR.

    groups: still to be made, 0..7. pair: 1 if one of them must be a pair (P7.2). need: huxi that the groups must bring;
    0 or less asks for the groups alone.
    """
    small_1, small_2, big_1, big_2 = once & SIZE_RANKS, twice & SIZE_RANKS, once >> RANKS, twice >> RANKS
    small, big = KEY_OF_RANKS[small_1] + KEY_OF_RANKS[small_2], KEY_OF_RANKS[big_1] + KEY_OF_RANKS[big_2]
    least = max(0, 3 * groups - pair - num_cards(once, twice))  # a partial group saves one card
    best = FAR
    two_small = two_big = 0
    while best > least:  # all sets of mixes of two small cards and a big one, and of a small card and two big ones
        mixed = two_small | two_big
        small_left = small - KEY_OF_RANKS[mixed] - KEY_OF_RANKS[two_small]
        big_left = big - KEY_OF_RANKS[mixed] - KEY_OF_RANKS[two_big]
        halves = small_1 & big_1 & ~mixed
        best = _with_half_mixes(tables, (small_left, big_left), halves, count(mixed), (groups, pair, need), best)
        choices = small_1 & big_2 & ~two_small
        two_big = two_big - choices & choices
        if two_big == 0:
            two_small = two_small - (small_2 & big_1) & small_2 & big_1
            if two_small == 0:
                break
    return best
