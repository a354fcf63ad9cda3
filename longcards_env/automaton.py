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

CHUNK = 125  # 5**3 hands of three ranks
RANKS = 9
SIZE_SHIFT = 24
KEY_STEP = np.array([5 ** (r % 3) << 8 * (r // 3) | 1 << SIZE_SHIFT for r in range(RANKS)], np.int64)


class Automaton(NamedTuple):
    """Three tables; each of the first two holds the place where the next chunk's row begins."""

    first: np.ndarray  # [125]
    second: np.ndarray  # [rows * 125]
    third: np.ndarray  # values


def compress(table: np.ndarray) -> Automaton:
    """Return the automaton of a table [125, 125, 125] over (first, second, third chunk)."""
    third, starts = _distinct_rows(table.reshape(CHUNK * CHUNK, CHUNK))
    second, first = _distinct_rows(starts.reshape(CHUNK, CHUNK))
    return Automaton(first, second.ravel(), third.ravel())


def _distinct_rows(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the distinct rows of [n, 125], and for each old row where its copy begins when they are flat."""
    packed = np.ascontiguousarray(rows).view(np.dtype((np.void, rows.itemsize * CHUNK)))
    _, kept, place = np.unique(packed.ravel(), return_index=True, return_inverse=True)
    return rows[kept], (place * CHUNK).astype(np.min_scalar_type(CHUNK * len(kept)))


def chunk_order(table: np.ndarray) -> np.ndarray:
    """Reorder a table [5] * 9 over (n1, ..., n9) to [125, 125, 125] over chunks, n1 least significant."""
    return table.transpose(2, 1, 0, 5, 4, 3, 8, 7, 6).reshape(CHUNK, CHUNK, CHUNK)
