"""Deal records: the golden ones replay, a wrong one gives one clear error, files are read whatever their state."""

import copy
import gzip
import io
import json
import os
import pickle
import re
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from experiments import shards
from experiments.replay import ReplaySummary, replay_files
from experiments.runs import Config
from experiments.show import position_at, show_record
from longcards_env import GAMES, record, record_file
from longcards_env.record import moves
from longcards_env.record_file import Record, RecordError
from longcards_env.words import of_game

GOLDEN = {name: Path(__file__).parent / f"golden/{name}.jsonl.gz" for name in GAMES}
DEALS = {name: [read for _, read in record_file.read(file)] for name, file in GOLDEN.items()}
WON = {name: next(deal for deal in deals if deal["result"]["winner"] is not None) for name, deals in DEALS.items()}

each_game = pytest.mark.parametrize("name", GAMES)


def lines_of(path: Path) -> list[bytes]:
    with gzip.open(path) as file:
        return file.readlines()


def write_lines(path: Path, *records: Record) -> Path:
    path.write_text("".join(json.dumps(each) + "\n" for each in records), encoding="utf-8")
    return path


def bare(deal: Record) -> Record:
    return {field: deal[field] for field in ("game", "dealer", "deck", "decisions")}


def replayed_files(*files: Path, out: Path | None = None, legal: bool = False) -> ReplaySummary:
    """Replay files; what is reported must be what the summary holds."""
    reported: list[RecordError] = []
    summary = replay_files([str(file) for file in files], out, legal, reported.append)
    assert summary.errors == reported
    assert summary.wrong == len(reported)
    return summary


# ---- right records


@each_game
def test_golden_records_replay(name: str) -> None:
    for deal, line in zip(DEALS[name], lines_of(GOLDEN[name]), strict=True):
        completed = record.replay(deal, GAMES).record(legal=True)
        assert completed == deal
        assert record_file.encode(completed) == line


@each_game
@pytest.mark.nojit
def test_a_golden_record_replays_with_and_without_the_compiler(name: str) -> None:
    assert record.replay(WON[name], GAMES).record(legal=True) == WON[name]


@each_game
def test_a_bare_record_is_completed(name: str) -> None:
    for deal in DEALS[name][::7]:
        completed = record.replay(bare(deal), GAMES).record()
        assert completed == {**bare(deal), "result": deal["result"]}
        assert list(completed) == ["game", "dealer", "deck", "decisions", "result"]


@each_game
def test_records_of_played_deals_replay_to_the_same_ends(name: str) -> None:
    config = Config(name, ("random", "greedy", "random"), deals=200, seed=3, records=True)
    (part,) = shards.play(config, range(200))
    ends = np.cumsum(part.decisions)
    for state, n, end in zip(part.states, part.decisions, ends, strict=True):
        rows = part.log[end - n : end]
        line = record_file.encode(record.record_of(GAMES[name], state, rows, legal=True))
        replayed = record.replay(json.loads(line), GAMES)
        assert replayed.end.tobytes() == state.tobytes()
        assert replayed.rows.tolist() == rows.tolist()


@each_game
def test_moves_play_the_deal_again(name: str) -> None:
    name_of, forced = GAMES[name].action_name, 0
    for deal in DEALS[name]:
        replayed = record.replay(deal, GAMES)
        played = [(index, [state.seat, name_of(action, state.card)]) for index, state, action in moves(replayed)]
        assert [decision for index, decision in played if index is not None] == deal["decisions"]
        forced += len(played) - len(deal["decisions"])
    assert forced


# ---- wrong records

Change = Callable[[Record], object]


def put(path: str, value: object) -> Change:
    """Change what stands at a path such as `decisions.3.1`."""
    *parents, last = [int(part) if part.lstrip("-").isdigit() else part for part in path.split(".")]

    def change(deal: Any) -> None:
        for part in parents:
            deal = deal[part]
        deal[last] = value

    return change


def without(field: str) -> Change:
    return lambda deal: deal.pop(field)


