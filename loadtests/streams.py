"""Streams: how soon the first line comes, and how soon the search ends once nobody reads any more."""

import json
import time
from dataclasses import dataclass
from http.client import HTTPConnection

from serving import LOOPBACK, Server, oracle

ENDLESS = json.dumps({"game": "qubic", "moves": [0], "limit": {"time_ms": 60_000}})


@dataclass(frozen=True, slots=True)
class Left:
    """A stream that its client left after the first line; the only thread of the server was free again then."""

    first_line_ms: float
    freed_ms: float


def measure(count: int) -> list[Left]:
    """So many streams, one after the other."""
    with oracle(workers=1, threads=1) as server:
        return [_leave_one(server) for _ in range(count)]


def _leave_one(server: Server) -> Left:
    began = time.perf_counter()
    connection = _connect(server)
    headers = {"Content-Type": "application/json", "Accept": "application/x-ndjson"}
    connection.request("POST", "/analysis", ENDLESS, headers)
    line = connection.getresponse().readline()
    first_line = time.perf_counter() - began
    if "progress" not in json.loads(line):
        raise SystemExit(f"The first line of a long stream is {line!r}")
    left = time.perf_counter()
    connection.close()
    other = _connect(server)
    other.request("GET", "/healthz")
    other.getresponse().read()
    freed = time.perf_counter() - left
    other.close()
    return Left(first_line * 1000, freed * 1000)


def _connect(server: Server) -> HTTPConnection:
    return HTTPConnection(LOOPBACK, int(server.url.rsplit(":", 1)[1]), timeout=60)
