"""The contract of a game: the names that both games define and everything above them uses.

A game is a module (`longcards_env.nantong`, ...) with these names. `state` is one record of the game's `STATE`
dtype, taken from `new_states(n)`; a copy of it is one assignment, a batch is a longer array, equality is
`tobytes()`. Both games' states have the fields `deck`, `dealer`, `phase`, `seat`, `winner` and `points`. Compiled
functions expect valid input and never draw random numbers: randomness lives in `deck.py`. Templates (`play.py`) name
the stand-ins below; `play.bind` replaces them by a game's own.
"""

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np

NUM_CARDS = 0  # cards in the deck
COPIES = 0  # of each kind
NUM_ACTIONS = 0
HIGH = 0  # the action that bit 0 of the second legal word stands for
MAX_DECISIONS = 0  # no deal has as many


def reset(state: np.record, dealer: int, deck: np.ndarray) -> None:
    """Start a deal from its dealer and int8[NUM_CARDS] deck; overwrites every field."""
    raise NotImplementedError


def legal_words(state: np.record) -> tuple[int, int]:
    """Return the legal actions as two sets: bit a of the first is action a, of the second action HIGH + a."""
    raise NotImplementedError


def apply(state: np.record, action: int) -> None:
    """Apply one legal action and what follows by itself (draws, the end); forced actions are not played."""
    raise NotImplementedError


def choose(policy: int, state: np.record, low: int, high: int, stream: np.ndarray, tables: Any) -> int:
    """Return a compiled policy's action among the legal ones; supplied by `agents`, not by a game.

    stream: uint64[4], the acting seat's random stream, advanced. tables: what the game's policies look up.
    """
    raise NotImplementedError


class Game(Protocol):
    """What a game module offers to plain Python."""

    NAME: str
    TITLE: str
    NUM_KINDS: int
    NUM_CARDS: int
    COPIES: int
    NUM_ACTIONS: int
    HIGH: int
    MAX_DECISIONS: int
    TOKENS: list[str]
    STATE: np.dtype[np.void]
    reset: Callable[[np.record, int, np.ndarray], None]
    legal: Callable[[np.record, np.ndarray], int]
    legal_words: Callable[[np.record], tuple[int, int]]
    apply: Callable[[np.record, int], None]
    LAYOUT: tuple[Any, ...]  # the parts of an observation: name, size, high, meaning
    OBS_SIZE: int
    observe: Callable[[np.record, int, np.ndarray], None]  # overwrites int8[OBS_SIZE], own seat first
    new_states: Callable[[int], np.ndarray]
    action_name: Callable[[int], str]
    parse_action: Callable[[str], int]
    phase_name: Callable[[int], str]
    question: Callable[[np.record], str]  # what the acting seat is asked, "claim s4 of seat 1"
    show: Callable[[np.record], str]
    session_dealers: Callable[[int, range], np.ndarray]  # of these deals of a session: its random number, int64[n]
    result: Callable[[np.record], dict[str, Any]]
