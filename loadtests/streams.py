"""Streams: how soon the first line comes, and how soon the search ends once nobody reads any more."""

import json
import time
from argparse import Namespace
from dataclasses import dataclass
from http.client import HTTPConnection

from answers import Answers
from serving import LOOPBACK, Server, oracle
from tables import at_most, show_table, show_title, spread

ENDLESS = json.dumps({"game": "qubic", "moves": [0], "limit": {"time_ms": 60_000}})


FIRST_LINE_BUDGET_MS, FREED_BUDGET_MS = 300, 100
"""The first line of a stream comes, and a search whose client has left ends, at most so long after."""


@dataclass(frozen=True, slots=True)
class Left:
    """A stream that its client left after the first line; the only thread of the server was free again then."""

    first_line_ms: float
    freed_ms: float


def show(_answers: Answers, options: Namespace) -> None:
    """Prints the times beside their budgets."""
    show_title(
        "Streams of /analysis, a search of Qubic",
        f"A server with one thread; {options.streams} streams, each left by its client after the first line.",
        f"bench.py --only streams --streams {options.streams}",
    )
    left = measure(options.streams)
    first, freed = [each.first_line_ms for each in left], [each.freed_ms for each in left]
    late, long = at_most(max(first), FIRST_LINE_BUDGET_MS, " ms"), at_most(max(freed), FREED_BUDGET_MS, " ms")
    show_table(
        [
            ("milliseconds", "median (lowest to highest)", "budget"),
            ("until the first line", spread(first, 1), late),
            ("from the client's leaving to the next answer", spread(freed, 1), long),
        ]
    )


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
