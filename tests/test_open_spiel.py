"""The OpenSpiel games: OpenSpiel's own test, recorded deals, what a player knows, deals that look the same, bots."""

import copy
import gzip
import json
import pickle
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from longcards_env import GAMES
from longcards_env.protocol import Game
from longcards_env.words import parse_action

pyspiel = pytest.importorskip("pyspiel")
from open_spiel.python.algorithms import ismcts, mcts  # noqa: E402
from open_spiel.python.observation import make_observation  # noqa: E402

from longcards_env import open_spiel_games  # noqa: E402

SEATS = range(3)


@pytest.fixture(params=GAMES)
def game(request: pytest.FixtureRequest) -> Any:
    return GAMES[request.param]


@cache
def golden(name: str) -> list[dict[str, Any]]:
    with gzip.open(Path(__file__).parent / "golden" / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def load(game: Game, parameters: str = "") -> Any:
    return pyspiel.load_game(f"longcards_{game.NAME}({parameters})")


def dealt(game: Game, dealer: int, deck: list[int]) -> Any:
    state = load(game).new_initial_state()
    for action in (dealer, *deck):
        assert state.is_chance_node()
        state.apply_action(action)
    return state


def shuffled(game: Game, seed: int) -> Any:
    """A deal that is dealt out."""
    deck = np.random.default_rng(seed).permutation(game.NUM_CARDS) // game.COPIES
    return dealt(game, seed % 3, deck.tolist())


def playing(state: Any, rng: np.random.Generator, most: int = 10_000) -> Iterator[int]:
    """Play on at random; yields each action after it was applied."""
    while not state.is_terminal() and most:
        most -= 1
        action = int(rng.choice(state.legal_actions()))
        state.apply_action(action)
        yield action


def middles(game: Game, deals: int) -> Iterator[Any]:
    """Deals in which somebody is asked, some way on."""
    for seed in range(deals):
        state = shuffled(game, seed)
        list(playing(state, np.random.default_rng(seed), 4 * (seed % 8)))
        if not state.is_terminal():
            yield state


# ---- OpenSpiel's own test


@pytest.mark.parametrize("parameters", ["", "dealer=2", "all_moves=True"])
def test_random_simulations(game: Game, parameters: str) -> None:
    pyspiel.random_sim_test(load(game, parameters), num_sims=3, serialize=True, verbose=False)


def test_wrong_dealer_is_named(game: Game) -> None:
    with pytest.raises(ValueError, match="dealer is 3, expected -1 to 2"):
        load(game, "dealer=3")


def test_python_ends_cleanly() -> None:
    """pyspiel keeps what is registered until after the end of Python."""
    script = (
        "import pyspiel, longcards_env.open_spiel_games; pyspiel.load_game('longcards_paohuzi').new_initial_state()"
    )
    root = Path(open_spiel_games.__file__).parents[1]
    subprocess.run([sys.executable, "-c", script], check=True, cwd=root)


# ---- deals


def test_recorded_deals(game: Game) -> None:
    """At every decision the same seat and legal words; at the end the same points, within the bounds."""
    spiel, won = load(game), 0
    for record in golden(game.NAME):
        state = dealt(game, record["dealer"], [game.TOKENS.index(token) for token in record["deck"]])
        for (seat, words), expected in zip(record["decisions"], record["legal"], strict=True):
            legal = {state.action_to_string(action): action for action in state.legal_actions()}
            assert state.current_player() == seat
            assert sorted(legal) == expected
            assert state.returns() == [0, 0, 0]
            state.apply_action(legal[words])
        assert state.is_terminal()
        assert state.returns() == record["result"]["points"]
        assert spiel.min_utility() <= min(state.returns())
        assert max(state.returns()) <= spiel.max_utility()
        assert len(record["decisions"]) <= spiel.max_game_length()
        won += any(state.returns())
    assert won > 50


def test_chance_deals_what_is_left(game: Game) -> None:
    state = load(game).new_initial_state()
    assert state.chance_outcomes() == [(seat, 1 / 3) for seat in SEATS]
    state.apply_action(1)
    rng, left = np.random.default_rng(1), np.full(game.NUM_KINDS, game.COPIES)
    for cards in range(game.NUM_CARDS, 0, -1):
        kinds = np.flatnonzero(left)
        assert state.chance_outcomes() == list(zip(kinds.tolist(), (left[kinds] / cards).tolist(), strict=True))
        assert str(state).startswith("dealer 1:")
        kind = int(rng.choice(kinds))
        assert state.action_to_string(kind) == f"deal {game.TOKENS[kind]}"
        state.apply_action(kind)
        left[kind] -= 1
    assert not state.is_chance_node()


def test_forced_moves_are_nodes_if_wanted(game: Game) -> None:
    """And change nothing else."""
    forced = 0
    for record in golden(game.NAME)[::3]:
        state = load(game, f"all_moves=True,dealer={record['dealer']}").new_initial_state()
        left = [words for _, words in reversed(record["decisions"])]
        for token in record["deck"]:
            state.apply_action(game.TOKENS.index(token))
        while not state.is_terminal():
            legal = {state.action_to_string(action): action for action in state.legal_actions()}
            forced += len(legal) == 1
            state.apply_action(legal[left.pop()] if len(legal) > 1 else min(legal.values()))
        assert state.returns() == record["result"]["points"]
    assert forced


@pytest.mark.parametrize("way", ["clone", "serialize", "pickle", "deepcopy"])
def test_copies_go_on_identically(game: Game, way: str) -> None:
    for state in middles(game, 8):
        if way == "clone":
            twin = state.clone()
        elif way == "serialize":
            twin = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(state.get_game(), state))[1]
        else:
            twin = pickle.loads(pickle.dumps(state)) if way == "pickle" else copy.deepcopy(state)
        before = str(state), state.history()
        moves = list(playing(twin, np.random.default_rng(9)))
        assert (str(state), state.history()) == before
        assert list(playing(state, np.random.default_rng(9))) == moves
        assert str(twin) == str(state)
        assert twin.returns() == state.returns()
        assert [twin.information_state_string(seat) for seat in SEATS] == [
            state.information_state_string(seat) for seat in SEATS
        ]


