"""What the service takes to start, and what a worker weighs that has answered every position of 3x3."""

import time
from collections.abc import Iterable
from dataclasses import dataclass
from http.client import HTTPConnection

import psutil  # type: ignore[import-untyped]
from serving import LOOPBACK, Server, oracle


@dataclass(frozen=True, slots=True)
class Start:
    """One start of the service: seconds until it was ready, and resident megabytes of its worker after all answers."""

    seconds: float
    megabytes: float


def measure(bodies: Iterable[bytes], rounds: int) -> list[Start]:
    """So many starts, each asked for every body once."""
    bodies = list(bodies)
    return [_start(bodies) for _ in range(rounds)]


def _start(bodies: Iterable[bytes]) -> Start:
    began = time.monotonic()
    with oracle(workers=1) as server:
        seconds = time.monotonic() - began
        _ask_all(server, bodies)
        (worker,) = psutil.Process(server.pid).children()
        return Start(seconds, worker.memory_info().rss / 1e6)


def _ask_all(server: Server, bodies: Iterable[bytes]) -> None:
    connection = HTTPConnection(LOOPBACK, int(server.url.rsplit(":", 1)[1]), timeout=10)
    for body in bodies:
        connection.request("POST", "/best-move", body, {"Content-Type": "application/json"})
        response = connection.getresponse()
        response.read()
        if response.status != 200:
            raise SystemExit(f"POST /best-move answered {response.status} to {body!r}")
    connection.close()
