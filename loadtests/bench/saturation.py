"""The latency of 3x3 while searches, or the making of tables, keep every core busy, against that on an idle machine."""

import json
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from http.client import HTTPConnection
from itertools import product
from pathlib import Path

from loadtests.budgets import Verdicts
from loadtests.drive.traffic import traffic
from loadtests.positions.questions import Answers, Question, body_of
from loadtests.servers.processes import HEADERS, Server, oracle, post
from loadtests.tables import Row, ratio, show_table, show_title, spread, times
from service.cores import cores

IDLE, SEARCHES, TABLES = "idle", "beside searches", "beside tables"
BUDGETS = {SEARCHES: "saturation", TABLES: "saturation by tables"}

RATE = 400
"""Requests a second about 3x3: a few per cent of what one worker can answer."""

SECONDS = 5
"""Of each round."""

BUSY = 0.8
"""The least share of all cores that the server takes while it is kept busy."""

LIMIT = {"time_ms": 60_000}
"""Of the searches: longer than a round, whose end closes their connections."""

LARGE = [
    {"family": "teeko", "squares": squares, "centre": centre}
    for squares, centre in product(("all", "small"), ("open", "not-first"))
]
"""Games whose tables take half a minute and more each. A worker makes one at a time, and no other makes the same."""

TABLE_LIMIT = {"time_ms": 100}
"""Of the requests for tables, which are made even when nobody waits any more."""

RUNNING = "move_oracle_searches_running"
DEADLINE_SECONDS = 20
MOST_CONNECTIONS = 10 * cores()

Latency = tuple[float, float]
"""Milliseconds of a round, from when each request was due to its answer: p50 and p99."""


def show(verdicts: Verdicts, answers: Answers, rounds: int) -> None:
    """Print the latencies on each machine."""
    show_title(
        "3x3 while searches or tables keep every core busy",
        f"POST /best-move, {RATE} requests/s, {rounds} rounds of {SECONDS} s: on an idle machine, beside a search\n"
        "on each core, and then beside the making of a table in each worker;\n"
        "median (lowest to highest) in milliseconds.",
    )
    questions = [Question("/best-move", body_of(board), answer) for board, answer in answers.items()]
    found = measure(questions, rounds)
    rows: list[Row] = [("", "p50", "p99", "ratio", "budget")]
    for name, latencies in found.items():
        p50, p99 = zip(*latencies, strict=True)
        slower = ratio(p99, [quiet for _, quiet in found[IDLE]])
        verdict = verdicts.judge(BUDGETS[name], slower) if name in BUDGETS else ""
        rows.append((name, spread(p50, 2), spread(p99, 2), times(slower), verdict))
    show_table(rows)


def measure(questions: Sequence[Question], rounds: int) -> dict[str, list[Latency]]:
    """Return the latencies of the rounds on one server, on each machine."""
    found: dict[str, list[Latency]] = {name: [] for name in (IDLE, SEARCHES, TABLES)}
    with tempfile.TemporaryDirectory() as folder, oracle(workers=cores(), TABLEBASES=folder) as server:
        _latency(server, questions)  # so that all find the answers cached
        for number in range(rounds):
            found[IDLE].append(_latency(server, questions))
            with _searches(server, number * MOST_CONNECTIONS):
                found[SEARCHES].append(_busy_latency(server, questions))
        _begin_tables(server, Path(folder))
        found[TABLES] += [_busy_latency(server, questions) for _ in range(rounds)]
    return found


def _busy_latency(server: Server, questions: Sequence[Question]) -> Latency:
    """Return the latency of a round. Ends the run if the server has not kept the cores busy meanwhile."""
    began = server.cpu_seconds()
    latency = _latency(server, questions)
    taken = server.cpu_seconds() - began
    if taken < BUSY * cores() * SECONDS:
        raise SystemExit(f"The server took {taken:.1f} s of processor time in {SECONDS} s on {cores()} cores.")
    return latency


def _latency(server: Server, questions: Sequence[Question]) -> Latency:
    """Return the latency of a round. Ends the run if an answer is wrong or missing."""
    with traffic(server.port, questions, rate=RATE) as results:
        time.sleep(SECONDS)
    if faults := [*results.wrong, *results.lost]:
        raise SystemExit(f"{len(faults)} requests were not answered as they should be: {faults[0]}")
    return 1000 * results.quantile(0.5), 1000 * results.quantile(0.99)


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


def _begin_tables(server: Server, folder: Path) -> None:
    """Ask for large tables, on one connection after the other, until each worker writes one into the folder."""
    for number in range(MOST_CONNECTIONS):
        connection = server.connect()
        post(connection, "/best-move", json.dumps({"game": LARGE[number % len(LARGE)], "limit": TABLE_LIMIT}))
        connection.close()
        if len([*folder.iterdir()]) == cores():
            return
    raise SystemExit("Not every worker makes a table.")


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
