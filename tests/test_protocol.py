"""What every game keeps to (protocol.py): over random deals, in every state and for every listed action.

What only a game itself can say of its states stands in checks_GAME.py.
"""

import gzip
import importlib.util
import json
import os
import random
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import numba
import numpy as np
import pytest

from checks import checks_of
from longcards_env import GAMES, play
from longcards_env._jit import inline
from longcards_env.protocol import Game
from longcards_env.words import of_game, parse_action

SEATS = 3
MOST_ACTIONS = 1024  # forced ones too; no deal has as many
FEW = 2
CHUNK = 50  # deals whose states are checked together

Actions = list[int]
Deals = Iterator[tuple[list[Actions], np.ndarray]]


# ---- random deals


def listed(game: Game, low: int, high: int) -> Actions:
    """A legal set as a list."""
    both = int(low) | int(high) << game.HIGH
    found = []
    while both:
        found.append((both & -both).bit_length() - 1)
        both &= both - 1
    return found


def shuffled(game: Game, rng: random.Random) -> np.ndarray:
    deck = [card // game.COPIES for card in range(game.NUM_CARDS)]
    rng.shuffle(deck)
    return np.array(deck, np.int8)


def clumped(game: Game, rng: random.Random) -> np.ndarray:
    """Equal kinds, and neighbours, stand together but for some swaps: this brings about what is rare."""
    deck = np.roll([card // game.COPIES for card in range(game.NUM_CARDS)], rng.randrange(game.NUM_CARDS))
    for _ in range(rng.randrange(80)):
        i, j = rng.randrange(game.NUM_CARDS), rng.randrange(game.NUM_CARDS)
        deck[i], deck[j] = deck[j], deck[i]
    return deck.astype(np.int8)


Choose = Callable[[Actions, np.record], int]


def walk(game: Game, choose: Choose, out: np.ndarray) -> Actions:
    """Play a deal from the state in out[0], a state to each place; return all actions, forced ones too."""
    state, played = out[0].copy(), []
    while actions := listed(game, *game.legal_words(state)):
        played.append(choose(actions, state))
        game.apply(state, played[-1])
        out[len(played)] = state
    return played


def at_random(game: Game, rng: random.Random) -> Choose:
    """A policy that likes some actions and dislikes others."""
    liking = [rng.choice([0.05, 1.0, 20.0]) for _ in range(game.NUM_ACTIONS)]
    return lambda actions, state: rng.choices(actions, [liking[action] for action in actions])[0]


def recorded(game: Game, decisions: list[list[Any]]) -> Choose:
    """The decisions of a record in turn, and forced actions."""
    left = [words for _, words in reversed(decisions)]
    return lambda actions, state: parse_action(game, left.pop(), state.card) if len(actions) > 1 else actions[0]


def random_deals(game: Game, deals: int, seed: int) -> Deals:
    """Chunks of deals: their actions, and all their states in turn; many deals bring the golden ones along."""
    rng = random.Random(seed)
    starts = [(deal % SEATS, (shuffled, clumped)[deal % 2](game, rng), at_random(game, rng)) for deal in range(deals)]
    for record in golden(game.NAME) if deals > FEW else ():
        deck = np.array([game.TOKENS.index(token) for token in record["deck"]], np.int8)
        starts.append((record["dealer"], deck, recorded(game, record["decisions"])))
    for first in range(0, len(starts), CHUNK):
        chunk = starts[first : first + CHUNK]
        states, played, at = game.new_states(len(chunk) * MOST_ACTIONS), [], 0
        for dealer, deck, choose in chunk:
            game.reset(states[at], dealer, deck)
            played.append(walk(game, choose, states[at : at + MOST_ACTIONS]))
            at += len(played[-1]) + 1
        yield played, states[:at]


@cache
def golden(name: str) -> list[dict[str, Any]]:
    """Records that hold what is rare."""
    with gzip.open(Path(__file__).parent / "golden" / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


@pytest.fixture(params=GAMES)
def game(request: pytest.FixtureRequest) -> Any:
    return GAMES[request.param]


def deals(many: int) -> pytest.MarkDecorator:
    """Many deals compiled, and a few that also run without jit."""
    return pytest.mark.parametrize("deals", [pytest.param(FEW, marks=pytest.mark.nojit), many])


# ---- properties


def test_game_offers_the_contract(game: Game) -> None:
    assert [name for name in Game.__annotations__ if not hasattr(game, name)] == []
    assert game.NUM_CARDS == game.NUM_KINDS * game.COPIES
    assert len(game.TOKENS) == len(set(game.TOKENS)) == game.NUM_KINDS
    assert game.HIGH <= 63
    assert game.NUM_ACTIONS - game.HIGH <= 63


def test_field_names_are_seen(game: Game) -> None:
    """An attribute of np.record would hide a field of its name without jit."""
    assert set(game.STATE.names or ()) & set(dir(np.record)) == set()
    assert set(play.DECISION.names or ()) & set(dir(np.record)) == set()


@deals(2000)
def test_every_card_is_in_one_place(game: Game, deals: int) -> None:
    """After every action; and each derived field agrees with what it derives from."""
    checks = checks_of(game.NAME)
    for _, states in random_deals(game, deals, 1):
        assert (checks.cards(states) == game.COPIES).all()
        checks.derived(states)


@deals(1000)
def test_a_living_deal_has_legal_actions(game: Game, deals: int) -> None:
    """And `legal` agrees with `legal_words`."""
    mask = np.full(game.NUM_ACTIONS, 9, np.int8)
    for played, states in random_deals(game, deals, 2):
        over = checks_of(game.NAME).is_over(states)
        assert over.sum() == len(played)
        for i, state in enumerate(states):
            actions = listed(game, *game.legal_words(state))
            assert bool(actions) != over[i]
            assert game.legal(state, mask) == len(actions)
            assert np.flatnonzero(mask).tolist() == actions
            assert mask.max() <= 1


@deals(1000)
def test_every_legal_action_has_words(game: Game, deals: int) -> None:
    """About the card that the question is about."""
    words = of_game(game)
    for _, states in random_deals(game, deals, 10):
        for state in states:
            actions = listed(game, *game.legal_words(state))
            assert (words.of_action[state.card, actions] >= 0).all()


@deals(100)
def test_every_listed_action_applies(game: Game, deals: int) -> None:
    """Not only those that are played: each leads to a consistent state, and leaves its own as it was."""
    checks = checks_of(game.NAME)
    for _, states in random_deals(game, deals, 3):
        before = states.tobytes()
        branches = game.new_states(len(states) * 24)
        used = 0
        for state in states:
            for action in listed(game, *game.legal_words(state)):
                branches[used] = state
                game.apply(branches[used], action)
                used += 1
        assert states.tobytes() == before
        assert used > len(states)
        assert (checks.cards(branches[:used]) == game.COPIES).all()
        checks.derived(branches[:used])


@deals(1000)
def test_points_sum_to_zero(game: Game, deals: int) -> None:
    """At the end; before it nobody has any."""
    for _, states in random_deals(game, deals, 4):
        over = checks_of(game.NAME).is_over(states)
        assert (states["points"].sum(axis=1) == 0).all()
        assert (states["points"][~over] == 0).all()
        assert deals == FEW or states["points"][over].any()


@deals(1000)
def test_seat_and_number_of_decisions_are_in_bounds(game: Game, deals: int) -> None:
    """`play` reads `seat` and `phase`, and gives each deal MAX_DECISIONS rows of a log."""
    for played, states in random_deals(game, deals, 5):
        alive = ~checks_of(game.NAME).is_over(states)
        assert np.isin(states["seat"][alive], range(SEATS)).all()
        assert max(map(len, played)) < game.MAX_DECISIONS


def test_random_deals_reach_every_phase(game: Game) -> None:
    phases = np.unique(np.concatenate([states["phase"] for _, states in random_deals(game, 100, 9)]))
    assert phases.tolist() == list(range(len(phases)))
    assert len(set(game.PHASES)) == len(game.PHASES) == len(phases)


@deals(300)
def test_reset_overwrites_every_byte(game: Game, deals: int) -> None:
    rng = random.Random(6)
    for deal in range(deals):
        deck = clumped(game, rng)
        states = game.new_states(2)
        states.view(np.ndarray).view(np.uint8).reshape(2, -1)[1] = 0xFF
        for state in states:
            game.reset(state, deal % SEATS, deck)
        assert states[0].tobytes() == states[1].tobytes()


@deals(300)
def test_copy_goes_on_identically(game: Game, deals: int) -> None:
    """A copy is one assignment; playing it leaves the original as it was."""
    rng = random.Random(7)
    for played, states in random_deals(game, deals, 7):
        at = 0
        for actions in played:
            start = rng.randrange(len(actions))
            copy = game.new_states(1)
            copy[0] = states[at + start]
            original = states[at + start].tobytes()
            for step in range(start, len(actions)):
                game.apply(copy[0], actions[step])
                assert copy[0].tobytes() == states[at + step + 1].tobytes()
            assert states[at + start].tobytes() == original
            at += len(actions) + 1


@deals(300)
def test_decisions_fix_the_deal(game: Game, deals: int) -> None:
    """Replaying only the decisions, forced actions played by `advance`, ends in the same bytes."""
    advance = play.bind(game)["advance"]
    for played, states in random_deals(game, deals, 8):
        at = 0
        for actions in played:
            steps = range(at, at + len(actions))
            decisions = [actions[i - at] for i in steps if len(listed(game, *game.legal_words(states[i]))) > 1]
            state = states[at].copy()
            assert replay(game, advance, state, decisions)
            assert state.tobytes() == states[steps.stop].tobytes()
            at = steps.stop + 1


def replay(game: Game, advance: Callable[[np.record], tuple[int, int]], state: np.record, decisions: Actions) -> bool:
    """Whether the decisions, and no more, lead to the end of the deal."""
    for action in decisions:
        if action not in listed(game, *advance(state)):
            return False
        game.apply(state, action)
    return listed(game, *advance(state)) == []


# ---- bind: each game has compiled templates of its own

TOY = '''
"""A game of three moves."""

import numpy as np

from longcards_env._jit import inline, record_dtype

NAME = "toy"
STEP = 1
LEGAL = 0b010
STATE = record_dtype([("seat", "i8"), ("phase", "i8"), ("card", "i8"), ("left", "i8"), ("total", "i8")])
NUM_CARDS, COPIES, HIGH, MAX_DECISIONS = 4, 4, 63, 8


@inline
def legal_words(state):
    return (LEGAL if state.left else 0), 0


@inline
def apply(state, action):
    state.left -= 1
    state.total += STEP * action
'''

SCRIPT = """
import importlib, sys
import numpy as np
from longcards_env import play

toy = importlib.import_module(sys.argv[1])
state = np.zeros(1, toy.STATE).view(np.recarray)[0]
state.left = 3
play.bind(toy)["advance"](state)
print(state.total)
"""


def write_toy(folder: Path, name: str, **changed: int) -> Path:
    """Write a variant of the game; changed: its numbers by name."""
    text = TOY.replace('"toy"', f'"{name}"')
    for number, value in changed.items():
        text = re.sub(rf"\n{number} = \w+", f"\n{number} = {value}", text)
    file = folder / f"{name}.py"
    file.write_text(text, encoding="utf-8")
    return file


def import_file(file: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[file.stem] = module  # numba imports by name what it finds in its cache
    spec.loader.exec_module(module)
    return module


def new_toy(toy: ModuleType) -> Any:
    state = np.zeros(1, toy.STATE).view(np.recarray)[0]
    state.left = 3
    return state


@pytest.fixture
def cache_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Code of the toys is cached here, since an edit of their text would not give the tests another folder."""
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))
    return tmp_path


def test_variants_of_a_game_do_not_share_code(cache_folder: Path) -> None:
    """Two rules and one dtype: without names of their own, numba would run the first variant's code twice."""
    toys = [import_file(write_toy(cache_folder, f"toy_{step}", STEP=step)) for step in (1, 5)]
    assert toys[0].STATE == toys[1].STATE
    for toy in (*toys, *toys):
        state = new_toy(toy)
        play.bind(toy)["advance"](state)
        assert state.total == 3 * toy.STEP


def test_variants_of_a_game_do_not_share_a_cache(tmp_path: Path) -> None:
    """The same across processes, with the compiled code on disk."""
    names = [write_toy(tmp_path, f"toy_{step}", STEP=step).stem for step in (1, 5)]
    assert [run_script(tmp_path, name) for name in (*names, *names)] == ["3", "15", "3", "15"]
    assert len(list(tmp_path.rglob("play.advance_toy_*.nbi"))) == 2


def run_script(folder: Path, name: str) -> str:
    script = folder / "script.py"
    script.write_text(SCRIPT, encoding="utf-8")
    own = {"NUMBA_CACHE_DIR": str(folder / "cache"), "PYTHONPATH": str(Path(play.__file__).parents[1])}
    command = [sys.executable, str(script), name]
    return subprocess.check_output(command, env={**os.environ, **own}, cwd=folder, text=True).strip()


@inline
def choose_first(policy: int, state: np.record, low: int, high: int, stream: np.ndarray, tables: Any) -> int:
    return 1


@inline
def choose_second(policy: int, state: np.record, low: int, high: int, stream: np.ndarray, tables: Any) -> int:
    return 2


def test_policies_of_a_game_do_not_share_code(cache_folder: Path) -> None:
    toy = import_file(write_toy(cache_folder, "toy_chosen", LEGAL=0b110))
    for choose, total in ((choose_first, 3), (choose_second, 6)):
        state = new_toy(toy)
        streams = np.zeros((SEATS, 4), np.uint64)
        play_deal = play.bind(toy, choose=choose)["play_deal"]
        assert play_deal(state, np.zeros(SEATS, np.int64), streams, 0, np.zeros(0, play.DECISION)) == 3
        assert state.total == total
