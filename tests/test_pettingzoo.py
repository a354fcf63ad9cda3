"""The AEC environments: PettingZoo's own tests, recorded deals, copies."""

import copy
import gzip
import json
import pickle
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from longcards_env import GAMES
from longcards_env.protocol import Game
from longcards_env.terminal import ansi
from longcards_env.words import parse_action

pettingzoo_test = pytest.importorskip("pettingzoo.test")
from longcards_env import pettingzoo_env  # noqa: E402

MAKE = {"nantong": pettingzoo_env.nantong, "paohuzi": pettingzoo_env.paohuzi}
CYCLES = 2000

# PettingZoo knows by name the environments of its own whose observations are dicts with a mask.
dicts_are_fine = pytest.mark.filterwarnings(
    "ignore:Observation is not a NumPy array:UserWarning",
    "ignore:Observation space for each agent probably should be:UserWarning",
)


@pytest.fixture(params=GAMES)
def game(request: pytest.FixtureRequest) -> Any:
    return GAMES[request.param]


@cache
def golden(name: str) -> list[dict[str, Any]]:
    with gzip.open(Path(__file__).parent / "golden" / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [record for record in map(json.loads, lines) if record["decisions"]]


def given(record: dict[str, Any]) -> dict[str, Any]:
    """The options of reset that deal this record."""
    return {"dealer": record["dealer"], "deck": record["deck"]}


def position(game: Game, env: Any) -> np.record:
    state: np.record = np.frombuffer(env.state(), game.STATE)[0]
    return state


def legal(env: Any) -> list[int]:
    mask = env.last()[0]["action_mask"]
    assert mask.dtype == np.int8
    assert mask.any()
    actions: list[int] = np.flatnonzero(mask).tolist()
    return actions


def play(env: Any, rng: np.random.Generator) -> Iterator[tuple[str, int]]:
    """Play a deal at random; yields agents and actions, and leaves the agents to be taken off at the end."""
    while not env.terminations[env.agent_selection]:
        move = env.agent_selection, int(rng.choice(legal(env)))
        env.step(move[1])
        yield move


def take_off(env: Any) -> dict[str, tuple[float, Any]]:
    """What each agent is told at the end: reward and info."""
    told = {}
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, info = env.last()
        assert terminated
        assert not truncated
        assert not observation["action_mask"].any()
        told[agent] = (reward, info)
        env.step(None)
    assert env.agents == []
    return told


# ---- PettingZoo's own tests


@dicts_are_fine
@pytest.mark.parametrize("options", [{}, {"all_moves": True, "illegal_action": "forfeit"}], ids=["usual", "other"])
def test_api(game: Game, options: dict[str, Any]) -> None:
    pettingzoo_test.api_test(MAKE[game.NAME](**options), num_cycles=CYCLES)


def test_seed(game: Game) -> None:
    pettingzoo_test.seed_test(MAKE[game.NAME], num_cycles=CYCLES)


def test_render(game: Game) -> None:
    pettingzoo_test.render_test(MAKE[game.NAME])
    env = MAKE[game.NAME](render_mode="ansi")
    env.reset(seed=1)
    assert env.render() == ansi(game, position(game, env))


# ---- deals


def test_recorded_deals(game: Game) -> None:
    """At every decision the same agent and legal words; at the end the same points."""
    env = MAKE[game.NAME](reward_scale=0.5)
    won = 0
    for record in golden(game.NAME):
        env.reset(options=given(record))
        for (seat, words), expected in zip(record["decisions"], record["legal"], strict=True):
            card = int(position(game, env)["card"])
            assert env.agent_selection == f"seat_{seat}"
            assert sorted(game.action_name(action, card) for action in legal(env)) == expected
            assert not any(env.rewards.values())
            env.step(parse_action(game, words, card))
        points = record["result"]["points"]
        won += any(points)
        assert [env.rewards[f"seat_{seat}"] for seat in range(3)] == [0.5 * each for each in points]
        told = take_off(env)
        assert [told[f"seat_{seat}"][0] for seat in range(3)] == [0.5 * each for each in points]
        assert all(info["points"].tolist() == points for _, info in told.values())
    assert won > 50


def test_a_record_can_be_joined(game: Game) -> None:
    record = next(each for each in golden(game.NAME) if len(each["decisions"]) > 6)
    env = MAKE[game.NAME]()
    env.reset(options={"record": record, "step": 5})
    seat, words = record["decisions"][5]
    assert env.agent_selection == f"seat_{seat}"
    assert parse_action(game, words, int(position(game, env)["card"])) in legal(env)


def test_observations_are_those_of_the_game(game: Game) -> None:
    """Of every agent, not only of the one that is asked, whose mask alone is not empty."""
    env = MAKE[game.NAME]()
    env.reset(seed=5)
    out = np.empty(game.OBS_SIZE, np.int8)
    for _ in play(env, np.random.default_rng(5)):
        for seat, agent in enumerate(env.possible_agents):
            game.observe(position(game, env), seat, out)
            seen = env.observe(agent)
            assert (seen["observation"] == out).all()
            assert seen["action_mask"].any() == (agent == env.agent_selection and not env.terminations[agent])


def test_forced_moves_are_asked_for_if_wanted(game: Game) -> None:
    """And change nothing else."""
    env, forced = MAKE[game.NAME](all_moves=True), 0
    for record in golden(game.NAME)[::3]:
        env.reset(options=given(record))
        left = [words for _, words in reversed(record["decisions"])]
        while not env.terminations[env.agent_selection]:
            actions = legal(env)
            forced += len(actions) == 1
            card = int(position(game, env)["card"])
            env.step(actions[0] if len(actions) == 1 else parse_action(game, left.pop(), card))
        assert list(env.rewards.values()) == record["result"]["points"]
    assert forced


def test_seeds_fix_the_deals(game: Game) -> None:
    """Those after the first too."""
    env, other = MAKE[game.NAME](), MAKE[game.NAME]()
    states = []
    for each in (env, other):
        each.reset(seed=7)
        for _ in range(3):
            states.append(each.state().tobytes())
            each.reset()
    assert states[:3] == states[3:]
    assert len(set(states)) == 3


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))], ids=["copy", "pickle"])
def test_copies_go_on_identically(game: Game, copied: Any) -> None:
    """In the deal, and in the deals after it."""
    env = MAKE[game.NAME]()
    env.reset(seed=3)
    for _, _ in zip(range(10), play(env, np.random.default_rng(3)), strict=False):
        pass
    before = env.state().tobytes()
    twin = copied(env)
    moves = [list(play(each, np.random.default_rng(4))) for each in (env, twin)]
    assert moves[0] == moves[1]
    assert env.state().tobytes() == twin.state().tobytes() != before
    assert env.rewards == twin.rewards
    for each in (env, twin):
        each.reset()
    assert env.state().tobytes() == twin.state().tobytes()


