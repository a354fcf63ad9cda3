"""The command line: what it prints, where, and its exit codes."""

import gzip
import json
import subprocess
import sys
from pathlib import Path

import pytest

from experiments import cli
from experiments.runs import RUN_FILE
from longcards_env import GAMES, __version__

COMMANDS = ("games", "agents", "simulate", "replay", "show", "bench")
SIMULATE = ("simulate", "nantong", "--deals", "20", "--workers", "1")


@pytest.fixture
def longcards(capsys: pytest.CaptureFixture[str]) -> "Longcards":
    return Longcards(capsys)


class Longcards:
    """The command line, run in this process."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self.capsys = capsys

    def __call__(self, *arguments: str, code: int = 0) -> tuple[str, str]:
        """What it writes to stdout and stderr; checks the exit code."""
        with pytest.raises(SystemExit) as caught:
            cli.main(list(arguments))
        out, err = self.capsys.readouterr()
        assert caught.value.code == code, err
        return out, err

    def json(self, *arguments: str) -> dict[str, object]:
        """The one JSON object that it prints."""
        parsed = json.loads(self(*arguments, "--json")[0])
        assert isinstance(parsed, dict)
        return parsed

    def refusal(self, *arguments: str, code: int) -> str:
        """The last line on stderr; nothing is on stdout."""
        out, err = self(*arguments, code=code)
        assert out == ""
        assert "Traceback" not in err
        if code == 1:
            assert err.count("\n") == 1
        return err.splitlines()[-1]


def test_help_lists_the_commands(longcards: Longcards) -> None:
    out, _ = longcards("--help")
    assert all(f"\n  {command} " in out for command in COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_each_command_has_an_example(longcards: Longcards, command: str) -> None:
    out, _ = longcards(command, "--help")
    assert f"Example: longcards {command}" in out


def test_version(longcards: Longcards) -> None:
    assert longcards("--version") == (f"longcards {__version__}\n", "")


def test_games_and_agents_are_listed(longcards: Longcards) -> None:
    assert [row["game"] for row in longcards.json("games")["games"]] == list(GAMES)  # type: ignore[attr-defined]
    assert {"random", "greedy"} <= {row["agent"] for row in longcards.json("agents")["agents"]}  # type: ignore[attr-defined]
    assert all(game.TITLE in longcards("games")[0] for game in GAMES.values())
    assert "random" in longcards("agents")[0]


@pytest.mark.parametrize("game", GAMES)
def test_simulate_prints_one_json_object(longcards: Longcards, game: str, tmp_path: Path) -> None:
    options = ("--deals", "20", "--workers", "1", "--agents", "random,greedy,random", "--seed", "9")
    printed = longcards.json("simulate", game, *options, "--out", str(tmp_path / "run"))
    assert set(printed) == {"game", "deals", "seed", "seconds", "deals_per_second", "out", "agents", "draw_rate"}
    assert (printed["game"], printed["deals"], printed["seed"]) == (game, 20, 9)
    assert printed["out"] == str(tmp_path / "run")
    keys = {"seat", "agent", "points_per_deal", "ci95", "win_rate", "self_draw_rate", "deal_in_rate"}
    rows = printed["agents"]
    assert isinstance(rows, list)
    assert [(row["seat"], row["agent"]) for row in rows] == [(0, "random"), (1, "greedy"), (2, "random")]
    assert all(set(row) == keys for row in rows)
    assert sum(row["points_per_deal"] for row in rows) == pytest.approx(0)


def test_simulate_prints_a_summary(longcards: Longcards) -> None:
    out, err = longcards(*SIMULATE, "--agents", "greedy")
    assert out.count("greedy") == 3
    assert "20 deals, " in out
    assert err == ""


def test_simulate_without_out_leaves_nothing(
    longcards: Longcards, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    longcards(*SIMULATE)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("nantog",), "unknown game 'nantog'; did you mean 'nantong'? known games: "),
        (("nantong", "--agents", "randm"), "did you mean 'random'?"),
        (("nantong", "--agents", "random:x=1"), "takes no options"),
        (("nantong", "--agents", "random,random"), "names 2 agents; name one or three"),
        (("nantong", "--agents", ""), "unknown agent ''"),
        (("nantong", "--deals", "0"), "'--deals'"),
        (("nantong", "--deals", "many"), "'--deals'"),
        (("nantong", "--seed", "-1"), "'--seed'"),
        (("nantong", "--seed", str(2**64)), "'--seed'"),
        (("nantong", "--workers", "0"), "'--workers'"),
        (("nantong", "--dealer", "3"), "'3' is not one of rotate, 0, 1, 2"),
        (("nantong", "--resume"), "--out"),
        (("nantong", "--records"), "--out"),
        (("nantong", "--legal", "--out", "x"), "--records"),
        (("nantong", "--out", "x", "--resume", "--overwrite"), "--overwrite"),
        (("nantong", "--colour"), "--colour"),
        ((), "GAME"),
    ],
)
def test_wrong_usage_is_told(longcards: Longcards, options: tuple[str, ...], message: str) -> None:
    line = longcards.refusal("simulate", *options, code=2)
    assert line.startswith("Error: ")
    assert message in line


def test_the_largest_seed_is_a_seed(longcards: Longcards) -> None:
    assert longcards.json(*SIMULATE, "--seed", str(2**64 - 1))["seed"] == 2**64 - 1


def test_unwritable_folder_is_told(longcards: Longcards) -> None:
    line = longcards.refusal(*SIMULATE, "--out", "/dev/null/run", code=1)
    assert line == "longcards: /dev/null/run: Not a directory"


def test_file_in_place_of_the_folder_is_told(longcards: Longcards, tmp_path: Path) -> None:
    file = tmp_path / "run"
    file.write_text("mine")
    assert str(file) in longcards.refusal(*SIMULATE, "--out", str(file), code=1)
    assert file.read_text() == "mine"


def test_folder_that_is_not_empty_is_told(longcards: Longcards, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    line = longcards.refusal(*SIMULATE, "--out", str(tmp_path), code=1)
    assert line.startswith(f"longcards: {tmp_path}: the folder is not empty")
    assert [file.name for file in tmp_path.iterdir()] == ["notes.txt"]
    longcards(*SIMULATE, "--out", str(tmp_path), "--overwrite")
    assert (tmp_path / "notes.txt").read_text() == "mine"


def test_resume_of_a_complete_run_prints_its_summary(longcards: Longcards, tmp_path: Path) -> None:
    first = longcards.json(*SIMULATE, "--out", str(tmp_path))
    again = longcards.json(*SIMULATE, "--out", str(tmp_path), "--resume")
    assert {**again, "seconds": 0, "deals_per_second": 0} == {**first, "seconds": 0, "deals_per_second": 0}


def test_damaged_run_is_told(longcards: Longcards, tmp_path: Path) -> None:
    longcards(*SIMULATE, "--out", str(tmp_path))
    (tmp_path / "deals-00000.parquet").write_text("damaged")
    line = longcards.refusal(*SIMULATE, "--out", str(tmp_path), "--resume", code=1)
    assert "deals-00000.parquet: damaged: expected " in line
    assert (tmp_path / "deals-00000.parquet").read_text() == "damaged"
    (tmp_path / RUN_FILE).write_text("damaged")
    assert "run.json: damaged" in longcards.refusal(*SIMULATE, "--out", str(tmp_path), "--resume", code=1)


def test_importing_the_command_line_imports_nothing_heavy() -> None:
    heavy = "{'torch', 'numba', 'numpy', 'pandas', 'pyarrow', 'scipy'}"
    code = f"import sys, experiments.cli; print(sorted({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_simulate_works_without_torch() -> None:
    code = "import sys; sys.modules['torch'] = None; from experiments.cli import main; main(sys.argv[1:])"
    subprocess.run([sys.executable, "-c", code, *SIMULATE], capture_output=True, check=True)


def test_a_closed_pipe_is_quiet() -> None:
    command = [sys.executable, "-m", "experiments", "agents", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        process.stdout.close()
        assert process.stderr is not None
        assert process.stderr.read() == ""


@pytest.fixture(scope="module", params=GAMES)
def game(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def records(game: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of twelve records."""
    folder = tmp_path_factory.mktemp("records")
    with pytest.raises(SystemExit):
        cli.main(["simulate", game, "--deals", "12", "--workers", "1", "--records", "--out", str(folder)])
    return folder / "records-00000.jsonl.gz"


