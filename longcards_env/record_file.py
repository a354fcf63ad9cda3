"""Files of deal records, JSON Lines: read line by line, whatever their state, and written whole or not at all.

Nothing here knows a game; what a record says is checked in record.py. Lines are counted from 1.
"""

import gzip
import io
import json
import os
import sys
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, NoReturn

PathName = str | os.PathLike[str]
Record = dict[str, Any]

STDIN = "-"
MAX_LINE = 1 << 22  # bytes; a record with all its legal lists is far below, whatever the deal
TYPE_NAMES = {str: "a string", int: "an integer", list: "a list", dict: "an object"}

_COMPRESSION = 4  # level 6 takes four times as long for a fifth less
_BUFFER = 1 << 16  # bytes that go to the compressor at a time
_SHOWN = 80  # characters of a wrong value that a message repeats

_to_json = json.JSONEncoder(separators=(",", ":"), check_circular=False).encode


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
        raise ValueError(f"{shown(name)} stands twice in one object")
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
        raise RecordError(f"got {shown(value)}, expected a JSON object")
    return value


def shown(value: object) -> str:
    """Return a value of a record as JSON, cut off where it is long."""
    try:
        text = json.dumps(value)
    except (ValueError, RecursionError):
        return TYPE_NAMES[type(value)]
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 3]}..."


def encode(record: Record) -> bytes:
    """Return a record as a line of a file."""
    return _to_json(record).encode() + b"\n"


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
            yield lambda record: file.write(encode(record))
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
