"""What a result depends on besides its configuration: the machine, the versions, the commit."""

import os
import platform
import subprocess
from importlib.metadata import version
from pathlib import Path

from longcards_env import __version__
from longcards_env._jit import source_hash

_PACKAGES = ("numpy", "numba", "pyarrow")


def machine() -> dict[str, str | int]:
    """Return the processor's name, the cores this process may use, and the platform."""
    return {"cpu": _cpu_name(), "cores": usable_cores(), "platform": platform.platform()}


def usable_cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def versions() -> dict[str, str]:
    """Return the versions of this code, by number and by a hash of the sources, and of what it uses."""
    found = {"longcards": __version__, "sources": source_hash("experiments"), "python": platform.python_version()}
    return found | {package: version(package) for package in _PACKAGES}


def commit() -> str | None:
    """Return the git commit of these sources, with `+changes` if files differ from it; None outside git."""
    root = Path(__file__).parents[1]
    head = _git(root, "rev-parse", "HEAD")
    if not head or _git(root, "rev-parse", "--show-toplevel") != str(root):
        return None
    return f"{head}+changes" if _git(root, "status", "--porcelain", "--untracked-files=no") else head


def _git(root: Path, *arguments: str) -> str | None:
    try:
        done = subprocess.run(["git", "-C", str(root), *arguments], capture_output=True, text=True, check=False)
    except OSError:
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def _cpu_name() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()
