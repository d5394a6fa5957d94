"""Two instances that share a Redis: what the second answers that the first has solved, and what a stop of it costs."""

import json
import socket
import subprocess
import tempfile
import threading
import time
from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from random import Random
from statistics import median

from answers import Answers
from serving import LOOPBACK, START_SECONDS, Server, free_port, oracle
from tables import Row, show_table, show_title, spread, verdict

PROGRAM = "redis-server"
PROGRAMS = (PROGRAM,)
"""What it takes beside Python packages."""

SHARED_BUDGET_MS, STOPPED_BUDGET_MS = 20, 50
"""A second instance answers what the first has solved in less, and a stop of what they share adds at most so much."""

LIMIT = {"time_ms": 30_000}

COSTLY: Mapping[str, tuple[str, object]] = {
    "5x5, four in a row": ("/best-move", "four-in-a-row-5x5"),
    "Connect Four, 6 columns of 5": ("/best-move", "connect-four-6x5"),
    "analysis of 4x5, four in a row": ("/analysis", {"rows": 4, "columns": 5, "in_a_row": 4}),
    "analysis of Connect Four, 5 columns of 5": ("/analysis", "connect-four-5x5"),
}
"""Questions about empty boards: the path, and the game."""

CLIENTS = 4
MIDDLE_GAMES = 0.25
"""The part of the mixed requests that ask for a position of Connect Four on 5 columns of 4; the rest are 3x3."""

PLIES = 5


@dataclass(frozen=True, slots=True)
class First:
    """Milliseconds until the first instance has solved a question, and until the second has answered it."""

    solved_ms: float
    shared_ms: float
    from_cache: bool


