"""Ctrl-C, termination and hang-up end a run between two batches of deals, never in the middle of one.

Raised anywhere, an interrupt can be lost inside a library that calls Python and drops the error, or leave it broken.
"""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_SIGNALS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
_came = threading.Event()


@contextmanager
def held_back() -> Iterator[None]:
    """Hold interrupts back until `raise_if_any` is called, or to the end; a second one is raised at once.

    In other threads than the main one, which see no interrupts, it does nothing.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    _came.clear()
    before = {number: signal.signal(number, _remember) for number in _SIGNALS}
    try:
        yield
        raise_if_any()
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _remember(number: int, frame: FrameType | None) -> None:
    if _came.is_set():
        raise KeyboardInterrupt
    _came.set()


def raise_if_any() -> None:
    """Raise the KeyboardInterrupt that was held back, if one came."""
    if _came.is_set():
        _came.clear()
        raise KeyboardInterrupt


@contextmanager
def ignored() -> Iterator[None]:
    """Ignore Ctrl-C and hang-ups within; processes that are started meanwhile ignore them too."""
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread may set how they are handled
        return
    before = {number: signal.signal(number, signal.SIG_IGN) for number in _SIGNALS if number != signal.SIGTERM}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
