"""Proof that the hunt finds what it is for: it must fail where positions share keys as they did in version 0.1.0."""

import os
import subprocess
import sys

from loadtests.hunt.hunter import FOUND
from loadtests.mutants.table import WEAK_KEY


def hunt_with_weak_key(seconds: int, seed: int) -> int:
    """Hunt in a copy of the service with the weak key, and return 1 if nothing was found."""
    options = ["--seconds", str(seconds), "--seed", str(seed), "--no-limits", "--only", "lines"]
    with WEAK_KEY.copied() as folder:
        command = [sys.executable, "-m", "loadtests", "hunt", *options]
        environment = {**os.environ, "PYTHONPATH": str(folder)}
        code = subprocess.run(command, cwd=folder, env=environment, check=False).returncode
    print("Found, as it should be." if code == FOUND else f"Not found (exit code {code}): the hunt is blind.")
    return 0 if code == FOUND else 1
