"""Runs: the same files for any workers and batches, after a kill and a resume; nothing lost or overwritten."""

import errno
import gzip
import hashlib
import json
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from filelock import FileLock

from experiments import interrupts, machine, pool, runs, shards, warm
from experiments.runs import Config, RunError
from experiments.simulate import simulate, worthwhile_workers
from experiments.summary import summarize
from experiments.tables import read_deals
from longcards_env import GAMES, record, record_file

RUN = Config("nantong", ("random", "greedy", "random"), 3000, seed=7)  # where the game makes no difference
FULL = {game: replace(RUN, game=game, deals=1100, records=True, legal=True, decisions=True) for game in GAMES}


def data_files(folder: Path) -> dict[str, str]:
    """The data files of a run and their hashes."""
    files = (file for file in folder.iterdir() if file.name not in (runs.RUN_FILE, runs.LOCK_FILE))
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


def everything(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir() if file.name != runs.LOCK_FILE}


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("undisturbed")
    simulate(RUN, folder, workers=1)
    return folder


@pytest.fixture(scope="module", params=GAMES)
def full(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Config, Path]:
    """A run of each game, with all that it can write."""
    config, folder = FULL[request.param], tmp_path_factory.mktemp("full")
    simulate(config, folder, workers=1)
    return config, folder


# ---- results depend on the configuration alone


def test_workers_change_nothing(undisturbed: Path, tmp_path: Path) -> None:
    simulate(RUN, tmp_path / "two", workers=2)
    assert data_files(tmp_path / "two") == data_files(undisturbed)


@pytest.mark.parametrize("batch", [1, 7, 4096])
def test_batch_size_changes_nothing(full: tuple[Config, Path], tmp_path: Path, batch: int) -> None:
    simulate(full[0], tmp_path, workers=1, batch=batch)
    assert data_files(tmp_path) == data_files(full[1])


def test_workers_change_nothing_in_records_and_decisions(full: tuple[Config, Path], tmp_path: Path) -> None:
    simulate(full[0], tmp_path, workers=2)
    names = [f"{table}-0000{shard}" for table in ("deals", "decisions", "records") for shard in range(2)]
    assert sorted(name.split(".")[0] for name in data_files(tmp_path)) == names
    assert data_files(tmp_path) == data_files(full[1])


def test_the_seed_and_each_option_give_another_run() -> None:
    changed = [replace(RUN, seed=8), replace(RUN, dealer="0"), replace(RUN, deals=3001), replace(RUN, decisions=True)]
    assert len({config.run_id for config in [RUN, *changed]}) == 5


@pytest.mark.parametrize("deals", [1, 1023, 1024, 1025, 8192, 100_000, 10_000_000])
def test_shards_cover_the_deals(deals: int) -> None:
    config = replace(RUN, deals=deals)
    covered = [config.shard_deals(shard) for shard in range(config.num_shards)]
    assert all(first.stop == second.start for first, second in pairwise(covered))
    assert (covered[0].start, covered[-1].stop) == (0, deals)
    assert all(1 <= len(each) <= 65536 for each in covered)


def test_dealers_of_nantong_rotate_from_a_first_one_that_the_seed_chooses() -> None:
    rotations = [shards.dealers(replace(RUN, seed=seed), range(5, 9)) for seed in range(30)]
    assert {tuple(np.diff(dealers) % 3) for dealers in rotations} == {(1, 1, 1)}
    assert {dealers[0] for dealers in rotations} == {0, 1, 2}
    assert shards.dealers(replace(RUN, dealer="2"), range(3)).tolist() == [2, 2, 2]


@pytest.mark.parametrize("config", FULL.values(), ids=FULL)
def test_a_part_of_a_run_can_be_remade(config: Config) -> None:
    whole = [part.states.tobytes() for part in shards.play(config, range(40), batch=10)]
    assert [part.states.tobytes() for part in shards.play(config, range(20, 40), batch=10)] == whole[2:]


