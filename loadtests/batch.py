"""Many positions in one request against one request for each: boards a second, on one connection to one worker."""

import json
import time
from argparse import Namespace
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from http.client import HTTPConnection
from random import Random

from answers import Answers
from serving import LOOPBACK, Server, oracle
from tables import Row, ratio, show_table, show_title, spread, times, verdict

BOARDS = 1000
"""In each batch, which is the most that one takes."""

BUDGET = 30
"""At least so many times the boards a second of single requests."""

FIRST, AGAIN = "asked for the first time", "asked before"


@dataclass(frozen=True, slots=True)
class Rates:
    """Boards a second, one request for each and all in one request."""

    single: float
    together: float


def show(answers: Answers, options: Namespace) -> None:
    """Prints the rates of both ways to ask."""
    show_title(
        f"Boards a second on 3x3, in single requests and {BOARDS:,} in one request to /best-moves",
        f"One connection to one worker, {options.rounds} rounds on servers started anew.",
        f"bench.py --only batch --rounds {options.rounds}",
    )
    found = compare(answers, options.rounds)
    show_table([("", "singly", "together", "ratio", "budget"), *(_row(*row) for row in found.items())])


def _row(kind: str, rates: Sequence[Rates]) -> Row:
    singly, together = [each.single for each in rates], [each.together for each in rates]
    faster = ratio(together, singly)
    budget = verdict(f">= {BUDGET}x", holds=faster >= BUDGET)
    return kind, spread(singly), spread(together), times(faster, 1), budget


def compare(answers: Mapping[str, bytes], rounds: int) -> dict[str, list[Rates]]:
    """The rates of every round, each on a server started anew, which is asked everything twice."""
    found: dict[str, list[Rates]] = {FIRST: [], AGAIN: []}
    rng = Random(0)
    for _ in range(rounds):
        boards = rng.sample(sorted(answers), 2 * BOARDS)
        with oracle(workers=1) as server:
            for rates in found.values():
                single = _seconds_singly(server, boards[:BOARDS], answers)
                together = _seconds_together(server, boards[BOARDS:], answers)
                rates.append(Rates(BOARDS / single, BOARDS / together))
    return found


def _seconds_singly(server: Server, boards: Sequence[str], answers: Mapping[str, bytes]) -> float:
    bodies = [json.dumps({"board": board}) for board in boards]
    replies, seconds = _ask(server, "/best-move", bodies)
    _check(replies, boards, answers)
    return seconds


def _seconds_together(server: Server, boards: Sequence[str], answers: Mapping[str, bytes]) -> float:
    (reply,), seconds = _ask(server, "/best-moves", [json.dumps({"positions": [{"board": b} for b in boards]})])
    expected = b'{"results":[%b]}' % b",".join(answers[board] for board in boards)
    if reply != expected:
        raise SystemExit("POST /best-moves answers otherwise than POST /best-move")
    return seconds


def _check(replies: Sequence[bytes], boards: Sequence[str], answers: Mapping[str, bytes]) -> None:
    for reply, board in zip(replies, boards, strict=True):
        if reply != answers[board]:
            raise SystemExit(f"POST /best-move answers {board} with {reply!r}, not {answers[board]!r}")


def _ask(server: Server, path: str, bodies: Sequence[str]) -> tuple[list[bytes], float]:
    """The replies to the requests, one after the other on one connection, and how long that took."""
    connection = HTTPConnection(LOOPBACK, int(server.url.rsplit(":", 1)[1]), timeout=60)
    connection.connect()
    replies = []
    began = time.perf_counter()
    for body in bodies:
        connection.request("POST", path, body, {"Content-Type": "application/json"})
        replies.append(connection.getresponse().read())
    seconds = time.perf_counter() - began
    connection.close()
    return replies, seconds
