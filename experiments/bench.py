"""Speed: compiled self-play and hand analysis on one core; compile and start times; a C program beside it."""

import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from agents import registry
from experiments import bench_paohuzi, machine, shards
from experiments.runs import Config, RunError
from experiments.warm import ensure_compiled
from longcards_env import GAMES
from longcards_env.gym_env import LongCardsEnv
from longcards_env.vector_env import LongCardsVectorEnv

ROUNDS = 5
SIMULATED_DEALS = 1_000_000

_ROUND_SECONDS = 0.5
_HANDS = 100_000
_NUM_ENVS = 1024
_FLOOR_GAME = "nantong"  # what the C program plays, and of its variants the one with the work of random play
_FLOOR_VARIANT = "claims"
_OWN_ANALYSIS = {"paohuzi": bench_paohuzi.analysis}  # what is measured of one game only

Note = Callable[[str], None]


def bench(
    game: str | None = None, *, floor: Path | None = None, with_simulate: bool = False, note: Note = print
) -> dict[str, Any]:
    """Return what `bench --json` prints; rates are medians of several rounds, on one core.

    game: only this one. floor: a C program that takes seconds and repetitions, and prints a JSON line for each variant.
    Raises RunError if it does not compile or does not print that, or if its game is not measured.
    """
    games = [game] if game else list(GAMES)
    if floor and _FLOOR_GAME not in games:
        raise RunError(f"--floor compares with a C program that plays {_FLOOR_GAME}, not {game}")
    about = machine.versions()
    with TemporaryDirectory(prefix="longcards-") as folder:
        program = _compiled(floor, Path(folder)) if floor else None
        result: dict[str, Any] = {
            "machine": machine.machine() | {"python": about["python"], "numba": about["numba"]},
            **start_times(games, note),
            "games": {name: _measure_game(name, note) for name in games},
        }
        if program:
            note(f"{floor}, in turns with our random play")
            result["floor"] = beside_floor(program)
    if with_simulate:
        result["simulate"] = {name: _time_simulate(name, note) for name in games}
    return result


def _measure_game(game: str, note: Note) -> dict[str, Any]:
    ensure_compiled(game, note)
    note(f"{game}: self-play of each agent, analysis")
    engine = {agent: _self_play_rates(game, agent) for agent in registry.agents_of(game)}
    own = _OWN_ANALYSIS[game]() if game in _OWN_ANALYSIS else {}
    note(f"{game}: environments")
    steps = {agent: _gymnasium_rate(game, agent) for agent in registry.agents_of(game)}
    return {
        "engine": engine,
        "analysis": {"distance_per_second": _distance_rate(game)} | own,
        "vector_env": {"num_envs": _NUM_ENVS, "decisions_per_second": _vector_rate(game)},
        "gymnasium": {"steps_per_second": steps["greedy"], "by_opponents": steps},
    }


def _self_play_rates(game: str, agent: str) -> dict[str, float]:
    rounds = [_self_play(game, agent) for _ in range(ROUNDS + 1)][1:]  # the first one warms up
    deals, decisions = (median(rates) for rates in zip(*rounds, strict=True))
    return {"deals_per_second": deals, "decisions_per_second": decisions}


def _self_play(game: str, agent: str) -> tuple[float, float]:
    """Play for about half a second; return deals and decisions per second."""
    config = Config(game, (agent, agent, agent), deals=10_000_000, seed=0)
    parts = shards.play(config, range(1_000_000), batch=256)
    next(parts)  # sets up
    deals = decisions = 0
    start = time.perf_counter()
    while (seconds := time.perf_counter() - start) < _ROUND_SECONDS:
        part = next(parts)
        deals += len(part.states)
        decisions += int(part.decisions.sum())
    return deals / seconds, decisions / seconds


def _vector_rate(game: str) -> float:
    """Decisions per second of all seats in the vector environment, random legal actions drawn in compiled code."""
    envs = LongCardsVectorEnv(game, _NUM_ENVS, self_play=True, copy=False)
    envs.reset(seed=0)
    rates = [_rate(lambda: envs.step(envs.sample_legal())) for _ in range(ROUNDS + 1)][1:]
    return _NUM_ENVS * median(rates)


def _gymnasium_rate(game: str, agent: str) -> float:
    """Steps per second of one learner's seat that plays random legal actions against two agents of this name."""
    env = LongCardsEnv(game, opponents=(agent, agent))
    draw = random.Random(0)
    mask = env.reset(seed=0)[0]["action_mask"]

    def step() -> None:
        nonlocal mask
        legal = mask.nonzero()[0]
        seen, _, over, _, _ = env.step(legal[int(draw.random() * len(legal))])
        mask = (env.reset()[0] if over else seen)["action_mask"]

    return median([_rate(step) for _ in range(ROUNDS + 1)][1:])


