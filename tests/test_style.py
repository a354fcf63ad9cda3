"""The shape of the code, read from its sources: imports run one way, nothing is long or undocumented."""

import ast
import json
import re
from collections.abc import Callable, Iterable, Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

MAX_FILE_LINES = 400
MAX_FUNCTION_LINES = 50  # without the docstring
MAX_KERNEL_PARAMETERS = 6
JIT_DECORATORS = ("jit", "inline")  # those of longcards_env._jit
VAGUE_NAMES = ("common", "helper", "helpers", "misc", "util", "utils")

# Each package, and in the library each module, imports only what stands before it.
PACKAGES = ("longcards_env", "agents", "training", "experiments")
LIBRARY = PACKAGES[0]
GAMES = ("nantong", "paohuzi")
BELOW_GAMES = (
    "_jit",
    "bits",
    "seats",
    "river",
    "held",
    "names",
    "pack",
    "layout",
    "scene",
    "deck",
    "automaton",
    "minplus",
)
IN_GAME = (
    "cards",
    "rules",
    "groups",
    "chi",  # paohuzi only
    "partitions",
    "distance",
    "hands",
    "state",
    "scoring",
    "claims",
    "turns",
    "preparation",
    "engine",
    "observe",
    "notation",
    "scene",
    "__init__",
)
ABOVE_GAMES = (
    "protocol",
    "words",
    "play",
    "record_file",
    "record",
    "games",
    "glyphs",
    "card_faces",
    "board",
    "terminal",
    "picture",
    "render",
    "opponents",
    "lockstep",
    "vector_env",
    "gym_env",
    "pettingzoo_env",
    "witness",
    "open_spiel_games",
    "__init__",
)

PLACES = {
    **{f"{LIBRARY}.{module}": (0, i) for i, module in enumerate(BELOW_GAMES)},
    **{f"{LIBRARY}.{game}.{module}": (1, i) for game in GAMES for i, module in enumerate(IN_GAME)},
    **{f"{LIBRARY}.{module}": (2, i) for i, module in enumerate(ABOVE_GAMES)},
}

Function = ast.FunctionDef | ast.AsyncFunctionDef
Sources = dict[str, str]  # path below the root -> text
Check = Callable[[str, Sources], Iterator[str]]  # yields what is wrong with one file


def read_sources() -> Sources:
    files = (file for package in PACKAGES for file in (ROOT / package).rglob("*.py"))
    return {file.relative_to(ROOT).as_posix(): file.read_text(encoding="utf-8") for file in sorted(files)}


SOURCES = read_sources()
CLAUSES: dict[str, list[str]] = json.loads((ROOT / "tests/golden/clauses.json").read_text(encoding="utf-8"))


# ---- imports


def module_name(path: str) -> str:
    return path.removesuffix(".py").replace("/", ".")


def imported_names(path: str, text: str) -> Iterator[tuple[int, str]]:
    """Yield line and absolute dotted name of all that a file imports, inside functions too."""
    folder = path.split("/")[:-1]
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = folder[: len(folder) + 1 - node.level] if node.level else []
            stem = [*base, node.module] if node.module else base
            yield from ((node.lineno, ".".join([*stem, alias.name])) for alias in node.names)


def imported_modules(path: str, sources: Sources) -> Iterator[tuple[int, str]]:
    """Yield line and module name of all that a file imports from our packages; a package is its __init__."""
    known = {module_name(other) for other in sources} | set(PLACES)
    for line, name in imported_names(path, sources[path]):
        parts = name.split(".")
        if parts[0] not in PACKAGES:
            continue
        heads = [".".join(parts[:end]) for end in range(len(parts), 0, -1)]
        found = (module for head in heads for module in (head, f"{head}.__init__") if module in known)
        yield line, next(found, f"{parts[0]}.__init__")


def stands_before(imported: str, module: str) -> bool:
    (package, *inside), (other_package, *other_inside) = module.split("."), imported.split(".")
    if package != other_package:
        return PACKAGES.index(other_package) < PACKAGES.index(package)
    if package != LIBRARY:
        return True  # no order inside the other packages, but test_imports_form_no_cycle
    if len(inside) == len(other_inside) == 2 and inside[0] != other_inside[0]:
        return False  # one game never imports the other
    return imported in PLACES and PLACES[imported] < PLACES[module]


def backward_imports(path: str, sources: Sources) -> Iterator[str]:
    module = module_name(path)
    if module.startswith(f"{LIBRARY}.") and module not in PLACES:
        yield f"{path} has no place in the order of imports: give it one in tests/test_style.py"
        return
    for line, imported in imported_modules(path, sources):
        if not stands_before(imported, module):
            yield f"{path}:{line} imports {imported}, which does not stand before it"


def import_cycle(sources: Sources) -> list[str]:
    graph = {module_name(path): {name for _, name in imported_modules(path, sources)} for path in sources}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


# ---- size, names, documentation


def functions(text: str) -> Iterator[Function]:
    return (node for node in ast.walk(ast.parse(text)) if isinstance(node, Function))


