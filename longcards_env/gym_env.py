"""One learner's seat as a Gymnasium environment, two agents in the other seats.

    env = gymnasium.make("longcards/Nantong-v0", opponents=("greedy", "greedy"), seat=None)

Importing `longcards_env` registers the ids; the form "longcards_env:longcards/Nantong-v0" imports it first, in spawned
workers too.
"""

import pickle
from typing import Any

import gymnasium
import numpy as np

from . import lockstep, record, render
from .deck import deal_seed, seed_stream
from .games import GAMES
from .lockstep import AGENT, FINISHED, ILLEGAL, LEARNER, SLOT
from .seats import NUM_SEATS
from .vector_env import Observation, illegal_action, observation_space

Info = dict[str, Any]
RAISE, FORFEIT = "raise", "forfeit"
_RENDER_WIDTH = 960  # pixels
_OPTIONS = ("dealer", "deck", "record", "step")


class LongCardsEnv(gymnasium.Env[Observation, np.int64]):
    """Deals of one game, one an episode; its reward is `reward_scale` times the learner's points, at the end.

    opponents: two specs or agents, of the seat after the learner's and the one after that. seat: the learner's, None
    draws it anew for each deal. all_moves: ask for actions that are forced too. illegal_action: "raise" a ValueError
    that names the legal ones, or "forfeit": the deal ends and the reward is -`forfeit` points, scaled. An
    observation is `observation`, int8[OBS_SIZE] as `LAYOUT` describes it, and `action_mask`, int8[NUM_ACTIONS], which
    `info` holds too; at the end of a deal the mask is all 0 and `info["points"]` holds the points of all seats.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi", "rgb_array"], "render_fps": 1}  # noqa: RUF012

    def __init__(
        self,
        game: str,
        *,
        opponents: tuple[Any, Any] = ("greedy", "greedy"),
        seat: int | None = None,
        all_moves: bool = False,
        reward_scale: float = 1.0,
        illegal_action: str = RAISE,
        forfeit: float = 100.0,
        render_mode: str | None = None,
    ) -> None:
        if illegal_action not in (RAISE, FORFEIT):
            raise ValueError(f"illegal_action is {illegal_action!r}, expected {RAISE!r} or {FORFEIT!r}")
        self.game = GAMES[game]
        self.reward_scale, self.forfeit = reward_scale, forfeit
        self.illegal_action = illegal_action
        self.render_mode = render_mode
        self.observation_space = observation_space(self.game)
        self.action_space = gymnasium.spaces.Discrete(self.game.NUM_ACTIONS)
        self._opponents = opponents
        self._states = self.game.new_states(1)
        self._slots = np.zeros(1, SLOT).view(np.recarray)
        self._slots["seating"] = lockstep.ANY_SEAT if seat is None else seat
        self._slots["dealer"], self._slots["all_moves"], self._slots["stride"] = -1, all_moves, 1
        self._out = np.zeros(self.game.OBS_SIZE + self.game.NUM_ACTIONS, np.int8)  # observation and mask
        self._seat_opponents()

    def _seat_opponents(self) -> None:
        """Resolve the opponents; copies do it anew, since compiled loops are not copied."""
        seated = lockstep.seat_opponents(self.game, self._opponents)
        self._loops, self._tables, self._agents = seated.loops, seated.tables, seated.agents
        self._slots["opponents"] = seated.policies

    def reset(self, *, seed: int | None = None, options: Info | None = None) -> tuple[Observation, Info]:
        """Begin a deal in which the learner is asked.

        options: `dealer`, 0..2; `deck`, tokens or kinds in the order of the rules; `record`, a deal record whose dealer
        and deck are used, and `step`, how many of its decisions are played first. A deal that is over before the
        learner is asked is dealt again, or raises ValueError if its deck was given.
        """
        super().reset(seed=seed)
        wanted = options or {}
        for name in wanted:
            if name not in _OPTIONS:
                raise ValueError(f"unknown option {name!r}, expected {', '.join(_OPTIONS)}")
        slot = self._slots[0]
        slot.master, slot.next_deal = self.np_random.integers(2**64, dtype=np.uint64), 0
        slot.dealer = wanted.get("dealer", -1)
        if "deck" in wanted or "record" in wanted:
            asked = self._set_up(wanted)
        else:
            asked = self._loops.start_one(self._states, self._slots, self._tables, self._out)
        while self._ask_agents(asked) == FINISHED:
            if "deck" in wanted or "record" in wanted:
                raise ValueError("the deal is over before the learner is asked")
            asked = self._loops.start_one(self._states, self._slots, self._tables, self._out)
        self._learner = int(slot.learner)
        return self._observation(), self._info()

    def _set_up(self, wanted: Info) -> int:
        """Start the deal of a given deck or record; return who is asked."""
        slot, drawn = self._slots[0], np.uint64(self._slots["master"][0])
        for number, stream in enumerate(slot.streams):
            seed_stream(stream, np.uint64(deal_seed(drawn, np.uint64(number))))
        given = wanted.get("record") or {
            "game": self.game.NAME,
            "dealer": wanted.get("dealer", int(drawn) % NUM_SEATS),
            "deck": [each if isinstance(each, str) else self.game.TOKENS[each] for each in wanted["deck"]],
            "decisions": [],
        }
        _, self._states[0] = record.position(given, {self.game.NAME: self.game}, wanted.get("step", 0))
        self._loops.enter(self._states[0], slot, (int(drawn) >> 32) % NUM_SEATS, self._tables)
        return self._written()

    def step(self, action: np.int64 | int) -> tuple[Observation, float, bool, bool, Info]:
        """Apply the learner's action and go on to its next question, or to the end of the deal."""
        came = self._loops.step_one(self._states, self._slots, int(action), self._tables, self._out)
        if came == ILLEGAL:
            return self._refuse(int(action))
        if came == AGENT:
            came = self._ask_agents(came)
        if came == LEARNER:
            return self._observation(), 0.0, False, False, self._info()
        points = self._slots["points"][0].copy()
        reward = float(points[self._learner]) * self.reward_scale
        return self._observation(), reward, True, False, self._info() | {"points": points}

    def _refuse(self, action: int) -> tuple[Observation, float, bool, bool, Info]:
        """Raise for an illegal action or let the learner forfeit; then nobody has points."""
        slot = self._slots[0]
        if self.illegal_action == RAISE or not (slot.low or slot.high):
            raise illegal_action(self.game, self._states[0], slot, action)
        slot.low = slot.high = 0
        self._written()
        return self._observation(), -self.forfeit * self.reward_scale, True, False, self._info() | {"forfeit": True}

    def _written(self) -> int:
        """Write observation and mask of the position; return who is asked, or that nobody is."""
        slot, size = self._slots[0], self.game.OBS_SIZE
        over = not (slot.low or slot.high)
        if over:
            slot.asked = slot.learner
        self._loops.write(self._states[0], slot, self._out[:size], self._out[size:])
        self._learner = int(slot.learner)
        return FINISHED if over else LEARNER if slot.asked == slot.learner else AGENT

    def _ask_agents(self, asked: int) -> int:
        """Let the agents in Python decide until the learner is asked or the deal is over; return which."""
        slot, size = self._slots[0], self.game.OBS_SIZE
        while asked == AGENT:
            agent = self._agents[(slot.asked - slot.learner) % NUM_SEATS - 1]
            observation, mask = self._out[None, :size].copy(), self._out[None, size:].copy()
            [action] = agent.act(observation, mask, slot.streams[slot.asked][None]) if agent else [mask[0].argmax()]
            asked = self._loops.step_one(self._states, self._slots, int(action), self._tables, self._out)
            if asked == ILLEGAL:
                raise illegal_action(self.game, self._states[0], slot, int(action))
        return asked

    def _observation(self) -> Observation:
        size, out = self.game.OBS_SIZE, self._out.copy()
        return {"observation": out[:size], "action_mask": out[size:]}

    def _info(self) -> Info:
        return {"action_mask": self._out[self.game.OBS_SIZE :].copy(), "seat": self._learner}

    def action_masks(self) -> np.ndarray:
        """Return the action mask as bool[NUM_ACTIONS], as MaskablePPO of sb3-contrib asks for it."""
        return self._out[self.game.OBS_SIZE :].astype(np.bool_)

    def get_state(self) -> bytes:
        """Return the position and the random streams, for `set_state` of an environment of the same options."""
        return pickle.dumps((self._states.tobytes(), self._slots.tobytes(), self.np_random.bit_generator.state))

    def set_state(self, saved: bytes) -> tuple[Observation, Info]:
        """Return to a position that `get_state` gave; what follows is what followed then."""
        states, slots, generator = pickle.loads(saved)
        self._states[:] = np.frombuffer(states, self._states.dtype)
        self._slots[:] = np.frombuffer(slots, SLOT)
        self.np_random.bit_generator.state = generator
        self._written()
        return self._observation(), self._info()

    def render(self) -> str | np.ndarray | None:
        """Return the position as the learner sees it: text in the mode "ansi", uint8[h, w, 3] in "rgb_array"."""
        if self.render_mode == "ansi":
            return render.ansi(self.game, self._states[0], self._learner)
        if self.render_mode == "rgb_array":
            svg = render.position_svg(self.game, self._states[0], self._learner)
            return render.Picture(svg).rgb_array(_RENDER_WIDTH)
        return None

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what is compiled: a copy resolves its opponents itself."""
        left_out = ("game", "_loops", "_tables", "_agents")
        return {name: value for name, value in self.__dict__.items() if name not in left_out} | {"game": self.game.NAME}

    def __setstate__(self, saved: dict[str, Any]) -> None:
        """Restore a copy."""
        self.__dict__.update(saved)
        self.game = GAMES[saved["game"]]
        self._seat_opponents()
