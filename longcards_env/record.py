"""Deal records, JSON Lines: read, checked by replaying them, made from logged decisions, written.

A record fixes a deal and every decision made in it: `game`, `dealer`, `deck` (tokens), `decisions` (seat and
words; forced moves are not listed, N5.1, P9.1) and, if wanted, `legal` (for each decision the legal actions,
sorted) and `result`. Lines are counted from 1, decisions from 0. `games` holds the known games by name.
"""

import gzip
import io
import json
import os
import sys
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import IO, Any, NoReturn

import numpy as np

from . import play
from .play import DECISION
from .protocol import Game
from .seats import NUM_SEATS

PathName = str | os.PathLike[str]
Record = dict[str, Any]
Games = Mapping[str, Game]

STDIN = "-"
MAX_LINE = 1 << 22  # bytes; a record with all its legal lists is far below, whatever the deal
_COMPRESSION = 4  # level 6 takes four times as long for a fifth less
_BUFFER = 1 << 16  # bytes that go to the compressor at a time
_SHOWN = 80  # characters of a wrong value that a message repeats

_TYPES = {"game": str, "dealer": int, "deck": list, "decisions": list, "legal": list, "result": dict}
_REQUIRED = ("game", "dealer", "deck", "decisions")
_TYPE_NAMES = {str: "a string", int: "an integer", list: "a list", dict: "an object"}

_encode = json.JSONEncoder(separators=(",", ":"), check_circular=False).encode


@dataclass(eq=False)
class RecordError(ValueError):
    """What is wrong with a record and, as far as known, the index of the decision, file and line."""

    message: str
    decision: int | None = None
    file: str | None = None
    line: int | None = None

    def at(self, file: PathName, line: int | None = None) -> "RecordError":
        """Return the error with the place where the record stands."""
        return RecordError(self.message, self.decision, os.fspath(file), line)

    def __str__(self) -> str:
        """Return `FILE:LINE: decision 12: message`, without the parts that are not known."""
        place = ":".join(str(part) for part in (self.file, self.line) if part is not None)
        decision = "" if self.decision is None else f"decision {self.decision}"
        return ": ".join(part for part in (place, decision, self.message) if part)


def fail(error: RecordError) -> NoReturn:
    """Raise the error: the `report` of those who want no record after a wrong one."""
    raise error


def read(path: PathName, report: Callable[[RecordError], object] = fail) -> Iterator[tuple[int, Record]]:
    """Yield line number and object of each line of a file (`.gz`: gzip, `-`: stdin) that is not blank.

    A line that holds no JSON object is reported and left out; a break in the file is reported and ends it.
    No more than one line is held in memory.
    """
    for number, line in _lines(os.fspath(path), report):
        if line.isspace():
            continue
        try:
            record = _parse(line)
        except RecordError as error:
            report(error.at(path, number))
        else:
            yield number, record


def _lines(path: str, report: Callable[[RecordError], object]) -> Iterator[tuple[int, bytes]]:
    number = 0
    try:
        with _open(path) as stream:
            while line := stream.readline(MAX_LINE + 1):
                number += 1
                if len(line) <= MAX_LINE:
                    yield number, line
                    continue
                while line and not line.endswith(b"\n"):
                    line = stream.readline(MAX_LINE)
                report(RecordError(f"expected a record, got more than {MAX_LINE} bytes").at(path, number))
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        report(RecordError(f"the gzip data is broken: {error}").at(path, number + 1))
    except OSError as error:
        report(RecordError(f"cannot be read: {error.strerror}").at(path, number + 1 if number else None))


@contextmanager
def _open(path: str) -> Iterator[IO[bytes] | gzip.GzipFile]:
    if path == STDIN:
        yield sys.stdin.buffer
        return
    with open(path, "rb") as file:
        if not path.endswith(".gz"):
            yield file
            return
        if not file.peek(1):  # the gzip module takes an empty file for an empty stream
            raise EOFError("the file is empty")
        with gzip.GzipFile(fileobj=file) as stream:
            yield stream


