"""Programs that run to their end."""

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from tests.support import HUNG_SECONDS, ROOT

NOTHING: Mapping[str, str] = MappingProxyType({})


def run(
    *command: str | Path,
    cwd: Path = ROOT,
    seconds: float = HUNG_SECONDS,
    environment: Mapping[str, str] = NOTHING,
    typed: str | None = None,
) -> subprocess.CompletedProcess[str]:
    """Return how a program ended, and what it wrote, with further variables in its environment."""
    return subprocess.run(
        command,
        cwd=cwd,
        env={**os.environ, **environment},
        input=typed,
        capture_output=True,
        encoding="utf-8",
        timeout=seconds,
        check=False,
    )


def written(*command: str | Path, seconds: float = HUNG_SECONDS, cwd: Path = ROOT, **environment: str) -> str:
    """Return what a program wrote; fail the test if the program fails."""
    done = run(*command, cwd=cwd, seconds=seconds, environment=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
