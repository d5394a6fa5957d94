"""Copies of the kernel that lack a technique: made by changing a line of the source and compiling it again."""

import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from loadtests.servers.processes import ROOT


@dataclass(frozen=True, slots=True)
class Change:
    """A line of a module of the kernel, and what takes its place."""

    module: str
    line: str
    instead: str

    def applied(self, text: str) -> str:
        """Return the source with the change. Raises ValueError if the line is not there once."""
        if text.count(self.line) != 1:
            raise ValueError(f"{self.module} no longer has the line that the benchmark changes: {self.line!r}")
        return text.replace(self.line, self.instead)


WITHOUT: Mapping[str, tuple[Change, ...]] = {
    "potential": (
        Change(
            "bounds.py",
            "    total: bits.Word = 0\n",
            "    if board.cells:\n        return UNIT << 4\n    total: bits.Word = 0\n",
        ),
    ),
    "threats": (
        Change(
            "proof_number.py",
            "THREAT_NODES = cython.declare(cython.int, 1000)",
            "THREAT_NODES = cython.declare(cython.int, 1)",
        ),
        Change(
            "search.py",
            "self._marks[slot] > THREAT_MIN_EMPTY:",
            "self._marks[slot] > 64:",
        ),
    ),
}
"""The techniques that a copy can lack. A threat search of one node sees what threatens at once, and no sequence."""


def copy_without(techniques: Sequence[str], folder: Path) -> Path:
    """Build a copy of the service without some techniques, and return its folder."""
    shutil.copytree(ROOT / "service", folder / "service", ignore=shutil.ignore_patterns("*.so", "__pycache__", "guide"))
    shutil.copytree(ROOT / "loadtests", folder / "loadtests", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "setup.py", folder)
    for technique in techniques:
        for change in WITHOUT[technique]:
            source = folder / "service" / "kernel" / change.module
            source.write_text(change.applied(source.read_text(encoding="utf-8")), encoding="utf-8")
    build = [sys.executable, "setup.py", "-q", "build_ext", "--inplace"]
    subprocess.run(build, cwd=folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return folder
