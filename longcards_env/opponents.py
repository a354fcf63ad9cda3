"""Agents by spec string, found among the entry points `longcards.agents`, where anybody can register more.

An entry point names a function that takes a game's name and the spec string, `"greedy"` or `"mine:depth=2"`, and
returns an agent. An agent either is compiled, with the attributes of `CompiledAgent`, or it has the method of `Agent`.
"""

from collections.abc import Callable
from difflib import get_close_matches
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from types import SimpleNamespace
from typing import Any, Protocol, runtime_checkable

import numpy as np

GROUP = "longcards.agents"


@runtime_checkable
class Agent(Protocol):
    """An agent that is asked from Python, many decisions at a time."""

    def act(self, observations: np.ndarray, masks: np.ndarray, streams: np.ndarray) -> np.ndarray:
        """Return a legal action for each decision, int64[n].

        observations: int8[n, OBS_SIZE]. masks: int8[n, NUM_ACTIONS]. streams: uint64[n, 4], a random stream for each,
        to be advanced (deck.py).
        """


@runtime_checkable
class CompiledAgent(Protocol):
    """An agent that plays inside compiled loops."""

    policy: int  # its number in them

    def loops(self) -> SimpleNamespace:
        """Return the templates of lockstep.py compiled with this agent's policies."""

    def tables(self, policies: set[int]) -> Any:
        """Return what these policies look up in the loops."""


@cache
def _known() -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=GROUP)}


def resolve(game: str, spec: Any) -> Any:
    """Return the agent that a spec string names, or an agent as it is; raises ValueError for anything else."""
    if isinstance(spec, Agent | CompiledAgent):
        return spec
    if not isinstance(spec, str):
        raise ValueError(f"got {spec!r}, expected the name of an agent or an object with a method `act`")
    name = spec.partition(":")[0]
    if name not in _known():
        nearest = get_close_matches(name, _known(), n=1)
        hint = f", did you mean {nearest[0]!r}?" if nearest else ""
        raise ValueError(f"unknown agent {spec!r}{hint} (known agents: {', '.join(sorted(_known()))})")
    make: Callable[[str, str], Any] = _known()[name].load()
    return make(game, spec)
