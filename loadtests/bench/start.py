"""The time of a start, and the memory of a worker that has answered all of 3x3."""

import time
from pathlib import Path
from statistics import median

import psutil  # type: ignore[import-untyped]

from loadtests.bench.options import Options
from loadtests.budgets import Verdicts
from loadtests.positions.answers import Answers, body_of
from loadtests.servers.processes import ROOT, oracle, post
from loadtests.tables import Row, show_table, show_title, spread

Start = tuple[float, float]
"""Seconds until ready, and resident megabytes of the worker."""


def show(answers: Answers, options: Options, verdicts: Verdicts) -> None:
    """Print the starts of the service, and of another checkout beside it."""
    show_title(
        "Start of the service, and memory of its worker",
        f"{options.rounds} starts with one worker, which then answers all {len(answers):,} positions of 3x3 once;"
        " median (lowest to highest).",
    )
    checkouts = {"Move Oracle": ROOT, **({"other checkout": options.against} if options.against else {})}
    starts: dict[str, list[Start]] = {name: [] for name in checkouts}
    for _ in range(options.rounds):
        for name, checkout in checkouts.items():
            starts[name].append(measure(answers, checkout))
    rows = [row for name, found in starts.items() for row in _rows(name, found, verdicts)]
    show_table([("", "", "budget"), *rows])


def _rows(name: str, starts: list[Start], verdicts: Verdicts) -> list[Row]:
    seconds, megabytes = ([start[index] for start in starts] for index in (0, 1))
    own = name == "Move Oracle"
    return [
        (f"{name}, s until ready", spread(seconds, 2), verdicts.judge("start", median(seconds)) if own else ""),
        (f"{name}, resident MB", spread(megabytes, 1), verdicts.judge("memory", median(megabytes)) if own else ""),
    ]


def measure(answers: Answers, checkout: Path) -> Start:
    """Start the service of a checkout and ask about every board."""
    began = time.monotonic()
    with oracle(workers=1, checkout=checkout) as server:
        seconds = time.monotonic() - began
        connection = server.connect(timeout=10)
        for board in answers:
            post(connection, "/best-move", body_of(board))
        connection.close()
        (worker,) = server.workers
        return seconds, psutil.Process(worker).memory_info().rss / 1e6
