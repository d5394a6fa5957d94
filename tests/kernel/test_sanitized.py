"""The compiled kernel stays within its arrays and within C, whatever game it searches from whatever position.

Compiled for speed it checks nothing, so here it is compiled once more with every check. ``make thorough``
searches more positions.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from service.kernel.alpha_beta.search import KERNEL
from tests.sanitized import DONE, FAMILIES, FAULTS
from tests.support import IN_CI, ROOT, need, sampled

POSITIONS = sampled(1_500, 15_000)
"""Positions of each family of games."""

SECONDS = 900
"""What takes longer has hung: to compile all this takes a minute, and many on a busy machine."""

pytestmark = [
    pytest.mark.verify,
    pytest.mark.xdist_group("sanitized"),
    pytest.mark.skipif(KERNEL != "compiled" and not IN_CI, reason="there was no compiler to compile the kernel"),
]

SANITIZER = "-fsanitize=undefined"
# Python's own flags define how signed integers overflow, which would let it pass.
COMPILER_FLAGS = f"-O0 -g0 -fno-wrapv {SANITIZER} -fno-sanitize-recover=all"


@pytest.fixture(scope="module")
def sanitized(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a service whose kernel was compiled with every check."""
    environment = {**os.environ, "CC": need("gcc"), "CFLAGS": COMPILER_FLAGS, "LDFLAGS": SANITIZER}
    folder = tmp_path_factory.mktemp("sanitized")
    shutil.copytree(ROOT / "service", folder / "service", ignore=shutil.ignore_patterns("*.so", "__pycache__"))
    done = subprocess.run(
        [sys.executable, ROOT / "tests/kernel/checked_build.py"],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    if done.returncode and "ubsan" in done.stderr:
        (pytest.fail if IN_CI else pytest.skip)("the compiler has no sanitizer")
    assert done.returncode == 0, done.stderr
    return folder


def run(service: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """What becomes of the program, in an environment that does not measure coverage, which slows it and may warn."""
    return subprocess.run(
        [sys.executable, "-m", "tests.sanitized", *arguments],
        cwd=service,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": f"{service}{os.pathsep}{ROOT}"},
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )


@pytest.mark.parametrize("family", FAMILIES)
def test_no_position_leads_the_kernel_out_of_its_arrays_or_out_of_c(sanitized: Path, family: str) -> None:
    checked, ordinary = (run(service, "play", family, str(POSITIONS)) for service in (sanitized, ROOT))
    assert checked.stderr == ""
    assert (checked.returncode, checked.stdout[-len(DONE) :]) == (0, DONE)
    differences = [
        pair for pair in zip(checked.stdout.split("\n"), ordinary.stdout.split("\n"), strict=True) if len({*pair}) > 1
    ]
    assert differences[:1] == []


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_of_each_kind_would_be_found(sanitized: Path, fault: str) -> None:
    _, message = FAULTS[fault]
    done = run(sanitized, "provoke", fault)
    assert message in done.stderr
    assert (done.returncode == 0, done.stdout) == (False, "")
