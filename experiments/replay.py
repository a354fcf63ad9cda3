"""Replay the deal records of files: check each, and write them anew with what can be derived."""

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from longcards_env import GAMES, record, record_file
from longcards_env.record_file import Record, RecordError

_KEPT_ERRORS = 10_000  # a file of nothing but wrong lines must not fill the memory


@dataclass
class ReplaySummary:
    """How many records were read and how many errors there were; the first of these."""

    records: int = 0
    wrong: int = 0
    errors: list[RecordError] = field(default_factory=list)

    def json(self) -> dict[str, Any]:
        """Return records, wrong and errors for JSON."""
        errors = [asdict(error) for error in self.errors]
        return {"records": self.records, "wrong": self.wrong, "errors": errors}


def replay_files(
    files: list[str],
    out: str | Path | None,
    legal: bool,
    report: Callable[[RecordError], object],
    tick: Callable[[], object] = lambda: None,
) -> ReplaySummary:
    """Replay all records of the files, `-` for standard input, and go on after a wrong one.

    out: a new file for the completed records, without the wrong ones; a RecordError if it exists or cannot be
    made. legal: whether these have the legal actions of each decision. report is called with each error, tick
    after each record. A file that cannot be read, or not to its end, is one error more.
    """
    summary = ReplaySummary()

    def wrong(error: RecordError) -> None:
        summary.wrong += 1
        if len(summary.errors) < _KEPT_ERRORS:
            summary.errors.append(error)
        report(error)

    def bad_line(error: RecordError) -> None:
        summary.records += error.line is not None
        wrong(error)
        tick()

    with ExitStack() as stack:
        put = stack.enter_context(record_file.write(out)) if out is not None else None
        for file in files:
            for line, read in record_file.read(file, bad_line):
                summary.records += 1
                try:
                    _replay(read, legal, put)
                except RecordError as error:
                    wrong(error.at(file, line))
                tick()
    return summary


def _replay(read: Record, legal: bool, put: Callable[[Record], object] | None) -> None:
    replayed = record.replay(read, GAMES)
    if put is not None:
        put(replayed.record(legal))
