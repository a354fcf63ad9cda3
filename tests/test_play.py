"""The compiled loop: batches and logs change nothing, logs replay, and it plays the same without jit."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from agents import registry
from longcards_env import GAMES, play
from longcards_env.deck import deal_seeds
from longcards_env.protocol import Game

SEATS = 3
MIXED = ["random", "greedy", "random"]


class Batch:
    """Deals of one run, played in one or several calls."""

    def __init__(self, game: Game, agents: list[str], deals: int) -> None:
        self.game = game
        self.players = [registry.agent(game.NAME, spec) for spec in agents]
        self.states, self.decisions = game.new_states(deals), np.zeros(deals, np.int64)
        self.seeds, self.dealers = np.empty(deals, np.uint64), np.arange(deals) % SEATS
        deal_seeds(np.uint64(11), 0, self.seeds)

    def play(self, part: slice, log: np.ndarray) -> int:
        """Play some of the deals; return how many were played before the log was nearly full."""
        parts = (self.states[part], self.seeds[part], self.dealers[part])
        policies = np.array([player.policy for player in self.players])
        tables = registry.tables(self.game.NAME, self.players)
        played = registry.compiled(self.game.NAME).play_deals(*parts, policies, tables, log, self.decisions[part])
        return int(played)

    def play_in_batches(self, size: int, rows: int = 0) -> list[np.ndarray]:
        """Play all deals in calls of this many, with a log of this many rows; return the logs."""
        logs, at = [], 0
        while at < len(self.states):
            log = new_log(rows)
            played = self.play(slice(at, at + size), log)
            assert played > 0
            logs.append(log[: self.decisions[at : at + played].sum()])
            at += played
        return logs

    @property
    def bytes(self) -> bytes:
        return self.states.tobytes() + self.decisions.tobytes()


def new_log(rows: int) -> np.ndarray:
    return np.zeros(rows, play.DECISION).view(np.recarray)


@pytest.fixture(params=GAMES)
def game(request: pytest.FixtureRequest) -> Any:
    return GAMES[request.param]


@pytest.mark.parametrize("agents", [["random"] * SEATS, MIXED], ids=lambda agents: agents[1])
def test_batches_and_logs_change_nothing(game: Game, agents: list[str]) -> None:
    """Whatever the size of a call, and for a log that fills up again and again: the rest follows in the next call."""
    deals = 4500
    whole = Batch(game, agents, deals)
    assert whole.play(slice(None), new_log(0)) == deals
    whole_log = np.concatenate(Batch(game, agents, deals).play_in_batches(deals, deals * 100))
    for size, rows in ((1, 0), (7, 0), (4096, 0), (7, game.MAX_DECISIONS), (4096, 3 * game.MAX_DECISIONS)):
        batch = Batch(game, agents, deals)
        logs = batch.play_in_batches(size, rows)
        assert batch.bytes == whole.bytes
        assert not rows or np.array_equal(np.concatenate(logs), whole_log)


def test_full_log_returns_early(game: Game) -> None:
    """A deal is begun only if MAX_DECISIONS rows are free; states of deals not played are as they were."""
    batch = Batch(game, MIXED, 100)
    played = batch.play(slice(None), new_log(game.MAX_DECISIONS))
    assert played == 1
    assert batch.decisions[1:].sum() == 0
    assert batch.states[1:].tobytes() == game.new_states(99).tobytes()
    assert batch.play(slice(None), new_log(game.MAX_DECISIONS - 1)) == 0
    log = new_log(2 * game.MAX_DECISIONS)
    played = batch.play(slice(None), log)
    logged = batch.decisions[:played].sum()
    assert game.MAX_DECISIONS < logged <= len(log)
    assert logged > len(log) - game.MAX_DECISIONS
    assert log[logged:].tobytes() == new_log(len(log) - logged).tobytes()


def replay(game: Game, start: np.record, log: np.ndarray) -> np.record:
    """Apply logged decisions to a state and compare what the log says of each."""
    advance = registry.compiled(game.NAME).advance
    state = start.copy()
    for row in log:
        words = advance(state)
        assert words == (row.low, row.high)
        assert sum(int(word).bit_count() for word in words) == row.n_legal > 1
        assert (state.seat, state.phase, state.card) == (row.seat, row.phase, row.card)
        action = int(row.action)
        assert (int(row.low) | int(row.high) << game.HIGH) >> action & 1
        game.apply(state, action)
    assert advance(state) == (0, 0)
    return state


@pytest.mark.parametrize(
    ("agents", "deals"), [pytest.param(MIXED, 3, marks=pytest.mark.nojit), (MIXED, 400), (["greedy"] * SEATS, 400)]
)
def test_logged_decisions_replay(game: Game, agents: list[str], deals: int) -> None:
    """From the deal of the seed to the same bytes at the end."""
    batch = Batch(game, agents, deals)
    log = np.concatenate(batch.play_in_batches(deals, 4 * game.MAX_DECISIONS)).view(np.recarray)
    deal = registry.compiled(game.NAME).deal
    state, deck, stream = game.new_states(1)[0], np.empty(game.NUM_CARDS, np.int8), np.empty(4, np.uint64)
    at = 0
    for i, count in enumerate(batch.decisions.tolist()):
        deal(state, batch.dealers[i], batch.seeds[i], deck, stream)
        end = replay(game, state, log[at : at + count].view(np.recarray))
        assert end.tobytes() == batch.states[i].tobytes()
        at += count


def test_a_seat_plays_the_same_whoever_the_others_are(game: Game) -> None:
    """Each seat has a stream of its own: the first decision of a random seat does not depend on the others."""
    first = []
    for other in ("random", "greedy"):
        batch = Batch(game, ["random", other, other], 200)
        log = np.concatenate(batch.play_in_batches(200, 200 * 200))
        starts = np.cumsum(batch.decisions) - batch.decisions
        own = [(i, row) for i, row in enumerate(log[starts]) if row["seat"] == 0]
        first.append([(i, int(row["action"])) for i, row in own])
    assert len(first[0]) > 50
    assert first[0] == first[1]


def test_seats_have_streams_of_their_own(game: Game) -> None:
    """From one stream, the first choices of three random seats would stand at the same part of their lists."""
    batch = Batch(game, ["random"] * SEATS, 200)
    log = np.concatenate(batch.play_in_batches(200, 200 * 200)).view(np.recarray)
    alike = []
    for start, count in zip(np.cumsum(batch.decisions) - batch.decisions, batch.decisions, strict=True):
        parts: dict[int, float] = {}
        for row in (row for row in log[start : start + count] if row.n_legal > 10):
            legal = int(row.low) | int(row.high) << game.HIGH
            parts.setdefault(int(row.seat), (legal & (1 << int(row.action)) - 1).bit_count() / row.n_legal)
        if len(parts) == SEATS:
            alike.append(max(parts.values()) - min(parts.values()) < 0.1)
    assert len(alike) > 50
    assert np.mean(alike) < 0.1


def test_seats_are_alike(game: Game) -> None:
    """Rotating dealer and agents together rotates the points, up to the random choices: nobody has an edge."""
    batch = Batch(game, ["random"] * SEATS, 30_000)
    batch.play(slice(None), new_log(0))
    points = batch.states["points"]
    assert (np.abs(points.mean(axis=0)) < 5 * points.std(axis=0) / np.sqrt(len(points))).all()


# Plays deals as Batch does, and writes the ends and the log.
SCRIPT = """
import sys
import numpy as np
sys.path.insert(0, sys.argv[1])
from test_play import Batch, GAMES

batch = Batch(GAMES[sys.argv[2]], sys.argv[3].split(","), int(sys.argv[4]))
log, = batch.play_in_batches(len(batch.states), (len(batch.states) + 1) * batch.game.MAX_DECISIONS)
sys.stdout.buffer.write(batch.bytes + log.tobytes())
"""


@pytest.mark.parametrize("agents", ["random,random,random", "greedy,random,greedy"])
def test_the_same_without_jit(game: Game, agents: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """States, decisions and logs, byte by byte."""
    batch = Batch(game, agents.split(","), 6)
    (log,) = batch.play_in_batches(6, 7 * game.MAX_DECISIONS)
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    here = Path(__file__).parent
    command = [sys.executable, "-W", "error", "-c", SCRIPT, str(here), game.NAME, agents, "6"]
    assert subprocess.check_output(command, cwd=here.parent) == batch.bytes + log.tobytes()
