"""The latency of 3x3 while searches keep every core busy, against that beside other programs and on an idle machine.

The scheduler of the system may let a server wait for other programs; what searches add to that is the service's part.
"""

import json
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from http.client import HTTPConnection

from loadtests.budgets import Verdicts
from loadtests.drive.traffic import traffic
from loadtests.positions.questions import Answers, Question, body_of
from loadtests.servers.processes import HEADERS, Server, oracle
from loadtests.tables import Row, ratio, show_table, show_title, spread, times
from service.cores import cores
from service.engine.work.slots import NICE

IDLE, PROGRAMS, SEARCHES = "idle", "beside programs", "beside searches"

RATE = 400
"""Requests a second about 3x3: a few per cent of what one worker can answer."""

SECONDS = 5
"""Of each round."""

LIMIT = {"time_ms": 60_000}
"""Of the searches: longer than a round, whose end closes their connections."""

RUNNING = "move_oracle_searches_running"
DEADLINE_SECONDS = 20
MOST_CONNECTIONS = 10 * cores()

Latency = tuple[float, float]
"""Milliseconds of a round, from when each request was due to its answer: p50 and p99."""


def show(verdicts: Verdicts, answers: Answers, rounds: int) -> None:
    """Print the latencies on each machine."""
    show_title(
        "3x3 while searches keep every core busy",
        f"POST /best-move, {RATE} requests/s, {rounds} rounds of {SECONDS} s: on an idle machine, beside a\n"
        f"program with nice {NICE} on each core, and beside a search on each core;\n"
        "median (lowest to highest) in milliseconds. The ratio is that of the searches to the row.",
    )
    questions = [Question("/best-move", body_of(board), answer) for board, answer in answers.items()]
    found = measure(questions, rounds)
    rows: list[Row] = [("", "p50", "p99", "ratio", "budget")]
    for name, latencies in found.items():
        p50, p99 = zip(*latencies, strict=True)
        slower = ratio([busy for _, busy in found[SEARCHES]], p99)
        verdict = verdicts.judge("saturation", slower) if name == PROGRAMS else ""
        rows.append((name, spread(p50, 2), spread(p99, 2), times(slower), verdict))
    show_table(rows)


def measure(questions: Sequence[Question], rounds: int) -> dict[str, list[Latency]]:
    """Return the latencies of the rounds on one server, on each machine."""
    found: dict[str, list[Latency]] = {name: [] for name in (IDLE, PROGRAMS, SEARCHES)}
    with oracle(workers=cores()) as server:
        _latency(server, questions)  # so that all find the answers cached
        for number in range(rounds):
            found[IDLE].append(_latency(server, questions))
            with _programs():
                found[PROGRAMS].append(_latency(server, questions))
            with _searches(server, number * MOST_CONNECTIONS):
                found[SEARCHES].append(_latency(server, questions))
    return found


def _latency(server: Server, questions: Sequence[Question]) -> Latency:
    """Return the latency of a round. Ends the run if an answer is wrong or missing."""
    with traffic(server.port, questions, rate=RATE) as results:
        time.sleep(SECONDS)
    if faults := [*results.wrong, *results.lost]:
        raise SystemExit(f"{len(faults)} requests were not answered as they should be: {faults[0]}")
    return 1000 * results.quantile(0.5), 1000 * results.quantile(0.99)


@contextmanager
def _programs() -> Iterator[None]:
    """Keep each core busy with a program that has the priority of a search, and no part in the service."""
    command = ["nice", "-n", f"{NICE}", sys.executable, "-c", "while True: pass"]
    programs = [subprocess.Popen(command) for _ in range(cores())]
    try:
        yield
    finally:
        for program in programs:
            program.kill()
            program.wait()


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
            if _wait_for(server, cores(), seconds=1):
                break
        else:
            raise SystemExit(f"{_running(server)} searches run, not {cores()}.")
        yield
    if not _wait_for(server, 0, seconds=DEADLINE_SECONDS):
        raise SystemExit(f"{_running(server)} searches still run.")


def _search(connection: HTTPConnection, number: int) -> None:
    moves = [number % 64, (number + 1 + number // 64) % 64]  # another position for each, or they share one search
    game = {"rows": 8, "columns": 8, "in_a_row": 5, "misere": True}
    body = json.dumps({"game": game, "moves": moves, "limit": LIMIT})
    connection.request("POST", "/best-move", body, HEADERS)


def _wait_for(server: Server, searches: int, *, seconds: float) -> bool:
    """Wait until so many searches run; return whether they do before the seconds are over."""
    deadline = time.monotonic() + seconds
    while _running(server) != searches:
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


def _running(server: Server) -> int:
    """Return how many searches run by the metrics of the server."""
    lines = server.metrics().splitlines()
    return sum(int(float(line.split()[-1])) for line in lines if line.startswith(RUNNING))
