"""Cards that nobody took, in one byte each: who showed the card, and its kind."""

from ._jit import inline, widen

_KIND = (1 << 5) - 1  # five bits for the kind, two for the seat; the highest bit is the game's own


@inline
def river_entry(seat: int, kind: int) -> int:
    """Return a card of this seat as the river holds it."""
    return seat << 5 | kind


@inline
def river_seat(entry: int) -> int:
    """Return the seat of a card in the river."""
    return widen(entry) >> 5 & 3


@inline
def river_kind(entry: int) -> int:
    """Return the kind of a card in the river."""
    return widen(entry) & _KIND
