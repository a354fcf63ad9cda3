"""One learner's seat as a Gymnasium environment: checks of Gymnasium, rewards, options, agents in Python, copies."""

import copy
import gzip
import json
import multiprocessing
import pickle
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from longcards_env import GAMES
from longcards_env.deck import below
from longcards_env.gym_env import LongCardsEnv
from longcards_env.words import parse_action

IDS = {"nantong": "longcards/Nantong-v0", "paohuzi": "longcards/Paohuzi-v0"}
SEATS = 3
Step = tuple[bytes, bytes, float, bool]


@pytest.fixture(params=IDS)
def game(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def golden(game: str) -> list[dict[str, Any]]:
    file = Path(__file__).parent / "golden" / f"{game}.jsonl.gz"
    return [json.loads(line) for line in gzip.open(file, "rt", encoding="utf-8")]


class RandomInPython:
    """Any legal action, drawn from the stream that the environment gives."""

    def act(self, observations: np.ndarray, masks: np.ndarray, streams: np.ndarray) -> np.ndarray:
        choices = [np.flatnonzero(mask) for mask in masks]
        return np.array([legal[below(stream, len(legal))] for legal, stream in zip(choices, streams, strict=True)])


class Replaying:
    """Plays the decisions of a record, whoever is asked; the next one is handed over by the test."""

    def __init__(self) -> None:
        self.actions: list[int] = []

    def act(self, observations: np.ndarray, masks: np.ndarray, streams: np.ndarray) -> np.ndarray:
        return np.array([self.actions.pop(0)])


def words_of(env: LongCardsEnv, mask: np.ndarray) -> list[str]:
    """The legal actions as a record lists them."""
    card = int(env._states[0].card)
    return sorted(env.game.action_name(action, card) for action in np.flatnonzero(mask).tolist())


def play(env: LongCardsEnv, rng: np.random.Generator, **reset: Any) -> list[Step]:
    """Play a deal with random legal actions; return what was seen."""
    seen, info = env.reset(**reset)
    steps = [(seen["observation"].tobytes(), seen["action_mask"].tobytes(), 0.0, False)]
    over = False
    while not over:
        assert seen["action_mask"].dtype == np.int8
        assert (seen["action_mask"] == info["action_mask"]).all()
        assert (env.action_masks() == seen["action_mask"]).all()
        legal = np.flatnonzero(seen["action_mask"])
        assert len(legal) > 1
        seen, reward, over, truncated, info = env.step(int(rng.choice(legal)))
        assert not truncated
        steps.append((seen["observation"].tobytes(), seen["action_mask"].tobytes(), reward, over))
    assert not seen["action_mask"].any()
    assert reward == info["points"][info["seat"]]
    assert info["points"].sum() == 0
    return steps


@pytest.mark.parametrize("id_", [*IDS.values(), "longcards_env:longcards/Nantong-v0"])
@pytest.mark.parametrize("opponents", [("greedy", "random"), ("random", RandomInPython())])
def test_check_env(id_: str, opponents: tuple[Any, Any]) -> None:
    env = gymnasium.make(id_, opponents=opponents, illegal_action="forfeit")
    check_env(env.unwrapped)


def test_observations_lie_in_their_space(game: str) -> None:
    env = LongCardsEnv(game)
    rng = np.random.default_rng(1)
    for seed in range(5):
        seen, _ = env.reset(seed=seed)
        over = False
        while not over:
            assert env.observation_space.contains(seen)
            seen, _, over, _, _ = env.step(int(rng.choice(np.flatnonzero(seen["action_mask"]))))
        assert env.observation_space.contains(seen)


def test_seeds_fix_deals(game: str) -> None:
    def deals(seed: int) -> list[list[Step]]:
        env, rng = LongCardsEnv(game, opponents=("random", RandomInPython())), np.random.default_rng(2)
        return [play(env, rng, seed=seed), play(env, rng), play(env, rng)]

    assert deals(1) == deals(1)
    assert deals(1)[0] != deals(2)[0]


@pytest.mark.parametrize("seat", [None, 0, 1, 2])
def test_seat_of_the_learner(game: str, seat: int | None) -> None:
    env = LongCardsEnv(game, seat=seat)
    seats = {env.reset(seed=seed)[1]["seat"] for seed in range(30)}
    assert seats == ({0, 1, 2} if seat is None else {seat})


def test_rewards_are_scaled_points(game: str) -> None:
    env, rng = LongCardsEnv(game, opponents=("random", "random"), reward_scale=0.25), np.random.default_rng(3)
    nonzero = 0
    for seed in range(60):
        seen, info = env.reset(seed=seed)
        over, total = False, 0.0
        while not over:
            seen, reward, over, _, info = env.step(int(rng.choice(np.flatnonzero(seen["action_mask"]))))
            total += reward
        assert total == 0.25 * info["points"][info["seat"]]
        nonzero += total != 0
    assert nonzero


def test_a_golden_deal_is_won_with_its_points(game: str) -> None:
    """The learner and two agents in Python play the decisions of a record: same legal actions, same points."""
    module = GAMES[game]
    deals = [deal for deal in golden(game) if deal["result"]["winner"] is not None and "legal" in deal]
    played = 0
    for deal in deals[:25]:
        seat = deal["result"]["winner"]
        agent = Replaying()
        env = LongCardsEnv(game, opponents=(agent, agent), seat=seat)
        rest = list(zip(deal["decisions"], deal["legal"], strict=True))
        if not any(decider == seat for (decider, _), _ in rest):
            continue
        # Words need the card in question, so a second engine runs ahead and translates the decisions.
        actions = translated(game, deal)
        first = next(i for i, ((decider, _), _) in enumerate(rest) if decider == seat)
        deciders = [decider for decider, _ in deal["decisions"]]
        agent.actions = [action for decider, action in zip(deciders, actions, strict=True) if decider != seat]
        seen, _ = env.reset(seed=1, options={"deck": deal["deck"], "dealer": deal["dealer"]})
        reward, over = 0.0, False
        for ((decider, _), legal), action in list(zip(rest, actions, strict=True))[first:]:
            if decider == seat:
                words = [
                    module.action_name(a, int(env._states[0].card))
                    for a in np.flatnonzero(seen["action_mask"]).tolist()
                ]
                assert sorted(words) == legal
                seen, reward, over, _, info = env.step(action)
        assert over
        assert info["points"].tolist() == deal["result"]["points"]
        assert reward == deal["result"]["points"][seat] > 0
        played += 1
    assert played > 5


def translated(game: str, deal: dict[str, Any]) -> list[int]:
    """The actions of a record's decisions."""
    module = GAMES[game]
    state, mask = module.new_states(1)[0], np.empty(module.NUM_ACTIONS, np.int8)
    module.reset(state, deal["dealer"], np.array([module.TOKENS.index(token) for token in deal["deck"]], np.int8))
    actions = []
    for _, words in deal["decisions"]:
        while module.legal(state, mask) == 1:
            module.apply(state, int(mask.argmax()))
        actions.append(parse_action(module, words, int(state.card)))
        module.apply(state, actions[-1])
    return actions


def test_options_place_the_learner_in_a_record(game: str) -> None:
    deal = next(deal for deal in golden(game) if len(deal["decisions"]) > 12)
    step = next(i for i, (seat, _) in enumerate(deal["decisions"]) if i > 5 and seat == 1)
    env = LongCardsEnv(game, seat=1)
    seen, _ = env.reset(seed=1, options={"record": deal, "step": step})
    assert words_of(env, seen["action_mask"]) == deal["legal"][step]
    env.reset(seed=1, options={"dealer": 2})
    assert env._states[0].dealer == 2


def test_illegal_actions(game: str) -> None:
    module = GAMES[game]
    env = LongCardsEnv(game)
    seen, _ = env.reset(seed=1)
    legal = np.flatnonzero(seen["action_mask"])
    before = env.get_state()
    for action in (-1, module.NUM_ACTIONS, int(np.flatnonzero(seen["action_mask"] == 0)[0])):
        with pytest.raises(ValueError, match=f"illegal action {action}: expected of seat") as error:
            env.step(action)
        assert all(module.action_name(int(a), int(env._states[0].card)) in str(error.value) for a in legal)
    assert env.get_state() == before
    forfeiting = LongCardsEnv(game, illegal_action="forfeit", forfeit=30, reward_scale=0.5)
    forfeiting.reset(seed=1)
    seen, reward, over, _, info = forfeiting.step(int(np.flatnonzero(seen["action_mask"] == 0)[0]))
    assert (reward, over, info["forfeit"]) == (-15, True, True)
    assert not seen["action_mask"].any()
    with pytest.raises(ValueError, match="the deal is over"):
        forfeiting.step(0)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"opponents": ("greedy", "greedi")}, "did you mean 'greedy'"),
        ({"opponents": ("greedy",)}, "got 1 opponents"),
        ({"opponents": ("greedy", 3)}, "expected the name of an agent"),
        ({"illegal_action": "ignore"}, "expected 'raise' or 'forfeit'"),
    ],
)
def test_wrong_arguments(game: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        LongCardsEnv(game, **options)


def test_unknown_reset_option(game: str) -> None:
    with pytest.raises(ValueError, match="unknown option 'wall'"):
        LongCardsEnv(game).reset(options={"wall": []})


def rest_of_deal(env: LongCardsEnv, seen: dict[str, np.ndarray]) -> list[Step]:
    rng = np.random.default_rng(9)
    steps: list[Step] = []
    over = False
    while not over:
        seen, reward, over, _, _ = env.step(int(rng.choice(np.flatnonzero(seen["action_mask"]))))
        steps.append((seen["observation"].tobytes(), seen["action_mask"].tobytes(), reward, over))
    return steps


def test_copies_go_on_identically(game: str) -> None:
    """In mid-deal: deepcopy, pickle, and get_state with set_state."""
    env, rng = LongCardsEnv(game, opponents=("random", "greedy")), np.random.default_rng(4)
    seen, _ = env.reset(seed=5)
    for _ in range(3):
        seen, *_ = env.step(int(rng.choice(np.flatnonzero(seen["action_mask"]))))
    saved, copies = env.get_state(), [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    expected = rest_of_deal(env, seen)
    after = env.reset()[0]["observation"].tobytes()
    for other in copies:
        assert rest_of_deal(other, seen) == expected
        assert other.reset()[0]["observation"].tobytes() == after
    returned, _ = env.set_state(saved)
    assert returned["observation"].tobytes() == seen["observation"].tobytes()
    assert rest_of_deal(env, returned) == expected
    assert env.reset()[0]["observation"].tobytes() == after


def test_all_moves_asks_for_forced_ones() -> None:
    env = LongCardsEnv("nantong", all_moves=True, opponents=("random", "random"))
    counts = []
    rng = np.random.default_rng(6)
    for seed in range(10):
        seen, _ = env.reset(seed=seed)
        over = False
        while not over:
            counts.append(int(seen["action_mask"].sum()))
            seen, _, over, _, _ = env.step(int(rng.choice(np.flatnonzero(seen["action_mask"]))))
    assert min(counts) == 1


def in_another_process(id_: str) -> float:
    env = gymnasium.make(f"longcards_env:{id_}")
    seen, _ = env.reset(seed=3)
    return float(seen["observation"].sum())


def test_spawned_workers_know_the_ids() -> None:
    ids = list(IDS.values())
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        assert pool.map(in_another_process, ids) == [in_another_process(id_) for id_ in ids]


def test_ansi_shows_the_position(game: str) -> None:
    env = gymnasium.make(IDS[game], render_mode="ansi")
    env.reset(seed=1)
    assert "is asked" in str(env.render())
