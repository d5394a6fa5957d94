"""The compiled kernel stays within its arrays and within C, whatever game it searches from whatever position.

Compiled for speed it checks nothing, so here it is compiled once more with every check.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from service.kernel.search import KERNEL
from tests.sanitized import DONE, FAMILIES, FAULTS, MODULE
from tests.support import IN_CI, ROOT, need

POSITIONS = 15_000
"""Positions of each family of games."""

SECONDS = 120

pytestmark = pytest.mark.skipif(
    KERNEL != "compiled" and not IN_CI, reason="there was no compiler to compile the kernel"
)

# Without wraparound a negative index is one out of bounds.
DIRECTIVES = "# cython: language_level=3, boundscheck=True, wraparound=False, cdivision=False, initializedcheck=True"

SANITIZER = "-fsanitize=undefined"
# Python's own flags define how signed integers overflow, which would let it pass.
COMPILER_FLAGS = f"-O1 -g0 -fno-wrapv {SANITIZER} -fno-sanitize-recover=all"

# Messages with the lines of the source, not those of the C file.
CYTHONIZE = [sys.executable, "-m", "Cython.Build.Cythonize", "-i", "-q", "-s", "emit_linenums=True", f"{MODULE}.py"]


def checked_source() -> str:
    """The kernel's source with the checks in its head, which wins over directives on the command line."""
    source = (ROOT / "service/kernel/search.py").read_text()
    found, heads = re.subn(r"^# cython: .*", DIRECTIVES, source, flags=re.MULTILINE)
    assert heads == 1
    assert found.count("boundscheck") == 1, "a directive elsewhere would switch the check off again"
    return found


@pytest.fixture(scope="module")
def kernel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that the kernel was compiled into with every check."""
    environment = {**os.environ, "CC": need("gcc"), "CFLAGS": COMPILER_FLAGS, "LDFLAGS": SANITIZER}
    folder = tmp_path_factory.mktemp("sanitized")
    (folder / f"{MODULE}.py").write_text(checked_source())
    done = subprocess.run(
        CYTHONIZE, cwd=folder, env=environment, capture_output=True, text=True, timeout=SECONDS, check=False
    )
    if done.returncode and "ubsan" in done.stderr:
        (pytest.fail if IN_CI else pytest.skip)("the compiler has no sanitizer")
    assert done.returncode == 0, done.stderr
    return folder


def run(kernel: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """What becomes of the program, in an environment that does not measure coverage, which slows it and may warn."""
    return subprocess.run(
        [sys.executable, "-m", "tests.sanitized", *arguments],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": f"{kernel}{os.pathsep}{ROOT}"},
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )


@pytest.mark.parametrize("family", FAMILIES)
def test_no_position_leads_the_kernel_out_of_its_arrays_or_out_of_c(kernel: Path, family: str) -> None:
    done = run(kernel, "play", family, str(POSITIONS))
    assert done.stderr == ""
    assert (done.returncode, done.stdout) == (0, DONE)


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_of_each_kind_would_be_found(kernel: Path, fault: str) -> None:
    _, message = FAULTS[fault]
    done = run(kernel, "provoke", fault)
    assert message in done.stderr
    assert (done.returncode == 0, done.stdout) == (False, "")
