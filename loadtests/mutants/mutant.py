"""A mutant: the service with one fault, in a copy of this folder."""

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

ROOT = Path(__file__).parents[2]

NOT_COPIED = shutil.ignore_patterns(".*", "__pycache__", "dist", "guide")
"""What neither the service nor a test of a mutant needs: environments, caches, the built documentation."""

MOST_SECONDS = 600
"""For compiling a module."""

Tier = Literal["test", "verify"]
"""The command that catches a mutant, ``make test`` or ``make verify``."""


@dataclass(frozen=True, kw_only=True)
class Mutant:
    """A fault by its ``name``: in a ``file`` the text ``new`` takes the place of ``old``; the ``test`` finds it.

    ``test`` is an id of pytest, which may leave out the parameters, and runs in the ``tier``.
    """

    name: str
    file: str
    old: str
    new: str
    test: str
    tier: Tier

    def text(self, folder: Path = ROOT) -> str:
        """Return the file with the fault. Raises ValueError where the file does not hold the old text once."""
        text = (folder / self.file).read_text(encoding="utf-8")
        if text.count(self.old) != 1:
            raise ValueError(f"{self.file} holds {text.count(self.old)} times what the mutant {self.name!r} changes")
        return text.replace(self.old, self.new)

    @contextmanager
    def copied(self) -> Iterator[Path]:
        """Make a copy of this folder with the fault, and what is compiled compiled again; remove it at the end.

        Raises ValueError where the text is not found, and CalledProcessError or FileNotFoundError where the faulty
        module does not compile.
        """
        text = self.text()
        with tempfile.TemporaryDirectory(prefix="mutant-") as temporary:
            folder = Path(temporary) / "mutant"
            shutil.copytree(ROOT, folder, symlinks=True, ignore=NOT_COPIED)
            source = folder / self.file
            source.write_text(text, encoding="utf-8")
            if compiled := [*source.parent.glob(f"{source.stem}.*.so")]:
                for extension in compiled:  # a stale one may have the name of an earlier build
                    extension.unlink()
                _compile(folder)
                if not any(source.parent.glob(f"{source.stem}.*.so")):  # an extension is optional: it fails in silence
                    raise FileNotFoundError(f"{self.file} does not compile")
            yield folder


def _compile(folder: Path) -> None:
    command = [sys.executable, "setup.py", "-q", "build_ext", "--inplace"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=MOST_SECONDS)
