"""The benchmark: the keys of its result, and what it says of a wrong C program; its figures are not tested."""

import json
import shutil
from pathlib import Path

import pytest

from agents import registry
from experiments import bench, cli, report
from experiments.runs import RunError
from longcards_env import GAMES

FAKE_FLOOR = r"""
#include <stdio.h>
int main(void) {
    for (int rep = 0; rep < 2; rep++) {
        printf("{\"variant\": \"floor\", \"rep\": %d, \"deals_per_s\": 7}\n", rep);
        printf("{\"variant\": \"claims\", \"rep\": %d, \"deals_per_s\": 5}\n", rep);
    }
    return 0;
}
"""
needs_gcc = pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rounds too short to measure anything, and no compiling."""
    monkeypatch.setattr(bench, "ROUNDS", 1)
    monkeypatch.setattr(bench, "SIMULATED_DEALS", 10)
    monkeypatch.setattr(bench, "_ROUND_SECONDS", 0.001)
    monkeypatch.setattr(bench, "start_times", lambda games, note: {"compile_seconds": 1.0, "warm_start_seconds": 1.0})


@needs_gcc
def test_bench_prints_one_json_object(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    source = tmp_path / "floor.c"
    source.write_text(FAKE_FLOOR)
    with pytest.raises(SystemExit) as caught:
        cli.main(["bench", "--json", "--floor", str(source), "--simulate"])
    assert caught.value.code == 0
    out, err = capsys.readouterr()
    result = json.loads(out)
    assert {"cpu", "cores", "platform", "python", "numba"} == set(result["machine"])
    assert list(result["games"]) == list(result["simulate"]) == list(GAMES)
    for game, measured in result["games"].items():
        assert f"{game}: self-play" in err
        assert set(measured["engine"]) == set(registry.agents_of(game))
        assert all(set(rates) == {"deals_per_second", "decisions_per_second"} for rates in measured["engine"].values())
        assert measured["analysis"]["distance_per_second"] > 0
        assert measured["vector_env"]["decisions_per_second"] > 0
        assert measured["gymnasium"]["steps_per_second"] > 0
        assert set(result["simulate"][game]["seconds_by_workers"]) == {"1", "2"}
    assert result["floor"]["deals_per_second"] == 5
    assert result["floor"]["ratio"] > 0


@pytest.mark.parametrize("game", GAMES)
def test_bench_prints_a_table(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    report.print_bench(bench.bench(game, note=lambda message: None))
    out = capsys.readouterr().out
    assert game in out
    assert "decisions/s" in out
    assert "distance: " in out


@needs_gcc
@pytest.mark.parametrize(
    ("source", "message"),
    [("int main(void) { return x; }", "gcc cannot compile"), ("int main(void) { return 0; }", "variant 'claims'")],
)
def test_a_program_that_is_no_floor_is_told(tmp_path: Path, source: str, message: str) -> None:
    file = tmp_path / "floor.c"
    file.write_text(source)
    with pytest.raises(RunError, match=message):
        bench.beside_floor(bench._compiled(file, tmp_path))


@needs_gcc
def test_a_program_that_does_not_compile_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """And before anything is measured."""
    file = tmp_path / "floor.c"
    file.write_text("int main(void) { return x; }")
    with pytest.raises(SystemExit) as stop:
        cli.main(["bench", "--floor", str(file)])
    assert stop.value.code == 1
    assert capsys.readouterr().err.count("\n") == 1


def test_the_floor_plays_nantong_alone(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="--floor compares with a C program that plays nantong, not paohuzi"):
        bench.bench("paohuzi", floor=tmp_path / "floor.c")


def test_start_times_come_from_processes_of_their_own() -> None:
    assert bench._process_seconds(["-c", "import os; assert os.environ['NUMBA_CACHE_DIR'] == 'x'"], NUMBA_CACHE_DIR="x")
