"""Worker processes that end when their work, their parent or the user ends it."""

import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from multiprocessing.connection import wait as wait_for
from typing import TypeVar

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
        with _interrupts_ignored():  # by the new processes too, which inherit it
            for _ in range(min(2 * (workers - 1), len(queue) - 1)):
                task = queue.popleft()
                running[pool.submit(work, task)] = task
        while queue or running:
            if queue:  # the others take a second to start, which this process need not
                task = queue.popleft()
                yield task, work(task)
            for future in wait(running, timeout=0 if queue else None, return_when=FIRST_COMPLETED).done:
                yield running.pop(future), future.result()
                if queue:
                    task = queue.popleft()
                    running[pool.submit(work, task)] = task


@contextmanager
def _started(workers: int) -> Iterator[ProcessPoolExecutor]:
    """Hold a pool whose processes are ended at once if anything goes wrong."""
    others = set(multiprocessing.active_children())
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(workers, mp_context=context, initializer=_start_worker)
    try:
        yield pool
    except BaseException:
        for process in set(multiprocessing.active_children()) - others:
            process.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


@contextmanager
def _interrupts_ignored() -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread sees interrupts, and only it may set how they are handled
        return
    handler = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)


def _start_worker() -> None:
    """Leave interrupts to the parent, and end when it ends, however that happens."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait_for([parent.sentinel])
        os._exit(1)
