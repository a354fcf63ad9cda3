"""The contract of a game: the names that both games define and everything above them uses.

A game is a module (`longcards_env.nantong`, ...) with the names of `Game`. `state` is one record of the game's `STATE`
dtype, taken from `new_states(n)`; a copy of it is one assignment, a batch is a longer array, equality is
`tobytes()`. Both games' states have the fields `deck`, `dealer`, `phase`, `seat`, `card` (the kind that the question is
about), `winner` and `points`; -1 stands for no seat and no kind. Compiled functions expect valid input and never draw
random numbers: randomness lives in `deck.py`. Templates (`play.py`) name the stand-ins below; `play.bind` replaces them
by a game's own.

Beside the module, a game has `hands` in its folder (`wins`, `distance`, `useful` over arrays of hands, with nothing
melded unless more is said), the compiled policies `agents.GAME.policies` (`POLICIES`, `choose`, `tables`) and the
columns of its tables, `experiments.columns_GAME`.
"""

from typing import Any, Protocol

import numpy as np

from .layout import Layout
from .scene import Scene
from .seats import NONE

NUM_CARDS = 0  # cards in the deck
COPIES = 0  # of each kind
NUM_ACTIONS = 0
HIGH = 0  # the action that bit 0 of the second legal word stands for
MAX_DECISIONS = 0  # no deal has more
OBS_SIZE = 0


def reset(state: np.record, dealer: int, deck: np.ndarray) -> None:
    """Start a deal from its dealer and int8[NUM_CARDS] deck; overwrites every field."""
    raise NotImplementedError


def legal_words(state: np.record) -> tuple[int, int]:
    """Return the legal actions as two sets: bit a of the first is action a, of the second action HIGH + a."""
    raise NotImplementedError


def apply(state: np.record, action: int) -> None:
    """Apply one legal action and what follows by itself (draws, the end); forced actions are not played."""
    raise NotImplementedError


def observe(state: np.record, seat: int, out: np.ndarray) -> None:
    """Overwrite int8[OBS_SIZE] with what the seat may know, own seat first."""
    raise NotImplementedError


def choose(policy: int, state: np.record, low: int, high: int, stream: np.ndarray, tables: Any) -> int:
    """Return a compiled policy's action among the legal ones; supplied by `agents`, not by a game.

    stream: uint64[4], the acting seat's random stream, advanced. tables: what the game's policies look up.
    """
    raise NotImplementedError


class Game(Protocol):
    """What a game module offers; the stand-ins above say more of the first ones."""

    NAME: str
    TITLE: str
    NUM_KINDS: int
    NUM_CARDS: int
    COPIES: int
    LOOSE: int  # cards of one kind that a hand may hold without their being locked together
    HAND_SIZE: int  # cards dealt to a seat that is not the dealer
    NUM_ACTIONS: int
    HIGH: int
    MAX_DECISIONS: int
    OBS_SIZE: int
    OBS_VERSION: str  # changes with LAYOUT
    LAYOUT: Layout  # of an observation
    PHASES: list[str]  # what a seat can be asked, by number
    TOKENS: list[str]  # the cards' names, by kind
    STATE: np.dtype[np.record]

    def reset(self, state: np.record, dealer: int, deck: np.ndarray) -> None:
        """Start a deal (compiled)."""

    def legal_words(self, state: np.record) -> tuple[int, int]:
        """Return the legal actions as two sets (compiled)."""

    def apply(self, state: np.record, action: int) -> None:
        """Apply one legal action (compiled)."""

    def legal(self, state: np.record, out: np.ndarray) -> int:
        """Overwrite the mask int8[NUM_ACTIONS]; return how many actions are legal, 0 = over (compiled)."""

    def observe(self, state: np.record, seat: int, out: np.ndarray) -> None:
        """Overwrite int8[OBS_SIZE] with what the seat may know, own seat first (compiled)."""

    def new_states(self, n: int) -> np.ndarray:
        """Return n blank states, STATE[n]."""

    def session_dealers(self, session: int, deals: range) -> np.ndarray:
        """Return the dealers int64[n] of these deals of a session, whose random number is given."""

    def action_name(self, action: int, card: int = NONE) -> str:
        """Return the words of an action when the question is about this card; "" if there is no such action."""

    def question(self, state: np.record) -> str:
        """Return what the acting seat is asked, "claim s4 of seat 1"."""

    def show(self, state: np.record) -> str:
        """Return the position as text, all cards open."""

    def scene(self, state: np.record, viewer: int | None = None) -> Scene:
        """Return what a seat, or None for all cards open, sees of the position, to be drawn."""

    def result(self, state: np.record) -> dict[str, Any]:
        """Return the result of a deal that is over, as in a record."""
