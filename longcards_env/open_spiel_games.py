"""Both games as OpenSpiel games `longcards_nantong` and `longcards_paohuzi`, registered by the import of this module.

    game = pyspiel.load_game("longcards_paohuzi(dealer=0)")

Parameters: `dealer`, a seat, or -1: a first chance node draws it; `all_moves`: forced actions are nodes too, else they
are played by themselves. The deck is dealt before the first decision, a chance node for each card, in the order of the
rules. Actions have the numbers of the library. Needs the extra `peers`.

Search written in Python works, IS-MCTS too: `resample` draws the deals that it asks for. pyspiel's own MCTSBot and
ISMCTSBot, written in C++, do not know games written in Python; the first one ends the process (OpenSpiel 2.0.2).
"""

from collections.abc import Callable
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np
import pyspiel

from . import witness
from .games import GAMES
from .nantong import rules as nantong_rules
from .paohuzi import rules as paohuzi_rules
from .protocol import Game
from .seats import NONE, NUM_SEATS
from .witness import Narrator

_PARAMETERS: dict[str, Any] = {"dealer": NONE, "all_moves": False}
_TRIES = 50  # decks that `resample` tries before it lets fewer cards vary
_CHANCE, _TERMINAL = int(pyspiel.PlayerId.CHANCE), int(pyspiel.PlayerId.TERMINAL)


# ---- what no deal exceeds


def _nantong_bounds() -> tuple[int, int]:
    """Return the least and the most points; no deal comes near them (N6.1-N6.11).

    Eight groups at most bring hu, doubled three times each; the winner's sum is doubled for ready, the three elders,
    one way of winning, and twice for closed floating.
    """
    rules = nantong_rules
    base = (rules.GROUPS + 1) * max(rules.OPENING, rules.HEZI) << 3
    bonus = rules.QING_HU + rules.WENQIAN.max() + rules.SELF_DRAW + rules.KONG_REPLACEMENT + rules.FINAL_WAIT
    total, other = ((hu + rules.ROUNDING) for hu in ((base + bonus) << 5, base))
    return -int(total + other), int((NUM_SEATS - 1) * total)


def _paohuzi_bounds() -> tuple[int, int]:
    """Return the least and the most points: seven groups, each the dearest (P7.1, P8.1)."""
    tun = int(paohuzi_rules.tun(int(paohuzi_rules.GROUPS * paohuzi_rules.MELD_HUXI.max())))
    return -tun, paohuzi_rules.WINNER_SHARE * tun


@dataclass(frozen=True)
class _Facts:
    """What the contract does not say of a game."""

    draws: bool  # whether cards of the stock come into hands
    bounds: Callable[[], tuple[int, int]]


_FACTS = {"nantong": _Facts(True, _nantong_bounds), "paohuzi": _Facts(False, _paohuzi_bounds)}


# ---- observers


class DealObserver:
    """What a player may know as numbers and words; nothing while the deck is dealt.

    `tensor` is float32: the observation, OBS_SIZE, and with perfect recall the events seen so far,
    [witness.most_events, 3], each as 1 + seats away, 1 + what, 1 + kind, rows of 0 after them. `dict` holds both by
    name.
    """

    def __init__(self, words: Narrator, perfect_recall: bool) -> None:
        game = words.game
        rows = witness.most_events(game) if perfect_recall else 0
        self.words, self.perfect_recall = words, perfect_recall
        self.tensor = np.zeros(game.OBS_SIZE + 3 * rows, np.float32)
        self.dict = {"observation": self.tensor[: game.OBS_SIZE]}
        if perfect_recall:
            self.dict["events"] = self.tensor[game.OBS_SIZE :].reshape(rows, 3)

    def set_from(self, state: "DealState", player: int) -> None:
        """Overwrite the tensor with what the player may know."""
        self.tensor.fill(0)
        if not state.is_dealt():
            return
        self.dict["observation"][:] = state.observed(player)
        if self.perfect_recall:
            rows = state.seen(player)
            out = self.dict["events"][: len(rows)]
            out[:] = rows + 1
            out[:, 0] = np.where(rows[:, 0] == NONE, 0, (rows[:, 0] - player) % NUM_SEATS + 1)

    def string_from(self, state: "DealState", player: int) -> str:
        """Return the same in words."""
        if not state.is_dealt():
            return f"player {player}"
        words = f"player {player}; {self.words.observation(state.observed(player))}"
        return f"{words}; seen {self.words.events(state.seen(player))}" if self.perfect_recall else words


# ---- games and states


