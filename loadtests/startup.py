"""What the service takes to start, and what a worker weighs that has answered every position of 3x3."""

import json
import time
from argparse import Namespace
from collections.abc import Iterable
from dataclasses import dataclass
from http.client import HTTPConnection
from statistics import median

import psutil  # type: ignore[import-untyped]
from answers import Answers
from serving import LOOPBACK, Server, oracle
from tables import at_most, show_table, show_title, spread

SECONDS_BUDGET, MEGABYTES_BUDGET = 1, 60
"""The medians of the seconds until it is ready, and of what its worker weighs, are at most so many."""


@dataclass(frozen=True, slots=True)
class Start:
    """One start of the service: seconds until it was ready, and resident megabytes of its worker after all answers."""

    seconds: float
    megabytes: float


def show(answers: Answers, options: Namespace) -> None:
    """Prints the starts beside their budgets."""
    show_title(
        "Start of the service, and memory of its worker",
        f"{options.rounds} starts with one worker, which then answers all {len(answers):,} positions of 3x3 once.",
        f"bench.py --only start --rounds {options.rounds}",
    )
    starts = measure([json.dumps({"board": board}).encode() for board in answers], options.rounds)
    seconds, megabytes = [start.seconds for start in starts], [start.megabytes for start in starts]
    show_table(
        [
            ("", "median (lowest to highest)", "budget"),
            ("seconds until ready", spread(seconds, 2), at_most(median(seconds), SECONDS_BUDGET, " s")),
            ("resident megabytes", spread(megabytes, 1), at_most(median(megabytes), MEGABYTES_BUDGET, " MB")),
        ]
    )


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
