"""The layout of an observation: the table of its parts, which encoder, documentation and tests read."""

import hashlib
import math
from collections import namedtuple
from typing import Any, NamedTuple

import numpy as np

from ._jit import inline
from .bits import lowest


class Part(NamedTuple):
    """One part of the vector; its entries are in row-major order of its axes."""

    name: str
    shape: tuple[int, ...]
    high: int  # values are 0..high
    meaning: str

    @property
    def size(self) -> int:
        """Return how many entries it has."""
        return math.prod(self.shape)


Layout = tuple[Part, ...]


def length(layout: Layout) -> int:
    """Return how many entries the vector has."""
    return sum(part.size for part in layout)


def highs(layout: Layout) -> np.ndarray:
    """Return the greatest value of each entry of the vector, int8."""
    return np.concatenate([np.full(part.size, part.high, np.int8) for part in layout])


def version(layout: Layout) -> str:
    """Return eight hexadecimal digits that change with the names, shapes, ranges and order of the parts."""
    parts = [(part.name, part.shape, part.high) for part in layout]
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:8]


def offsets(layout: Layout) -> Any:
    """Return where each part begins, as attributes of its name, which compiled code reads too."""
    names = [part.name for part in layout]
    starts = np.cumsum([0, *(part.size for part in layout)]).tolist()
    return namedtuple("Offsets", names)(*starts[:-1])


@inline
def spread(kinds: int, place: int, out: np.ndarray) -> None:
    """Add a set of kinds to the entries from `place` on, one for each kind; most sets are small or empty."""
    while kinds:
        out[place + lowest(kinds)] += 1
        kinds &= kinds - 1