def wrong_seat(deal: Record) -> None:
    deal["decisions"][5][0] = (deal["decisions"][5][0] + 1) % 3


def illegal_action(deal: Record) -> None:
    names = of_game(GAMES[deal["game"]]).names
    deal["decisions"][5][1] = next(name for name in names if name not in deal["legal"][5])


def fifth_copy(deal: Record) -> None:
    deal["deck"][deal["deck"].index(GAMES[deal["game"]].TOKENS[3])] = GAMES[deal["game"]].TOKENS[0]


def long_decisions(deal: Record) -> None:
    deal["decisions"] += [deal["decisions"][-1]] * 1000


WRONG: list[tuple[Change, int | str | None, str]] = [
    (without("game"), None, "game is missing, expected a string"),
    (without("dealer"), None, "dealer is missing, expected an integer"),
    (without("deck"), None, "deck is missing, expected a list"),
    (without("decisions"), None, "decisions is missing, expected a list"),
    (put("game", "bridge"), None, 'game: got "bridge", expected nantong.*'),
    (put("game", ["nantong"]), None, r'game: got \["nantong"\], expected a string'),
    (put("dealer", 3), None, "dealer: got 3, expected 0 to 2"),
    (put("dealer", -1), None, "dealer: got -1, expected 0 to 2"),
    (put("dealer", True), None, "dealer: got true, expected an integer"),
    (put("dealer", 1.0), None, r"dealer: got 1\.0, expected an integer"),
    (put("dealer", None), None, "dealer: got null, expected an integer"),
    (put("deck", "m1"), None, 'deck: got "m1", expected a list'),
    (put("deck", {}), None, r"deck: got \{\}, expected a list"),
    (put("deck.7", "m0"), None, 'deck: got "m0" as card 7, expected one of .+'),
    (put("deck.7", 5), None, "deck: got 5 as card 7, expected one of .+"),
    (put("deck.7", [[]]), None, r"deck: got \[\[\]\] as card 7, expected one of .+"),
    (put("deck.7", "x" * 999), None, r'deck: got "x{76}\.\.\. as card 7, expected one of .+'),
    (put("deck.7", "\ud800"), None, r'deck: got "\\ud800" as card 7, expected one of .+'),
    (lambda deal: deal["deck"].pop(), None, r"deck: got \d+ cards, expected \d+"),
    (lambda deal: deal["deck"].append(deal["deck"][0]), None, r"deck: got \d+ cards, expected \d+"),
    (fifth_copy, None, r"deck: got 5 copies of \w+, 3 copies of \w+, expected 4 of each card"),
    (put("decisions", 5), None, "decisions: got 5, expected a list"),
    (put("decisions.5", 5), 5, r"got 5, expected \[seat, action\]"),
    (put("decisions.5", [0]), 5, r"got \[0\], expected \[seat, action\]"),
    (put("decisions.5", [0, "pass", 1]), 5, r'got \[0, "pass", 1\], expected \[seat, action\]'),
    (put("decisions.5.0", 3), 5, "seat: got 3, expected 0 to 2"),
    (put("decisions.5.0", "0"), 5, 'seat: got "0", expected 0 to 2'),
    (put("decisions.5.0", False), 5, "seat: got false, expected 0 to 2"),
    (put("decisions.5.1", 12), 5, "action: got 12, expected a string"),
    (put("decisions.5.1", "discard x5"), 5, r"unknown action: got 'discard x5', did you mean 'discard \w5'\? .+"),
    (put("decisions.-1.1", "fly"), -1, "unknown action: got 'fly', expected words like .+"),
    (wrong_seat, 5, r"wrong seat: got seat [012], expected seat [012], \w+"),
    (illegal_action, 5, r'illegal action: got ".+", expected of seat [012], \w+: .+, .+'),
    (lambda deal: deal["decisions"].pop(), -1, r"missing: the deal is not over, expected .+ of seat [012], .+"),
    (put("decisions", []), 0, r"missing: the deal is not over, expected .+ of seat [012], .+"),
    (lambda deal: deal["decisions"].append([0, "pass"]), "n", r"left over: the deal ends after \d+ decisions"),
    (long_decisions, "n", r"left over: the deal ends after \d+ decisions"),
    (put("legal", None), None, "legal: got null, expected a list"),
    (lambda deal: deal["legal"].pop(), None, r"legal: got \d+ lists for \d+ decisions"),
    (put("legal.5", "pass"), 5, 'legal: got "pass", expected a list'),
    (put("legal.5", []), 5, r'legal: wrong by "[a-z].+", expected .+'),
    (lambda deal: deal["legal"][5].pop(), 5, r'legal: wrong by "[a-z].+", expected .+'),
    (lambda deal: deal["legal"][5].append("fly"), 5, 'legal: wrong by "fly", expected .+'),
    (lambda deal: deal["legal"][5].append([1]), 5, r"legal: wrong by \[1\], expected .+"),
    (lambda deal: deal["legal"][5].reverse(), 5, "legal: wrong by a repetition or the order, expected .+"),
    (lambda deal: deal["legal"][5].append(deal["legal"][5][0]), 5, "legal: wrong by a repetition .+"),
    (put("result", []), None, r"result: got \[\], expected an object"),
    (put("result.outcome", "dream"), None, 'result: outcome: got "dream", expected "win"'),
    (put("result.winner", None), None, "result: winner: got null, expected [012]"),
    (put("result.source", "gift"), None, 'result: source: got "gift", expected "[a-z_]+"'),
    (put("result.winning_card", 4), None, r'result: winning_card: got 4, expected ("\w+"|null)'),
    (put("result.points", [0, 0, 0]), None, r"result: points: got \[0, 0, 0\], expected \[.+\]"),
    (put("result.points.0", None), None, r"result: points: got \[null, .+\], expected \[.+\]"),
    (put("result.colour", 1), None, 'result: unknown key "colour", expected outcome, .+'),
    (lambda deal: deal["result"].pop("winner"), None, "result: winner is missing, expected [012]"),
    (put("note", "mine"), None, 'unknown field "note", expected game, dealer, deck, decisions, legal, result'),
]


