"""Searches over HTTP: the first answers of a server that has just started, and answers that a limit cuts off."""

import json
import time
from argparse import Namespace
from collections.abc import Mapping, Sequence
from http.client import HTTPConnection
from statistics import median
from typing import Any

from answers import Answers
from serving import LOOPBACK, Server, oracle
from tables import Row, at_most, show_table, show_title

Game = str | Mapping[str, object]

SOLVED: Mapping[str, Game] = {
    "4x4, four in a row": "tic-tac-toe-4x4",
    "5x4, four in a row": {"rows": 5, "columns": 4, "in_a_row": 4},
    "3x3x3": "tic-tac-toe-3d",
    "5x5, four in a row": "four-in-a-row-5x5",
    "6x5, four in a row": {"rows": 6, "columns": 5, "in_a_row": 4},
    "wrapped 4x4, four in a row": "wrapped-tic-tac-toe-4x4",
    "Connect Four, 5 columns of 4": "connect-four-5x4",
    "Connect Four, 6 columns of 5": "connect-four-6x5",
}
"""Games that are solved from the empty board within seconds."""

_SETS = ([(start * 7 + step * place) % 64 for place in range(8)] for start in range(64) for step in range(3, 19))

LARGE: Mapping[str, Game] = {
    "Qubic": "qubic",
    "Connect Four": "connect-four",
    "6x6, five in a row": "five-in-a-row-6x6",
    "8x8, five in a row": {"rows": 8, "columns": 8, "in_a_row": 5},
    "4x4x4, three in a row lose, wrapped": {
        "rows": 4, "columns": 4, "layers": 4, "in_a_row": 3, "wrap": True, "misere": True,
    },
    "64 cells, lines by hand": {"cells": 64, "lines": [cells for cells in _SETS if len(set(cells)) == 8]},
}  # fmt: skip
"""Games that are not."""

LIMITS_MS = (20, 50, 100, 200, 500)

LATE_BUDGET_MS = 20
"""A search stops at most so long after its limit."""


def show(_answers: Answers, _options: Namespace) -> None:
    """Prints the first answers, and how late those come that a limit cuts off."""
    show_title(
        "First answers over HTTP", "Empty boards, each asked of a server that has just started.", "bench.py --only cold"
    )
    firsts = ((name, value, f"{ms:.0f}") for name, (ms, value) in first_answers().items())
    show_table([("", "value", "ms"), *firsts])
    late = overshoots()
    show_title(
        f"Milliseconds from the limit to the answer, over HTTP, for limits of {', '.join(map(str, LIMITS_MS))} ms",
        f"In the median over all {median(ms for each in late.values() for ms in each):.1f}.",
        "bench.py --only cold",
    )
    show_table([("", "median", "highest", "budget"), *(_late_row(*row) for row in late.items())])


def _late_row(name: str, late: Sequence[float]) -> Row:
    return name, f"{median(late):.1f}", f"{max(late):.1f}", at_most(max(late), LATE_BUDGET_MS, " ms")


def first_answers() -> dict[str, tuple[float, str]]:
    """For each solved game the milliseconds of the first request to a server just started, and the value."""
    found = {}
    for name, game in SOLVED.items():
        with oracle(workers=1) as server:
            milliseconds, answer = _ask(server, game, 30_000)
            found[name] = milliseconds, f"{answer['outcome']} {answer['plies']}"
            if not answer["proven"]:
                raise SystemExit(f"{name} was not solved")
    return found


def overshoots() -> dict[str, list[float]]:
    """For each large game, how many milliseconds after each limit the answer came."""
    with oracle(workers=1) as server:
        return {name: [_ask(server, game, limit)[0] - limit for limit in LIMITS_MS] for name, game in LARGE.items()}


def _ask(server: Server, game: Game, limit: int) -> tuple[float, dict[str, Any]]:
    connection = HTTPConnection(LOOPBACK, int(server.url.rsplit(":", 1)[1]), timeout=60)
    body = json.dumps({"game": game, "moves": [], "limit": {"time_ms": limit}})
    began = time.perf_counter()
    connection.request("POST", "/best-move", body, {"Content-Type": "application/json"})
    response = connection.getresponse()
    answer = json.loads(response.read())
    connection.close()
    if response.status != 200:
        raise SystemExit(f"POST /best-move answered {response.status} to {body[:100]}")
    return (time.perf_counter() - began) * 1000, answer
