"""The compiled policies of Nantong Long Cards by number, for the compiled loop (play.py)."""

from typing import Any

import numpy as np

from agents.random_agent import choose_random
from longcards_env._jit import inline
from longcards_env.nantong import HIGH

RANDOM = 0
POLICIES = {"random": RANDOM}


@inline
def choose(policy: int, state: np.record, low: int, high: int, stream: np.ndarray, tables: Any) -> int:
    """Return the action of this policy for the seat that is asked (protocol.py)."""
    return choose_random(low, high, HIGH, stream)


def tables(policies: set[int]) -> Any:
    """Return what these policies look up."""
    return 0
