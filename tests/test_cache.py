"""The cache of compiled code (_jit.py): an edit anywhere is seen at once, and no cache is left behind for good."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from longcards_env import _jit

ROOT = Path(__file__).parents[1]

# A compiled function of scoring.py that uses a number of rules.py.
SCORE = """
import numba
from longcards_env import nantong
from longcards_env.nantong import scoring

print(scoring.hu_in_hand(nantong.new_states(1)[0], 5, 4), numba.config.CACHE_DIR)
"""
IMPORT = """
import sys
import numba
import longcards_env, agents.registry
from longcards_env import play

print(numba.config.CACHE_DIR, "torch" in sys.modules)
"""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A copy of the packages that hold compiled code."""
    for package in ("longcards_env", "agents"):
        shutil.copytree(ROOT / package, tmp_path / "tree" / package, ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path / "tree"


def run(tree: Path, script: str, cache: Path, **more: str) -> list[str]:
    """Run a script with the tree's packages in a process of its own; return the words that it prints."""
    environment = {**os.environ, "PYTHONPATH": str(tree), "NUMBA_CACHE_DIR": str(cache), **more}
    environment["PYTHONDONTWRITEBYTECODE"] = "1"
    command = [sys.executable, "-W", "error", "-c", script]
    return subprocess.check_output(command, env=environment, cwd=tree.parent, text=True).split()


def edit(file: Path, old: str, new: str) -> None:
    """Change a file without changing its size or the time of its last change: only its text tells."""
    stat = file.stat()
    text = file.read_text(encoding="utf-8")
    assert text.count(old) == 1
    assert len(old) == len(new)
    file.write_text(text.replace(old, new), encoding="utf-8")
    os.utime(file, ns=(stat.st_atime_ns, stat.st_mtime_ns))


def compiled(cache: Path) -> list[Path]:
    return sorted(cache.rglob("*.nbi"))


def test_edit_of_another_module_is_seen_at_once(tree: Path, tmp_path: Path) -> None:
    """numba alone would run the old code: it looks only at the file of the function itself."""
    cache = tmp_path / "cache"
    hu, folder = run(tree, SCORE, cache)
    assert hu == "12"
    files = compiled(cache)
    assert files
    assert run(tree, SCORE, cache) == [hu, folder]
    assert compiled(cache) == files
    edit(tree / "longcards_env/nantong/rules.py", "FOUR_IN_HAND = 12", "FOUR_IN_HAND = 14")
    new_hu, new_folder = run(tree, SCORE, cache)
    assert new_hu == "14"
    assert new_folder != folder
    edit(tree / "longcards_env/nantong/rules.py", "FOUR_IN_HAND = 14", "FOUR_IN_HAND = 12")
    assert run(tree, SCORE, cache) == [hu, folder]


def test_edit_of_an_agent_changes_the_folder(tree: Path, tmp_path: Path) -> None:
    folder = run(tree, IMPORT, tmp_path / "cache")[0]
    (tree / "agents" / "novelty.py").write_text('"""Another file."""\n', encoding="utf-8")
    assert run(tree, IMPORT, tmp_path / "cache")[0] != folder


def test_bounds_checks_have_a_folder_of_their_own(tree: Path, tmp_path: Path) -> None:
    """Code compiled without them must not pass for code with them."""
    folders = {run(tree, IMPORT, tmp_path / "cache", NUMBA_BOUNDSCHECK=check)[0] for check in ("0", "1")}
    assert len(folders) == 2


def test_old_folders_are_removed(tree: Path, tmp_path: Path) -> None:
    """The newest ones stay, and whatever is not ours."""
    cache = tmp_path / "cache" / "longcards"
    old = [cache / f"{number:020x}" for number in range(_jit._KEPT_CACHES + 3)]
    foreign = [cache / "results", tmp_path / "cache" / "longcards-results", tmp_path / "cache" / f"{0:020x}"]
    for age, folder in enumerate([*old, *foreign]):
        folder.mkdir(parents=True)
        (folder / "code.nbi").write_text("old")
        os.utime(folder, (1e9 - age, 1e9 - age))
    folder = Path(run(tree, IMPORT, tmp_path / "cache")[0])
    assert folder.parent == cache
    assert set(cache.iterdir()) == {folder, foreign[0], *old[: _jit._KEPT_CACHES - 1]}
    assert all((folder / "code.nbi").exists() for folder in foreign)


def test_unwritable_cache_falls_back_to_a_temporary_folder(tree: Path, tmp_path: Path) -> None:
    """A folder below a file cannot be made, whoever asks."""
    (tmp_path / "file").write_text("in the way")
    (tmp_path / "temporary").mkdir()
    hu, folder = run(tree, SCORE, tmp_path / "file" / "cache", TMPDIR=str(tmp_path / "temporary"))
    assert hu == "12"
    assert Path(folder).parents[2] == tmp_path / "temporary"
    assert not list((tmp_path / "temporary").iterdir()), "it goes with the process"


def test_read_only_installation_without_a_cache(tree: Path, tmp_path: Path) -> None:
    """Neither the cache's root nor a folder next to the sources nor one below the home can be made."""
    (tmp_path / "file").write_text("in the way")
    for init in list(tree.rglob("__init__.py")):
        (init.parent / "__pycache__").write_text("in the way")
    nowhere = str(tmp_path / "file" / "below")
    folder = run(tree, IMPORT, Path(nowhere), TMPDIR=str(tmp_path), HOME=nowhere, XDG_CACHE_HOME=nowhere)[0]
    assert Path(folder).parents[2] == tmp_path


def test_everything_is_cached_in_the_folder(tree: Path, tmp_path: Path) -> None:
    folder = run(tree, SCORE, tmp_path / "cache")[1]
    assert [str(path) for path in (tmp_path / "cache").glob("*/*")] == [folder]


def test_processes_started_without_a_cache_share_the_temporary_one(tree: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    code = f"{IMPORT}\nimport subprocess, sys\nsubprocess.run([sys.executable, '-c', {IMPORT!r}], check=True)"
    lines = run(tree, code, tmp_path / "file" / "cache", TMPDIR=str(tmp_path))
    folders = [line for line in lines if line.startswith(str(tmp_path))]
    assert len(folders) == 2
    assert len(set(folders)) == 1


def test_import_compiles_nothing(tree: Path, tmp_path: Path) -> None:
    """And it imports no torch."""
    folder, torch = run(tree, IMPORT, tmp_path / "cache")
    assert Path(folder).is_dir()
    assert compiled(tmp_path) == []
    assert torch == "False"


def test_hash_is_of_the_sources_alone(tree: Path, tmp_path: Path) -> None:
    """A moved tree has the same folder name, and files that are not Python do not count."""
    name = Path(run(tree, IMPORT, tmp_path / "cache")[0]).name
    (tree / "longcards_env" / "notes.txt").write_text("not code", encoding="utf-8")
    tree = tree.rename(tmp_path / "moved")
    assert Path(run(tree, IMPORT, tmp_path / "cache")[0]).name == name
