"""The compiled policies of Paohuzi by number, for the compiled loop (play.py)."""

import numpy as np

from agents.paohuzi.greedy import choose_greedy
from agents.policy import Policy
from longcards_env._jit import inline
from longcards_env.deck import pick
from longcards_env.paohuzi import HIGH
from longcards_env.paohuzi.distance import NO_TABLES, distance_tables

RANDOM, GREEDY = 0, 1
POLICIES = {
    "random": Policy(RANDOM, "any legal action, each equally likely"),
    "greedy": Policy(GREEDY, "wins when it can; claims and discards for the least distance with 15 huxi"),
}


@inline
def choose(policy: int, state: np.record, low: int, high: int, stream: np.ndarray, tables: np.record) -> int:
    """Return the action of this policy for the seat that is asked (protocol.py)."""
    if policy == GREEDY:
        return choose_greedy(state, low, high, tables)
    return pick(low, high, HIGH, stream)


def tables(policies: set[int]) -> np.record:
    """Return what these policies look up; nothing is built for those that look nothing up."""
    return distance_tables() if GREEDY in policies else NO_TABLES