def test_records_of_simulate_replay(longcards: Longcards, records: Path, tmp_path: Path) -> None:
    out = tmp_path / "legal.jsonl"
    assert longcards.json("replay", str(records)) == {"records": 12, "wrong": 0, "errors": []}
    assert longcards("replay", str(records), "--out", str(out), "--legal") == ("12 records, 0 wrong\n", "")
    assert longcards("replay", str(records), str(out)) == ("24 records, 0 wrong\n", "")
    assert f"{out}: the file exists" in longcards.refusal("replay", str(records), "--out", str(out), code=1)


def test_simulate_writes_the_legal_lists_that_replay_finds(
    longcards: Longcards, game: str, records: Path, tmp_path: Path
) -> None:
    longcards("simulate", game, "--deals", "12", "--records", "--legal", "--out", str(tmp_path / "run"))
    longcards("replay", str(records), "--out", str(tmp_path / "completed.jsonl.gz"), "--legal")
    written = [tmp_path / "run" / records.name, tmp_path / "completed.jsonl.gz"]
    first, second = (gzip.decompress(file.read_bytes()) for file in written)
    assert first == second


def test_wrong_record_is_told(longcards: Longcards, records: Path, tmp_path: Path) -> None:
    lines = [json.loads(line) for line in gzip.decompress(records.read_bytes()).splitlines()]
    seat, words = lines[1]["decisions"][5]
    lines[1]["decisions"][5] = [(seat + 1) % 3, words]
    file = tmp_path / "wrong.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    out, err = longcards("replay", str(file), code=1)
    assert out == "12 records, 1 wrong\n"
    assert err.startswith(f"{file}:2: decision 5: wrong seat: ")
    assert err.count("\n") == 1
    errors = json.loads(longcards("replay", str(file), "--json", code=1)[0])["errors"]
    assert [(each["file"], each["line"], each["decision"]) for each in errors] == [(str(file), 2, 5)]
    assert set(errors[0]) == {"file", "line", "decision", "message"}


def test_a_deal_is_shown(longcards: Longcards, game: str, records: Path) -> None:
    out, _ = longcards("show", str(records), "--deal", "12")
    assert GAMES[game].TITLE in out
    printed = longcards.json("show", str(records), "--deal", "12", "--step", "3")
    assert printed.keys() == {"file", "deal", "step", "text"}
    assert "deal 12, step 3" in str(printed["text"])
    assert "no deal 13: expected 1 to 12" in longcards.refusal("show", str(records), "--deal", "13", code=1)
    assert "no step 999: " in longcards.refusal("show", str(records), "--step", "999", code=1)
    assert "'--deal'" in longcards.refusal("show", str(records), "--deal", "0", code=2)


def test_missing_file_is_told(longcards: Longcards, tmp_path: Path) -> None:
    file = str(tmp_path / "none.jsonl")
    assert f"{file}: cannot be read: No such file" in longcards.refusal("show", file, code=1)
    assert longcards("replay", file, code=1)[0] == "0 records, 1 wrong\n"


def test_closed_stdout_is_no_error() -> None:
    done = subprocess.run(
        ["sh", "-c", f"{sys.executable} -m experiments games >&-"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