@dataclass
class Mixed:
    """Milliseconds of every mixed request of the second half of a run, and how many of all failed."""

    milliseconds: list[float] = field(default_factory=list)
    failed: int = 0

    @property
    def p99(self) -> float:
        """The time that 99 in a hundred did not exceed."""
        return sorted(self.milliseconds)[len(self.milliseconds) * 99 // 100]


def show(_answers: Answers, options: Namespace) -> None:
    """Prints what two instances share, and what a stop of it costs."""
    show_title(
        "Two instances that share a Redis: milliseconds to the first answer about an empty board",
        f"Solved by the first, then asked of the second; {options.rounds} rounds on servers started anew.",
        f"bench.py --only fleet --rounds {options.rounds} --seconds {options.seconds}",
    )
    rows = [_first_row(name, found) for name, found in first_answers(options.rounds).items()]
    show_table([("", "first, ms", "second, ms", "from the cache", "budget"), *rows])
    _show_stop(options)


def _first_row(name: str, found: Sequence[First]) -> Row:
    solved, shared = [each.solved_ms for each in found], [each.shared_ms for each in found]
    known = f"{sum(each.from_cache for each in found)} of {len(found)}"
    budget = verdict(f"< {SHARED_BUDGET_MS} ms", holds=median(shared) < SHARED_BUDGET_MS)
    return name, spread(solved), spread(shared, 1), known, budget


def _show_stop(options: Namespace) -> None:
    seconds = 4 * options.seconds
    show_title(
        "Mixed requests while the shared Redis runs, and after it was stopped",
        f"{CLIENTS} clients, one request in four of Connect Four; {options.rounds} rounds of {seconds} s.",
        f"bench.py --only fleet --rounds {options.rounds} --seconds {options.seconds}",
    )
    running, stopped = mixed_runs(options.rounds, seconds)
    added, failed = _median_p99(stopped) - _median_p99(running), sum(run.failed for run in stopped)
    budget = verdict(f"+{STOPPED_BUDGET_MS} ms, none", holds=added <= STOPPED_BUDGET_MS and not failed)
    rows = ("running", *_mixed_cells(running), ""), ("stopped", *_mixed_cells(stopped), budget)
    show_table([("", "requests", "failed", "p99, ms", "budget"), *rows])


def _median_p99(runs: Sequence[Mixed]) -> float:
    return median(run.p99 for run in runs)


def _mixed_cells(runs: Sequence[Mixed]) -> Row:
    requests, failed = sum(len(run.milliseconds) for run in runs), sum(run.failed for run in runs)
    return f"{requests:,}", f"{failed}", spread((run.p99 for run in runs), 1)


def first_answers(rounds: int) -> dict[str, list[First]]:
    """Every costly question in each round, asked of two instances that have just been started with an empty Redis."""
    found: dict[str, list[First]] = {name: [] for name in COSTLY}
    for _ in range(rounds):
        for name, (path, game) in COSTLY.items():
            with redis() as (url, _), oracle(workers=1, CACHE_URL=url) as one, oracle(workers=1, CACHE_URL=url) as two:
                body = json.dumps({"game": game, "moves": [], "limit": LIMIT})
                solved, shared = _ask(one, path, body), _ask(two, path, body)
                if solved.body != shared.body:
                    raise SystemExit(f"{name}: two instances answer differently")
                found[name].append(First(solved.milliseconds, shared.milliseconds, shared.source == "cache"))
    return found


def mixed_runs(rounds: int, seconds: float) -> tuple[list[Mixed], list[Mixed]]:
    """Runs of mixed requests with a Redis that goes on, and with one that is stopped, which take turns."""
    pairs = [(mixed(seconds=seconds, stopped=False), mixed(seconds=seconds, stopped=True)) for _ in range(rounds)]
    return [running for running, _ in pairs], [stopped for _, stopped in pairs]


def mixed(*, seconds: float, stopped: bool) -> Mixed:
    """So many seconds of mixed requests; after half of them the Redis may be stopped."""
    result, ended, half = Mixed(), threading.Event(), threading.Event()
    with redis() as (url, process), oracle(workers=2, CACHE_URL=url) as server:
        clients = [
            threading.Thread(target=_client, args=(server, seed, result, half, ended)) for seed in range(CLIENTS)
        ]
        for client in clients:
            client.start()
        time.sleep(seconds / 2)
        half.set()
        if stopped:
            process.kill()
        time.sleep(seconds / 2)
        ended.set()
        for client in clients:
            client.join()
    return result


@contextmanager
def redis() -> Iterator[tuple[str, "subprocess.Popen[bytes]"]]:
    """The URL and the process of a Redis with nothing in it, which writes nothing."""
    port = free_port()
    with tempfile.TemporaryDirectory() as directory:
        command = [PROGRAM, "--port", str(port), "--bind", LOOPBACK, "--save", "", "--dir", directory]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        try:
            _wait_until_ready(port)
            yield f"redis://{LOOPBACK}:{port}", process
        finally:
            process.kill()
            process.wait()


def _wait_until_ready(port: int) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        with suppress(OSError), socket.create_connection((LOOPBACK, port), 1):
            return
        time.sleep(0.02)
    raise SystemExit("Redis did not start")


@dataclass(frozen=True, slots=True)
class _Reply:
    milliseconds: float
    source: str
    body: bytes


def _ask(server: Server, path: str, body: str, connection: HTTPConnection | None = None) -> _Reply:
    connection = connection or _connect(server)
    began = time.perf_counter()
    connection.request("POST", path, body, {"Content-Type": "application/json"})
    response = connection.getresponse()
    content = response.read()
    milliseconds = (time.perf_counter() - began) * 1000
    if response.status != 200:
        raise HTTPException(f"{response.status} to {body[:100]}")
    return _Reply(milliseconds, (response.getheader("Server-Timing") or "").split(";")[0], content)


def _connect(server: Server) -> HTTPConnection:
    return HTTPConnection(LOOPBACK, int(server.url.rsplit(":", 1)[1]), timeout=60)


def _client(server: Server, seed: int, result: Mixed, half: threading.Event, ended: threading.Event) -> None:
    dice, connection = Random(seed), _connect(server)
    while not ended.is_set():
        body, counts = _question(dice), half.is_set()
        try:
            reply = _ask(server, "/best-move", body, connection)
        except (OSError, HTTPException):
            result.failed += 1
            connection = _connect(server)
            continue
        if counts:
            result.milliseconds.append(reply.milliseconds)


def _question(dice: Random) -> str:
    if dice.random() < MIDDLE_GAMES:
        return json.dumps({"game": "connect-four-5x4", "moves": _columns(dice)})
    return json.dumps({"moves": dice.sample(range(9), 4)})


def _columns(dice: Random) -> list[int]:
    """Columns of a game too short to be over, none of them over-full."""
    while max(map((columns := dice.choices(range(5), k=PLIES)).count, columns)) > 4:
        pass
    return columns