def test_a_copy_does_not_move_the_original(game: Game) -> None:
    env = MAKE[game.NAME]()
    env.reset(seed=3)
    before = env.state().tobytes()
    twin = copy.deepcopy(env)
    twin.step(legal(twin)[0])
    assert env.state().tobytes() == before


# ---- errors


@pytest.mark.parametrize("wrong", [-1, 10_000, "none", "illegal"])
def test_illegal_actions_are_refused(game: Game, wrong: Any) -> None:
    env = MAKE[game.NAME]()
    env.reset(seed=1)
    before = env.state().tobytes()
    action = {"none": None, "illegal": next(a for a in range(game.NUM_ACTIONS) if a not in legal(env))}.get(
        wrong, wrong
    )
    with pytest.raises(ValueError, match=r"illegal action -?\d+: expected of seat"):
        env.step(action)
    assert env.state().tobytes() == before


def test_illegal_actions_can_forfeit(game: Game) -> None:
    env = MAKE[game.NAME](illegal_action="forfeit", forfeit=30, reward_scale=0.1)
    env.reset(seed=1)
    agent = env.agent_selection
    env.step(next(a for a in range(game.NUM_ACTIONS) if a not in legal(env)))
    assert env.rewards == {each: -3.0 if each == agent else 0 for each in env.possible_agents}
    assert all(env.terminations.values())


def test_wrong_options_are_named(game: Game) -> None:
    with pytest.raises(ValueError, match="illegal_action is 'lose', expected 'raise' or 'forfeit'"):
        MAKE[game.NAME](illegal_action="lose")
    env = MAKE[game.NAME]()
    with pytest.raises(ValueError, match="dealer: got 3"):
        env.reset(options={"dealer": 3, "deck": list(range(game.NUM_KINDS)) * game.COPIES})
    with pytest.raises(AttributeError, match="before reset"):
        _ = MAKE[game.NAME]().rewards
