"""Agents by spec string, and the compiled loop that plays them."""

from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from types import SimpleNamespace
from typing import Any

from longcards_env import GAMES, play
from longcards_env.lockstep import TEMPLATES_IN_STEP


@dataclass(frozen=True)
class Agent:
    """A compiled agent of one game, as its spec string names it."""

    game: str
    spec: str
    policy: int  # number of its compiled policy

    def loops(self) -> SimpleNamespace:
        """Return the templates compiled with all policies of the game."""
        return compiled(self.game)

    def tables(self, policies: set[int]) -> Any:
        """Return what these policies look up, built at first use."""
        return _policies(self.game).tables(policies)


def agents_of(game: str) -> list[str]:
    """Return the names of the agents that play a game."""
    return list(_policies(game).POLICIES)


def known_agents() -> dict[str, str]:
    """Return a line about each agent by name, with the games that it plays."""
    about: dict[str, tuple[str, list[str]]] = {}
    for game in GAMES:
        for name, policy in _policies(game).POLICIES.items():
            about.setdefault(name, (policy.about, []))[1].append(game)
    return {name: f"{line} ({', '.join(games)})" for name, (line, games) in about.items()}


def agent(game: str, spec: str) -> Agent:
    """Return the agent that a spec string names; raises ValueError with the known ones and the nearest name."""
    name, _, options = spec.partition(":")
    known = _policies(game).POLICIES
    if name not in known:
        nearest = get_close_matches(name, known, n=1)
        hint = f", did you mean {nearest[0]!r}?" if nearest else ""
        raise ValueError(f"unknown agent {spec!r}{hint} (known agents of {game}: {', '.join(known)})")
    if options:
        raise ValueError(f"agent {spec!r}: {name!r} takes no options")
    return Agent(game, spec, known[name].number)


@cache
def compiled(game: str) -> SimpleNamespace:
    """Return the templates of play.py and lockstep.py compiled for a game with its policies."""
    return SimpleNamespace(**play.bind(GAMES[game], TEMPLATES_IN_STEP, choose=_policies(game).choose))


def tables(game: str, agents: list[Agent]) -> Any:
    """Return what the compiled policies of these agents look up, built at first use."""
    return _policies(game).tables({each.policy for each in agents})


def _policies(game: str) -> Any:
    return import_module(f"agents.{game}.policies")
