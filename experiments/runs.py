"""The folder of a run: its configuration, its lock, its finished shards, and `run.json` that tells of them."""

import hashlib
import json
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import filelock

from agents import registry
from experiments import machine
from longcards_env import GAMES
from longcards_env.seats import NUM_SEATS

MOST_DEALS = 10**10  # of a run: the list of its shards is held in memory
DEALERS = ("rotate", "0", "1", "2")
RUN_FILE = "run.json"
LOCK_FILE = ".lock"
_ABOUT = ("run_id", "config", "versions", "commit", "machine", "started")  # in run.json, besides the progress
_NAMES = r"((deals|decisions)-\d{5,}\.parquet|records-\d{5,}\.jsonl\.gz|run\.json)"
_TEMPORARY = re.compile(_NAMES + r"\.\d+\.tmp")
_OURS = re.compile(_NAMES + r"(\.\d+\.tmp)?")


class RunError(ValueError):
    """The run cannot begin or go on; the message is one line for the user."""


def _refuse_if(wrong: bool, message: str) -> None:
    if wrong:
        raise RunError(message)


@dataclass(frozen=True)
class Config:
    """Everything that decides what a run's data files hold."""

    game: str
    agents: tuple[str, str, str]  # of the seats
    deals: int
    seed: int  # 0..2**64 - 1
    dealer: str = "rotate"  # or the seat that always deals
    records: bool = False
    legal: bool = False  # in the records
    decisions: bool = False

    def __post_init__(self) -> None:
        """Refuse what is no run, with a RunError."""
        _refuse_if(self.game not in GAMES, f"game: got {self.game!r}, expected {' or '.join(GAMES)}")
        three = isinstance(self.agents, tuple) and len(self.agents) == NUM_SEATS
        _refuse_if(not three, f"agents: got {self.agents!r}, expected a tuple of {NUM_SEATS}")
        for spec in self.agents:
            try:
                registry.agent(self.game, spec)
            except ValueError as error:
                raise RunError(f"agents: {error}") from error
        _refuse_if(not 1 <= self.deals <= MOST_DEALS, f"deals: got {self.deals}, expected 1 to {MOST_DEALS}")
        _refuse_if(not 0 <= self.seed < 2**64, f"seed: got {self.seed}, expected 0 to 2**64 - 1")
        _refuse_if(self.dealer not in DEALERS, f"dealer: got {self.dealer!r}, expected {', '.join(DEALERS)}")
        _refuse_if(self.legal and not self.records, "legal: goes with records")

    @property
    def run_id(self) -> str:
        """Return a hash of the configuration, 16 hexadecimal digits."""
        return hashlib.sha256(json.dumps(self.stored()).encode()).hexdigest()[:16]

    @property
    def shard_size(self) -> int:
        """Return the deals of each shard but the last: enough shards for many cores, none too large to hold."""
        largest = 8192 if self.records or self.decisions else 65536
        return min(max(-(-self.deals // 8), 1024), largest)

    @property
    def num_shards(self) -> int:
        """Return how many shards the run has."""
        return -(-self.deals // self.shard_size)

    def shard_deals(self, shard: int) -> range:
        """Return the numbers of the deals in a shard."""
        return range(self.deals)[shard * self.shard_size : (shard + 1) * self.shard_size]

    def shard_files(self, shard: int) -> list[str]:
        """Return the names of the files of a shard."""
        tables = ["deals", *["decisions"] * self.decisions]
        return [f"{table}-{shard:05}.parquet" for table in tables] + [f"records-{shard:05}.jsonl.gz"] * self.records

    def stored(self) -> dict[str, Any]:
        """Return the configuration as JSON holds it."""
        return asdict(self) | {"agents": list(self.agents)}


def publish(folder: Path, name: str, data: Any) -> dict[str, Any]:
    """Write a file that is either there whole or not at all; return its name, bytes and sha256.

    data: anything with the buffer protocol.
    """
    temporary = folder / f"{name}.{os.getpid()}.tmp"
    try:
        with open(temporary, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, folder / name)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise OSError(error.errno, error.strerror, str(folder / name)) from error
    return {"name": name, "bytes": memoryview(data).nbytes, "sha256": hashlib.sha256(data).hexdigest()}


class RunFolder:
    """The folder of one run, held by this process; made by `opened`."""

    def __init__(self, path: Path, config: Config) -> None:
        self.path = path
        self.config = config
        self.shards: dict[int, list[dict[str, Any]]] = {}  # files of the finished ones
        self.seconds = 0.0  # spent playing, all sessions together
        self.ended: str | None = None  # when the last shard was finished
        about = (config.run_id, config.stored(), machine.versions(), machine.commit(), machine.machine(), _now())
        self._about: dict[str, Any] = dict(zip(_ABOUT, about, strict=True))

    def save(self, *, ended: bool = False) -> None:
        """Write `run.json`."""
        self.ended = self.ended or (_now() if ended else None)
        finished = [{"shard": shard, "files": self.shards[shard]} for shard in sorted(self.shards)]
        progress = {"ended": self.ended, "seconds": round(self.seconds, 3), "shards": finished}
        publish(self.path, RUN_FILE, (json.dumps(self._about | progress, indent=1) + "\n").encode())

    def missing(self) -> list[int]:
        """Return the shards still to be played."""
        return [shard for shard in range(self.config.num_shards) if shard not in self.shards]

    def deals_played(self) -> int:
        """Return the number of deals in the finished shards."""
        return sum(len(self.config.shard_deals(shard)) for shard in self.shards)

    def files(self, table: str) -> list[Path]:
        """Return the finished files of `deals`, `decisions` or `records`, in order."""
        names = [file["name"] for shard in sorted(self.shards) for file in self.shards[shard]]
        return [self.path / name for name in names if name.startswith(f"{table}-")]

    def resume(self) -> None:
        """Take over what is finished, after checking it; raises RunError if this is another run or is damaged."""
        stored = _stored_run(self.path)
        self._refuse_another(stored)
        shards = {each["shard"]: each["files"] for each in stored["shards"]}
        for shard, files in shards.items():
            names = self.config.shard_files(shard) if shard in range(self.config.num_shards) else []
            if type(shard) is not int or [file["name"] for file in files] != names or not names:
                raise RunError(f"{self.path / RUN_FILE}: damaged: not the files of shard {shard!r} of this run")
            for file in files:
                _verify(self.path / file["name"], file)
        self.shards, self.seconds, self.ended = shards, stored["seconds"], stored.get("ended")
        self._about |= {key: stored[key] for key in self._about}

    def _refuse_another(self, stored: dict[str, Any]) -> None:
        pairs = [(key, stored["config"].get(key), value) for key, value in self.config.stored().items()]
        names = {"sources": "the hash of the sources", "pyarrow": "the version of pyarrow"}  # they decide the bytes
        pairs.append(("run_id", stored["run_id"], self.config.run_id))
        old, new = stored["versions"], self._about["versions"]
        pairs += [(names[key], old.get(key), new[key]) for key in names]
        for what, before, now in pairs:
            if before != now:
                raise RunError(f"{self.path}: cannot resume: {what} was {before!r} in this run and is {now!r} now")

    def clear(self) -> None:
        """Remove what runs have written here, and nothing else."""
        _remove(self.path, _OURS)

    def clear_temporary(self) -> None:
        """Remove the temporary files of processes that were killed."""
        _remove(self.path, _TEMPORARY)


@contextmanager
def opened(path: Path, config: Config, resume: bool = False, overwrite: bool = False) -> Iterator[RunFolder]:
    """Hold the folder of a run, new or resumed; raises RunError, and has changed nothing, if that cannot be.

    resume: go on with the run in the folder; where there is none, because it did not get so far, begin it.
    """
    goes_on = resume and (path / RUN_FILE).is_file()
    if not (goes_on or overwrite) and path.is_dir() and _holds_files(path):
        hint = f"holds no {RUN_FILE} to resume" if resume else "--resume goes on with its run, --overwrite replaces it"
        raise RunError(f"{path}: the folder is not empty; {hint}")
    if path.exists() and not path.is_dir():
        raise RunError(f"{path}: this is a file, expected a folder")
    path.mkdir(parents=True, exist_ok=True)
    lock = filelock.FileLock(path / LOCK_FILE)
    try:
        held = lock.acquire(timeout=0)
    except filelock.Timeout as error:
        raise RunError(f"{path}: another run is writing to this folder") from error
    with held:
        folder = RunFolder(path, config)
        if goes_on:
            folder.resume()
        elif overwrite:
            folder.clear()
        elif _holds_files(path):
            raise RunError(f"{path}: another run has just begun in this folder")
        folder.clear_temporary()
        yield folder


def _holds_files(folder: Path) -> bool:
    """Whether a folder holds more than a lock and what a start that failed left behind."""
    return any(file.name != LOCK_FILE and not _TEMPORARY.fullmatch(file.name) for file in folder.iterdir())


def _remove(folder: Path, pattern: re.Pattern[str]) -> None:
    names = [file.name for file in folder.iterdir() if pattern.fullmatch(file.name)]
    for name in sorted(names, key=lambda name: name != RUN_FILE):  # it first: it must not tell of what is gone
        (folder / name).unlink()


def _stored_run(folder: Path) -> dict[str, Any]:
    """Return what `run.json` holds; raises RunError if that is not the description of a run."""
    try:
        stored = json.loads((folder / RUN_FILE).read_bytes())
        files = [file for each in stored["shards"] for file in each["files"] if each["shard"] >= 0]
        named = all({"name", "bytes", "sha256"} <= file.keys() for file in files)
        whole = named and {*_ABOUT} <= stored.keys() and stored["seconds"] >= 0
        whole = whole and {"sources"} <= stored["versions"].keys() and isinstance(stored["config"], dict)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        whole = False
    if not whole:
        raise RunError(f"{folder / RUN_FILE}: damaged: this is not the description of a run")
    return stored


def _verify(path: Path, expected: dict[str, Any]) -> None:
    try:
        with open(path, "rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
    except FileNotFoundError as error:
        raise RunError(f"{path}: missing; {RUN_FILE} tells of {expected['bytes']} bytes") from error
    if found != expected["sha256"]:
        raise RunError(
            f"{path}: damaged: expected {expected['bytes']} bytes with sha256 {expected['sha256']}, "
            f"found {path.stat().st_size} bytes with {found}"
        )


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
