"""Play a run: its shards in worker processes, its files in one folder, its summary at the end."""

import time
from collections.abc import Callable, Iterator
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from tqdm import tqdm

from experiments import interrupts, machine, runs, shards, warm
from experiments.pool import run_tasks
from experiments.runs import Config, RunError, RunFolder
from experiments.summary import Summary, summarize

_SAVE_SECONDS = 1.0  # run.json is written at most this often while shards come in
_CLOCK = 0.001  # seconds that `run.json` tells apart
_SAMPLE = 32  # deals that tell how long a run will take
_START_SECONDS = 2.0  # a run shorter than this gains nothing from more processes

Note = Callable[[str], None]  # tells the user something while the work goes on


@dataclass(frozen=True)
class Simulation:
    """A complete run."""

    config: Config
    out: Path | None
    summary: Summary
    seconds: float  # spent playing and writing, compiling left out, all sessions together

    @property
    def deals_per_second(self) -> float:
        """Return the rate of the whole run."""
        return self.config.deals / max(self.seconds, _CLOCK)


def simulate(
    config: Config,
    out: Path | None = None,
    *,
    workers: int | None = None,
    batch: int = shards.BATCH,
    resume: bool = False,
    overwrite: bool = False,
    note: Note = lambda message: None,
) -> Simulation:
    """Play a run and write it to a folder; files and summary depend on the configuration alone.

    out: None writes nothing that stays. workers: processes, by default `worthwhile_workers`. batch: deals in one call
    of the compiled loop. Raises RunError if the run cannot begin or go on; a run that was stopped by
    that, by KeyboardInterrupt or by a crash keeps its finished shards, and `resume` plays the rest.
    """
    with interrupts.held_back(), _folder(out) as path, runs.opened(path, config, resume, overwrite) as folder:
        if folder.missing():
            folder.save()
            warm.ensure_compiled(config.game, note)
            try:
                _play(folder, workers or worthwhile_workers(config), batch)
            except (KeyboardInterrupt, RunError, OSError):
                note(_how_far(folder, kept=out is not None))
                raise
        elif folder.ended is None:  # it was killed after its last shard
            folder.save(ended=True)
        return Simulation(config, out, summarize(folder.files("deals")), folder.seconds)


def worthwhile_workers(config: Config) -> int:
    """Return the number of cores, or 1 if the whole run takes no longer than starting more processes."""
    sample = range(min(config.deals, _SAMPLE))
    for _ in range(2):  # the first time loads the compiled code
        start = time.perf_counter()
        for _ in shards.play(config, sample):
            pass
    seconds = (time.perf_counter() - start) * config.deals / len(sample)
    return 1 if seconds < _START_SECONDS else machine.usable_cores()


@contextmanager
def _folder(out: Path | None) -> Iterator[Path]:
    if out is not None:
        yield out
        return
    with TemporaryDirectory(prefix="longcards-") as temporary:
        yield Path(temporary)


def _play(folder: RunFolder, workers: int, batch: int) -> None:
    """Play the missing shards; whatever happens, `run.json` tells of those that are finished."""
    missing = folder.missing()
    work = partial(shards.write_shard, folder.config, folder.path, batch)
    results = run_tasks(work, missing, min(workers, len(missing)))
    deals, played = folder.config.deals, folder.deals_played()
    progress = tqdm(total=deals, initial=played, unit=" deals", unit_scale=True, disable=None)
    earlier, start, saved = folder.seconds, time.perf_counter(), 0.0
    try:
        with closing(results), progress:
            for shard, files in results:
                folder.shards[shard] = files
                progress.update(len(folder.config.shard_deals(shard)))
                if time.perf_counter() > saved + _SAVE_SECONDS:
                    saved = time.perf_counter()
                    folder.seconds = earlier + saved - start
                    folder.save()
    except BrokenProcessPool as error:
        raise RunError("a worker process died: killed, or out of memory?") from error
    finally:
        folder.seconds = earlier + time.perf_counter() - start
        folder.clear_temporary()
        folder.save(ended=not folder.missing())


def _how_far(folder: RunFolder, kept: bool) -> str:
    done = f"stopped: {len(folder.shards)} of {folder.config.num_shards} shards are finished"
    return f"{done}; the same command with --resume (in place of --overwrite) plays the rest" if kept else done
