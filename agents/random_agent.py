"""The agent that picks any legal action, each equally likely."""

import numpy as np

from longcards_env._jit import inline
from longcards_env.bits import count, member
from longcards_env.deck import below


@inline
def choose_random(low: int, high: int, first_high: int, stream: np.ndarray) -> int:
    """Return one of the legal actions; bit a of `high` is action `first_high` + a."""
    n_low = count(low)
    n = below(stream, n_low + count(high))
    return member(low, n) if n < n_low else first_high + member(high, n - n_low)
