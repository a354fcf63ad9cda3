"""Three seats and their order of play (N1.3)."""

from ._jit import inline

NUM_SEATS = 3


@inline
def next_seat(seat: int) -> int:
    """Return the seat after this one: 0 -> 1 -> 2 -> 0 (N1.3)."""
    return 0 if seat == NUM_SEATS - 1 else seat + 1
