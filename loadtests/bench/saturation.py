"""The latency of 3x3 while searches saturate the machine, against that on an idle machine."""

import json
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from http.client import HTTPConnection
from itertools import cycle, islice
from statistics import median

from loadtests.bench.options import Options
from loadtests.bench.steady import RATE, REQUESTS, Latency, ask_steadily
from loadtests.budgets import Verdicts
from loadtests.positions.answers import Answers
from loadtests.servers.processes import HEADERS, Server, oracle
from loadtests.tables import show_table, show_title, spread, times
from service.cores import cores

LIMIT = {"time_ms": 60_000}
"""Of the searches: longer than a round, whose end closes their connections."""

RUNNING = "move_oracle_searches_running"
DEADLINE_SECONDS = 20
MOST_CONNECTIONS = 10 * cores()


def show(answers: Answers, options: Options, verdicts: Verdicts) -> None:
    """Print the latencies on both machines."""
    show_title(
        "3x3 while searches keep every core busy",
        f"POST /best-move, one connection at {RATE} requests/s, {options.rounds} rounds of {REQUESTS}, in turn idle and"
        " busy;\nmedian (lowest to highest) in milliseconds.",
    )
    idle, busy = measure(answers, options.rounds)
    slower = median(each.p99_ms for each in busy) / median(each.p99_ms for each in idle)
    sides = (idle, busy)
    show_table(
        [
            ("", "idle", "busy", "ratio", "budget"),
            ("p50", *(spread((each.p50_ms for each in side), 2) for side in sides), "", ""),
            (
                "p99",
                *(spread((each.p99_ms for each in side), 2) for side in sides),
                times(slower),
                verdicts.judge("saturation", slower),
            ),
        ]
    )


def measure(answers: Answers, rounds: int) -> tuple[list[Latency], list[Latency]]:
    """Return the latencies of the rounds on one server, on an idle and on a busy machine."""
    boards = list(islice(cycle(answers), REQUESTS))
    with oracle(workers=cores()) as server:
        ask_steadily(server, boards)  # so that both sides find the answers cached
        found = []
        for number in range(rounds):
            idle = ask_steadily(server, boards)
            with _searches(server, number * MOST_CONNECTIONS):
                found.append((idle, ask_steadily(server, boards)))
    return [idle for idle, _ in found], [busy for _, busy in found]


@contextmanager
def _searches(server: Server, first: int) -> Iterator[None]:
    """Keep a search running on each core, from the position with the number ``first`` on.

    The system gives a connection to any worker, and a worker runs its share of the searches alone; so more are begun
    until every worker has its own.
    """
    with ExitStack() as stack:
        for number in range(first, first + MOST_CONNECTIONS):
            connection = server.connect()
            stack.callback(connection.close)
            _search(connection, number)
            if _are_running(server, cores(), seconds=1):
                break
        else:
            raise SystemExit(f"{_running(server)} searches run, not {cores()}.")
        yield
    if not _are_running(server, 0, seconds=DEADLINE_SECONDS):
        raise SystemExit(f"{_running(server)} searches still run.")


def _search(connection: HTTPConnection, number: int) -> None:
    moves = [number % 64, (number + 1 + number // 64) % 64]  # another position for each, or they share one search
    game = {"rows": 8, "columns": 8, "in_a_row": 5}
    body = json.dumps({"game": game, "moves": moves, "limit": LIMIT})
    connection.request("POST", "/best-move", body, HEADERS)


def _are_running(server: Server, searches: int, *, seconds: float) -> bool:
    """Return whether so many searches run before the seconds are over."""
    deadline = time.monotonic() + seconds
    while _running(server) != searches:
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


def _running(server: Server) -> int:
    """Return how many searches run by the metrics of the server."""
    connection = server.connect()
    connection.request("GET", "/metrics")
    lines = connection.getresponse().read().decode().splitlines()
    connection.close()
    return sum(int(float(line.split()[-1])) for line in lines if line.startswith(RUNNING))
