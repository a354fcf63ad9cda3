"""A hand as sets of kinds: `held`, int64[4], the kinds of which more than 0, 1, 2, 3 copies are in it."""

import numpy as np

from ._jit import inline


@inline
def add_copy(held: np.ndarray, kind: int) -> None:
    """Put a card into a hand of fewer than four copies of it."""
    card = 1 << kind
    held[3] |= held[2] & card
    held[2] |= held[1] & card
    held[1] |= held[0] & card
    held[0] |= card


@inline
def remove_copies(held: np.ndarray, kind: int, copies: int) -> None:
    """Take this many copies of a kind out of a hand that holds them."""
    others = ~(1 << kind)
    for _ in range(copies):
        held[0] = held[0] & (others | held[1])
        held[1] = held[1] & (others | held[2])
        held[2] = held[2] & (others | held[3])
        held[3] = held[3] & others