def _rate(work: Callable[[], object]) -> float:
    """Return how often a second this can be done, over about half a second."""
    times, start = 0, time.perf_counter()
    while (seconds := time.perf_counter() - start) < _ROUND_SECONDS:
        work()
        times += 1
    return times / seconds


def _distance_rate(game: str) -> float:
    """Distances to a win per second, of random hands of the size dealt and with no more cards alike than are loose."""
    module = GAMES[game]
    hands = import_module(f"longcards_env.{game}.hands")
    deck = np.repeat(np.arange(module.NUM_KINDS), module.COPIES)
    decks = np.random.default_rng(0).permuted(np.tile(deck, (_HANDS, 1)), axis=1)
    counts = (decks[:, : module.HAND_SIZE, None] == np.arange(module.NUM_KINDS)).sum(axis=1).astype(np.int8)
    counts = counts[counts.max(axis=1) <= module.LOOSE]
    seconds = [_seconds(lambda: hands.distance(counts)) for _ in range(ROUNDS + 1)][1:]
    return len(counts) / median(seconds)


def _seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def start_times(games: list[str], note: Note) -> dict[str, float]:
    """Return the seconds from nothing to a first deal of each game, with an empty cache and a full one."""
    note("start times, in processes of their own: compiling takes up to a minute")
    first_deals = f"from experiments.warm import compile_game\nfor game in {games}: compile_game(game)"
    with TemporaryDirectory(prefix="longcards-") as cache:
        cold = _process_seconds(["-c", first_deals], NUMBA_CACHE_DIR=cache)
        warm = [_process_seconds(["-c", first_deals], NUMBA_CACHE_DIR=cache) for _ in range(3)]
        imports = [_process_seconds(["-c", "import longcards_env"], NUMBA_CACHE_DIR=cache) for _ in range(3)]
    return {"compile_seconds": cold, "warm_start_seconds": median(warm), "import_seconds": median(imports)}


def _process_seconds(arguments: list[str], **environment: str) -> float:
    command = [sys.executable, *arguments]
    return _seconds(
        lambda: subprocess.run(
            command, env={**os.environ, **environment}, check=True, stdout=subprocess.DEVNULL, cwd=_root()
        )
    )


def _root() -> Path:
    return Path(__file__).parents[1]


def beside_floor(program: Path) -> dict[str, float]:
    """Return the rate of a compiled C program and the ratio of our random play to it, played in turns."""
    rounds = [(_self_play(_FLOOR_GAME, "random")[0], _floor_rate(program)) for _ in range(ROUNDS)]
    ours, floor = (median(rates) for rates in zip(*rounds, strict=True))
    return {"deals_per_second": floor, "ratio": ours / floor}


def _compiled(source: Path, folder: Path) -> Path:
    """Compile a C program into a folder; nothing is measured before that has worked."""
    program = folder / "floor"
    try:
        command = ["gcc", "-O3", "-march=native", "-o", str(program), str(source), "-lm"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError as error:
        raise RunError("--floor needs gcc, which is not here") from error
    if done.returncode:
        raise RunError(f"gcc cannot compile {source}: {done.stderr.strip().splitlines()[0]}")
    return program


def _floor_rate(program: Path) -> float:
    """Deals per second of the variant that does the work of random play."""
    done = subprocess.run([program, str(_ROUND_SECONDS), "1"], capture_output=True, text=True, check=False)
    try:
        rates = {line["variant"]: line["deals_per_s"] for line in map(json.loads, done.stdout.splitlines())}
        return float(rates[_FLOOR_VARIANT])
    except (ValueError, KeyError, TypeError) as error:
        raise RunError(f"the C program does not print JSON lines with a variant {_FLOOR_VARIANT!r}") from error


def _time_simulate(game: str, note: Note) -> dict[str, Any]:
    """Wall time of `simulate`, writing and start of the processes included, with one worker and with two."""
    seconds = {}
    with TemporaryDirectory(prefix="longcards-") as folder:
        for workers in ("1", "2"):
            note(f"{game}: simulate {SIMULATED_DEALS:,} deals, workers: {workers}")
            options = ["--deals", str(SIMULATED_DEALS), "--out", f"{folder}/{workers}", "--workers", workers]
            seconds[workers] = _process_seconds(["-m", "experiments", "simulate", game, *options])
    return {"deals": SIMULATED_DEALS, "seconds_by_workers": seconds}
