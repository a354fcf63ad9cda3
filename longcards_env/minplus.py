"""Min-plus arithmetic on rows of eight small costs, one byte each in a uint64: eight at a time.

Entry n of a row is the cost of n units; costs are at most INFINITE * 4 < 128, so that a sum of four rows never
carries from one byte into the next.
"""

import numpy as np

from ._jit import inline, widen
from .bits import reverse_bytes

ENTRIES = 8
INFINITE = 31  # cost of what cannot be
_ONES = np.uint64(0x0101010101010101)
_HIGH_BITS = np.uint64(0x8080808080808080)
_INFINITE_ROW = np.uint64(INFINITE * 0x0101010101010101)
_BYTE = np.uint64(0xFF)
_U7, _U8, _U16, _U32, _U63 = (np.uint64(n) for n in (7, 8, 16, 32, 63))
_TOP = np.uint64(ENTRIES - 1)


@inline
def smaller(a: np.uint64, b: np.uint64) -> np.uint64:
    """Return the entrywise minimum."""
    not_less = (((a | _HIGH_BITS) - b) & _HIGH_BITS) >> _U7  # 1 in each byte where a >= b
    return a ^ ((a ^ b) & (not_less * _BYTE))


@inline
def equal_entries(a: np.uint64, b: np.uint64) -> np.uint64:
    """Return 1 in each byte where the entries are equal, 0 elsewhere."""
    difference = a ^ b
    return (((_HIGH_BITS - difference) & _HIGH_BITS) >> _U7) & _ONES


@inline
def every(cost: int) -> np.uint64:
    """Return the row whose entries are all this cost."""
    return np.uint64(cost) * _ONES


@inline
def least(row: np.uint64) -> int:
    """Return the smallest entry."""
    row = smaller(row, row >> _U32)
    row = smaller(row, row >> _U16)
    return widen(smaller(row, row >> _U8) & _BYTE)


@inline
def reversed_from(row: np.uint64, n: int) -> np.uint64:
    """Return the row whose entry i is row[n - i], infinite for i > n: what remains for i of n units."""
    shift = _U8 * (_TOP - np.uint64(n))
    filler = (_INFINITE_ROW >> (_U63 - shift)) >> np.uint64(1)  # in two steps: a shift by 64 is undefined
    return reverse_bytes(row << shift | filler)


def convolve_all(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return int8[len(a), len(b), 8]: for each row of a with each of b, the least a[i] + b[n - i] for n units.

    a, b: int8[..., 8], costs up to INFINITE; so are the results.
    """
    out = np.full((len(a), len(b), ENTRIES), INFINITE, np.int8)
    for i in range(ENTRIES):
        for n in range(i, ENTRIES):
            np.minimum(out[..., n], a[:, None, i] + b[None, :, n - i], out=out[..., n])
    return out
