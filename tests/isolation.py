"""File systems, limits and clocks that only one server sees."""

import resource
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest

from tests.support import IN_CI, need


def with_mounts(*mounts: str) -> list[str]:
    """What to start a program with so that it alone sees these mounts, each the arguments of ``mount``."""
    unshare = [need("unshare"), "--mount", "--propagation", "private"]
    tried = subprocess.run([*unshare, "true"], capture_output=True, text=True, check=False)
    if tried.returncode:
        (pytest.fail if IN_CI else pytest.skip)(f"mounts of our own take root: {tried.stderr.strip()}")
    commands = [f"mount {mount}" for mount in mounts]
    return [*unshare, "sh", "-c", " && ".join([*commands, 'exec "$@"']), "sh"]


def fill(directory: Path) -> None:
    """Writes to a directory until its file system is full."""
    with (directory / "filler").open("wb", buffering=0) as filler:
        for size in (4096, 1):
            try:
                while filler.write(bytes(size)):
                    pass
            except OSError:
                continue


def with_open_files(most: int) -> list[str]:
    """What to start a program with so that it may have so many files and sockets open."""
    return [need("prlimit"), f"--nofile={most}:{most}"]


def allow_open_files(wanted: int) -> None:
    """Lets this process, and those that it starts, have so many open."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < wanted:
        (pytest.fail if IN_CI else pytest.skip)(f"no more than {hard} open files are allowed here")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, wanted), hard))


class WallClock:
    """A clock that runs as far from the true one as it is told; ``environment`` lets a program have it for its own.

    The program's other clocks, which measure durations, stay right.
    """

    def __init__(self, folder: Path) -> None:
        library, self._file = folder / "clock.so", folder / "clock"
        source = Path(__file__).with_name("clock.c")
        subprocess.run([need("gcc"), "-shared", "-fPIC", "-O2", "-o", library, source], check=True)
        self._file.write_bytes(bytes(8))
        self.environment = {"LD_PRELOAD": str(library), "CLOCK_FILE": str(self._file)}

    def put_off(self, by: timedelta) -> None:
        """Lets it jump to where it is off by so much."""
        with self._file.open("r+b") as file:
            file.write(int(by.total_seconds()).to_bytes(8, sys.byteorder, signed=True))
