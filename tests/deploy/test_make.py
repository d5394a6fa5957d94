"""``make install`` compiles what has changed and nothing else, and refuses a Python that cannot be used."""

import os
import re
import shutil
import sys
from pathlib import Path

import pytest

from tests.programs import run
from tests.support import ROOT, need

STAMPS = [
    "bin/python",
    "build-tools",
    "libraries",
    "compiled",
    "package",
    "installed",
    "installed-docs",
    "installed-test",
    "installed-examples",
]
LOCKS = sorted(path.name for path in ROOT.glob("requirements*.lock"))
TYPES = sorted(path.relative_to(ROOT) for path in (ROOT / "service").rglob("*.pxd"))
HEADERS = sorted(path.relative_to(ROOT) for path in (ROOT / "service").rglob("*.h"))
IN_C = {f"service/kernel/{module}" for module in ("bits", "patterns", "scheduling")}
COMPILED = [path for types in TYPES for path in (types, types.with_suffix(".py")) if (ROOT / path).is_file()]
OLD, NEW = 1_000_000_000, 2_000_000_000


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkout with empty sources, in which everything is installed."""
    root = tmp_path_factory.mktemp("checkout")
    for path in (*COMPILED, *HEADERS, Path("service/app.py")):
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).touch()
    for name in ("Makefile", "setup.py", "pyproject.toml", *LOCKS):
        shutil.copy(ROOT / name, root / name)
    for path in root.rglob("*"):
        os.utime(path, (OLD, OLD))
    for place, name in enumerate(STAMPS):
        (root / ".venv" / name).parent.mkdir(parents=True, exist_ok=True)
        (root / ".venv" / name).touch()
        os.utime(root / ".venv" / name, (OLD + place, OLD + place))
    return root


def steps(checkout: Path, changed: Path | str, target: str = "install") -> str:
    """What make would run after a change of that file."""
    os.utime(checkout / changed, (NEW, NEW))
    try:
        return make(checkout, target)
    finally:
        os.utime(checkout / changed, (OLD, OLD))


def make(checkout: Path, *arguments: str) -> str:
    done = run(need("make"), "--dry-run", "--no-print-directory", *arguments, cwd=checkout)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_every_compiled_module_is_known(checkout: Path) -> None:
    assert {path.parts[1] for path in COMPILED} == {"kernel", "games"}
    rules = make(checkout, "--print-data-base", "install")
    (needed,) = re.findall(r"^\.venv/compiled: (.*)$", rules, re.MULTILINE)
    assert {"setup.py", *map(str, COMPILED)} < set(needed.split())


def test_a_change_takes_just_the_step_that_it_needs(checkout: Path) -> None:
    for changed in ("service/games/rules/wild.py", "service/games/rules/wild.pxd"):
        for target in ("install", "serve"):
            found = steps(checkout, changed, target)
            assert "build_ext --inplace" in found
            assert not re.search("--force|pip install", found)
    for changed in ("setup.py", *(f"{module}.pxd" for module in IN_C), *map(str, HEADERS)):
        assert "CYTHON_FORCE_REGEN=1 python setup.py -q build_ext --inplace --force" in steps(checkout, changed)
    assert "-r requirements.lock" in steps(checkout, "requirements.lock")
    assert "-r requirements-test.lock" in steps(checkout, "requirements-test.lock", "test")
    assert "-r requirements-examples.lock" in steps(checkout, "requirements-examples.lock", "verify")
    assert not re.search(r"setup\.py|pip", steps(checkout, "service/app.py"))


COMPILER = """#!/bin/sh
for argument; do case $argument in *.c) echo "$argument" >>{log};; esac; done
while test "$1" != -o; do shift; done
touch "$2"
"""
"""Compiles nothing, and writes down what it should."""


@pytest.mark.verify
def test_a_change_compiles_all_that_it_reaches_and_removes_what_is_stale(tmp_path: Path) -> None:
    shutil.copy(ROOT / "setup.py", tmp_path)
    shutil.copytree(ROOT / "service", tmp_path / "service", ignore=shutil.ignore_patterns("*.so", "guide", "web"))
    compiler, log = tmp_path / "cc", tmp_path / "log"
    compiler.write_text(COMPILER.format(log=log))
    compiler.chmod(0o755)

    build = (sys.executable, "setup.py", "-q", "build_ext", "--inplace")

    def compiled(*changed: str) -> set[str]:
        log.write_text("")
        for path in changed:
            with (tmp_path / path).open("a") as source:
                source.write("\n")
        built = run(*build, cwd=tmp_path, seconds=500, environment={"CC": str(compiler)})
        assert built.returncode == 0, built.stderr
        return {line.removeprefix("build/").removesuffix(".c") for line in log.read_text().split()}

    stale = tmp_path / "service/games/catalogue.abi3.so"
    stale.touch()
    everything = compiled()
    assert not stale.exists()
    modules = {str(path.with_suffix("")) for path in TYPES} - IN_C
    assert everything == modules | {"service/kernel/_cython"}
    assert compiled() == set()
    assert compiled("service/games/rules/morris.py") == {"service/games/rules/morris"}
    rules = {module for module in everything if "/rules/" in module}
    boards = {module for module in everything if "/games/boards/" in module}
    assert compiled("service/games/boards/cells.pxd") == rules | boards
    failed = run(*build, "--force", cwd=tmp_path, seconds=500, environment={"CC": "false"})
    told = [failed.stderr.count(words) for words in ("failed", "There is no C compiler")]
    assert (failed.returncode, told) == (0, [1, 1])


OLD_PYTHON = """#!/bin/sh
exec {python} -c 'import sys; sys.version_info = (3, 10, 13); exec(sys.argv[1])' "$2"
"""

NEW_PYTHON = """#!/bin/sh
test "$1" = -c && exec {python} "$@"
mkdir -p .venv/bin
touch .venv/bin/python
exit {status}
"""
"""Makes something like an environment, and fails or not."""


@pytest.mark.parametrize(
    ("python", "told"),
    [
        (OLD_PYTHON, "Move Oracle needs Python 3.11 or newer, but ./python is 3.10. Name another one: make install"),
        (NEW_PYTHON, "Error 1"),
    ],
    ids=["too old", "no environment"],
)
def test_a_python_that_cannot_be_used_leaves_nothing_and_another_one_works_then(
    tmp_path: Path, python: str, told: str
) -> None:
    shutil.copy(ROOT / "Makefile", tmp_path)
    for text, status in ((python, 1), (NEW_PYTHON, 0)):
        (tmp_path / "python").write_text(text.format(python=sys.executable, status=status))
        (tmp_path / "python").chmod(0o755)
        done = run(need("make"), ".venv/bin/python", "PYTHON=./python", cwd=tmp_path)
        assert (done.returncode == 0) == (status == 0)
        assert (told in done.stderr) == (status == 1)
        assert (tmp_path / ".venv").exists() == (status == 0)
