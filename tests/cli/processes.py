"""The command line in a process of its own."""

import os
import subprocess
import sys
import time
from collections.abc import Callable

from tests.support import ROOT

MOVE_ORACLE = [sys.executable, "-m", "service"]
SECONDS = 120


def start(*args: str, **environment: str) -> subprocess.Popen[str]:
    """Start a command in a process group of its own, as a terminal does."""
    return subprocess.Popen(
        [*MOVE_ORACLE, *args],
        cwd=ROOT,
        env={**os.environ, **environment},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def wait_until(condition: Callable[[], bool]) -> None:
    """Wait for something that other processes do, but not for ever."""
    deadline = time.monotonic() + SECONDS
    while not condition():
        assert time.monotonic() < deadline, "it has not happened"
        time.sleep(0.02)
