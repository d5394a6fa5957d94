"""The time of a start, and the memory of a worker that has answered all of 3x3."""

import time
from statistics import median

import psutil  # type: ignore[import-untyped]

from loadtests.budgets import Verdicts
from loadtests.positions.questions import Answers, body_of
from loadtests.servers.processes import oracle, post
from loadtests.tables import show_table, show_title, spread

Start = tuple[float, float]
"""Seconds until ready, and resident megabytes of the worker."""


def show(verdicts: Verdicts, answers: Answers, rounds: int) -> None:
    """Print the time of a start and the memory."""
    show_title(
        "Start of the service, and memory of its worker",
        f"{rounds} starts with one worker, which then answers all positions of 3x3 once; median (lowest to highest).",
    )
    seconds, megabytes = zip(*(measure(answers) for _ in range(rounds)), strict=True)
    show_table(
        [
            ("", "", "budget"),
            ("s until ready", spread(seconds, 2), verdicts.judge("start", median(seconds))),
            ("resident MB", spread(megabytes, 1), verdicts.judge("memory", median(megabytes))),
        ]
    )


def measure(answers: Answers) -> Start:
    """Start the service and ask about every board."""
    began = time.monotonic()
    with oracle(workers=1) as server:
        seconds = time.monotonic() - began
        connection = server.connect(timeout=10)
        for board in answers:
            post(connection, "/best-move", body_of(board))
        connection.close()
        (worker,) = server.workers
        return seconds, psutil.Process(worker).memory_info().rss / 1e6
