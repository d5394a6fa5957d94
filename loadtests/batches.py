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

TIME_MS = 30_000
"""The limit of the request, so that on a busy machine it takes longer, and still proves all values."""

VALUE = ("move", "outcome", "plies", "score")


def show(verdicts: Verdicts, rounds: int, seed: int, **_: object) -> None:
    """Print the positions a second. Ends the run if a single request is answered otherwise."""
    rates, inexact = list[float](), 0
    for number in range(rounds):
        asked = draw(seed + number)
        with oracle(workers=1) as server:
            began = time.perf_counter()
            answers = ask(server, asked)
            rates.append(BATCH / (time.perf_counter() - began))
        with oracle(workers=1) as server:
            singles = compare(server, asked, answers)
        inexact += sum(not answer["exact"] for answer in (*answers, *singles))
    show_title(
        "Batches of Connect Four",
        f"{BATCH:,} different random positions of 0 to {EMPTY.game.cells - 1} plies in one request for their values,"
        f" on one worker that has\njust started; {rounds} rounds of other positions.",
    )
    rows: list[Row] = [("positions/s", "budget")]
    rows.append((spread(rates), verdicts.judge("connect-four batch", median(rates))))
    rows.append((f"{inexact:,} not exact", verdicts.judge("connect-four not exact", inexact)))
    show_table(rows)


def draw(seed: int) -> list[dict[str, Any]]:
    """Return the questions about different random positions of any number of plies."""
    games = [*islice(dict.fromkeys(random_games(4 * BATCH, range(EMPTY.game.cells), seed)), BATCH)]
    return [{"game": "connect-four", "moves": [*map(int, game)]} for game in games]


def ask(server: Server, asked: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the values of all positions, asked in one request."""
    body = json.dumps({"positions": asked, "detail": "value", "limit": {"time_ms": TIME_MS}}).encode()
    found: list[dict[str, Any]] = json.loads(post(server.connect(timeout=60), "/best-moves", body))["results"]
    return found


def compare(server: Server, asked: Sequence[dict[str, Any]], answers: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the answers of single requests. Ends the run if an exact one differs from that of the batch."""
    connection, singles = server.connect(timeout=60), list[dict[str, Any]]()
    for question, answer in [*zip(asked, answers, strict=True)][:: BATCH // SINGLY]:
        one = json.loads(post(connection, "/best-move", json.dumps(question).encode()))
        if one["exact"] and answer["exact"] and any(one[name] != answer[name] for name in VALUE):
            raise SystemExit(f"{question}: {answer} in a batch, {one} alone")
        singles.append(one)
    return singles
