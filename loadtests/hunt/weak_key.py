"""Proof that the hunt finds what it is for: it must fail where positions share keys as they did in version 0.1.0."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from loadtests.hunt.hunter import FOUND

ROOT = Path(__file__).parents[2]

KEY = re.compile(
    r"        first: bits\.Word = bits\.mix\(.*?key: bits\.Word = [^\n]*\n(.*?), first & CHECK_BITS\n", re.DOTALL
)
"""How the kernel makes a key of the least image."""

WEAK_KEY = """\
        first: bits.Word = bits.mix(least ^ self._key_seeds[0])
        second: bits.Word = least_theirs ^ self._key_seeds[1]
        overlapping: bits.Word = cython.cast(cython.ulonglong, marks) << 57
        key: bits.Word = bits.mix(first + second + overlapping)
\\g<1>, 0
"""
"""How version 0.1.0 did: the marks of the opponent and their number overlap before anything mixes them."""


def hunt_with_weak_key(seconds: int, seed: int) -> int:
    """Hunt in a copy of the service with the weak key, and return 1 if nothing was found."""
    with tempfile.TemporaryDirectory() as folder:
        _copy_with_weak_key(Path(folder))
        hunt = [
            sys.executable,
            "-m",
            "loadtests",
            "hunt",
            "--seconds",
            str(seconds),
            "--seed",
            str(seed),
            "--no-limits",
            "--only",
            "lines",
        ]
        code = subprocess.run(hunt, cwd=folder, env={**os.environ, "PYTHONPATH": folder}, check=False).returncode
    print("Found, as it should be." if code == FOUND else f"Not found (exit code {code}): the hunt is blind.")
    return 0 if code == FOUND else 1


def _copy_with_weak_key(folder: Path) -> None:
    shutil.copytree(ROOT / "service", folder / "service", ignore=shutil.ignore_patterns("*.so", "__pycache__"))
    shutil.copytree(ROOT / "loadtests", folder / "loadtests", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "examples", folder / "examples", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "setup.py", folder)
    kernel = folder / "service" / "kernel" / "table.py"
    text, replaced = KEY.subn(WEAK_KEY, kernel.read_text(encoding="utf-8"))
    if replaced != 1:
        raise RuntimeError("the kernel no longer makes its keys where they are expected")
    kernel.write_text(text, encoding="utf-8")
    build = [sys.executable, "setup.py", "-q", "build_ext", "--inplace"]
    subprocess.run(build, cwd=folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
