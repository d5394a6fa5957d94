"""The workers of a server share the tables of families."""

import json
from pathlib import Path

import pytest

from tests.support import Server, wait_until
from tests.wire import exchange, request

pytestmark = pytest.mark.verify

QUESTION = {"game": "achi", "limit": {"time_ms": 60_000}}


def answers(server: Server, number: int) -> list[bytes]:
    """What is answered to a question that needs a table, by whichever worker."""
    found = []
    for seed in range(number):
        reply = exchange(
            server.port, request("POST", "/best-move", body=json.dumps({**QUESTION, "seed": seed}).encode())
        )
        assert (reply.status, reply.json()["plies"]) == (200, 11)
        found.append(reply.body)
    return found


LARGE = [
    {"family": "vanishing", "rows": rows, "columns": columns, "in_a_row": 3, "remove": remove, "misere": misere}
    for rows, columns in ((4, 4), (4, 5), (5, 4), (3, 5), (5, 3), (3, 6), (6, 3))
    for remove in ("before", "before-closed")
    for misere in (False, True)
]
"""Games of 800,000 to 8,000,000 positions, each of which takes a second to a minute to solve."""


def test_many_new_games_that_no_request_waits_for_take_one_thread_and_are_not_solved_later(tmp_path: Path) -> None:
    body = json.dumps({"positions": [{"game": game} for game in LARGE], "limit": {"time_ms": 1}}).encode()
    with Server(workers=1, TABLEBASES=str(tmp_path), THREADS="4", MAX_SEARCHES="1") as server:
        threads = Path(f"/proc/{wait_until(server.workers)[0]}/task")
        answers(server, 8)  # the threads of the server and of its search slot
        before = len([*threads.iterdir()])
        assert {exchange(server.port, request("POST", "/best-moves", body=body)).status for _ in range(3)} <= {200, 503}
        assert len([*threads.iterdir()]) <= before + 4 + 1  # those of the server that were not needed before, and one
        answers(server, 1)
        assert len([*tmp_path.glob("*.tmp")]) <= 1