def test_records_are_compressed_without_time_and_name(full: tuple[Config, Path]) -> None:
    data = (full[1] / "records-00000.jsonl.gz").read_bytes()
    assert data[3] == 0  # no name, no comment
    assert data[4:8] == bytes(4)  # no time
    assert len(gzip.decompress(data).splitlines()) == full[0].shard_size


def test_records_replay_and_agree_with_the_table(full: tuple[Config, Path]) -> None:
    frame = read_deals(full[1])
    for file in sorted(full[1].glob("records-*")):
        for _, read in record_file.read(file):
            row = frame.iloc[0]
            frame = frame.iloc[1:]
            replayed = record.replay(read, GAMES)
            assert len(replayed.rows) == row["n_decisions"]
            assert read["dealer"] == row["dealer"]
            assert read["result"]["points"] == [row[f"points_{seat}"] for seat in range(3)]
    assert frame.empty


# ---- the summary


def test_summary_agrees_with_the_table(full: tuple[Config, Path]) -> None:
    frame = read_deals(full[1])
    summary = summarize(sorted(full[1].glob("deals-*.parquet")))
    assert summary.deals == len(frame)
    assert summary.draw_rate == pytest.approx(frame["winner"].isna().mean())
    for seat, each in enumerate(summary.seats):
        points = frame[f"points_{seat}"]
        assert each.points_per_deal == pytest.approx(points.mean())
        assert each.win_rate == pytest.approx((frame["winner"] == seat).mean())
        assert each.deal_in_rate == pytest.approx((frame["from_seat"] == seat).mean())
        drawn = (frame["winner"] == seat) & frame["from_seat"].isna()
        assert each.self_draw_rate == pytest.approx(drawn.mean())
        assert each.ci95 is not None
        half = 1.962121 * points.std() / len(frame) ** 0.5  # t of 1,099 degrees of freedom
        assert each.ci95 == pytest.approx((points.mean() - half, points.mean() + half), abs=1e-4)


def test_one_deal_has_no_interval() -> None:
    assert simulate(replace(RUN, deals=1), workers=1).summary.seats[0].ci95 is None


# ---- stopped and resumed

LONG = Config("nantong", ("random", "random", "random"), 300_000, seed=3)
COMMAND = [sys.executable, "-m", "experiments", "simulate", "nantong", "--deals", str(LONG.deals), "--seed", "3"]


def start(folder: Path) -> subprocess.Popen[str]:
    """Start a run in two workers; return when it has a finished shard."""
    command = [*COMMAND, "--workers", "2", "--out", str(folder)]
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    while not shards_done(folder):
        assert process.poll() is None, process.communicate()[1]
        time.sleep(0.005)
    return process


def shards_done(folder: Path) -> int:
    file = folder / runs.RUN_FILE
    return len(json.loads(file.read_bytes())["shards"]) if file.exists() else 0


