"""Many positions in one request against one request for each."""

import json
import time
from collections.abc import Sequence
from random import Random
from statistics import median

from loadtests.bench.options import Options
from loadtests.budgets import Verdicts
from loadtests.positions.questions import Answers, body_of
from loadtests.servers.processes import Server, oracle, post
from loadtests.tables import ratio, show_table, show_title, spread, times

BOARDS = 1000
"""In each batch: the most that one request takes."""

NEW, SEEN = "never asked", "asked before"


def show(options: Options, verdicts: Verdicts) -> None:
    """Print the boards a second both ways."""
    show_title(
        f"Boards a second on 3x3, in single requests and {BOARDS:,} in one request to /best-moves",
        f"One connection to one worker, {options.rounds} rounds on servers started anew.",
    )
    rows = [("", "singly", "together", "ratio", "budget")]
    for kind, rounds in compare(options.answers, options.rounds).items():
        singly, together = zip(*rounds, strict=True)
        faster = ratio(together, singly)
        judged = verdicts.judge("batch", median(together)) if kind == NEW else ""
        rows.append((kind, spread(singly), spread(together), times(faster), judged))
    show_table(rows)


def compare(answers: Answers, rounds: int) -> dict[str, list[tuple[float, float]]]:
    """Return the boards a second, singly and together, of every round; each board is asked about twice."""
    found: dict[str, list[tuple[float, float]]] = {NEW: [], SEEN: []}
    rng = Random(0)
    for _ in range(rounds):
        boards = rng.sample(sorted(answers), 2 * BOARDS)
        with oracle(workers=1) as server:
            for rates in found.values():
                singly = _rate(server, "/best-move", *_single_requests(boards[:BOARDS], answers))
                together = _rate(server, "/best-moves", *_batch(boards[BOARDS:], answers))
                rates.append((singly, together))
    return found


def _single_requests(boards: Sequence[str], answers: Answers) -> tuple[list[bytes], list[bytes]]:
    return [body_of(board) for board in boards], [answers[board] for board in boards]


def _batch(boards: Sequence[str], answers: Answers) -> tuple[list[bytes], list[bytes]]:
    request = json.dumps({"positions": [{"board": board} for board in boards]}).encode()
    return [request], [b'{"results":[%b]}' % b",".join(answers[board] for board in boards)]


def _rate(server: Server, path: str, bodies: Sequence[bytes], expected: Sequence[bytes]) -> float:
    """Return the boards a second on one connection. Ends the run if an answer is wrong."""
    connection = server.connect()
    connection.connect()
    began = time.perf_counter()
    replies = [post(connection, path, body) for body in bodies]
    seconds = time.perf_counter() - began
    connection.close()
    if replies != list(expected):
        raise SystemExit(f"POST {path} answers otherwise than POST /best-move in process")
    return BOARDS / seconds
