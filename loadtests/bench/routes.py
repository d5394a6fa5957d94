"""The time of single requests of different kinds: the first one that a worker gets, and later ones."""

import json
import time
from collections.abc import Mapping
from statistics import median
from types import MappingProxyType
from typing import Any

from loadtests.budgets import Verdicts
from loadtests.positions.questions import Answers
from loadtests.servers.processes import oracle, post
from loadtests.tables import Row, show_table, show_title, spread

REQUESTS = 300
"""Requests of each kind to a worker."""

OPENING = {"moves": [0, 4, 8]}
CONNECT_FOUR = {"game": "connect-four", "moves": [3, 3]}

QUESTIONS: Mapping[str, tuple[str, Mapping[str, Any]]] = MappingProxyType(
    {
        "best move of 3x3": ("/best-move", OPENING),
        "best moves of two positions of 3x3": ("/best-moves", {"positions": [OPENING, {"moves": [4, 0]}]}),
        "analysis of 3x3": ("/analysis", OPENING),
        "review of three moves of 3x3": ("/review", OPENING),
        "best move of Connect Four, in the book": ("/best-move", CONNECT_FOUR),
        "analysis of Connect Four, in the book": ("/analysis", CONNECT_FOUR),
    }
)
"""What is asked: the path and the body."""


def show(verdicts: Verdicts, answers: Answers, rounds: int) -> None:  # noqa: ARG001, as the other parts have it
    """Print the milliseconds of each kind."""
    show_title(
        "Single requests of different kinds, ms",
        f"One connection to one worker that is started anew for each kind and round, {rounds} rounds. White space makes"
        f" each of the\n{REQUESTS} bodies a new one. Median of the rounds (lowest to highest).",
    )
    rows: list[Row] = [("", "first request", "later ones, p50")]
    for kind, (path, body) in QUESTIONS.items():
        first, later = zip(*(measure(path, body) for _ in range(rounds)), strict=True)
        rows.append((kind, spread(first, 2), spread(later, 2)))
    show_table(rows)


def measure(path: str, body: Mapping[str, Any]) -> tuple[float, float]:
    """Return the milliseconds of the first request to a worker, and the median of the later ones."""
    with oracle(workers=1) as server:
        connection = server.connect()
        connection.connect()
        taken: list[float] = []
        for number in range(REQUESTS):
            text = json.dumps(body) + " " * number
            began = time.perf_counter()
            post(connection, path, text)
            taken.append(1000 * (time.perf_counter() - began))
        connection.close()
    first, *later = taken
    return first, median(later)
