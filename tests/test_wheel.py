"""The wheel: built from a copy of the tree, installed elsewhere, and used as a reader of README.md would."""

import importlib.util
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from dataclasses import dataclass
from email import message_from_string
from pathlib import Path

import pytest

from longcards_env import GAMES

ROOT = Path(__file__).parents[1]
PACKAGES = {folder.parent.name for folder in ROOT.glob("*/__init__.py")}

README_EXAMPLE = """
import doctest, sys
import agents, experiments, longcards_env

done = doctest.testfile(sys.argv[1], module_relative=False)
print(done.failed, done.attempted, agents.__file__, experiments.__file__, longcards_env.__file__)
"""


@dataclass(frozen=True)
class Installed:
    """A virtual environment away from the tree that holds the wheel and borrows what it depends on."""

    wheel: Path
    environment: Path
    folder: Path

    def run(self, program: str, *arguments: str) -> str:
        """Run one of the environment's programs in a folder of its own; return what it prints."""
        clean = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "NUMBA"))}
        clean["NUMBA_CACHE_DIR"] = str(self.folder / "cache")
        command = [str(self.environment / "bin" / program), *arguments]
        return subprocess.check_output(command, cwd=self.folder, env=clean, text=True)


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    folder = tmp_path_factory.mktemp("wheel")
    wheel = build(copy_tree(folder / "tree"), folder / "dist")
    environment, elsewhere = folder / "environment", folder / "elsewhere"
    elsewhere.mkdir()
    venv.create(environment, with_pip=False, symlinks=True)
    pip("--python", str(environment / "bin" / "python"), "install", "--no-index", "--no-deps", str(wheel))
    # A folder named in a .pth file brings its packages, but not its own .pth files: no editable install.
    (site_packages,) = environment.glob("lib/python*/site-packages")
    (site_packages / "borrowed.pth").write_text(sysconfig.get_path("purelib"), encoding="utf-8")
    return Installed(wheel, environment, elsewhere)


def copy_tree(target: Path) -> Path:
    """Copy what goes into the wheel: a build leaves files behind in its tree."""
    target.mkdir()
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, target)
    for package in PACKAGES:
        shutil.copytree(ROOT / package, target / package, ignore=shutil.ignore_patterns("__pycache__"))
    return target


def build(tree: Path, out: Path) -> Path:
    """Build the wheel, without the network where setuptools is at hand."""
    here = ["--no-build-isolation"] if importlib.util.find_spec("setuptools") else []
    pip("wheel", "--no-deps", *here, "--wheel-dir", str(out), str(tree))
    (wheel,) = out.glob("*.whl")
    return wheel


def pip(*arguments: str) -> None:
    quiet = ("--disable-pip-version-check", "--quiet")
    command = [sys.executable, "-m", "pip", *quiet, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_wheel_holds_the_packages_and_nothing_else(installed: Installed) -> None:
    with zipfile.ZipFile(installed.wheel) as archive:
        names = [name for name in archive.namelist() if ".dist-info/" not in name]
        (metadata,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        about = message_from_string(archive.read(metadata).decode())
        (licence,) = (name for name in archive.namelist() if name.endswith("LICENSE"))
        assert archive.read(licence) == (ROOT / "LICENSE").read_bytes()
    sources = {file.relative_to(ROOT).as_posix() for package in PACKAGES for file in (ROOT / package).rglob("*.py")}
    rules = {f"longcards_env/{game}/RULES.md" for game in GAMES}
    assert set(names) == sources | rules | {"longcards_env/py.typed"}
    assert about["Name"] == "longcards"
    assert about["License-Expression"] == "MIT"


def test_wheel_works_away_from_the_tree(installed: Installed) -> None:
    """The command line, then the example of README.md; the packages are those of the wheel."""
    options = ("--agents", "random", "--deals", "2000", "--out", "x", "--workers", "1", "--json")
    printed = json.loads(installed.run("longcards", "simulate", "nantong", *options))
    assert printed["deals"] == 2000
    assert (installed.folder / "x" / "run.json").is_file()
    assert list((installed.folder / "x").glob("deals-*.parquet"))
    failed, attempted, *files = installed.run("python", "-c", README_EXAMPLE, str(ROOT / "README.md")).split()
    assert failed == "0"
    assert int(attempted) > 0
    assert all(Path(file).is_relative_to(installed.environment) for file in files)
