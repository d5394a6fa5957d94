"""The command line in a process of its own."""

import os
import subprocess
import sys

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