def _unique(pairs: list[tuple[str, Any]]) -> Record:
    """Make an object; a name that stands twice in it would hide a value from the checks."""
    made = dict(pairs)
    if len(made) < len(pairs):
        [(name, _)] = Counter(name for name, _ in pairs).most_common(1)
        raise ValueError(f"{_shown(name)} stands twice in one object")
    return made


_decode = json.JSONDecoder(object_pairs_hook=_unique).decode


def _parse(line: bytes) -> Record:
    """Return the JSON object of a line."""
    try:
        value = _decode(line.decode())
    except json.JSONDecodeError as error:
        raise RecordError(f"invalid JSON at character {error.pos + 1}: {error.msg}") from None
    except (ValueError, RecursionError) as error:  # not UTF-8, a name twice, lists without end
        raise RecordError(f"invalid JSON: {error}") from None
    if type(value) is not dict:
        raise RecordError(f"got {_shown(value)}, expected a JSON object")
    return value


def _shown(value: object) -> str:
    """Return a value of a record as JSON, cut off where it is long."""
    try:
        text = json.dumps(value)
    except (ValueError, RecursionError):
        return _TYPE_NAMES[type(value)]
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 3]}..."


# The words of a game


@dataclass(frozen=True)
class _Bound:
    """What the records of one game need: tables between numbers and words, and the compiled replay."""

    kinds: dict[str, int]
    names: list[str]  # of the actions, by number
    in_order: np.ndarray  # these names sorted, object[NUM_ACTIONS]
    bits: np.ndarray  # where each of those stands in the two legal words, int64[NUM_ACTIONS]
    replay: Callable[[np.record, int, np.ndarray, np.ndarray], int]


_BOUND: dict[str, _Bound] = {}


def _bound(game: Game) -> _Bound:
    if game.NAME not in _BOUND:
        names = [game.action_name(action) for action in range(game.NUM_ACTIONS)]
        order = sorted(range(game.NUM_ACTIONS), key=names.__getitem__)
        _BOUND[game.NAME] = _Bound(
            kinds={token: kind for kind, token in enumerate(game.TOKENS)},
            names=names,
            in_order=np.array([names[action] for action in order], object),
            bits=np.array([action if action < game.HIGH else 64 + action - game.HIGH for action in order]),
            replay=play.bind(game)["replay"],
        )
    return _BOUND[game.NAME]


def legal_lists(game: Game, rows: np.ndarray) -> list[list[str]]:
    """Return the sorted legal actions of each logged decision, DECISION[n]."""
    bound = _bound(game)
    sets = np.empty((len(rows), 2), "<i8")
    sets[:, 0], sets[:, 1] = rows["low"], rows["high"]
    members = np.unpackbits(sets.view(np.uint8), axis=1, bitorder="little")[:, bound.bits]
    names = bound.in_order[np.nonzero(members)[1]].tolist()
    ends = np.cumsum(rows["n_legal"], dtype=np.int64).tolist()
    return [names[start:end] for start, end in pairwise([0, *ends])]


def record_of(game: Game, end: np.record, rows: np.ndarray, legal: bool = False) -> Record:
    """Return the record of a deal that was played; nothing is checked.

    end: the state at the end of the deal, which holds its dealer and deck. rows: DECISION[n], as `play` logs
    them. legal: whether the record has the legal actions of each decision.
    """
    tokens, names = game.TOKENS, _bound(game).names
    decisions = zip(rows["seat"].tolist(), rows["action"].tolist(), strict=True)
    record = {
        "game": game.NAME,
        "dealer": int(end["dealer"]),
        "deck": [tokens[kind] for kind in end["deck"].tolist()],
        "decisions": [[seat, names[action]] for seat, action in decisions],
    }
    if legal:
        record["legal"] = legal_lists(game, rows)
    record["result"] = game.result(end)
    return record


def to_line(game: Game, end: np.record, rows: np.ndarray, legal: bool = False) -> bytes:
    """Return the record of a deal that was played, as `record_of` does, as a line of a file."""
    return _line(record_of(game, end, rows, legal))


def _line(record: Record) -> bytes:
    return _encode(record).encode() + b"\n"


