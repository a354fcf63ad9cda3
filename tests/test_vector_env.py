"""Deals in lockstep: equal to the engine and in all modes, autoreset at the episode boundary, refusals."""

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from longcards_env import GAMES
from longcards_env.vector_env import LongCardsVectorEnv

IDS = {"nantong": "longcards/Nantong-v0", "paohuzi": "longcards/Paohuzi-v0"}
SEATS = 3


@pytest.fixture(params=IDS)
def game(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def run(envs: LongCardsVectorEnv, steps: int, seed: int = 1) -> list[tuple[Any, ...]]:
    """Play with random legal actions; return what was seen."""
    seen, info = envs.reset(seed=seed)
    history: list[tuple[Any, ...]] = []
    for _ in range(steps):
        actions = envs.sample_legal()
        seen, rewards, over, _, info = envs.step(actions)
        points = info["points"] if "points" in info else np.zeros((envs.num_envs, SEATS))
        history.append((seen["observation"].copy(), seen["action_mask"].copy(), rewards, over, points, actions))
    return history


def same(one: list[tuple[Any, ...]], other: list[tuple[Any, ...]]) -> bool:
    return all(np.array_equal(a, b) for x, y in zip(one, other, strict=True) for a, b in zip(x, y, strict=True))


def test_made_by_gymnasium(game: str) -> None:
    envs = gymnasium.make_vec(IDS[game], 8, vectorization_mode="vector_entry_point", self_play=True)
    assert isinstance(envs, LongCardsVectorEnv)
    seen, info = envs.reset(seed=1)
    assert envs.observation_space.contains(seen)
    assert seen["action_mask"].dtype == np.int8
    assert info["current_player"].shape == (8,)
    assert envs.metadata["autoreset_mode"] == AutoresetMode.NEXT_STEP


@pytest.mark.parametrize("self_play", [True, False])
def test_seeds_fix_everything(game: str, self_play: bool) -> None:
    def history(seed: int, copy: bool = True) -> list[tuple[Any, ...]]:
        return run(LongCardsVectorEnv(game, 5, self_play=self_play, copy=copy), 150, seed)

    assert same(history(1), history(1))
    assert same(history(1), history(1, copy=False))
    assert not same(history(1), history(2))


def test_self_play_is_the_engine(game: str) -> None:
    """Each deal again, by the engine alone: same players, masks and points."""
    module = GAMES[game]
    envs = LongCardsVectorEnv(game, 6, self_play=True)
    seen, info = envs.reset(seed=3)
    states: Any = envs._states.copy()
    mask = np.empty(module.NUM_ACTIONS, np.int8)
    ended = 0
    for _ in range(400):
        for state, legal, player in zip(states, seen["action_mask"], info["current_player"], strict=True):
            if legal.any():
                module.legal(state, mask)
                assert (mask == legal).all()
                assert player == state.seat
        players, alive = info["current_player"], np.asarray(seen["action_mask"].any(axis=1))
        actions = envs.sample_legal()
        seen, rewards, over, _, info = envs.step(actions)
        for i, state in enumerate(states):
            if not alive[i]:
                states[i] = envs._states[i]
                continue
            module.apply(state, int(actions[i]))
            while module.legal(state, mask) == 1:
                module.apply(state, int(mask.argmax()))
            assert state.tobytes() == envs._states[i].tobytes()
            if over[i]:
                assert (info["points"][i] == state.points).all()
                assert rewards[i] == state.points[players[i]]
                ended += 1
            else:
                assert rewards[i] == 0
    assert ended > 3


def test_learner_is_paid_its_points(game: str) -> None:
    envs = LongCardsVectorEnv(game, 16, opponents=("random", "random"), reward_scale=0.5)
    _, info = envs.reset(seed=4)
    learners = info["current_player"]
    ended = paid = 0
    for _ in range(600):
        _, rewards, over, _, info = envs.step(envs.sample_legal())
        for i in np.flatnonzero(over):
            assert info["_points"][i]
            assert rewards[i] == 0.5 * info["points"][i][learners[i]]
            ended, paid = ended + 1, paid + (rewards[i] != 0)
        assert (rewards[~over] == 0).all()
        learners = info["current_player"]
    assert ended > 20
    assert paid


@pytest.mark.parametrize("self_play", [True, False])
def test_autoreset_next_step(game: str, self_play: bool) -> None:
    envs = LongCardsVectorEnv(game, 8, self_play=self_play)
    envs.reset(seed=5)
    before = np.zeros(8, bool)
    ended = 0
    for _ in range(400):
        seen, rewards, over, _, _ = envs.step(envs.sample_legal())
        assert not seen["action_mask"][over].any()
        assert seen["action_mask"][~over].any(axis=1).all()
        assert not (before & over).any()
        assert (rewards[before] == 0).all()
        ended, before = ended + int(over.sum()), over
    assert ended > 5


@pytest.mark.parametrize("self_play", [True, False])
def test_autoreset_same_step(game: str, self_play: bool) -> None:
    """A finished deal gives way at once; its last observation and its points are in the info."""
    same_step = LongCardsVectorEnv(game, 8, self_play=self_play, autoreset_mode=AutoresetMode.SAME_STEP)
    same_step.reset(seed=5)
    ended = 0
    for _ in range(400):
        seen, _, over, _, info = same_step.step(same_step.sample_legal())
        assert seen["action_mask"].any(axis=1).all()
        if over.any():
            assert (info["_final_obs"] == over).all()
            assert not info["final_obs"]["action_mask"][over].any()
            assert (info["final_info"]["points"][over].sum(axis=1) == 0).all()
            assert (info["final_obs"]["observation"][over] != seen["observation"][over]).any(axis=1).all()
        ended += int(over.sum())
    assert ended > 5


def test_autoreset_modes_play_the_same_deals(game: str) -> None:
    """The sequence of observations of each slot is the same in all modes, but for where the ends stand."""

    def deals(mode: AutoresetMode) -> list[list[bytes]]:
        envs = LongCardsVectorEnv(game, 3, self_play=True, autoreset_mode=mode)
        seen, _ = envs.reset(seed=6)
        rows: list[list[bytes]] = [[row.tobytes()] for row in seen["observation"]]
        for _ in range(300):
            actions = envs.sample_legal()
            seen, _, over, _, _ = envs.step(actions)
            if mode == AutoresetMode.DISABLED and over.any():
                seen, _ = envs.reset(options={"reset_mask": over})
                over = np.zeros(3, bool)
            for row, observation, ended in zip(rows, seen["observation"], over, strict=True):
                if mode == AutoresetMode.SAME_STEP or not ended:
                    row.append(observation.tobytes())
        return rows

    first, second, third = (deals(mode) for mode in AutoresetMode)
    for one, two, three in zip(first, second, third, strict=True):
        n = min(len(one), len(two), len(three))
        assert n > 200
        assert one[:n] == two[:n] == three[:n]


def test_autoreset_disabled_wants_a_reset(game: str) -> None:
    envs = LongCardsVectorEnv(game, 4, self_play=True, autoreset_mode=AutoresetMode.DISABLED)
    envs.reset(seed=7)
    over = np.zeros(4, bool)
    while not over.any():
        seen, _, over, _, _ = envs.step(envs.sample_legal())
    with pytest.raises(ValueError, match=f"deal {over.argmax()} is over: reset it"):
        envs.step(envs.sample_legal())
    again, _ = envs.reset(options={"reset_mask": over})
    assert (again["observation"][~over] == seen["observation"][~over]).all()
    assert again["action_mask"].any(axis=1).all()
    envs.step(envs.sample_legal())


def test_refusals(game: str) -> None:
    envs = LongCardsVectorEnv(game, 4, self_play=True)
    seen, _ = envs.reset(seed=8)
    states = envs._states.tobytes()
    actions = envs.sample_legal()
    for wrong in (-1, GAMES[game].NUM_ACTIONS, int((seen["action_mask"][2] == 0).argmax())):
        actions[2] = wrong
        with pytest.raises(ValueError, match=f"deal 2: illegal action {wrong}: expected of seat"):
            envs.step(actions)
        assert envs._states.tobytes() == states
    with pytest.raises(ValueError, match=r"actions are \[3\], expected \[4\]"):
        envs.step(actions[:3])
    with pytest.raises(ValueError, match="expected compiled agents"):
        LongCardsVectorEnv(game, 2, opponents=("greedy", InPython()))


class InPython:
    def act(self, observations: np.ndarray, masks: np.ndarray, streams: np.ndarray) -> np.ndarray:
        return masks.argmax(axis=1)


def test_slots_play_different_deals(game: str) -> None:
    envs = LongCardsVectorEnv(game, 64, self_play=True)
    envs.reset(seed=9)
    assert len(np.unique(envs._states["deck"], axis=0)) == 64
    assert set(envs._states["dealer"].tolist()) == set(range(SEATS))
