"""The only place that spells numba options, and where compiled code is cached."""

import atexit
import hashlib
import os
import re
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numba
import numpy as np
import platformdirs

F = TypeVar("F", bound=Callable[..., Any])

PACKAGES = ("longcards_env", "agents", "training")  # the folders that hold compiled functions
_KEPT_CACHES = 8  # older cache folders are removed, the newest ones stay
_CACHE_NAME = re.compile("[0-9a-f]{20}")


def source_hash(*more: str) -> str:
    """Return a hash of the sources of all packages with compiled functions, and of `more` packages beside them."""
    digest = hashlib.sha256()
    root = Path(__file__).parents[1]
    for package in (*PACKAGES, *more):
        for file in sorted((root / package).rglob("*.py")):
            digest.update(str(file.relative_to(root)).encode())
            digest.update(file.read_bytes())
    return digest.hexdigest()[:20]


def _cache_root() -> Path:
    """Return the folder for our caches and nothing else: in the user's numba cache, or in the user's caches."""
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    return Path(chosen).absolute() / "longcards" if chosen else platformdirs.user_cache_path("longcards") / "numba"


def _drop_old_caches(root: Path) -> None:
    """Remove all but the newest caches; one that somebody else removes first is fine."""
    folders = [folder for folder in root.iterdir() if _CACHE_NAME.fullmatch(folder.name)]
    for folder in sorted(folders, key=_age)[_KEPT_CACHES:]:
        shutil.rmtree(folder, ignore_errors=True)


def _age(folder: Path) -> float:
    try:
        return -folder.stat().st_mtime
    except FileNotFoundError:
        return 0.0


def _made_cache(folder: Path) -> bool:
    """Make a cache folder, or find it; whether it can be written."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)
        _drop_old_caches(folder.parent)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def cache_folder() -> Path:
    """Return the folder of compiled code for exactly these sources and settings, made if need be.

    numba keys its cache by a function's own file, so an edit in a callee or in a constant of another module would
    silently run old code; a folder per state of the sources rules that out. Where no cache can be written, a
    temporary one serves this process and those that it starts, and goes with it.
    """
    settings = f"{source_hash()} {numba.__version__} {numba.config.BOUNDSCHECK}"
    name = hashlib.sha256(settings.encode()).hexdigest()[:20]
    folder = _cache_root() / name
    if not _made_cache(folder):
        temporary = tempfile.mkdtemp(prefix="longcards-")
        atexit.register(shutil.rmtree, temporary, ignore_errors=True)
        os.environ["NUMBA_CACHE_DIR"] = temporary
        numba.config.reload_config()  # now: later it would undo our choice of the folder
        folder = _cache_root() / name
        folder.mkdir(parents=True)
    return folder


numba.config.CACHE_DIR = str(cache_folder())  # before the first function is decorated


def jit(function: F, cache: bool = True) -> F:
    """Compile a function that does not need the GIL; its machine code is kept on disk.

    cache: False for a function that calls some outside PACKAGES, whose edits the cache folder does not tell.
    """
    return _compile(function, "never", cache)


def inline(function: F) -> F:
    """Compile a small hot function into each of its callers."""
    return _compile(function, "always", True)


def _compile(function: F, inline: str, cache: bool) -> F:
    if numba.config.DISABLE_JIT:
        # Compiled uint64 arithmetic wraps silently; NumPy scalars warn unless they are told not to.
        wrapped: F = np.errstate(over="ignore")(function)
        return wrapped
    compiled: F = numba.njit(cache=cache, nogil=True, error_model="numpy", inline=inline)(function)
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


def new_records(dtype: np.dtype[np.record], n: int) -> np.ndarray:
    """Return n records of zeros; a copy of one is an assignment."""
    return np.zeros(n, dtype).view(np.recarray)


def filled_record(dtype: np.dtype[np.record], *parts: np.ndarray) -> np.record:
    """Return a record of tables with these in its fields, in order; raises AssertionError if one does not fit."""
    tables: np.record = np.zeros(1, dtype)[0]
    for name, part in zip(dtype.names or (), parts, strict=True):
        if tables[name].shape != part.shape:
            raise AssertionError(f"table {name!r} is {part.shape}, expected {tables[name].shape}")
        tables[name] = part
    return tables