def function_lines(function: Function) -> int:
    lines = (function.end_lineno or 0) - function.lineno + 1
    if ast.get_docstring(function) is None:
        return lines
    docstring = function.body[0]
    return lines - ((docstring.end_lineno or 0) - docstring.lineno + 1)


def is_jitted(function: Function) -> bool:
    calls = (node.func if isinstance(node, ast.Call) else node for node in function.decorator_list)
    return any(ast.unparse(node).rsplit(".", 1)[-1] in JIT_DECORATORS for node in calls)


def count_parameters(function: Function) -> int:
    return sum(isinstance(node, ast.arg) for node in ast.walk(function.args))


def public_definitions(body: Iterable[ast.stmt]) -> Iterator[Function | ast.ClassDef]:
    """Yield the public functions and classes of a module, also under an `if`, and the public methods."""
    for node in body:
        if isinstance(node, Function | ast.ClassDef):
            if not node.name.startswith("_"):
                yield node
                yield from public_definitions(node.body if isinstance(node, ast.ClassDef) else ())
        else:
            inner = (child for child in ast.iter_child_nodes(node) if isinstance(child, ast.stmt))
            yield from public_definitions(inner)


def long_files(path: str, sources: Sources) -> Iterator[str]:
    lines = len(sources[path].splitlines())
    if lines > MAX_FILE_LINES:
        yield f"{path} has {lines} lines, at most {MAX_FILE_LINES}"


def long_functions(path: str, sources: Sources) -> Iterator[str]:
    for function in functions(sources[path]):
        lines = function_lines(function)
        if lines > MAX_FUNCTION_LINES:
            yield f"{path}:{function.lineno} {function.name} has {lines} lines, at most {MAX_FUNCTION_LINES}"


def wide_kernels(path: str, sources: Sources) -> Iterator[str]:
    for function in filter(is_jitted, functions(sources[path])):
        count, most = count_parameters(function), MAX_KERNEL_PARAMETERS
        if count > most:
            yield f"{path}:{function.lineno} {function.name} takes {count} parameters, at most {most}"


def undocumented(path: str, sources: Sources) -> Iterator[str]:
    for node in public_definitions(ast.parse(sources[path]).body):
        if not ast.get_docstring(node):
            yield f"{path}:{node.lineno} {node.name} has no docstring"


def unfinished(path: str, sources: Sources) -> Iterator[str]:
    for number, line in enumerate(sources[path].splitlines(), 1):
        if found := re.search(r"\b(TODO|FIXME|XXX)\b", line):
            yield f"{path}:{number} says {found[0]}"


def vague_name(path: str, sources: Sources) -> Iterator[str]:
    for part in path.removesuffix(".py").split("/"):
        if part in VAGUE_NAMES:
            yield f"{path}: {part} does not say what is in it"


CHECKS: tuple[Check, ...] = (
    backward_imports,
    long_files,
    long_functions,
    wide_kernels,
    undocumented,
    unfinished,
    vague_name,
)


# ---- clauses of the rules pages


def uncited(clauses: Iterable[str], text: str) -> list[str]:
    cited = set(re.findall(r"\b[A-Z]\d+\.\d+\b", text))
    return [clause for clause in clauses if clause not in cited]


def invented(clauses: Iterable[str], text: str) -> list[str]:
    clauses = set(clauses)
    letters = "".join({clause[0] for clause in clauses})
    return sorted(set(re.findall(rf"\b[{letters}]\d+\.\d+\b", text)) - clauses)


def text_of(folder: str) -> str:
    return "\n".join(text for path, text in SOURCES.items() if path.startswith(f"{folder}/"))


# ---- the tests


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("path", SOURCES)
def test_style(path: str, check: Check) -> None:
    assert list(check(path, SOURCES)) == []


def test_imports_form_no_cycle() -> None:
    assert import_cycle(SOURCES) == []


@pytest.mark.parametrize("game", GAMES)
def test_every_clause_is_cited(game: str) -> None:
    text = text_of(f"{LIBRARY}/{game}")
    if text:
        assert game in CLAUSES, f"list the clauses of {game} in tests/golden/clauses.json"
        assert uncited(CLAUSES[game], text) == []


@pytest.mark.parametrize("game", CLAUSES)
def test_the_rules_page_lists_the_clauses(game: str) -> None:
    page = (ROOT / LIBRARY / game / "RULES.md").read_text(encoding="utf-8")
    assert re.findall(r"^- \*\*([A-Z]\d+\.\d+)\*\*", page, re.MULTILINE) == CLAUSES[game]
    assert max(map(len, page.splitlines())) <= 120


@pytest.mark.parametrize("game", CLAUSES)
def test_no_clause_is_invented(game: str) -> None:
    assert invented(CLAUSES[game], "\n".join(SOURCES.values())) == []


# ---- the checks themselves, on sources made up for them

NANTONG = f"{LIBRARY}/nantong"
LONG_DOCSTRING = '    """' + "Say.\n" * 60 + '    """\n'