# ---- what a player knows


def test_tensors_hold_the_observation_and_what_was_seen(game: Game) -> None:
    out = np.empty(game.OBS_SIZE, np.int8)
    for state in middles(game, 8):
        for seat in SEATS:
            game.observe(state._states[0], seat, out)
            assert state.observation_tensor(seat) == out.tolist()
            known = np.array(state.information_state_tensor(seat))
            assert (known[: game.OBS_SIZE] == out).all()
            events = known[game.OBS_SIZE :].reshape(-1, 3)
            assert events.any(axis=1).sum() == len(state.seen(seat))


def test_words_say_who_saw_what() -> None:
    game = GAMES["paohuzi"]
    record = golden("paohuzi")[0]
    state = dealt(game, record["dealer"], [game.TOKENS.index(token) for token in record["deck"]])
    for seat, words in record["decisions"][:4]:
        assert state.current_player() == seat
        state.apply_action(parse_action(game, words, int(state._states["card"][0])))
    first, second = (state.information_state_string(seat).partition("; seen ")[2] for seat in (1, 2))
    assert first == "1 discard s7, shown b7, shown b4, shown s4, 1 chi s4s4b4"
    assert second == "1 discard s7, 2 pass, shown b7, 2 pass, shown b4, shown s4, 1 chi s4s4b4"
    assert state.observation_string(1).startswith("player 1; hand ")


def test_nobody_sees_passes_and_draws_of_others(game: Game) -> None:
    seen = set()
    for seed in range(20):
        state = shuffled(game, seed)
        list(playing(state, np.random.default_rng(seed)))
        for seat in SEATS:
            for words in state.information_state_string(seat).partition("; seen ")[2].split(", "):
                who, _, what = words.partition(" ")
                if what == "pass" or (what.startswith("taken") and seat != state._states["winner"][0]):
                    assert who == str(seat)
                    seen.add(what.partition(" ")[0])
    assert seen == ({"pass", "taken"} if game.NAME == "nantong" else {"pass"})


