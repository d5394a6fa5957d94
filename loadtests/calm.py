"""Calm: what quick answers notice of deep searches that keep every core busy, and how soon the next one is refused."""

import json
import socket
import time
from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPResponse
from itertools import count, cycle, islice
from statistics import median

from answers import Answers
from serving import LOOPBACK, Server, cores, oracle
from tables import at_most, show_table, show_title, spread, times

RATE = 400
"""Quick requests a second: a few per cent of what one worker can do."""

REQUESTS = 2000
"""Quick requests of a round, on one connection."""

REFUSALS = 20

QUEUED = 4
"""Searches that wait while another is refused: the default of the service."""

RATIO_BUDGET, REFUSED_BUDGET_MS = 3.0, 50
"""The p99 of quick answers beside deep searches is at most so many times that on an idle machine; and where there is no
room for another search, that is said at most so long after, in the median."""

FOREVER = {"time_ms": 60_000}

_numbers = count()


@dataclass(frozen=True, slots=True)
class Latency:
    """Of the quick answers of one round."""

    p50_ms: float
    p99_ms: float


@dataclass(frozen=True, slots=True)
class Calm:
    """The rounds on an idle machine, those beside one deep search on each core, and the times to each refusal."""

    idle: Sequence[Latency]
    busy: Sequence[Latency]
    refused_ms: Sequence[float]


def show(answers: Answers, options: Namespace) -> None:
    """Prints the latencies of both kinds of rounds, and of the refusals."""
    show_title(
        "Quick answers while deep searches keep every core busy",
        f"POST /best-move on 3x3, one connection at {RATE} a second, {options.rounds} rounds of {REQUESTS},\n"
        f"by turns idle and busy; and a deep question where {QUEUED} others wait already, {REFUSALS} times.",
        f"bench.py --only calm --rounds {options.rounds}",
    )
    found = measure(answers, options.rounds)
    idle, busy = [each.p99_ms for each in found.idle], [each.p99_ms for each in found.busy]
    slower, refused = median(busy) / median(idle), median(found.refused_ms)
    show_table(
        [
            ("milliseconds: median (lowest to highest)", "idle", "busy", "ratio", "budget"),
            ("p50", *(spread((each.p50_ms for each in side), 2) for side in (found.idle, found.busy)), "", ""),
            ("p99", spread(idle, 2), spread(busy, 2), times(slower), at_most(slower, RATIO_BUDGET, "x")),
            ("503", "", spread(found.refused_ms, 1), "", at_most(refused, REFUSED_BUDGET_MS, " ms")),
        ]
    )


def measure(answers: Answers, rounds: int) -> Calm:
    """Rounds on one server, idle and busy by turns; then refusals while every core is busy and the queue is full."""
    idle, busy, refused = [], [], []
    with oracle(workers=cores()) as server:
        _answer_quickly(server, answers)  # so that either side finds the answers remembered
        for _ in range(rounds):
            idle.append(_answer_quickly(server, answers))
            with _searching(server, cores()):
                busy.append(_answer_quickly(server, answers))
        with _searching(server, cores() + QUEUED):
            refused = [_refuse_one(server) for _ in range(REFUSALS)]
    return Calm(idle, busy, refused)


def _answer_quickly(server: Server, answers: Mapping[str, object]) -> Latency:
    """The latency of quick answers, sent at a fixed rate, or one after the other where that is too fast."""
    taken = []
    with socket.create_connection((LOOPBACK, _port(server))) as connection:
        began = time.perf_counter()
        for number, board in enumerate(islice(cycle(answers), REQUESTS)):
            time.sleep(max(0.0, began + number / RATE - time.perf_counter()))
            taken.append(_ask(connection, board))
    taken.sort()
    return Latency(1000 * taken[len(taken) // 2], 1000 * taken[len(taken) * 99 // 100])


def _ask(connection: socket.socket, board: str) -> float:
    """Seconds from the request to the whole answer."""
    body = json.dumps({"board": board})
    head = f"POST /best-move HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: {len(body)}"
    sent = time.perf_counter()
    connection.sendall(f"{head}\r\n\r\n{body}".encode())
    response = HTTPResponse(connection)
    response.begin()
    answer = response.read()
    taken = time.perf_counter() - sent
    if response.status != 200 or not json.loads(answer)["proven"]:
        raise SystemExit(f"A quick question was answered by {response.status}: {answer!r}")
    return taken


@contextmanager
def _searching(server: Server, searches: int) -> Iterator[None]:
    """So many clients that each wait for a deep search of their own."""
    with ExitStack() as stack:
        for _ in range(searches):
            connection = HTTPConnection(LOOPBACK, _port(server), timeout=60)
            stack.callback(connection.close)
            _ask_deeply(connection)
        _wait_until(server, searches)
        yield
    _wait_until(server, 0)


def _ask_deeply(connection: HTTPConnection) -> None:
    number = next(_numbers)
    moves = [number % 64, (number + 1 + number // 64) % 64]  # another position for each, or they share one search
    body = json.dumps({"game": "qubic", "moves": moves, "limit": FOREVER})
    connection.request("POST", "/best-move", body, {"Content-Type": "application/json"})


def _wait_until(server: Server, searches: int) -> None:
    deadline = time.monotonic() + 20
    while _at_the_gate(server) != searches:
        if time.monotonic() > deadline:
            raise SystemExit(f"Not {searches} searches, but {_at_the_gate(server)} are at the gate.")
        time.sleep(0.05)


def _at_the_gate(server: Server) -> int:
    connection = HTTPConnection(LOOPBACK, _port(server), timeout=60)
    connection.request("GET", "/metrics")
    lines = connection.getresponse().read().decode().splitlines()
    connection.close()
    names = ("move_oracle_searches_running ", "move_oracle_searches_waiting ")
    return int(sum(float(line.split()[1]) for line in lines if line.startswith(names)))


def _refuse_one(server: Server) -> float:
    """Milliseconds from a deep question to its refusal."""
    connection = HTTPConnection(LOOPBACK, _port(server), timeout=60)
    connection.connect()
    sent = time.perf_counter()
    _ask_deeply(connection)
    response = connection.getresponse()
    response.read()
    taken = time.perf_counter() - sent
    connection.close()
    if response.status != 503:
        raise SystemExit(f"One search too many was answered by {response.status}.")
    return 1000 * taken


def _port(server: Server) -> int:
    return int(server.url.rsplit(":", 1)[1])
