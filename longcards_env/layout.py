"""The layout of an observation: the table of its parts, which encoder, documentation and tests read."""

from typing import NamedTuple


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


def offset(layout: Layout, name: str) -> int:
    """Return where a part of the vector begins."""
    names = [part.name for part in layout]
    return length(layout[: names.index(name)])