@each_game
@pytest.mark.parametrize(("change", "decision", "message"), WRONG)
def test_a_wrong_record_gives_one_error(
    name: str, change: Change, decision: int | str | None, message: str, tmp_path: Path
) -> None:
    deal, changed = WON[name], copy.deepcopy(WON[name])
    change(changed)
    (error,) = replayed_files(write_lines(tmp_path / "deals.jsonl", deal, changed, deal)).errors
    n = len(deal["decisions"])
    index = {-1: n - 1, "n": n}.get(decision, decision) if decision is not None else None
    assert (error.file, error.line, error.decision) == (str(tmp_path / "deals.jsonl"), 2, index)
    assert re.fullmatch(message, error.message)
    place = "" if index is None else f"decision {index}: "
    assert str(error) == f"{tmp_path / 'deals.jsonl'}:2: {place}{error.message}"


@each_game
def test_every_key_of_the_result_is_checked_for_value_and_type(name: str) -> None:
    for key, value in WON[name]["result"].items():
        others = ["other", [value], 10**9, float(value) if type(value) is int else 0.5]
        others += [[float(each) for each in value], [*value, 0], value[::-1]] if type(value) is list else []
        for other in (other for other in others if repr(other) != repr(value)):
            changed = {**WON[name], "result": {**WON[name]["result"], key: other}}
            with pytest.raises(RecordError, match=f"^result: {key}: got "):
                record.replay(changed, GAMES)


def test_an_error_survives_a_process_boundary() -> None:
    error = RecordError("wrong", 12).at(Path("deals.jsonl"), 3)
    assert str(pickle.loads(pickle.dumps(error))) == str(error) == "deals.jsonl:3: decision 12: wrong"
    assert str(RecordError("wrong")) == "wrong"


