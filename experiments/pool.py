"""Worker processes that end when their work, their parent or the user ends it."""

import multiprocessing
import os
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from multiprocessing.connection import wait as wait_for
from typing import TypeVar

from experiments import interrupts

_WAIT = 0.2  # seconds between two looks for an interrupt

Task = TypeVar("Task")
Result = TypeVar("Result")


def run_tasks(
    work: Callable[[Task], Result], tasks: Iterable[Task], workers: int
) -> Generator[tuple[Task, Result], None, None]:
    """Yield each task with its result, as they come in, from this process and `workers` - 1 others.

    Close the iterator to stop the others. Raises BrokenProcessPool if one of them dies. work: a function that can be
    pickled.
    """
    queue = deque(tasks)
    if workers == 1:
        yield from ((task, work(task)) for task in queue)
        return
    running: dict[Future[Result], Task] = {}
    with _started(workers - 1) as pool:
        with interrupts.ignored():  # by the new processes too, which inherit it
            for _ in range(min(2 * (workers - 1), len(queue) - 1)):
                task = queue.popleft()
                running[pool.submit(work, task)] = task
        while queue or running:
            if queue:  # the others take a second to start, which this process need not
                task = queue.popleft()
                yield task, work(task)
            interrupts.raise_if_any()
            for future in wait(running, timeout=0 if queue else _WAIT, return_when=FIRST_COMPLETED).done:
                yield running.pop(future), future.result()
                if queue:
                    task = queue.popleft()
                    running[pool.submit(work, task)] = task


@contextmanager
def _started(workers: int) -> Iterator[ProcessPoolExecutor]:
    """Hold a pool whose processes are ended at once if anything goes wrong."""
    others = set(multiprocessing.active_children())
    context = multiprocessing.get_context("spawn")
    with interrupts.ignored():  # by the process that keeps track of the pool's semaphores
        pool = ProcessPoolExecutor(workers, mp_context=context, initializer=_start_worker)
    try:
        yield pool
    except BaseException:
        for process in set(multiprocessing.active_children()) - others:
            process.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _start_worker() -> None:
    """End when the parent ends, however that happens; interrupts are its affair, and ignored from the start."""
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait_for([parent.sentinel])
        os._exit(1)
