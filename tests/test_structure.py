"""The structure of ``service/``: one road for all games, small folders, and one meaning for each name.

Each limit holds today. Lower it when you have made something simpler; don't raise it to get a change in.
"""

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from statistics import median

import pytest

from tests.support import ROOT

SERVICE = ROOT / "service"

MAX_KIND_CHECKS = 2
"""Places where code asks which kind of game or of position it has."""

MAX_MODULES = 12
"""Modules of a folder, without ``__init__``."""

MAX_FILE_LINES = 400
"""Lines of a module; a longer one holds several subjects."""

MAX_FUNCTION_LINES, MEDIAN_FUNCTION_LINES = 60, 8
"""Lines of the longest function, its docstring included, and of the median."""

MIN_LINES = 40
"""Lines of a module with a single importer; a smaller one belongs into that importer."""

SMALL_MODULES: Mapping[str, str] = {
    "api/site/embed.py": "routes that pages of others use, beside many of the pages of the service",
    "cli/background.py": "a thread, which the clients of the command line need not know",
    "edge/connection/server.py": "the server, beside a protocol that is long",
}
"""Smaller modules with a single importer, and why they are modules of their own."""

KINDS = {"Game", "Position"}
"""The classes that all kinds of games and of positions derive from."""


@cache
def modules() -> Mapping[str, ast.Module]:
    """Return the syntax trees of all modules, by their paths in ``service/``."""
    files = [file for file in sorted(SERVICE.rglob("*.py")) if not file.is_relative_to(SERVICE / "guide")]
    return {str(file.relative_to(SERVICE)): ast.parse(file.read_text()) for file in files}


def nodes() -> Iterator[tuple[str, ast.AST]]:
    """Yield all syntax of the service, each with its module."""
    for path, tree in modules().items():
        for node in ast.walk(tree):
            yield path, node


def names(node: ast.AST) -> set[str]:
    """Return the names in an expression; of ``module.Name`` the last."""
    return {
        part.attr if isinstance(part, ast.Attribute) else part.id
        for part in ast.walk(node)
        if isinstance(part, ast.Attribute | ast.Name)
    }


@cache
def kinds() -> frozenset[str]:
    """Return the names of all classes of games and positions, and those of unions of them."""
    derived: dict[str, set[str]] = defaultdict(set)
    for _, node in nodes():
        match node:
            case ast.ClassDef():
                derived[node.name] |= {name for base in node.bases for name in names(base)}
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.BinOp() | ast.Tuple() as value):
                derived[name] |= names(value)
    found, known = set(KINDS), set[str]()
    while found != known:
        known = set(found)
        found |= {name for name, bases in derived.items() if bases & known}
    return frozenset(found)


@cache
def guards() -> frozenset[str]:
    """Return the names of the functions that tell a type checker, and their callers, of which kind something is."""
    return frozenset(
        node.name
        for _, node in nodes()
        if isinstance(node, ast.FunctionDef) and node.returns and names(node.returns) & {"TypeIs", "TypeGuard"}
    )


def asks_kind(node: ast.AST) -> bool:
    """Return whether code asks for the kind of a game or of a position: by its class, or by the name of its family."""
    match node:
        case ast.Call(func=ast.Name(id="is_line")):
            return True
        case ast.Call(func=ast.Name(id="isinstance" | "issubclass"), args=[_, classes]):
            return bool(names(classes) & kinds())
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if name in guards():
            return True
        case ast.MatchClass(cls=kind):
            return bool(names(kind) & kinds())
        case ast.Compare(left=left, comparators=[right]):
            sides = {type(side) for side in (left, right)}
            compares_class = any(isinstance(side, ast.Call) and names(side.func) == {"type"} for side in (left, right))
            compares_family = any(isinstance(side, ast.Attribute) and side.attr == "family" for side in (left, right))
            literals = ast.Constant, ast.Set, ast.Tuple, ast.List
            return (compares_family and bool(sides & {*literals})) or (
                compares_class and bool((names(left) | names(right)) & kinds())
            )
    return False