@pytest.fixture(scope="module")
def undisturbed_long(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("long")
    simulate(LONG, folder, workers=1)
    return data_files(folder)


def test_kill_and_resume_give_the_same_files(tmp_path: Path, undisturbed_long: dict[str, str]) -> None:
    folder = tmp_path / "run"
    with start(folder) as process:
        process.kill()
        process.communicate(timeout=60)  # its workers hold the pipe too: they have ended, without their parent
    assert 0 < shards_done(folder) < LONG.num_shards
    (folder / "deals-00007.parquet.4321.tmp").write_text("half a sha")
    simulate(LONG, folder, workers=2, resume=True)
    assert data_files(folder) == undisturbed_long


@pytest.mark.parametrize(
    ("send", "number"),
    # As a terminal does, to the workers too; as a scheduler does; as a terminal that is closed.
    [(os.killpg, signal.SIGINT), (os.kill, signal.SIGTERM), (os.killpg, signal.SIGHUP)],
)
def test_interrupt_keeps_the_finished_shards(
    tmp_path: Path, undisturbed_long: dict[str, str], send: Callable[[int, int], None], number: int
) -> None:
    folder = tmp_path / "run"
    with start(folder) as process:
        send(process.pid, number)
        said = process.communicate(timeout=60)[1]
    assert process.returncode == 130
    assert "Traceback" not in said
    assert "of 8 shards are finished; the same command with --resume (in place of --overwrite) plays the rest" in said
    finished = data_files(folder)
    assert 0 < len(finished) < LONG.num_shards
    assert finished.items() <= undisturbed_long.items()
    simulate(LONG, folder, workers=1, resume=True)
    assert data_files(folder) == undisturbed_long


def die_in_a_worker(config: Config, folder: Path, batch: int, shard: int) -> list[dict[str, object]]:
    if multiprocessing.parent_process() is not None:
        os._exit(1)
    return []


def test_a_dead_worker_is_an_error_that_says_how_to_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shards, "write_shard", die_in_a_worker)
    said: list[str] = []
    with pytest.raises(RunError, match="a worker process died"):
        simulate(RUN, tmp_path, workers=2, note=said.append)
    assert said == [
        "stopped: 1 of 3 shards are finished; the same command with --resume (in place of --overwrite) plays the rest"
    ]


def test_tasks_come_back_with_their_results() -> None:
    for workers in (1, 2, 3):
        assert sorted(pool.run_tasks(str, range(9), workers)) == [(task, str(task)) for task in range(9)]


def test_an_error_in_a_worker_reaches_the_caller() -> None:
    with pytest.raises(ValueError, match="invalid literal"):
        list(pool.run_tasks(int, ["1", "x", "2"], 2))


def test_a_complete_run_resumed_changes_nothing(undisturbed: Path) -> None:
    before = everything(undisturbed)
    done = simulate(RUN, undisturbed, resume=True)
    assert done.summary == summarize(sorted(undisturbed.glob("deals-*.parquet")))
    assert everything(undisturbed) == before


# ---- what is refused, and leaves everything as it was


@pytest.fixture
def half(undisturbed: Path, tmp_path: Path) -> Path:
    """A run whose last shard is still to be played."""
    for name, data in everything(undisturbed).items():
        (tmp_path / name).write_bytes(data)
    stored = json.loads((tmp_path / runs.RUN_FILE).read_bytes())
    (tmp_path / stored["shards"].pop()["files"][0]["name"]).unlink()
    (tmp_path / runs.RUN_FILE).write_text(json.dumps(stored))
    return tmp_path


def refused(folder: Path, config: Config = RUN, *, resume: bool = False, overwrite: bool = False) -> str:
    """The message of a refused run, after a check that it changed nothing."""
    before = everything(folder)
    with pytest.raises(RunError) as caught:
        simulate(config, folder, workers=1, resume=resume, overwrite=overwrite)
    assert everything(folder) == before
    message = str(caught.value)
    assert str(folder) in message
    assert "\n" not in message
    return message


def test_resume_plays_what_is_missing(half: Path, undisturbed: Path) -> None:
    simulate(RUN, half, workers=1, resume=True)
    assert data_files(half) == data_files(undisturbed)


def test_damaged_shard_is_refused(half: Path) -> None:
    file = half / "deals-00001.parquet"
    data = bytearray(file.read_bytes())
    data[100] ^= 1
    file.write_bytes(data)
    assert f"{file}: damaged: expected {len(data)} bytes with sha256 " in refused(half, resume=True)


def test_missing_shard_is_refused(half: Path) -> None:
    (half / "deals-00001.parquet").unlink()
    assert "deals-00001.parquet: missing; run.json tells of" in refused(half, resume=True)


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"config": {}, "shards": [{"shard": 0}], "seconds": 1.0}'])
def test_damaged_run_file_is_refused(half: Path, text: str) -> None:
    (half / runs.RUN_FILE).write_text(text)
    assert "run.json: damaged" in refused(half, resume=True)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"seed": 8, "dealer": "0"}, "seed was 7 in this run and is 8 now"),
        ({"agents": ("greedy", "greedy", "greedy")}, "agents was ['random', 'greedy', 'random']"),
        ({"decisions": True}, "decisions was False in this run and is True now"),
    ],
)
def test_another_configuration_is_refused(half: Path, changes: dict[str, object], message: str) -> None:
    assert message in refused(half, replace(RUN, **changes), resume=True)  # type: ignore[arg-type]