CAUGHT = [
    (backward_imports, f"{NANTONG}/cards.py", "from .engine import apply"),
    (backward_imports, f"{NANTONG}/cards.py", "from . import engine"),
    (backward_imports, f"{NANTONG}/cards.py", "from . import apply"),
    (backward_imports, f"{NANTONG}/cards.py", "def deal():\n    import longcards_env.nantong.engine"),
    (backward_imports, f"{NANTONG}/engine.py", "from ..play import advance"),
    (backward_imports, f"{NANTONG}/engine.py", "from ..paohuzi.cards import NUM_KINDS"),
    (backward_imports, f"{NANTONG}/engine.py", "from ..paohuzi import NUM_KINDS"),
    (backward_imports, f"{NANTONG}/engine.py", "from .. import nantong"),
    (backward_imports, f"{NANTONG}/engine.py", "from ..novelty import thing"),
    (backward_imports, f"{NANTONG}/novelty.py", ""),
    (backward_imports, f"{LIBRARY}/novelty.py", ""),
    (backward_imports, f"{LIBRARY}/deck.py", "from .nantong.cards import NUM_KINDS"),
    (backward_imports, f"{LIBRARY}/bits.py", "from .deck import shuffle"),
    (backward_imports, f"{LIBRARY}/play.py", "from longcards_env import make"),
    (backward_imports, f"{LIBRARY}/play.py", "import agents"),
    (backward_imports, f"{LIBRARY}/play.py", "from training.rollout import collect"),
    (backward_imports, f"{LIBRARY}/play.py", "import experiments.cli as cli"),
    (backward_imports, "agents/registry.py", "from experiments.cli import main"),
    (long_files, "agents/rule.py", "x = 1\n" * 401),
    (long_functions, "agents/rule.py", "def act():\n" + "    x = 1\n" * 50),
    (long_functions, "agents/rule.py", "class A:\n    async def act(self):\n" + "        x = 1\n" * 50),
    (wide_kernels, "agents/rule.py", "@jit\ndef act(a, b, c, d, e, f, g): ..."),
    (wide_kernels, "agents/rule.py", "@_jit.inline()\ndef act(a, b, c, /, d, *e, f, **g): ..."),
    (undocumented, "agents/rule.py", "def act(): ..."),
    (undocumented, "agents/rule.py", "class Agent: ..."),
    (undocumented, "agents/rule.py", 'class Agent:\n    """Play."""\n    def act(self): ...'),
    (undocumented, "agents/rule.py", "if FAST:\n    x = 1\nelse:\n    def act(): ..."),
    (unfinished, "agents/rule.py", "x = 1  # TODO: more"),
    (vague_name, "agents/utils.py", ""),
    (vague_name, "agents/common/rule.py", ""),
]

ALLOWED = [
    (
        backward_imports,
        f"{NANTONG}/engine.py",
        "import numpy\nfrom .._jit import jit\nfrom .state import STEP",
    ),
    (backward_imports, f"{NANTONG}/engine.py", "from .. import seats\nfrom . import cards"),
    (backward_imports, f"{NANTONG}/__init__.py", "from .engine import apply\nfrom . import notation"),
    (backward_imports, f"{LIBRARY}/play.py", "from . import nantong\nfrom .nantong import NUM_KINDS"),
    (backward_imports, "agents/registry.py", "from longcards_env import make\nfrom .rule import act"),
    (backward_imports, "experiments/cli.py", "import agents.registry, longcards_env.play, training"),
    (long_files, "agents/rule.py", "x = 1\n" * 400),
    (long_functions, "agents/rule.py", "def act():\n" + LONG_DOCSTRING + "    x = 1\n" * 49),
    (wide_kernels, "agents/rule.py", "@jit\ndef act(a, b, c, d, e, f): ..."),
    (wide_kernels, "agents/rule.py", "def act(a, b, c, d, e, f, g): ..."),
    (undocumented, "agents/rule.py", "def _act(): ...\nclass _Agent:\n    def act(self): ..."),
    (undocumented, "agents/rule.py", 'def act():\n    """Play."""\n    def inner(): ...'),
    (vague_name, "agents/rule.py", ""),
]


def complaints(check: Check, path: str, text: str) -> list[str]:
    return list(check(path, {path: text}))


@pytest.mark.parametrize(("check", "path", "text"), CAUGHT)
def test_bad_source_is_caught(check: Check, path: str, text: str) -> None:
    assert [line.startswith(path) for line in complaints(check, path, text)] == [True]


@pytest.mark.parametrize(("check", "path", "text"), ALLOWED)
def test_good_source_passes(check: Check, path: str, text: str) -> None:
    assert complaints(check, path, text) == []


def test_cycle_is_caught() -> None:
    cycle = {"agents/rule.py": "from .search import plan", "agents/search.py": "from . import rule"}
    assert set(import_cycle(cycle)) == {"agents.rule", "agents.search"}
    assert import_cycle({**cycle, "agents/search.py": ""}) == []


def test_clause_numbers_are_not_prefixes() -> None:
    assert uncited(["N6.1", "N6.11"], "see N6.11.") == ["N6.1"]
    assert invented(["N6.1"], "see N6.1, N6.12 and P9.1") == ["N6.12"]
