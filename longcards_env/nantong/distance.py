"""Distance to a win: how many cards a hand is short of seven groups and one pair (N2.4).

The distance of a hand with m melds is the least number of cards that some winning hand of 7 - m groups and a pair
has and it lacks. For one suit it is a row of costs by number of groups, one for the suit with the pair and one
without (minplus.py); suits add up by min-plus. The rows of all hands of a suit are few and stand in an automaton.
"""

from functools import cache

import numpy as np

from .._jit import filled_record, inline, jit, record_dtype, widen
from ..automaton import CHUNK, CHUNK_BITS, RANKS, chunk_order, compress, look_up
from ..minplus import ENTRIES, INFINITE, convolve_all, least, reversed_from, smaller
from .cards import COPIES, HONOURS, NUM_SUITS
from .groups import complete_hands
from .rules import GROUPS

# How many distinct rows there are of one, two and three suits, and in the two steps of the automaton.
_ROWS, _TWO_ROWS, _THREE_ROWS, _SECOND, _THIRD = 343, 860, 904, 121, 2969

# One record, so that compiled functions hand it on as one pointer; an argument, since numba copies global arrays.
TABLES = record_dtype(
    [
        ("first", "u2", CHUNK),  # the automaton (automaton.py) over the chunks of a key ...
        ("second", "u2", (_SECOND, CHUNK)),
        ("third", "u2", (_THIRD, CHUNK)),  # ... whose values are numbers of rows
        ("honours", "u2", CHUNK),  # the row number of each chunk of honours
        ("rows", "u8", (_ROWS, 2)),  # costs by number of groups, without and with the pair
        (
            "two",
            "u2",
            (_ROWS, _ROWS),
        ),  # the number of the row of two suits together, by their row numbers ...
        ("two_rows", "u8", (_TWO_ROWS, 2)),  # ... among these
        ("three", "u2", (_TWO_ROWS, _ROWS)),  # the same for two suits, by number in two_rows, and a third
        ("three_rows", "u8", (_THREE_ROWS, 2)),
    ]
)
NO_TABLES = np.zeros(1, TABLES)[0]  # for compiled code that needs the type but will not look anything up


def _costs(ranks: int, runs: bool) -> np.ndarray:
    """Return int8[5, ..., 5, 2, 8]: the cards that each hand of a suit lacks, by pair and groups.

    From each complete hand, fewer copies of a rank cost one each, and more copies cost nothing; ranks are
    independent, so one sweep down and one up along each of them finds the minimum over all complete hands.
    """
    shape = (COPIES + 1,) * ranks
    costs = np.full((*shape, 2, ENTRIES), INFINITE, np.int8)
    for groups, hands in enumerate(complete_hands(ranks, runs)):
        if groups <= GROUPS:
            for pair, counts in enumerate(hands):
                costs[(*counts.T, pair, groups)] = 0
    for rank in range(ranks):
        along = np.moveaxis(costs, rank, 0)
        for copies in range(COPIES - 1, -1, -1):
            np.minimum(along[copies], along[copies + 1] + 1, out=along[copies])
        for copies in range(COPIES):
            np.minimum(along[copies + 1], along[copies], out=along[copies + 1])
    return np.minimum(costs, INFINITE)


def _number_rows(*tables: np.ndarray) -> tuple[np.ndarray, list[np.ndarray]]:
    """Return the distinct rows uint64[n, 2] of tables [..., 2, 8], and each table as row numbers uint16[...]."""
    rows = np.concatenate([table.reshape(-1, 2 * ENTRIES) for table in tables]).view(np.uint64)
    mixed = rows[:, 0] * np.uint64(0x9E3779B97F4A7C15) ^ rows[:, 1] * np.uint64(0xBF58476D1CE4E5B9)
    _, kept, numbers = np.unique(mixed, return_index=True, return_inverse=True)
    if not np.array_equal(rows[kept[numbers]], rows):
        raise AssertionError("two different rows of costs have the same hash")
    ends = np.cumsum([table.size // (2 * ENTRIES) for table in tables])[:-1]
    parts = np.split(numbers.astype(np.uint16), ends)
    return rows[kept], [part.reshape(table.shape[:-2]) for part, table in zip(parts, tables, strict=True)]


def _join_all(a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the distinct costs of each row of a together with each of b, uint64[n, 2], and uint16[a, b] numbers."""
    first, second = (rows.view(np.int8).reshape(-1, 2, ENTRIES) for rows in (a, b))
    plain = convolve_all(first[:, 0], second[:, 0])
    with_pair = np.minimum(convolve_all(first[:, 0], second[:, 1]), convolve_all(first[:, 1], second[:, 0]))
    rows, (numbers,) = _number_rows(np.stack([plain, with_pair], axis=2))
    return rows, numbers


@cache
def distance_tables() -> np.record:
    """Return the filled `TABLES` record, built at the first call (about a second)."""
    rows, (suit, honours) = _number_rows(_costs(RANKS, True), _costs(HONOURS, False))
    two_rows, two = _join_all(rows, rows)
    three_rows, three = _join_all(two_rows, rows)
    first, second, third = compress(chunk_order(suit))
    honour_rows = honours.T.ravel()
    return filled_record(TABLES, first, second, third, honour_rows, rows, two, two_rows, three, three_rows)


@inline
def row_number(tables: np.record, suit: int, key: int) -> int:
    """Return the row of the cards of one suit."""
    if suit == NUM_SUITS - 1:
        return widen(tables.honours[key & CHUNK_BITS])
    return look_up(tables.first, tables.second, tables.third, key)


@inline
def least_together(rest_plain: np.uint64, rest_pair: np.uint64, plain: np.uint64, pair: np.uint64) -> int:
    """Return the least cost of a suit and the rest; the rest's rows are reversed from the groups due."""
    return least(smaller(rest_plain + pair, rest_pair + plain))


@jit
def distance(tables: np.record, keys: np.ndarray, melds: int) -> int:
    """Return the distance to a win of a hand of int64[4] suit keys with this many melds."""
    two = tables.two[row_number(tables, 0, keys[0]), row_number(tables, 1, keys[1])]
    others = tables.two[row_number(tables, 2, keys[2]), row_number(tables, 3, keys[3])]
    due = GROUPS - melds
    rest_plain, rest_pair = (
        reversed_from(tables.two_rows[two, 0], due),
        reversed_from(tables.two_rows[two, 1], due),
    )
    return least_together(rest_plain, rest_pair, tables.two_rows[others, 0], tables.two_rows[others, 1])