def test_other_sources_are_refused(half: Path) -> None:
    stored = json.loads((half / runs.RUN_FILE).read_bytes())
    stored["versions"]["sources"] = "0123"
    (half / runs.RUN_FILE).write_text(json.dumps(stored))
    assert "the hash of the sources was '0123' in this run" in refused(half, resume=True)


def test_resume_begins_a_run_that_did_not_get_so_far(tmp_path: Path, undisturbed: Path) -> None:
    """What a start leaves that was killed before its first `run.json`, or that found the disk full."""
    (tmp_path / runs.LOCK_FILE).touch()
    (tmp_path / "run.json.9113.tmp").touch()
    simulate(RUN, tmp_path, resume=True)
    assert data_files(tmp_path) == data_files(undisturbed)
    assert not list(tmp_path.glob("*.tmp"))


def test_resume_without_a_run_keeps_off_other_files(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    assert "the folder is not empty; holds no run.json to resume" in refused(tmp_path, resume=True)


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "run").write_text("mine")
    with pytest.raises(RunError, match="this is a file, expected a folder"):
        simulate(RUN, tmp_path / "run", overwrite=True)


def test_a_full_disk_leaves_no_temporary_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match=r"No space left on device: '.*run\.json'"):
        simulate(RUN, tmp_path)
    assert [file.name for file in tmp_path.iterdir()] == [runs.LOCK_FILE]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"game": "go"}, "game: got 'go', expected nantong or paohuzi"),
        ({"agents": ("random", "random")}, "expected a tuple of 3"),
        ({"agents": "random"}, "expected a tuple of 3"),
        ({"agents": ("random", "randon", "random")}, "did you mean 'random'"),
        ({"deals": 0}, "deals: got 0, expected 1 to"),
        ({"deals": 10**12}, "deals: got 1000000000000, expected 1 to"),
        ({"seed": -1}, "seed: got -1"),
        ({"seed": 2**64}, "seed: got 18446744073709551616"),
        ({"dealer": "3"}, "dealer: got '3'"),
        ({"legal": True}, "legal: goes with records"),
    ],
)
def test_what_is_no_run_is_refused(changes: dict[str, Any], message: str) -> None:
    fields: dict[str, Any] = {"game": "nantong", "agents": ("random", "random", "random"), "deals": 10, "seed": 1}
    with pytest.raises(RunError) as caught:
        Config(**(fields | changes))
    assert message in str(caught.value)


def emptied(shards: list[Any]) -> None:
    shards[0]["files"] = []


def repeated(shards: list[Any]) -> None:
    shards[1]["files"] = shards[0]["files"]


def out_of_range(shards: list[Any]) -> None:
    shards.append({"shard": 99, "files": shards[0]["files"]})


def renumbered(shards: list[Any]) -> None:
    shards[1]["shard"] = True


def unnamed(shards: list[Any]) -> None:
    shards[0]["files"][0]["name"] = None


@pytest.mark.parametrize("damage", [emptied, repeated, out_of_range, renumbered, unnamed])
def test_a_list_of_other_files_is_refused(half: Path, damage: Callable[[list[Any]], None]) -> None:
    """Shards that `run.json` calls finished must be of this run, with all of their files."""
    stored = json.loads((half / runs.RUN_FILE).read_bytes())
    while len(stored["shards"]) < 2:
        stored["shards"].append({"shard": 1, "files": stored["shards"][0]["files"]})
    damage(stored["shards"])
    (half / runs.RUN_FILE).write_text(json.dumps(stored))
    assert "damaged: not the files of shard" in refused(half, resume=True)