class DealState(pyspiel.State):  # type: ignore[misc]
    """A deal: chance deals the deck, then the seats decide. What a clone copies is two numpy records and some bytes."""

    rules: Game  # of the class, as all up to the next line
    play: SimpleNamespace  # set by `prepare`, as the next one
    words: Narrator

    @classmethod
    def prepare(cls) -> None:
        """Compile what the class needs, if that is not done."""
        if not hasattr(cls, "play"):
            cls.play, cls.words = witness.bound(cls.rules), Narrator(cls.rules)

    def __init__(self, game: Any, dealer: int, all_moves: bool) -> None:
        super().__init__(game)
        self._dealer, self._all_moves = dealer, all_moves
        self._deck = b""  # kinds dealt so far
        self._player = _CHANCE
        self._low = self._high = 0  # the legal words
        self._states: Any = None  # STATE[1], once the deck is dealt
        self._sights: Any = None  # of witness.py, one record

    def is_dealt(self) -> bool:
        """Whether the whole deck is dealt."""
        return self._states is not None

    def current_player(self) -> int:
        """Return the seat that is asked, or pyspiel's number for chance or the end."""
        return self._player

    def is_terminal(self) -> bool:
        """Whether the deal is over."""
        return self._player == _TERMINAL

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the dealers, or the kinds that are left, each with its probability."""
        if self._dealer == NONE:
            return [(seat, 1 / NUM_SEATS) for seat in range(NUM_SEATS)]
        left = [self.rules.COPIES - self._deck.count(kind) for kind in range(self.rules.NUM_KINDS)]
        cards = self.rules.NUM_CARDS - len(self._deck)
        return [(kind, copies / cards) for kind, copies in enumerate(left) if copies]

    def _legal_actions(self, player: int) -> list[int]:
        both, actions = self._low | self._high << self.rules.HIGH, []
        while both:
            actions.append((both & -both).bit_length() - 1)
            both &= both - 1
        return actions

    def _apply_action(self, action: int) -> None:
        if self._player != _CHANCE:
            self._ask(self.play.move(self._states, self._sights, action))
        elif self._dealer == NONE:
            self._dealer = action
        else:
            self._deck += bytes((action,))
            if len(self._deck) == self.rules.NUM_CARDS:
                self._states = np.zeros(1, self.rules.STATE)
                self._sights = witness.new_sights(self.rules, _FACTS[self.rules.NAME].draws, self._all_moves)
                deck = np.frombuffer(self._deck, np.int8)
                self._ask(self.play.deal_out(self._states, self._sights, self._dealer, deck))

    def _ask(self, asked: tuple[int, int, int]) -> None:
        seat, self._low, self._high = map(int, asked)  # they are ints already if compiled
        self._player = _TERMINAL if seat == NONE else seat

    def _action_to_string(self, player: int, action: int) -> str:
        if player != _CHANCE:
            return self.rules.action_name(action, int(self._states["card"][0]))
        return f"dealer {action}" if self._dealer == NONE else f"deal {self.rules.TOKENS[action]}"

    def returns(self) -> list[float]:
        """Return the points of all seats, 0 before the end."""
        points = self._states["points"][0].tolist() if self.is_terminal() else [0] * NUM_SEATS
        return [float(each) for each in points]

    def __str__(self) -> str:
        if self._states is not None:
            return self.rules.show(self._states[0])
        dealer = "" if self._dealer == NONE else f"dealer {self._dealer}: "
        return dealer + " ".join(self.rules.TOKENS[kind] for kind in self._deck)

    def deck(self) -> np.ndarray:
        """Return the kinds dealt so far, int8[n]."""
        return np.frombuffer(self._deck, np.int8).copy()

    def observed(self, player: int) -> np.ndarray:
        """Return the observation of a player, int8[OBS_SIZE]; the deck must be dealt."""
        out = np.empty(self.rules.OBS_SIZE, np.int8)
        self.rules.observe(self._states[0], player, out)
        return out

    def seen(self, player: int) -> np.ndarray:
        """Return what a player has seen so far, events int16[n, 3] (witness.py); the deck must be dealt."""
        return self._sights["events"][0, player, : self._sights["told"][0, player]]

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> "DealState":
        """Return another deal that looks the same to a player who is asked; sampler: uniform in [0, 1)."""
        return resample(self, player, np.random.default_rng(int(sampler() * 2**53)))

    def hidden_places(self, seats: list[int]) -> np.ndarray:
        """Return the places in the deck, int64[n], of the cards in these seats' hands and in the stock."""
        return witness.hidden_places(self.rules, self._states, self._sights, seats)

    def retold(self, deck: np.ndarray, player: int) -> "DealState | None":
        """Return the deal of another deck, int8[NUM_CARDS], that looks like this to a player, or None."""
        states, sights = np.zeros_like(self._states), self._sights.copy()
        moves = np.empty(witness.most_events(self.rules), np.int16)
        self.play.deal_out(states, sights, self._dealer, deck)
        made = self.play.retrace(states, sights, player, self.seen(player), self.observed(player), moves)
        if made == NONE:
            return None
        game = self.get_game()
        state: DealState = game.new_initial_state()
        dealer = [self._dealer] if game.dealer == NONE else []
        for action in [*dealer, *deck.tolist(), *moves[:made].tolist()]:
            state.apply_action(action)
        return state


