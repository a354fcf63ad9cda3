"""What the contract leaves to a game, and tests/test_protocol.py checks; each game has a file of its own."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module

import numpy as np


@dataclass(frozen=True)
class Checks:
    """What the contract leaves to a game; all take STATE[n]."""

    cards: Callable[[np.ndarray], np.ndarray]  # int[n, NUM_KINDS], every card of every place counted once
    is_over: Callable[[np.ndarray], np.ndarray]  # bool[n]
    derived: Callable[[np.ndarray], None]  # asserts that each derived field agrees with what it derives from


def checks_of(game: str) -> Checks:
    """Those of a game, from checks_GAME.py."""
    checks = import_module(f"checks_{game}").CHECKS
    assert isinstance(checks, Checks)
    return checks


def copies_of(kinds: np.ndarray, valid: np.ndarray, num_kinds: int) -> np.ndarray:
    """Copies [n, num_kinds] of each kind among kinds[n, m], where valid."""
    out = np.zeros((len(kinds), num_kinds), np.int64)
    np.add.at(out, (np.nonzero(valid)[0], kinds[valid]), 1)
    return out
