"""Programs that run to their end."""

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from tests.support import HUNG_SECONDS, ROOT

NOTHING: Mapping[str, str] = MappingProxyType({})


def run(
    *command: str | Path, cwd: Path = ROOT, seconds: float = HUNG_SECONDS, environment: Mapping[str, str] = NOTHING
) -> subprocess.CompletedProcess[str]:
    """Return how a program ended, and what it wrote, with further variables in its environment."""
    return subprocess.run(
        command,
        cwd=cwd,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=seconds,
        check=False,
    )
