"""Three seats, their order of play (N1.3, P1.2), and what stands for none of them."""

from ._jit import inline

NUM_SEATS = 3
NONE = -1  # no seat, and no kind of card


@inline
def next_seat(seat: int) -> int:
    """Return the seat after this one: 0 -> 1 -> 2 -> 0."""
    return 0 if seat == NUM_SEATS - 1 else seat + 1