@dataclass(frozen=True)
class Replayed:
    """A record that was found to be right: its game, the state at the end, and its decisions, DECISION[n]."""

    game: Game
    end: np.record
    rows: np.ndarray

    def record(self, legal: bool = False) -> Record:
        """Return the completed record, with the legal actions of each decision if asked."""
        return record_of(self.game, self.end, self.rows, legal)


def replay(record: Record, games: Games) -> Replayed:
    """Play a record, as it stands in JSON, from its deck and decisions; a RecordError says what is wrong."""
    game, dealer, deck = _start(record, games)
    rows, end, played = _play(game, dealer, deck, record["decisions"])
    if rows[played]["n_legal"] or played < len(rows) - 1:
        raise _decision_error(game, rows, end, played)
    rows = rows[:-1]
    if "legal" in record:
        _check_legal(record["legal"], legal_lists(game, rows))
    if "result" in record:
        _check_result(record["result"], game.result(end))
    return Replayed(game, end, rows)


def position(record: Record, games: Games, step: int) -> tuple[Game, np.record]:
    """Return the game of a record and the state after `step` decisions and the forced moves that follow.

    Only what leads there is checked.
    """
    game, dealer, deck = _start(record, games)
    decisions = record["decisions"]
    if not 0 <= step <= len(decisions):
        raise RecordError(f"no step {step}: expected 0 to {len(decisions)}, the number of decisions")
    rows, state, played = _play(game, dealer, deck, decisions[:step])
    if played < step:
        raise _decision_error(game, rows, state, played)
    return game, state


def _start(record: Record, games: Games) -> tuple[Game, int, np.ndarray]:
    """Check the fields of a record, but not what is in its later ones; return its game, dealer and deck."""
    for field in record:
        if field not in _TYPES:
            raise RecordError(f"unknown field {_shown(field)}, expected {', '.join(_TYPES)}")
    for field, expected in _TYPES.items():
        if field in record and type(record[field]) is not expected:
            raise RecordError(f"{field}: got {_shown(record[field])}, expected {_TYPE_NAMES[expected]}")
        if field not in record and field in _REQUIRED:
            raise RecordError(f"{field} is missing, expected {_TYPE_NAMES[expected]}")
    if record["game"] not in games:
        raise RecordError(f"game: got {_shown(record['game'])}, expected {' or '.join(games)}")
    if not 0 <= record["dealer"] < NUM_SEATS:
        raise RecordError(f"dealer: got {_shown(record['dealer'])}, expected 0 to {NUM_SEATS - 1}")
    game = games[record["game"]]
    return game, record["dealer"], _parse_deck(game, record["deck"])


def _parse_deck(game: Game, tokens: list[Any]) -> np.ndarray:
    """Return a deck of tokens as int8[NUM_CARDS] (N1.4, P1.3)."""
    kinds = _bound(game).kinds
    for place, token in enumerate(tokens):
        if type(token) is not str or token not in kinds:
            known = " ".join(game.TOKENS)
            raise RecordError(f"deck: got {_shown(token)} as card {place}, expected one of {known}")
    if len(tokens) != game.NUM_CARDS:
        raise RecordError(f"deck: got {len(tokens)} cards, expected {game.NUM_CARDS}")
    deck = np.array([kinds[token] for token in tokens], np.int8)
    copies = np.bincount(deck, minlength=game.NUM_KINDS)
    wrong = [f"{copies[k]} copies of {game.TOKENS[k]}" for k in np.nonzero(copies != game.COPIES)[0]]
    if wrong:
        raise RecordError(f"deck: got {', '.join(wrong)}, expected {game.COPIES} of each card")
    return deck


def _play(game: Game, dealer: int, deck: np.ndarray, decisions: list[Any]) -> tuple[np.ndarray, np.record, int]:
    """Play a record's decisions; return their log, DECISION[n + 1], the state and how many were played."""
    seats, actions = [], []
    for index, decision in enumerate(decisions):
        seat, action = _parse_decision(game, decision, index)
        seats.append(seat)
        actions.append(action)
    rows = np.zeros(len(decisions) + 1, DECISION)
    rows["seat"][:-1], rows["action"][:-1] = seats, actions
    state = game.new_states(1)[0]
    return rows, state, _bound(game).replay(state, dealer, deck, rows)