def test_code_asks_a_game_instead_of_its_kind() -> None:
    checks = [f"service/{path}:{getattr(node, 'lineno', 0)}" for path, node in nodes() if asks_kind(node)]
    assert len(checks) <= MAX_KIND_CHECKS, told(
        "Give Game or Position a method with a default, override it in the file of the family, and call it.", checks
    )


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("isinstance(game, Game)", True),
        ("isinstance(position.game, morris.MorrisGame | WildGame)", True),
        ("isinstance(position, (int, Position))", True),
        ("is_line(position)", True),
        ("type(game) is WildGame", True),
        ('game.family == "line"', True),
        ('position.game.family in {"wild", "morris"}', True),
        ("isinstance(answer, dict)", False),
        ("game.family == other.family", False),
        ("game == WildGame", False),
    ],
)
def test_checks_of_kinds_are_recognised(source: str, expected: bool) -> None:  # noqa: FBT001
    assert asks_kind(ast.parse(source, mode="eval").body) is expected


def test_a_folder_has_a_dozen_modules_at_most() -> None:
    folders: dict[str, int] = defaultdict(int)
    for path in modules():
        folders[str(Path(path).parent)] += not path.endswith("__init__.py")
    large = [f"service/{folder}: {count}" for folder, count in folders.items() if count > MAX_MODULES]
    assert not large, told("Sort the modules of a folder by subject into folders of its own.", large)


def test_a_module_has_four_hundred_lines_at_most() -> None:
    lines = {path: len((SERVICE / path).read_text().splitlines()) for path in modules()}
    long = [f"service/{path}: {count}" for path, count in lines.items() if count > MAX_FILE_LINES]
    assert not long, told("Split the module by subject, where the parts have names of their own.", long)


def test_functions_are_short() -> None:
    lines = {
        f"service/{path}:{node.lineno} {node.name}": (node.end_lineno or 0) - node.lineno + 1
        for path, node in nodes()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    long = [f"{place}: {count}" for place, count in lines.items() if count > MAX_FUNCTION_LINES]
    assert not long, told("Give the parts of the function names of their own.", long)
    assert median(lines.values()) <= MEDIAN_FUNCTION_LINES


def test_no_two_classes_have_one_name() -> None:
    places: dict[str, list[str]] = defaultdict(list)
    for path, node in nodes():
        if isinstance(node, ast.ClassDef):
            places[node.name].append(f"service/{path}:{node.lineno}")
    twins = [f"{name}: {', '.join(at)}" for name, at in places.items() if len(at) > 1]
    assert not twins, told("Rename one of the classes, so that the name says which of them it is.", twins)


def test_no_small_module_has_a_single_importer() -> None:
    small = [
        f"service/{path} ({lines} lines), imported by service/{next(iter(users))}"
        for path, users in importers().items()
        if (lines := len((SERVICE / path).read_text().splitlines())) < MIN_LINES
        and len(users) == 1
        and path not in SMALL_MODULES
    ]
    assert not small, told(
        "Move what a small module has into its importer; or list it in SMALL_MODULES with the reason.", small
    )


def importers() -> Mapping[str, set[str]]:
    """Return which modules import each module, by paths."""
    found: dict[str, set[str]] = {path: set() for path in modules() if not path.endswith("__init__.py")}
    for path, node in nodes():
        for name in imported(node):
            module = name.removeprefix("service.").replace(".", "/") + ".py"
            if module in found:
                found[module].add(path)
    return found


def imported(node: ast.AST) -> Iterable[str]:
    """Return the names of what an import may import: modules, and what could be a module of a package."""
    match node:
        case ast.Import(names=aliases):
            return [alias.name for alias in aliases]
        case ast.ImportFrom(module=str(module), names=aliases):
            return [module, *(f"{module}.{alias.name}" for alias in aliases)]
    return []


def told(what_to_do: str, places: Iterable[str]) -> str:
    return "\n".join([what_to_do, *places])