def resample(state: DealState, player: int, random: np.random.Generator) -> DealState:
    """Return another deal that looks the same, over all its course, to a player who is asked.

    The cards in the stock and in the other hands are dealt anew at random until the deal can have gone like that: the
    same discards, claims and declarations, the other seats passing where they are asked. If no deck of many does, first
    one of the other hands is left as it is, then both, at last all.
    """
    others = [seat for seat in range(NUM_SEATS) if seat != player]
    for kept in range(len(others) + 1):
        for _ in range(_TRIES):
            places = state.hidden_places(random.permutation(others)[kept:].tolist())
            deck = state.deck()
            deck[places] = random.permutation(deck[places])
            other = state.retold(deck, player)
            if other is not None:
                return other
    return state.clone()


class DealGame(pyspiel.Game):  # type: ignore[misc]
    """One of the games with its parameters; raises ValueError for another dealer than -1..2."""

    state_type: type[DealState]  # of the class, as the next one
    kind: Any  # pyspiel's GameType

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = _PARAMETERS | (params or {})
        if not NONE <= given["dealer"] < NUM_SEATS:
            raise ValueError(f"dealer is {given['dealer']}, expected {NONE} to {NUM_SEATS - 1}")
        super().__init__(self.kind, _game_info(self.state_type.rules), params or {})
        self.state_type.prepare()
        self.dealer, self.all_moves = int(given["dealer"]), bool(given["all_moves"])

    def new_initial_state(self) -> DealState:
        """Return a deal of which no card is dealt."""
        return self.state_type(self, self.dealer, self.all_moves)

    def max_chance_nodes_in_history(self) -> int:
        """Return how many chance nodes a deal has at most: one for each card, and one for the dealer."""
        return self.state_type.rules.NUM_CARDS + 1

    def make_py_observer(self, kind: Any = None, params: dict[str, Any] | None = None) -> DealObserver | None:
        """Return an observer of all that a player may know; None for one of only the public, or only the own part.

        Raises ValueError for parameters: there are none.
        """
        if params:
            raise ValueError(f"observers have no parameters, got {params}")
        wanted = kind or pyspiel.IIGObservationType(perfect_recall=False)
        if not wanted.public_info or wanted.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
            return None
        return DealObserver(self.state_type.words, wanted.perfect_recall)


def _game_type(game: Game) -> Any:
    """Return what pyspiel knows of a game before it is loaded."""
    return pyspiel.GameType(
        short_name=f"longcards_{game.NAME}",
        long_name=game.TITLE,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=NUM_SEATS,
        min_num_players=NUM_SEATS,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=_PARAMETERS,
    )


def _game_info(game: Game) -> Any:
    """Return the sizes and bounds of a game."""
    least, most = _FACTS[game.NAME].bounds()
    return pyspiel.GameInfo(
        num_distinct_actions=game.NUM_ACTIONS,
        max_chance_outcomes=max(game.NUM_KINDS, NUM_SEATS),
        num_players=NUM_SEATS,
        min_utility=float(least),
        max_utility=float(most),
        utility_sum=0.0,
        max_game_length=game.MAX_DECISIONS,
    )


class NantongState(DealState):
    """A deal of Nantong Long Cards."""

    rules = GAMES["nantong"]


class PaohuziState(DealState):
    """A deal of Paohuzi."""

    rules = GAMES["paohuzi"]


class NantongGame(DealGame):
    """Nantong Long Cards, `longcards_nantong`."""

    state_type = NantongState
    kind = _game_type(NantongState.rules)


class PaohuziGame(DealGame):
    """Paohuzi, `longcards_paohuzi`."""

    state_type = PaohuziState
    kind = _game_type(PaohuziState.rules)


# Classes, not functions: pyspiel lets go of them after the end of Python, when a function could not be freed.
for _game in (NantongGame, PaohuziGame):
    pyspiel.register_game(_game.kind, _game)