def test_json_without_end_is_refused(half: Path) -> None:
    (half / runs.RUN_FILE).write_text("[" * 100_000)
    assert "damaged: this is not the description of a run" in refused(half, resume=True)


# ---- interrupts


def hold_back(done: list[int], *numbers: int) -> None:
    """Send signals to this process while they are held back; done: those after which it went on."""
    with interrupts.held_back():
        for number in numbers:
            os.kill(os.getpid(), number)
            done.append(number)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_interrupts_are_held_back(number: int) -> None:
    done: list[int] = []
    before = signal.getsignal(number)
    with pytest.raises(KeyboardInterrupt):
        hold_back(done, number)
    assert done == [number]
    assert signal.getsignal(number) == before


def test_held_interrupts_are_raised_where_wanted_and_only_once() -> None:
    with interrupts.held_back():
        os.kill(os.getpid(), signal.SIGINT)
        with pytest.raises(KeyboardInterrupt):
            interrupts.raise_if_any()
        interrupts.raise_if_any()


def test_a_second_interrupt_does_not_wait() -> None:
    done: list[int] = []
    with pytest.raises(KeyboardInterrupt):
        hold_back(done, signal.SIGINT, signal.SIGINT)
    assert done == [signal.SIGINT]


def test_folder_that_is_not_empty_is_refused(half: Path) -> None:
    assert "not empty" in refused(half)


def test_locked_folder_is_refused(half: Path) -> None:
    with FileLock(half / runs.LOCK_FILE):
        assert "another run is writing to this folder" in refused(half, resume=True)
        assert "another run is writing to this folder" in refused(half, overwrite=True)


def test_overwrite_removes_what_runs_wrote_and_nothing_else(half: Path) -> None:
    foreign = {"notes.txt": b"mine", "deals-1.parquet": b"mine", "deals-00000.parquet.bak": b"mine"}
    ours = {"deals-00099.parquet": b"old", "records-00000.jsonl.gz": b"old", "run.json.12.tmp": b"old"}
    for name, data in (foreign | ours).items():
        (half / name).write_bytes(data)
    simulate(replace(RUN, deals=1), half, workers=1, overwrite=True)
    assert set(everything(half)) == {*foreign, "deals-00000.parquet", runs.RUN_FILE}
    assert foreign.items() <= everything(half).items()


def test_run_file_tells_of_the_run(undisturbed: Path) -> None:
    stored = json.loads((undisturbed / runs.RUN_FILE).read_bytes())
    assert stored["config"] == RUN.stored()
    assert stored["run_id"] == RUN.run_id
    assert set(stored["versions"]) == {"longcards", "sources", "python", "numpy", "numba", "pyarrow"}
    assert set(stored["machine"]) == {"cpu", "cores", "platform"}
    assert stored["started"] <= stored["ended"]
    files = [file for each in stored["shards"] for file in each["files"]]
    assert {file["name"]: file["sha256"] for file in files} == data_files(undisturbed)
    assert all((undisturbed / file["name"]).stat().st_size == file["bytes"] for file in files)


# ---- workers and compiling


def test_more_processes_only_where_they_pay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "usable_cores", lambda: 64)
    assert worthwhile_workers(RUN) == 1
    assert worthwhile_workers(replace(RUN, deals=10**10)) == 64


def test_the_user_is_told_only_of_real_compiling(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    compiled: list[str] = []
    monkeypatch.setattr(warm, "compile_game", compiled.append)
    monkeypatch.setattr(warm, "is_compiled", lambda game: game != "nantong")
    warm.ensure_compiled("nantong", said.append)
    warm.ensure_compiled("paohuzi", said.append)
    assert compiled == ["nantong"]
    assert said == ["compiling nantong, once: this takes up to a minute"]


@pytest.mark.parametrize("game", GAMES)
def test_playing_leaves_the_loop_in_the_cache(game: str) -> None:
    warm.compile_game(game)
    assert warm.is_compiled(game)
