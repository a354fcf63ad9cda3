"""The only place that spells numba options, and where compiled code is cached."""

import hashlib
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numba
import numpy as np
import platformdirs

F = TypeVar("F", bound=Callable[..., Any])

_PACKAGES = ("longcards_env", "agents")  # the folders that hold compiled functions
_KEPT_CACHES = 8  # older cache folders are removed, the newest ones stay


def source_hash() -> str:
    """Return a hash of everything that decides what the compiled functions do."""
    digest = hashlib.sha256(f"{numba.__version__} {numba.config.BOUNDSCHECK}".encode())
    root = Path(__file__).parents[1]
    for package in _PACKAGES:
        for file in sorted((root / package).rglob("*.py")):
            digest.update(str(file.relative_to(root)).encode())
            digest.update(file.read_bytes())
    return digest.hexdigest()[:20]


def _cache_root() -> Path:
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    return Path(chosen) if chosen else platformdirs.user_cache_path("longcards") / "numba"


def _drop_old_caches(root: Path) -> None:
    """Remove all but the newest cache folders; one that somebody else removes first is fine."""
    import shutil

    folders = sorted(root.glob("longcards-*"), key=lambda folder: folder.stat().st_mtime, reverse=True)
    for folder in folders[_KEPT_CACHES:]:
        shutil.rmtree(folder, ignore_errors=True)


def cache_folder() -> Path:
    """Return the folder of compiled code for exactly these sources, made if need be.

    numba keys its cache by a function's own file, so an edit in a callee or in a constant of another
    module would silently run old code; a folder per state of the sources rules that out.
    """
    folder = _cache_root() / f"longcards-{source_hash()}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)
        _drop_old_caches(folder.parent)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError:
        return Path(tempfile.mkdtemp(prefix="longcards-"))


numba.config.CACHE_DIR = str(cache_folder())  # before the first function is decorated


def jit(function: F) -> F:
    """Compile a function that does not need the GIL; its machine code is kept on disk."""
    return _compile(function, inline="never")


def inline(function: F) -> F:
    """Compile a small hot function into each of its callers."""
    return _compile(function, inline="always")


def _compile(function: F, inline: str) -> F:
    if numba.config.DISABLE_JIT:
        # Compiled uint64 arithmetic wraps silently; NumPy scalars warn unless they are told not to.
        wrapped: F = np.errstate(over="ignore")(function)
        return wrapped
    compiled: F = numba.njit(cache=True, nogil=True, error_model="numpy", inline=inline)(function)
    return compiled


@inline
def widen(value: Any) -> int:
    """Return a small or unsigned integer as int64, so that arithmetic is the same compiled or not."""
    wide: Any = np.int64(value)
    return wide


def record_dtype(fields: list[Any]) -> np.dtype[np.record]:
    """Return an aligned dtype whose elements have their fields as attributes, compiled or not."""
    dtype: Any = np.dtype((np.record, np.dtype(fields, align=True)))
    return dtype
