"""Servers under test: each a process on a free port of the loopback address, stopped at the end."""

import os
import shlex
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from random import SystemRandom
from typing import IO

import psutil  # type: ignore[import-untyped]

ROOT = Path(__file__).resolve().parents[2]
LOOPBACK = "127.0.0.1"
NEVER_GIVEN = (10_000, 32_768)
"""Ports that Linux does not give to a program that asks for any port."""

MAX_GROWTH = 0.05
"""The share by which the memory of a worker may grow and still count as constant."""

START_SECONDS = STOP_SECONDS = 30
POLL_SECONDS = 0.01
JSON = "application/json"
HEADERS = {"Content-Type": JSON}

Log = IO[bytes] | int
"""Where a server writes its log: an open file, or a constant of ``subprocess``."""


def require(program: str) -> None:
    """End the run if a program is not installed."""
    if not shutil.which(program):
        raise SystemExit(f"{program} is not installed")


@dataclass(frozen=True, slots=True)
class Server:
    """A server that answers at ``url``; ``pid`` is its first process."""

    url: str
    pid: int

    @property
    def port(self) -> int:
        """The port it listens on."""
        return int(self.url.rsplit(":", 1)[1])

    @property
    def workers(self) -> list[int]:
        """The processes of its workers."""
        return [child.pid for child in psutil.Process(self.pid).children()]

    def private_memory(self) -> dict[int, float]:
        """Return the MB of each worker without the transposition table, which all share and which fills by design."""
        used = {worker: psutil.Process(worker).memory_info() for worker in self.workers}
        return {worker: (memory.rss - memory.shared) / 1e6 for worker, memory in used.items()}

    def connect(self, timeout: float = 60) -> HTTPConnection:
        """Return a connection, not yet open."""
        return HTTPConnection(LOOPBACK, self.port, timeout=timeout)

    def metrics(self) -> str:
        """Return the text of ``/metrics``. Raises OSError if there is none."""
        connection = self.connect()
        connection.request("GET", "/metrics")
        text = connection.getresponse().read().decode()
        connection.close()
        return text

    def cpu_seconds(self) -> float:
        """Return the processor time that all its processes have taken so far."""
        parent = psutil.Process(self.pid)
        return sum(sum(process.cpu_times()[:2]) for process in [parent, *parent.children(recursive=True)])


def post(connection: HTTPConnection, path: str, body: str | bytes) -> bytes:
    """Return the body of the answer to a POST. Ends the run if the status is not 200."""
    connection.request("POST", path, body, HEADERS)
    response = connection.getresponse()
    content = response.read()
    if response.status != 200:
        raise SystemExit(f"POST {path} answered {response.status} to {body[:100]!r}: {content[:200]!r}")
    return content


@contextmanager
def oracle(*, workers: int, log: Log = subprocess.DEVNULL, **settings: str) -> Iterator[Server]:
    """Run the service with further ``settings``; it logs every request."""
    port = free_port()
    gunicorn = str(Path(sys.executable).with_name("gunicorn"))  # as a file: only so can it start itself anew on USR2
    command = [sys.executable, gunicorn, "-c", "python:service.gunicorn_conf", "service.asgi:app"]
    environment = {"HOST": LOOPBACK, "PORT": str(port), "WEB_CONCURRENCY": str(workers), "LOG_LEVEL": "info"}
    environment |= {"PYTHONPATH": str(ROOT), **settings}
    with _running(command, environment, port, log) as server:
        while len(server.workers) < workers:  # the first that is ready has answered
            time.sleep(POLL_SECONDS)
        yield server


@contextmanager
def twin(name: str, *, workers: int, answers: Path, logs: bool = True) -> Iterator[Server]:
    """Run ``fastapi_twin`` or ``bare_twin`` under uvicorn, with the ``answers`` of a file.

    ``logs``: it logs every request.
    """
    port = free_port()
    command = [sys.executable, "-m", "uvicorn", f"loadtests.servers.{name}:app", "--host", LOOPBACK]
    command += ["--port", str(port), "--workers", str(workers), "--log-level", "info" if logs else "error"]
    with _running(command, {"TWIN_ANSWERS": str(answers)}, port, subprocess.DEVNULL) as server:
        yield server


def free_port() -> int:
    """Return a port of the loopback at which nothing listens, one of those that the system gives to nobody by itself.

    So it stays free until the program that is told to listens there, although other servers are started meanwhile.
    """
    while True:
        port = SystemRandom().randrange(*NEVER_GIVEN)
        with suppress(OSError), socket.create_server((LOOPBACK, port)):
            return port


@contextmanager
def _running(command: Sequence[str], environment: Mapping[str, str], port: int, log: Log) -> Iterator[Server]:
    process = subprocess.Popen(
        command, cwd=ROOT, env={**os.environ, **environment}, stdout=log, stderr=subprocess.STDOUT
    )
    try:
        _wait_until_ready(process, port, command)
        yield Server(f"http://{LOOPBACK}:{port}", process.pid)
    finally:
        _stop(process)


def _wait_until_ready(process: "subprocess.Popen[bytes]", port: int, command: Sequence[str]) -> None:
    deadline = time.monotonic() + START_SECONDS
    while not _is_ready(port):
        if process.poll() is not None or time.monotonic() > deadline:
            raise SystemExit(f"The server did not start. To see why: {shlex.join(command)}")
        time.sleep(POLL_SECONDS)


def _is_ready(port: int) -> bool:
    connection = HTTPConnection(LOOPBACK, port, timeout=5)
    try:
        connection.request("GET", "/readyz")
        return connection.getresponse().status == 200
    except OSError:
        return False
    finally:
        connection.close()


def _stop(process: "subprocess.Popen[bytes]") -> None:
    """Stop a server; kill it and its workers if it does not end in time."""
    workers: list[psutil.Process] = []
    with suppress(psutil.NoSuchProcess):
        workers = psutil.Process(process.pid).children(recursive=True)
    process.terminate()
    try:
        process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    for worker in workers:
        with suppress(psutil.NoSuchProcess):
            worker.kill()