def test_information_states_recall_all_observations(game: Game) -> None:
    """What looks the same looked the same at each decision before, and the player did the same."""
    past: dict[str, Any] = {}
    met = 0
    for _ in range(6):
        for seed in range(8):
            state, rng = shuffled(game, seed % 2), np.random.default_rng()
            course: dict[int, list[Any]] = {seat: [] for seat in SEATS}
            for _ in range(8):
                if state.is_terminal():
                    break
                seat = state.current_player()
                course[seat].append(state.observation_string())
                key = state.information_state_string()
                met += key in past
                assert past.setdefault(key, list(course[seat])) == course[seat]
                action = int(rng.choice(state.legal_actions()[:2]))
                state.apply_action(action)
                course[seat].append(action)
    assert met > 20


def test_observers_are_of_one_player(game: Game) -> None:
    kinds = pyspiel.IIGObservationType, pyspiel.PrivateInfoType
    observer = make_observation(load(game), kinds[0](perfect_recall=True))
    state = shuffled(game, 1)
    observer.set_from(state, 2)
    assert observer.tensor.tolist() == state.information_state_tensor(2)
    assert observer.string_from(state, 2) == state.information_state_string(2)
    assert set(observer.dict) == {"observation", "events"}
    assert make_observation(load(game), kinds[0](perfect_recall=False, private_info=kinds[1].NONE)) is None
    with pytest.raises(ValueError, match="no parameters"):
        make_observation(load(game), None, {"size": 1})


# ---- deals that look the same


def test_resampled_deals_look_the_same(game: Game) -> None:
    rng, others = np.random.default_rng(2), 0
    for state in middles(game, 40):
        player = state.current_player()
        other = open_spiel_games.resample(state, player, rng)
        assert other.current_player() == player
        assert other.information_state_string() == state.information_state_string()
        assert other.legal_actions() == state.legal_actions()
        copies = np.bincount(other.deck(), minlength=game.NUM_KINDS)
        assert (copies == game.COPIES).all()
        others += str(other) != str(state)
        again = load(game).new_initial_state()
        for action in other.history():
            assert action in again.legal_actions()
            again.apply_action(action)
        assert str(again) == str(other)
    assert others > 20


# ---- bots


def uniform(seat: int, seed: int) -> Any:
    return pyspiel.make_uniform_random_bot(seat, seed)


def searcher(spiel: Any, seed: int, simulations: int) -> Any:
    """OpenSpiel's IS-MCTS, with deals that look the same drawn by the seed."""
    random = np.random.RandomState(seed)
    bot = ismcts.ISMCTSBot(
        game=spiel,
        evaluator=mcts.RandomRolloutEvaluator(1, random),
        uct_c=20.0,
        max_simulations=simulations,
        random_state=random,
    )
    draws = np.random.default_rng(seed)
    bot.set_resampler(lambda state, player: open_spiel_games.resample(state, player, draws))
    return bot


def points_of(spiel: Any, bots: list[Any], seed: int) -> list[float]:
    """Play a deal."""
    state, rng = spiel.new_initial_state(), np.random.default_rng(seed)
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(int(rng.choice(outcomes, p=chances)))
        else:
            state.apply_action(bots[state.current_player()].step(state))
    points: list[float] = state.returns()
    return points


def test_information_set_search_plays(game: Game) -> None:
    """The same twice."""
    spiel = load(game)
    points = [points_of(spiel, [searcher(spiel, 1, 6), uniform(1, 2), uniform(2, 3)], 4) for _ in range(2)]
    assert points[0] == points[1]
    assert sum(points[0]) == 0


def test_information_set_search_draws_deals_by_itself(game: Game) -> None:
    spiel, state = load(game), shuffled(game, 3)
    bot = ismcts.ISMCTSBot(game=spiel, evaluator=mcts.RandomRolloutEvaluator(), uct_c=10.0, max_simulations=8)
    assert bot.step(state) in state.legal_actions()


def test_search_with_open_cards_plays(game: Game) -> None:
    spiel, random = load(game), np.random.RandomState(5)
    bot = mcts.MCTSBot(spiel, 20.0, 4, mcts.RandomRolloutEvaluator(1, random), random_state=random)
    assert sum(points_of(spiel, [uniform(0, 1), bot, uniform(2, 3)], 6)) == 0
