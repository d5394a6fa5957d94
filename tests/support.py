"""What many tests need: programs, free ports, waiting with a deadline, and the service as a server of its own."""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable
from importlib import import_module
from pathlib import Path
from types import ModuleType, TracebackType
from typing import Any, Self, TypeVar

import pytest

from loadtests.servers import processes

ROOT = Path(__file__).parent.parent
IN_CI = os.environ.get("CI") == "true"
THOROUGH = os.environ.get("THOROUGH") == "yes"
"""Whether tests take all their cases, as in ``make thorough``, or a sample of them."""

HUNG_SECONDS = 120
"""What takes longer has hung, however slow and busy the machine is."""

POLL_SECONDS = 0.01
HOUR = "3600"
"""For a setting in seconds that is never to be reached: a test that waits for it fails."""

HOUR_MS = "3600000"

Found = TypeVar("Found")

free_port = processes.free_port
"""Return a port of the loopback at which nothing listens."""

GUNICORN = [sys.executable, "-m", "gunicorn", "-c", "python:service.gunicorn_conf", "service.asgi:app"]
"""How the service is started, everywhere in the tests: as ``make serve`` does."""

UNMEASURED = {"COVERAGE_PROCESS_CONFIG": ""}
"""For the environment of a process that an exception may interrupt anywhere: coverage would lose its lock there."""


def need(program: str) -> str:
    """Return the path of a program that is no Python package; without it skip the test, but fail it in CI."""
    path = shutil.which(program)
    if path is None:
        (pytest.fail if IN_CI else pytest.skip)(f"{program} is not installed")
    return path


def need_package(name: str) -> ModuleType:
    """Import a package of the group examples; without it skip the test, but fail it in CI."""
    try:
        return import_module(name)
    except ImportError:
        (pytest.fail if IN_CI else pytest.skip)(f"{name} is not installed: make verify installs it")


def sampled(few: int, many: int) -> int:
    """Return how many cases a sweep takes: many in ``make thorough``, else a few."""
    return many if THOROUGH else few


def some(cases: Iterable[Found], few: int) -> list[Found]:
    """Return a few of the cases of a test, spread over all of them, or in ``make thorough`` every one."""
    every = list(cases)
    return every if THOROUGH else every[:: -(-len(every) // few)]


def listens(port: int) -> bool:
    """Whether a program listens at a port of the loopback."""
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) == 0


def wait_until(condition: Callable[[], Found], seconds: float = HUNG_SECONDS, every: float = POLL_SECONDS) -> Found:
    """Return what ``condition`` returns as soon as that is true; fail the test if it is not within ``seconds``."""
    deadline = time.monotonic() + seconds
    while not (found := condition()):
        if time.monotonic() > deadline:
            pytest.fail(f"the condition was still {found!r} after {seconds} seconds")
        time.sleep(every)  # noqa: TID251
    return found


class Server:
    """The service under a real gunicorn on a free port, as ``make serve`` starts it.

    ``url`` is where it listens; ``log()`` the JSON lines that it has written so far.
    """

    def __init__(self, *, workers: int = 2, **environment: str) -> None:
        self.command = [*GUNICORN]
        self._environment = {**os.environ, "PORT": "0", "WEB_CONCURRENCY": str(workers), **environment}
        self._lines: list[str] = []
        self._ready = threading.Event()
        self.port = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def __enter__(self) -> Self:
        self.process = subprocess.Popen(
            self.command, cwd=ROOT, env=self._environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        if not self._ready.wait(HUNG_SECONDS):
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
        """Stop the server as an operator would, with SIGTERM, and return its exit code."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(60)
        self._reader.join(5)
        return code

    def output(self) -> list[str]:
        """Return every line written so far."""
        return list(self._lines)

    def log(self) -> list[dict[str, Any]]:
        """Return every line written so far, read as JSON."""
        return [json.loads(line) for line in self._lines]

    def workers(self) -> list[int]:
        """Return the process of each worker that was started, in that order."""
        start = "Booting worker with pid: "
        return [int(line["message"].removeprefix(start)) for line in self.log() if line["message"].startswith(start)]

    def faults(self) -> list[str]:
        """Return everything that was logged as an error."""
        errors = [line for line in self.log() if line["level"] in ("error", "critical")]
        return [line.get("exception", line["message"]) for line in errors]

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._note(line)

    def _note(self, line: str) -> None:
        self._lines.append(line.rstrip("\n"))
        if found := re.search(r"ready at http://\S+:(\d+)", line):
            self.port = int(found[1])
            self._ready.set()
