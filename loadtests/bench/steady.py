"""Requests about 3x3 at a steady rate: how long their answers take beside other load."""

import json
import time
from collections.abc import Sequence
from typing import NamedTuple

from loadtests.positions.answers import body_of
from loadtests.servers.processes import Server, post

RATE = 400
"""Requests a second about 3x3: a few per cent of what one worker can answer."""

REQUESTS = 2000
"""Of each round, on one connection."""


class Latency(NamedTuple):
    """The latency of the answers of one round."""

    p50_ms: float
    p99_ms: float


def ask_steadily(server: Server, boards: Sequence[str]) -> Latency:
    """Return the latency of answers to requests sent at the rate, or one after the other where that is too fast."""
    taken = []
    connection = server.connect()
    connection.connect()
    began = time.perf_counter()
    for number, board in enumerate(boards):
        time.sleep(max(0.0, began + number / RATE - time.perf_counter()))
        sent = time.perf_counter()
        answer = post(connection, "/best-move", body_of(board))
        taken.append(time.perf_counter() - sent)
        if not json.loads(answer)["proven"]:
            raise SystemExit(f"3x3 was not proven: {answer!r}")
    connection.close()
    taken.sort()
    return Latency(1000 * taken[len(taken) // 2], 1000 * taken[len(taken) * 99 // 100])