def _parse_decision(game: Game, decision: Any, index: int) -> tuple[int, int]:
    if type(decision) is not list or len(decision) != 2:
        raise RecordError(f"got {_shown(decision)}, expected [seat, action]", index)
    seat, words = decision
    if type(seat) is not int or not 0 <= seat < NUM_SEATS:
        raise RecordError(f"seat: got {_shown(seat)}, expected 0 to {NUM_SEATS - 1}", index)
    if type(words) is not str:
        raise RecordError(f"action: got {_shown(words)}, expected a string", index)
    try:
        return seat, game.parse_action(words)
    except ValueError as error:
        raise RecordError(f"unknown action: {error}", index) from None


def _decision_error(game: Game, rows: np.ndarray, state: np.record, played: int) -> RecordError:
    """Say why the decision after those played could not be made."""
    row = rows[played]
    if row["n_legal"] == 0:
        return RecordError(f"left over: the deal ends after {played} decisions", played)
    asked = f"seat {state['seat']}, {game.PHASES[row['phase']]}"
    legal = ", ".join(legal_lists(game, rows[played : played + 1])[0])
    if played == len(rows) - 1:
        return RecordError(f"missing: the deal is not over, expected a decision of {asked}: {legal}", played)
    if row["seat"] != state["seat"]:
        return RecordError(f"wrong seat: got seat {row['seat']}, expected {asked}", played)
    name = _bound(game).names[row["action"]]
    return RecordError(f'illegal action: got "{name}", expected of {asked}: {legal}', played)


def _check_legal(got: list[Any], expected: list[list[str]]) -> None:
    if len(got) != len(expected):
        raise RecordError(f"legal: got {len(got)} lists for {len(expected)} decisions")
    for index, (listed, legal) in enumerate(zip(got, expected, strict=True)):
        if type(listed) is not list:
            raise RecordError(f"legal: got {_shown(listed)}, expected a list", index)
        if listed != legal:
            wrong = [name for name in legal if name not in listed]
            wrong += [name for name in listed if name not in legal]
            what = _shown(wrong[0]) if wrong else "a repetition or the order"
            raise RecordError(f"legal: wrong by {what}, expected {', '.join(legal)}", index)


def _check_result(got: Record, expected: Record) -> None:
    for key, value in expected.items():
        if key not in got:
            raise RecordError(f"result: {key} is missing, expected {_shown(value)}")
        if got[key] != value or repr(got[key]) != repr(value):  # 1, 1.0 and true are equal, but not the same
            raise RecordError(f"result: {key}: got {_shown(got[key])}, expected {_shown(value)}")
    for key in got:
        if key not in expected:
            raise RecordError(f"result: unknown key {_shown(key)}, expected {', '.join(expected)}")


@contextmanager
def write(path: PathName) -> Iterator[Callable[[Record], object]]:
    """Open a new file for records, gzip if its name ends in `.gz`; gives the function that writes one.

    The file gets its name when all is written, and is removed if that fails. A RecordError if a file of
    this name exists or cannot be made. The same records give the same bytes, whatever the day and the name.
    """
    target = Path(path)
    _refuse_existing(target)
    temporary = target.with_name(f"{target.name}.{os.getpid()}.tmp")
    try:
        temporary.touch()
    except OSError as error:
        raise RecordError(f"cannot be written: {error.strerror}").at(target) from None
    try:
        with open(temporary, "wb") as raw, gzip_writer(raw) if target.suffix == ".gz" else raw as file:
            yield lambda record: file.write(_line(record))
        _refuse_existing(target)
        temporary.rename(target)
    finally:
        temporary.unlink(missing_ok=True)


def _refuse_existing(target: Path) -> None:
    if os.path.lexists(target):
        raise RecordError("the file exists and is not overwritten").at(target)


def gzip_writer(raw: IO[bytes]) -> io.BufferedWriter:
    """Return a writer of gzip data to an open file; the same records give the same bytes."""
    return io.BufferedWriter(gzip.GzipFile("", "wb", _COMPRESSION, raw, mtime=0), _BUFFER)
