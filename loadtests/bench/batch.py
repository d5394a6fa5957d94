"""Many positions in one request against one request for each."""

import json
import time
from collections.abc import Sequence
from random import Random
from statistics import median

from loadtests.budgets import Verdicts
from loadtests.positions.questions import Answers, body_of
from loadtests.servers.processes import Server, oracle, post
from loadtests.tables import ratio, show_table, show_title, spread, times

BOARDS = 1000
"""In each batch: the most that one request takes."""

NEW, SEEN = "never asked", "asked before"


def show(verdicts: Verdicts, answers: Answers, rounds: int) -> None:
    """Print the boards a second both ways."""
    show_title(
        f"Boards a second on 3x3, in single requests and {BOARDS:,} in one request to /best-moves",
        f"One connection to one worker, {rounds} rounds on servers started anew.",
    )
    rows = [("", "singly", "together", "ratio", "budget")]
    for kind, rates in compare(answers, rounds).items():
        singly, together = zip(*rates, strict=True)
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
            singles, batch = boards[:BOARDS], boards[BOARDS:]
            request = json.dumps({"positions": [{"board": board} for board in batch]}).encode()
            results = b'{"results":[%b]}' % b",".join(answers[board] for board in batch)
            for rates in found.values():
                singly = _rate(server, "/best-move", [*map(body_of, singles)], [*map(answers.get, singles)])
                rates.append((singly, _rate(server, "/best-moves", [request], [results])))
    return found


def _rate(server: Server, path: str, bodies: Sequence[bytes], expected: Sequence[bytes | None]) -> float:
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
