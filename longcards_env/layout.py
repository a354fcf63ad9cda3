"""The layout of an observation: the table of its parts, which encoder, documentation and tests read."""

from collections import namedtuple
from typing import Any, NamedTuple

import numpy as np

from ._jit import inline


class Part(NamedTuple):
    """One part of the vector."""

    name: str
    size: int
    high: int  # values are 0..high
    meaning: str


Layout = tuple[Part, ...]


def length(layout: Layout) -> int:
    """Return how many entries the vector has."""
    return sum(part.size for part in layout)


def offsets(layout: Layout) -> Any:
    """Return where each part begins, as attributes of its name, which compiled code reads too."""
    names = [part.name for part in layout]
    starts = np.cumsum([0, *(part.size for part in layout)]).tolist()
    return namedtuple("Offsets", names)(*starts[:-1])


@inline
def spread(kinds: int, num_kinds: int, out: np.ndarray) -> None:
    """Add a set of kinds to the first `num_kinds` entries of a part, int8[...]."""
    for kind in range(num_kinds):
        out[kind] += kinds >> kind & 1
