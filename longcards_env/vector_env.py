"""Thousands of deals in one Gymnasium `VectorEnv`: one compiled call a step, no Python for each deal.

    envs = gymnasium.make_vec("longcards/Paohuzi-v0", 1024, vectorization_mode="vector_entry_point")

Either one learner's seat plays against compiled opponents, or, with `self_play=True`, every decision of every seat
comes from outside: `info["current_player"]` says whose it is.
"""

from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from . import lockstep
from .games import GAMES
from .layout import highs
from .lockstep import SLOT
from .protocol import Game

Observation = dict[str, np.ndarray]
Info = dict[str, Any]


def observation_space(game: Game) -> Any:
    """Return the space of one observation: `observation` int8[OBS_SIZE] and `action_mask` int8[NUM_ACTIONS]."""
    observation = spaces.Box(np.zeros(game.OBS_SIZE, np.int8), highs(game.LAYOUT), dtype=np.int8)
    return spaces.Dict({"observation": observation, "action_mask": spaces.MultiBinary(game.NUM_ACTIONS)})


def illegal_action(game: Game, state: np.record, slot: np.record, action: int) -> ValueError:
    """Return the error for an action that is not legal: it names the ones that are."""
    mask = np.empty(game.NUM_ACTIONS, np.int8)
    n_legal = game.legal(state, mask)
    legal = [f"{a} {game.action_name(a, int(state.card))}" for a in np.flatnonzero(mask).tolist()]
    if n_legal == 0 or not (slot.low or slot.high):
        return ValueError("the deal is over: reset")
    asked = f"seat {state.seat} ({game.question(state)})"
    return ValueError(f"illegal action {action}: expected of {asked}: {', '.join(legal)}")


class LongCardsVectorEnv(VectorEnv[Observation, np.ndarray, np.ndarray]):
    """Deals of one game in lockstep; actions int64[num_envs].

    opponents: two specs or compiled agents, of the seat after the learner's and the one after that. seat: the
    learner's, None draws it anew for each deal. self_play: all seats are learners'. dealer: a seat, None draws it for
    each deal. all_moves: ask for actions that are forced too. reward_scale: the reward is this times the points that
    the learner, or in self-play the seat that acted last, won by the deal; 0 before its end. copy: False returns arrays
    that the next step overwrites, which is faster.

    A deal that ends before a learner is asked is dealt again. `info` holds `current_player`, the seat that is asked,
    and, where `_points` is set, the `points` int64[num_envs, 3] of the deals that this step ended. Raises ValueError
    for an action that is not legal, before anything is played.
    """

    metadata: dict[str, Any] = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}  # noqa: RUF012

    def __init__(
        self,
        game: str,
        num_envs: int = 1,
        *,
        opponents: tuple[Any, Any] = ("greedy", "greedy"),
        seat: int | None = None,
        self_play: bool = False,
        dealer: int | None = None,
        all_moves: bool = False,
        reward_scale: float = 1.0,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        copy: bool = True,
    ) -> None:
        self.game = GAMES[game]
        self.num_envs = num_envs
        self.reward_scale = reward_scale
        self.copy = copy
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = self.metadata | {"autoreset_mode": self.autoreset_mode}
        self.single_observation_space = observation_space(self.game)
        self.single_action_space = spaces.Discrete(self.game.NUM_ACTIONS)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        seated = lockstep.seat_opponents(self.game, () if self_play else opponents)
        if not self_play and any(seated.agents):
            raise ValueError(f"got opponents {opponents!r}, expected compiled agents")
        self._loops, self._tables = seated.loops, seated.tables
        self._states = self.game.new_states(num_envs)
        self._slots = np.zeros(num_envs, SLOT).view(np.recarray)
        self._slots["opponents"] = seated.policies
        self._slots["seating"] = lockstep.SELF_PLAY if self_play else lockstep.ANY_SEAT if seat is None else seat
        self._slots["dealer"] = -1 if dealer is None else dealer
        self._slots["all_moves"] = all_moves
        self._observations = np.zeros((num_envs, self.game.OBS_SIZE), np.int8)
        self._masks = np.zeros((num_envs, self.game.NUM_ACTIONS), np.int8)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, Info]:
        """Begin new deals: all, or those of `options["reset_mask"]`, bool[num_envs]; a seed begins the run anew."""
        super().reset(seed=seed if isinstance(seed, int) else None, options=options)
        which = np.ones(self.num_envs, np.bool_)
        if options and "reset_mask" in options:
            which = np.asarray(options["reset_mask"], np.bool_)
        if seed is not None or not self._slots["stride"].any():
            seeds = seed if isinstance(seed, list) else [None] * self.num_envs
            master = self.np_random.integers(2**64, dtype=np.uint64)
            self._slots["master"] = [master if each is None else each for each in seeds]
            self._slots["next_deal"], self._slots["stride"] = np.arange(self.num_envs), self.num_envs
        self._loops.start_all(self._states, self._slots, which, self._tables, self._observations, self._masks)
        return self._observed(), self._info()

    def step(self, actions: np.ndarray) -> tuple[Observation, np.ndarray, np.ndarray, np.ndarray, Info]:
        """Apply an action to each deal; what becomes of finished deals is Gymnasium's autoreset mode."""
        chosen = np.asarray(actions, np.int64)
        if chosen.shape != (self.num_envs,):
            raise ValueError(f"actions are {list(chosen.shape)}, expected [{self.num_envs}]")
        self._check(chosen)
        arrays = (self._states, self._slots, chosen, self._tables, self._observations, self._masks)
        self._loops.step_all(*arrays)
        finished = self._slots["finished"] == 1
        rewards = self._slots["reward"] * self.reward_scale
        info: Info = {"points": self._slots["points"].copy(), "_points": finished} if finished.any() else {}
        if self.autoreset_mode == AutoresetMode.SAME_STEP and finished.any():
            info |= {"final_obs": self._copied(), "_final_obs": finished}
            info |= {"final_info": {"points": info["points"], "_points": finished}, "_final_info": finished}
            self._loops.start_all(self._states, self._slots, finished, self._tables, self._observations, self._masks)
        return self._observed(), rewards, finished, np.zeros(self.num_envs, np.bool_), self._info() | info

    def sample_legal(self) -> np.ndarray:
        """Return a random legal action for each deal, int64[num_envs], drawn in compiled code."""
        actions = np.empty(self.num_envs, np.int64)
        self._loops.pick_all(self._slots, actions)
        return actions

    def _check(self, actions: np.ndarray) -> None:
        """Refuse actions that are not legal, and in the mode without autoreset those of finished deals."""
        over = (self._slots["low"] == 0) & (self._slots["high"] == 0)
        if self.autoreset_mode == AutoresetMode.DISABLED and over.any():
            raise ValueError(f"deal {int(over.argmax())} is over: reset it (options={{'reset_mask': ...}})")
        wrong = self._loops.first_illegal(self._slots, actions)
        if wrong >= 0:
            error = illegal_action(self.game, self._states[wrong], self._slots[wrong], int(actions[wrong]))
            raise ValueError(f"deal {wrong}: {error}")

    def _copied(self) -> Observation:
        return {"observation": self._observations.copy(), "action_mask": self._masks.copy()}

    def _observed(self) -> Observation:
        return self._copied() if self.copy else {"observation": self._observations, "action_mask": self._masks}

    def _info(self) -> Info:
        return {"current_player": self._slots["asked"].copy(), "_current_player": np.ones(self.num_envs, np.bool_)}
