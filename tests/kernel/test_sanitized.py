"""The compiled kernel stays within its arrays and within C, whatever game it searches from whatever position.

Compiled for speed it checks nothing, so here it is compiled once more with every check, and tests that search games of
every kind are run with it. Whatever is found ends their process: a shift too far, an overflow or an index beyond an
array of C by the sanitizer's hand, an index beyond a view as an exception that cannot be raised.
"""

import os
import shutil
import subprocess
import sys
from array import array
from dataclasses import replace
from pathlib import Path

import pytest

from service.games.game import MAX_CELLS
from service.kernel.alpha_beta.search import KERNEL, Search
from tests.support import IN_CI, ROOT, need
from tests.worlds import memory, rules_of, small

SECONDS = 900
"""What takes longer has hung: to compile all this takes a minute, and many on a busy machine."""

pytestmark = [
    pytest.mark.verify,
    pytest.mark.skipif(KERNEL != "compiled" and not IN_CI, reason="there was no compiler to compile the kernel"),
]

SANITIZER = "-fsanitize=undefined"
# Python's own flags define how signed integers overflow, which would let it pass.
# The sanitizer looks into no register of several words, so patterns are tested one by one.
COMPILER_FLAGS = f"-O0 -g0 -fno-wrapv {SANITIZER} -fno-sanitize-recover=all -DMOVE_ORACLE_ONE_BY_ONE"

SUITES = {
    "games of every kind": ["tests/games/test_interpreted.py", "-k", "entry_for_entry"],
    "boards and lines of every size": ["tests/kernel/test_kernel.py", "-k", "every_size or torn"],
    "every window": ["tests/kernel/test_search.py", "tests/kernel/test_estimator.py", "-k", "not poll"],
    "packed tables": ["tests/kernel/test_packed_table.py"],
    "a full table": ["tests/kernel/test_false_proofs.py", "-k", "neighbouring"],
}


@pytest.fixture(scope="module")
def sanitized(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a copy of the project whose kernel was compiled with every check."""
    environment = {**os.environ, "CC": need("gcc"), "CFLAGS": COMPILER_FLAGS, "LDFLAGS": SANITIZER}
    folder = tmp_path_factory.mktemp("sanitized")
    for part in ("service", "tests", "loadtests", "examples"):
        shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("*.so", "__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", folder)
    command = [sys.executable, "tests/kernel/checked_build.py"]
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=SECONDS, check=False
    )
    if done.returncode and "ubsan" in done.stderr:
        (pytest.fail if IN_CI else pytest.skip)("the compiler has no sanitizer")
    assert done.returncode == 0, done.stderr
    return folder


def run(folder: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run tests of the copy, in an environment that does not measure coverage, which slows it and may warn."""
    strict = ("-q", "-x", "-s", "-p", "no:cacheprovider", "-W", "error::pytest.PytestUnraisableExceptionWarning")
    return subprocess.run(
        [sys.executable, "-m", "pytest", *strict, *arguments],
        cwd=folder,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": f"{folder}", **environment},
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )


@pytest.mark.parametrize("suite", SUITES)
def test_no_position_leads_the_kernel_out_of_its_arrays_or_out_of_c(sanitized: Path, suite: str) -> None:
    done = run(sanitized, *SUITES[suite])
    assert (done.returncode, done.stderr) == (0, ""), done.stdout


# Faults made on purpose, by which the checks are checked.

SOUND = rules_of(small(4, 4, 4))
FAULTS = {
    "Out of bounds": replace(SOUND, weights=SOUND.weights[:8]),
    "index 7 out of bounds": replace(
        SOUND, lengths=array("i", [128]), offsets=array("Q", [0] * 128), starts=array("Q", [1])
    ),
    "shift exponent 64 is too large": replace(
        SOUND, offsets=array("Q", [offset or MAX_CELLS for offset in SOUND.offsets])
    ),
    "signed integer overflow": replace(SOUND, weights=array("i", [2**31 - 1] * 16)),
}
"""Broken rules, each with what is said about it: of an index beyond a view or an array, a shift, an overflow."""


@pytest.mark.skipif("FAULT" not in os.environ, reason="only for the test below, which runs it with every check")
def test_broken_rules_are_searched() -> None:
    Search(FAULTS[os.environ["FAULT"]], memory(), limit=1000).bound(1, 0, -1, 1)


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_of_each_kind_would_be_found(sanitized: Path, fault: str) -> None:
    done = run(sanitized, "tests/kernel/test_sanitized.py", "-k", "broken", FAULT=fault)
    assert done.returncode
    assert fault in done.stdout + done.stderr
