"""Batches of Connect Four positions: the positions a second of one request, compared with single requests."""

import json
import time
from collections.abc import Sequence
from itertools import islice
from statistics import median
from typing import Any

from loadtests.budgets import Verdicts
from loadtests.search.bitbully import EMPTY, random_games
from loadtests.servers.processes import Server, oracle, post
from loadtests.tables import Row, show_table, show_title, spread

BATCH = 1000
"""Positions of a request: the most that one may have."""

SINGLY = 200
"""How many of the positions are also asked about one by one."""

VALUE = ("move", "outcome", "plies", "score", "exact")


def show(verdicts: Verdicts, rounds: int, seed: int, **_: object) -> None:
    """Print the positions a second. Ends the run if a single request is answered otherwise."""
    rates, inexact = list[float](), 0
    for number in range(rounds):
        asked = draw(seed + number)
        with oracle(workers=1) as server:
            began = time.perf_counter()
            answers = ask(server, asked)
            rates.append(BATCH / (time.perf_counter() - began))
        inexact += sum(not answer["exact"] for answer in answers)
        with oracle(workers=1) as server:
            compare(server, asked, answers)
    show_title(
        "Batches of Connect Four",
        f"{BATCH:,} different random positions of 0 to {EMPTY.game.cells - 1} plies in one request for their values,"
        f" on one worker that has\njust started; {rounds} rounds of other positions.",
    )
    rows: list[Row] = [("positions/s", "not exact", "budget")]
    rows.append((spread(rates), f"{inexact:,}", verdicts.judge("connect-four batch", median(rates))))
    show_table(rows)


def draw(seed: int) -> list[dict[str, Any]]:
    """Return the questions about different random positions of any number of plies."""
    games = [*islice(dict.fromkeys(random_games(4 * BATCH, range(EMPTY.game.cells), seed)), BATCH)]
    return [{"game": "connect-four", "moves": [*map(int, game)]} for game in games]


def ask(server: Server, asked: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the values of all positions, asked in one request."""
    body = json.dumps({"positions": asked, "detail": "value"}).encode()
    found: list[dict[str, Any]] = json.loads(post(server.connect(timeout=60), "/best-moves", body))["results"]
    return found


def compare(server: Server, asked: Sequence[dict[str, Any]], answers: Sequence[dict[str, Any]]) -> None:
    """End the run if a single request gives another value."""
    connection = server.connect(timeout=60)
    for number in range(0, BATCH, BATCH // SINGLY):
        one = json.loads(post(connection, "/best-move", json.dumps(asked[number]).encode()))
        if one["exact"] and answers[number]["exact"] and any(one[name] != answers[number][name] for name in VALUE):
            raise SystemExit(f"{asked[number]}: {answers[number]} in a batch, {one} alone")
