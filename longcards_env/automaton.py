"""Compact tables over the hands of one suit.

A suit of nine ranks with 0..4 copies of each has 5**9 hands. Its key keeps three chunks of three ranks, eight
bits each, and the number of cards above them:

    key = chunk(ranks 1-3) | chunk(ranks 4-6) << 8 | chunk(ranks 7-9) << 16 | size << 24
    chunk = n1 + 5 * n2 + 25 * n3

A key is kept up to date by adding `KEY_STEP[rank]` for each card. A table over all hands becomes an automaton
that reads the chunks in turn: hands that can only be told apart later share a row.
"""

from typing import NamedTuple

import numpy as np

from ._jit import inline, widen

CHUNK = 125  # 5**3 hands of three ranks
RANKS = 9
SIZE_SHIFT = 24
CHUNK_BITS = 127
KEY_STEP = np.array([5 ** (r % 3) << 8 * (r // 3) | 1 << SIZE_SHIFT for r in range(RANKS)], np.int64)


class Automaton(NamedTuple):
    """Three tables; a value of the first two is the row to read the next chunk in."""

    first: np.ndarray  # [125]
    second: np.ndarray  # [rows, 125]
    third: np.ndarray  # [rows, 125], the values


def compress(table: np.ndarray) -> Automaton:
    """Return the automaton of a table [125, 125, 125] over (first, second, third chunk)."""
    third, rows = distinct_rows(table.reshape(CHUNK * CHUNK, CHUNK))
    second, first = distinct_rows(rows.reshape(CHUNK, CHUNK))
    return Automaton(first.astype(np.uint16), second.astype(np.uint16), third)


def distinct_rows(table: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the distinct rows of a table [n, ...], and int64[n]: which of them each row of the table is."""
    flat = np.ascontiguousarray(table).reshape(len(table), -1)
    as_bytes = flat.view(np.dtype((np.void, flat.itemsize * flat.shape[1]))).ravel()
    _, kept, number = np.unique(as_bytes, return_index=True, return_inverse=True)
    return table[kept], number


def chunk_order(table: np.ndarray) -> np.ndarray:
    """Reorder a table [5] * 9 over (n1, ..., n9) to [125, 125, 125] over chunks, n1 least significant."""
    return table.transpose(2, 1, 0, 5, 4, 3, 8, 7, 6).reshape(CHUNK, CHUNK, CHUNK)


@inline
def look_up(first: np.ndarray, second: np.ndarray, third: np.ndarray, key: int) -> int:
    """Return the value of an automaton for the hand with this key."""
    row = second[first[key & CHUNK_BITS], key >> 8 & CHUNK_BITS]
    return widen(third[row, key >> 16 & CHUNK_BITS])
