"""Servers of the load tests' own: each a process on a free port of the loopback address, stopped at the end."""

import os
import shlex
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from typing import IO

import psutil  # type: ignore[import-untyped]
from front import rendered

ROOT = Path(__file__).resolve().parent.parent
LOOPBACK = "127.0.0.1"
START_SECONDS = 30
STOP_SECONDS = 30

Sink = IO[bytes] | int
"""Where a server writes its log: an open file, or one of the constants of ``subprocess``."""

MEMORY = "/dev/shm"
"""Where nginx keeps its files: in memory, as in ``deploy/compose.yaml``."""

CONFIG = "python:service.gunicorn_conf"


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def missing(programs: Iterable[str]) -> list[str]:
    """Those that are not installed."""
    return [program for program in programs if not shutil.which(program)]


@dataclass(frozen=True, slots=True)
class Server:
    """A server that is ready to answer at ``url``."""

    url: str
    pid: int

    def cpu_seconds(self) -> float:
        """The processor time that it and its workers have taken so far."""
        parent = psutil.Process(self.pid)
        return sum(sum(process.cpu_times()[:2]) for process in [parent, *parent.children(recursive=True)])


@contextmanager
def oracle(
    *, workers: int, threads: int = 8, log: Sink = subprocess.DEVNULL, config: str = CONFIG, **settings: str
) -> Iterator[Server]:
    """The service under gunicorn, as ``make serve`` runs it, with further ``settings``; it logs every request."""
    port = free_port()
    command = [sys.executable, "-m", "gunicorn", "-c", config, "service.wsgi:app"]
    environment = {"HOST": LOOPBACK, "PORT": str(port), "WEB_CONCURRENCY": str(workers), "LOG_LEVEL": "info"}
    environment |= {"THREADS": str(threads), **settings}
    with _running(command, environment, port, log) as server:
        yield server


@contextmanager
def granian(*, workers: int, threads: int = 8, log: Sink = subprocess.DEVNULL) -> Iterator[Server]:
    """The same application under granian, a server written in Rust; it logs every request to ``log``."""
    port = free_port()
    command = [sys.executable, "-m", "granian", "--interface", "wsgi", "--host", LOOPBACK, "--port", str(port)]
    command += ["--workers", str(workers), "--blocking-threads", str(threads), "--access-log", "service.wsgi:app"]
    with _running(command, {}, port, log) as server:
        yield server


@contextmanager
def twin(*, workers: int, answers: Path, log: Sink = subprocess.DEVNULL) -> Iterator[Server]:
    """The FastAPI twin under uvicorn, which knows ``answers``; it logs every request to ``log``."""
    port = free_port()
    command = [sys.executable, "-m", "uvicorn", "--app-dir", str(Path(__file__).parent), "twin:app"]
    command += ["--host", LOOPBACK, "--port", str(port), "--workers", str(workers), "--log-level", "info"]
    with _running(command, {"TWIN_ANSWERS": str(answers)}, port, log) as server:
        yield server


@contextmanager
def nginx(*, instances: Iterable[Server], changes: Mapping[str, str]) -> Iterator[Server]:
    """The proxy of ``deploy/nginx.conf``, changed so, with an empty cache; it logs every request to nowhere."""
    port = free_port()
    ports = [int(instance.url.rsplit(":", 1)[1]) for instance in instances]
    with tempfile.TemporaryDirectory(dir=MEMORY if os.access(MEMORY, os.W_OK) else None) as name:
        folder = Path(name)
        folder.chmod(0o755)  # the workers of a master that is root belong to somebody else
        conf = folder / "nginx.conf"
        conf.write_text(rendered(folder, port, ports, changes))
        with _running(["nginx", "-c", str(conf), "-e", "stderr"], {}, port, subprocess.DEVNULL) as server:
            yield server


@contextmanager
def _running(command: Sequence[str], environment: Mapping[str, str], port: int, log: Sink) -> Iterator[Server]:
    process = subprocess.Popen(
        command, cwd=ROOT, env={**os.environ, **environment}, stdout=log, stderr=subprocess.STDOUT
    )
    try:
        _wait_until_ready(process, port, command)
        yield Server(f"http://{LOOPBACK}:{port}", process.pid)
    finally:
        _stop(process)


def free_port() -> int:
    """A port that nobody listens on now.

    Chosen here and not by the server, so that all servers start alike and may log to nowhere.
    """
    with socket.socket() as probe:
        probe.bind((LOOPBACK, 0))
        return int(probe.getsockname()[1])


def _wait_until_ready(process: "subprocess.Popen[bytes]", port: int, command: Sequence[str]) -> None:
    deadline = time.monotonic() + START_SECONDS
    while not _is_ready(port):
        if process.poll() is not None or time.monotonic() > deadline:
            raise SystemExit(f"The server did not start. To see why: {shlex.join(command)}")
        time.sleep(0.05)


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
    process.terminate()
    try:
        process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
