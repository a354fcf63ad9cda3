"""The three seats of a deal as agents of a PettingZoo AEC environment; needs the extra `pettingzoo`.

    env = pettingzoo_env.paohuzi()

An agent that has terminated steps once more, with None, as in every AEC environment.
"""

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import OrderEnforcingWrapper, TerminateIllegalWrapper

from . import lockstep, record
from .games import GAMES
from .gym_env import FORFEIT, RAISE
from .lockstep import FINISHED, ILLEGAL, SELF_PLAY, SLOT
from .seats import NUM_SEATS
from .terminal import ansi
from .vector_env import Observation, illegal_action, observation_space

AGENTS = [f"seat_{seat}" for seat in range(NUM_SEATS)]


def nantong(**options: Any) -> Any:
    """Return an environment of Nantong Long Cards, as `make` does."""
    return make("nantong", **options)


def paohuzi(**options: Any) -> Any:
    """Return an environment of Paohuzi, as `make` does."""
    return make("paohuzi", **options)


def make(game: str, *, illegal_action: str = RAISE, forfeit: float = 100.0, **options: Any) -> Any:
    """Return a `DealsEnv` of these options that complains of calls before its first reset.

    illegal_action: "raise" a ValueError that names the legal ones, or "forfeit": the deal ends for all, and the agent
    that acted gets -`forfeit` points, scaled, the others nothing. Raises ValueError for another word.
    """
    if illegal_action not in (RAISE, FORFEIT):
        raise ValueError(f"illegal_action is {illegal_action!r}, expected {RAISE!r} or {FORFEIT!r}")
    env: Any = DealsEnv(game, **options)
    if illegal_action == FORFEIT:
        env = TerminateIllegalWrapper(env, illegal_reward=-forfeit * env.reward_scale)
    return OrderEnforcingWrapper(env)


class DealsEnv(AECEnv):  # type: ignore[misc]
    """Deals of one game, one an episode; agents "seat_0" to "seat_2".

    all_moves: ask for actions that are forced too. reward_scale: the reward of an agent is this times its points, at
    the end of the deal, when all agents terminate; 0 before. An observation is `observation`, int8[OBS_SIZE] as
    `LAYOUT` describes it, own seat first, and `action_mask`, int8[NUM_ACTIONS], all 0 for an agent that is not asked.
    At the end the info of each agent holds the `points` of all seats, int64[3].
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "is_parallelizable": False, "render_fps": 1}  # noqa: RUF012

    def __init__(
        self, game: str, *, all_moves: bool = False, reward_scale: float = 1.0, render_mode: str | None = None
    ) -> None:
        super().__init__()
        self.game = GAMES[game]
        self.metadata = self.metadata | {"name": f"longcards_{game}_v0"}
        self.reward_scale = reward_scale
        self.render_mode = render_mode
        self.possible_agents = list(AGENTS)
        self.observation_spaces = {agent: observation_space(self.game) for agent in AGENTS}
        self.action_spaces = {agent: spaces.Discrete(self.game.NUM_ACTIONS) for agent in AGENTS}
        self.state_space = spaces.Box(0, 255, (self.game.STATE.itemsize,), np.uint8)
        self._loops = lockstep.without_policies(self.game)
        self._states = self.game.new_states(1)
        self._slots = np.zeros(1, SLOT).view(np.recarray)
        self._slots["seating"], self._slots["stride"], self._slots["all_moves"] = SELF_PLAY, 1, all_moves
        self._out = np.zeros(self.game.OBS_SIZE + self.game.NUM_ACTIONS, np.int8)  # of the agent that is asked
        self._random, _ = seeding.np_random()

    def observation_space(self, agent: str) -> Any:
        """Return the space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """Return the space of an agent's actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a deal; a seed begins the sequence of deals anew.

        options: `dealer`, 0..2; `deck`, tokens or kinds in the order of the rules; `record`, a deal record whose dealer
        and deck are used, and `step`, how many of its decisions are played first; any others have no effect. Raises
        ValueError if a deal that was given is wrong, or over before anybody is asked.
        """
        if seed is not None:
            self._random, _ = seeding.np_random(seed)
        wanted = options or {}
        slot = self._slots[0]
        slot.master, slot.next_deal = self._random.integers(2**64, dtype=np.uint64), 0
        slot.dealer = wanted.get("dealer", -1)
        if "deck" in wanted or "record" in wanted:
            self._set_up(wanted)
        else:
            self._loops.start_one(self._states, self._slots, 0, self._out)
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self._skip_agent_selection = None
        self.agent_selection = AGENTS[slot.asked]

    def _set_up(self, wanted: dict[str, Any]) -> None:
        """Start the deal of a given deck or record."""
        slot = self._slots[0]
        given = wanted.get("record") or {
            "game": self.game.NAME,
            "dealer": wanted.get("dealer", int(slot.master % NUM_SEATS)),
            "deck": [each if isinstance(each, str) else self.game.TOKENS[each] for each in wanted["deck"]],
            "decisions": [],
        }
        _, self._states[0] = record.position(given, {self.game.NAME: self.game}, wanted.get("step", 0))
        self._loops.enter(self._states[0], slot, 0, 0)
        if not (slot.low or slot.high):
            raise ValueError("the deal is over before anybody is asked")
        self._loops.write(self._states[0], slot, self._out[: self.game.OBS_SIZE], self._out[self.game.OBS_SIZE :])

    def step(self, action: int | np.integer[Any] | None) -> None:
        """Apply the action of the agent that is asked, None of one that has terminated; raises ValueError for others.

        An illegal action changes nothing.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        number = -1 if action is None else int(action)
        came = self._loops.step_one(self._states, self._slots, number, 0, self._out)
        if came == ILLEGAL:
            raise illegal_action(self.game, self._states[0], self._slots[0], number)
        self._cumulative_rewards[agent] = 0.0
        if came == FINISHED:
            self._finish()
        else:
            self.agent_selection = AGENTS[self._slots[0].asked]

    def _finish(self) -> None:
        """Reward and terminate all agents."""
        points = self._slots["points"][0].copy()
        for seat, agent in enumerate(AGENTS):
            self.rewards[agent] = float(points[seat]) * self.reward_scale
            self.terminations[agent] = True
            self.infos[agent] = {"points": points.copy()}
        self._accumulate_rewards()
        self.agent_selection = AGENTS[0]

    def observe(self, agent: str) -> Observation:
        """Return what an agent may know, and its action mask."""
        slot, size = self._slots[0], self.game.OBS_SIZE
        seat = AGENTS.index(agent)
        out = self._out.copy()
        if seat != slot.asked:
            self.game.observe(self._states[0], seat, out[:size])
            out[size:] = 0
        return {"observation": out[:size], "action_mask": out[size:]}

    def state(self) -> np.ndarray:
        """Return the whole position as bytes, uint8[STATE.itemsize]."""
        return np.frombuffer(self._states.tobytes(), np.uint8).copy()

    def render(self) -> str | None:
        """Return the position as text, all cards open, in the mode "ansi"."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() of an environment that was made without a render_mode")
        return ansi(self.game, self._states[0]) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Do nothing: there is nothing to release."""

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what is compiled."""
        left_out = ("game", "_loops")
        return {name: value for name, value in self.__dict__.items() if name not in left_out} | {"game": self.game.NAME}

    def __setstate__(self, saved: dict[str, Any]) -> None:
        """Restore a copy."""
        self.__dict__.update(saved)
        self.game = GAMES[saved["game"]]
        self._loops = lockstep.without_policies(self.game)