# ---- fuzzing: nothing but a RecordError, and nothing wrong goes through

JUNK = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 130) | st.floats() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=4,
)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """All paths to the values inside a record."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [place for key, each in inner for place in ((*path, key), *places(each, (*path, key)))]


def mutate(deal: Record, data: st.DataObject) -> None:
    """Replace, remove, repeat or exchange one value somewhere in the record."""
    all_places = places(deal)
    *parents, last = data.draw(st.sampled_from(all_places))
    holder: Any = deal
    for part in parents:
        holder = holder[part]
    *others, other = data.draw(st.sampled_from(all_places))
    source: Any = deal
    for part in others:
        source = source[part]
    action = data.draw(st.sampled_from(["junk", "exchange", "remove", "repeat"]))
    if action == "junk":
        holder[last] = data.draw(JUNK)
    elif action == "exchange":
        holder[last] = copy.deepcopy(source[other])
    elif action == "remove":
        del holder[last]
    elif isinstance(holder, list):
        holder.insert(last, copy.deepcopy(holder[last]))


def replayed_or_error(deal: Record) -> record.Replayed | RecordError:
    try:
        return record.replay(deal, GAMES)
    except RecordError as error:
        return error


def as_text(deal: Record) -> str:
    return json.dumps(deal, sort_keys=True)


@each_game
@settings(max_examples=300, deadline=None)
@given(data=st.data())
def test_no_changed_record_goes_through(name: str, data: st.DataObject) -> None:
    deal = copy.deepcopy(data.draw(st.sampled_from(DEALS[name][::9])))
    for _ in range(data.draw(st.integers(1, 2))):
        mutate(deal, data)
    outcome = replayed_or_error(deal)
    if isinstance(outcome, RecordError):
        assert outcome.message.isprintable()
    else:
        completed = outcome.record(legal=True)
        assert as_text({field: completed[field] for field in deal}) == as_text(deal)


@each_game
@settings(max_examples=200, deadline=None)
@given(data=st.data())
def test_no_bytes_break_the_reading(name: str, data: st.DataObject, tmp_path_factory: pytest.TempPathFactory) -> None:
    line = bytearray(json.dumps(bare(WON[name])).encode())
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(line)))
        line[start : start + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=3))
    good = json.dumps(WON[name]).encode()
    file = tmp_path_factory.mktemp("fuzz") / "deals.jsonl"
    file.write_bytes(b"\n".join([good, bytes(line), good]) + b"\n")
    summary = replayed_files(file)
    assert summary.records - summary.wrong >= 2


# ---- files


def read_all(path: Path) -> tuple[list[int], list[RecordError]]:
    errors: list[RecordError] = []
    return [line for line, _ in record_file.read(path, errors.append)], errors


BAD_LINES = [
    (b"not json", "invalid JSON at character 1: Expecting value"),
    (b'{"game": "nantong"', r"invalid JSON at character (19|20): .+"),
    (b'{"game": "nan\xfftong"}', "invalid JSON: .*byte 0xff in position 13.*"),
    (b"[1, 2]", r"got \[1, 2\], expected a JSON object"),
    (b"null", "got null, expected a JSON object"),
    (b"[" * 100_000, "invalid JSON: .*recursion.*"),
    (b'{"dealer": ' + b"9" * 5000 + b"}", "invalid JSON: .*digits.*"),
    (b'{"dealer": 0, "game": "nantong", "dealer": 1}', 'invalid JSON: "dealer" stands twice in one object'),
    (b'{"a": {"b": 1, "b": 1}}', 'invalid JSON: "b" stands twice in one object'),
    (b'{"game": "' + b"x" * record_file.MAX_LINE + b'"}', r"expected a record, got more than \d+ bytes"),
]


@pytest.mark.parametrize(("line", "message"), BAD_LINES)
def test_a_bad_line_is_reported_and_the_next_is_read(line: bytes, message: str, tmp_path: Path) -> None:
    file = tmp_path / "deals.jsonl"
    file.write_bytes(b'{"a": 1}\n' + line + b'\n{"a": 2}\n' + line)
    lines, errors = read_all(file)
    assert lines == [1, 3]
    assert [(error.file, error.line, error.decision) for error in errors] == [(str(file), n, None) for n in (2, 4)]
    assert all(re.fullmatch(message, error.message) for error in errors)
    with pytest.raises(RecordError, match=":2: "):
        list(record_file.read(file))


def test_blank_lines_count_but_are_no_records(tmp_path: Path) -> None:
    file = tmp_path / "deals.jsonl"
    file.write_bytes(b'\n{"a": 1}\r\n  \t\n\n{"a": 2}')
    assert list(record_file.read(file)) == [(2, {"a": 1}), (5, {"a": 2})]


def test_an_empty_file_has_no_records(tmp_path: Path) -> None:
    (tmp_path / "deals.jsonl").touch()
    assert list(record_file.read(tmp_path / "deals.jsonl")) == []


def packed(path: Path, lines: list[bytes], keep: slice = slice(None)) -> Path:
    path.write_bytes(gzip.compress(b"".join(lines))[keep])
    return path


def test_a_truncated_gzip_gives_its_lines_and_one_error(tmp_path: Path) -> None:
    lines = lines_of(GOLDEN["nantong"])
    size = len(gzip.compress(b"".join(lines)))
    for cut in (3, 15, size // 3, size // 2, size - 9, size - 1):
        good, errors = read_all(packed(tmp_path / "deals.jsonl.gz", lines, slice(cut)))
        assert good == list(range(1, len(good) + 1))
        assert [(error.line, error.message[:23]) for error in errors] == [(len(good) + 1, "the gzip data is broken")]
        if cut >= size - 9:
            assert len(good) == len(lines)
    assert len(read_all(packed(tmp_path / "deals.jsonl.gz", lines, slice(size // 2)))[0]) > len(lines) // 4


@pytest.mark.parametrize("place", [5000, -6, -2])
def test_a_corrupt_gzip_ends_with_one_error(place: int, tmp_path: Path) -> None:
    data = bytearray(gzip.compress(b"".join(lines_of(GOLDEN["nantong"]))))
    data[place] ^= 0x55
    (tmp_path / "deals.jsonl.gz").write_bytes(data)
    assert "gzip" in str(read_all(tmp_path / "deals.jsonl.gz")[1][-1])


@pytest.mark.parametrize("data", [b"", b'{"a": 1}\n'])
def test_what_is_no_gzip_is_said_to_be_none(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "deals.jsonl.gz").write_bytes(data)
    lines, (error,) = read_all(tmp_path / "deals.jsonl.gz")
    assert lines == []
    assert re.match("the gzip data is broken: (the file is empty|Not a gzipped file)", error.message)


def test_gzip_files_joined_end_to_end_are_one(tmp_path: Path) -> None:
    file = tmp_path / "deals.jsonl.gz"
    file.write_bytes(gzip.compress(b'{"a": 1}\n') + gzip.compress(b'{"a": 2}\n'))
    assert list(record_file.read(file)) == [(1, {"a": 1}), (2, {"a": 2})]


def test_a_file_that_cannot_be_opened_is_one_error(tmp_path: Path) -> None:
    summary = replayed_files(tmp_path / "none.jsonl", tmp_path, GOLDEN["nantong"])
    assert [str(error) for error in summary.errors] == [
        f"{tmp_path / 'none.jsonl'}: cannot be read: No such file or directory",
        f"{tmp_path}: cannot be read: Is a directory",
    ]
    assert (summary.records, summary.wrong) == (len(DEALS["nantong"]), 2)


# ---- memory


def test_a_record_is_there_before_the_next_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    reading, writing = os.pipe()
    with os.fdopen(reading, "rb") as source, os.fdopen(writing, "wb", buffering=0) as sink:
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=source))
        records = record_file.read("-")
        for line, deal in enumerate(DEALS["nantong"][:3], 1):
            sink.write(json.dumps(deal).encode() + b"\n")
            assert next(records) == (line, deal)


def peak_of_reading(source: Path) -> int:
    """Peak memory, in bytes, of reading all of a file."""
    tracemalloc.start()
    try:
        read_all(source)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_a_file_of_many_records_is_streamed(tmp_path: Path) -> None:
    line = json.dumps(bare(DEALS["nantong"][0])).encode() + b"\n"
    packed(tmp_path / "deals.jsonl.gz", [line] * 5000)
    assert len(line) * 5000 > 8_000_000
    assert peak_of_reading(tmp_path / "deals.jsonl.gz") < 1_000_000


def test_a_line_without_end_is_not_held(tmp_path: Path) -> None:
    packed(tmp_path / "deals.jsonl.gz", [b"x" * 1_000_000] * 40)
    assert peak_of_reading(tmp_path / "deals.jsonl.gz") < 5 * record_file.MAX_LINE


# ---- writing


def write_golden(path: Path, legal: bool = True) -> bytes:
    with record_file.write(path) as put_record:
        for deal in DEALS["nantong"]:
            put_record(record.replay(deal, GAMES).record(legal))
    return path.read_bytes()


def test_written_records_are_those_read(tmp_path: Path) -> None:
    assert write_golden(tmp_path / "deals.jsonl") == b"".join(lines_of(GOLDEN["nantong"]))
    write_golden(tmp_path / "deals.jsonl.gz")
    assert [deal for _, deal in record_file.read(tmp_path / "deals.jsonl.gz")] == DEALS["nantong"]


def test_the_same_records_give_the_same_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = write_golden(tmp_path / "one.jsonl.gz")
    monkeypatch.setattr("time.time", lambda: 1e9)
    assert write_golden(tmp_path / "two.jsonl.gz") == first
    assert first[3] == 0  # no name, no other extras
    assert first[4:8] == bytes(4)  # no time


def test_no_file_is_overwritten_and_none_left_half(tmp_path: Path) -> None:
    file = tmp_path / "deals.jsonl"
    with pytest.raises(TypeError), record_file.write(file) as put_record:
        put_record({"a": {1, 2}})
    assert list(tmp_path.iterdir()) == []
    file.write_bytes(b"old")
    with pytest.raises(RecordError, match="the file exists and is not overwritten"), record_file.write(file):
        pytest.fail("told too late")
    assert [(each, each.read_bytes()) for each in tmp_path.iterdir()] == [(file, b"old")]
    with pytest.raises(RecordError, match="cannot be written: No such file"), record_file.write(tmp_path / "no/deals"):
        pass


# ---- the functions behind `replay` and `show`


def test_replay_completes_the_right_records_of_all_files(tmp_path: Path) -> None:
    deals = [deal for golden in DEALS.values() for deal in golden]
    first = write_lines(tmp_path / "first.jsonl", bare(deals[0]), {**deals[1], "dealer": 9}, deals[-1])
    out = tmp_path / "out.jsonl.gz"
    summary = replayed_files(first, *GOLDEN.values(), out=out, legal=True)
    assert [deal for _, deal in record_file.read(out)] == [deals[0], deals[-1], *deals]
    error = {"file": str(first), "line": 2, "decision": None, "message": "dealer: got 9, expected 0 to 2"}
    assert summary.json() == {"records": 3 + len(deals), "wrong": 1, "errors": [error]}


def test_replay_writes_legal_lists_only_if_asked(tmp_path: Path) -> None:
    replayed_files(GOLDEN["nantong"], out=tmp_path / "out.jsonl")
    assert all("legal" not in deal and "result" in deal for _, deal in record_file.read(tmp_path / "out.jsonl"))


def test_replay_does_not_overwrite_its_input(tmp_path: Path) -> None:
    file = write_lines(tmp_path / "deals.jsonl", DEALS["nantong"][0])
    before = file.read_bytes()
    with pytest.raises(RecordError, match="the file exists and is not overwritten"):
        replayed_files(file, out=file)
    assert [(each, each.read_bytes()) for each in tmp_path.iterdir()] == [(file, before)]


def test_replay_reads_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    source = io.BytesIO(b"".join(lines_of(GOLDEN["nantong"])) + b"{}\n")
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=source))
    (error,) = replayed_files(Path("-")).errors
    assert str(error) == f"-:{len(DEALS['nantong']) + 1}: game is missing, expected a string"


@each_game
def test_a_deal_is_shown_with_every_move(name: str) -> None:
    number = DEALS[name].index(WON[name]) + 1
    lines = show_record(str(GOLDEN[name]), number).splitlines()
    game, replayed = GAMES[name], record.replay(WON[name], GAMES)
    numbered = [line.split() for line in lines if re.match(r" *\d+  seat [012]  ", line)]
    assert [int(words[0]) for words in numbered] == list(range(len(WON[name]["decisions"])))
    for words, (seat, action) in zip(numbered, WON[name]["decisions"], strict=True):
        assert words[2] == str(seat)
        assert " ".join(words).endswith(f" {action}")
    forced = [line for line in lines if re.match(r" {6}seat [012]  .*\(.+\)$", line)]
    assert len(forced) + len(numbered) == len(list(moves(replayed)))
    assert "\n".join(lines).endswith(game.show(replayed.end))


@each_game
def test_each_step_shows_its_position(name: str) -> None:
    number = DEALS[name].index(WON[name]) + 1
    game, replayed = GAMES[name], record.replay(WON[name], GAMES)
    before = [game.show(state) for index, state, _ in moves(replayed) if index is not None]
    for step, text in enumerate([*before, game.show(replayed.end)]):
        assert show_record(str(GOLDEN[name]), number, step) == f"{game.TITLE}, deal {number}, step {step}\n{text}"


def test_deals_and_steps_out_of_range_are_refused(tmp_path: Path) -> None:
    file, deals = str(GOLDEN["nantong"]), len(DEALS["nantong"])
    for deal in (0, -1, deals + 1):
        with pytest.raises(RecordError, match=rf"gz: no deal {deal}: (expected 1 to {deals}|deals are counted)"):
            show_record(file, deal)
    steps = len(DEALS["nantong"][1]["decisions"])
    for step in (-1, steps + 1):
        with pytest.raises(RecordError, match=f"gz:2: no step {step}: expected 0 to {steps}, "):
            show_record(file, 2, step)
    with pytest.raises(RecordError, match="cannot be read"):
        show_record(str(tmp_path / "none"), 1)


def test_a_wrong_record_is_shown_up_to_its_error(tmp_path: Path) -> None:
    wrong = copy.deepcopy(WON["nantong"])
    wrong_seat(wrong)
    file = write_lines(tmp_path / "deals.jsonl", WON["nantong"], wrong)
    with pytest.raises(RecordError, match=":2: decision 5: wrong seat"):
        show_record(str(file), 2)
    with pytest.raises(RecordError, match=":2: decision 5: wrong seat"):
        show_record(str(file), 2, 6)
    assert position_at(str(file), 2, 5)[1].tobytes() == position_at(str(file), 1, 5)[1].tobytes()


def test_a_line_that_is_no_record_counts_as_a_deal(tmp_path: Path) -> None:
    file = tmp_path / "deals.jsonl"
    file.write_text(f"\nnonsense\n{json.dumps(WON['nantong'])}\n", encoding="utf-8")
    with pytest.raises(RecordError, match=r"jsonl:2: invalid JSON"):
        show_record(str(file), 1)
    assert "deal 2, step 0" in show_record(str(file), 2, 0)


@pytest.mark.parametrize("name", ["", "link"])
def test_a_name_that_cannot_be_new_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.chdir(tmp_path)
    Path("link").symlink_to("nowhere")
    with pytest.raises(RecordError, match="the file exists and is not overwritten"), record_file.write(name):
        pass
    assert Path("link").is_symlink()
