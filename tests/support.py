"""Helpers of the tests: real parts, started and stopped."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

import pytest

ROOT = Path(__file__).parent.parent
IN_CI = os.environ.get("CI") == "true"
START_SECONDS = 30
POLL_SECONDS = 0.01

Found = TypeVar("Found")

UNMEASURED = {"COVERAGE_PROCESS_CONFIG": ""}
"""For the environment of a process that an exception may interrupt anywhere: coverage would lose its lock there."""


def need(program: str) -> str:
    """The path of a program that is no Python package; without it the test is skipped, but fails in CI."""
    path = shutil.which(program)
    if path is None:
        (pytest.fail if IN_CI else pytest.skip)(f"{program} is not installed")
    return path


def wait_until(condition: Callable[[], Found], seconds: float = START_SECONDS, every: float = POLL_SECONDS) -> Found:
    """Return what ``condition`` returns as soon as that is true; fail the test if it is not within ``seconds``."""
    deadline = time.monotonic() + seconds
    while not (found := condition()):
        if time.monotonic() > deadline:
            pytest.fail(f"the condition was still {found!r} after {seconds} seconds")
        time.sleep(every)
    return found


class Server:
    """The service under a real gunicorn on a free port, as ``make serve`` starts it.

    ``url`` is where it listens; ``log()`` the JSON lines that it has written so far.
    """

    def __init__(self, *, workers: int = 2, **environment: str) -> None:
        self.command = [sys.executable, "-m", "gunicorn", "-c", "python:service.gunicorn_conf", "service.asgi:app"]
        self._environment = {**os.environ, "PORT": "0", "WEB_CONCURRENCY": str(workers), **environment}
        self._lines: list[str] = []
        self._ready = threading.Event()
        self.port = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def __enter__(self) -> Self:
        self.process = subprocess.Popen(
            self.command,
            cwd=ROOT,
            env=self._environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        if not self._ready.wait(START_SECONDS):
            self.process.kill()
            pytest.fail("the server did not start:\n" + "\n".join(self._lines))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        try:
            self.stop()
        finally:
            self.process.kill()

    def stop(self) -> int:
        """Stops it as an operator would, with SIGTERM; its exit code."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(60)
        self._reader.join(5)
        return code

    def output(self) -> list[str]:
        """Every line written so far, whatever it holds."""
        return list(self._lines)

    def log(self) -> list[dict[str, Any]]:
        """Every line written so far, read as JSON."""
        return [json.loads(line) for line in self._lines]

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._note(line)

    def _note(self, line: str) -> None:
        self._lines.append(line.rstrip("\n"))
        if found := re.search(r"ready at http://\S+:(\d+)", line):
            self.port = int(found[1])
            self._ready.set()
