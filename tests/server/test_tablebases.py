"""The workers of a server share the tables of families."""

import json
from pathlib import Path

import pytest

from tests.support import Server, wait_until
from tests.wire import exchange, request

pytestmark = pytest.mark.verify

BODY = {"game": "achi", "limit": {"time_ms": 60_000}}


def answers(server: Server, number: int) -> list[tuple[int, bytes]]:
    bodies = [json.dumps({**BODY, "seed": seed}).encode() for seed in range(number)]
    return [(reply.status, reply.body) for reply in (exchange(server.port, ask(body)) for body in bodies)]


def workers(server: Server) -> list[str]:
    return [line["message"].rsplit(" ", 1)[1] for line in server.log() if "Booting worker" in line["message"]]


def ask(body: bytes) -> bytes:
    return request("POST", "/best-move", body=body)


def test_two_workers_make_one_file_and_the_next_server_reads_it(tmp_path: Path) -> None:
    with Server(workers=2, TABLEBASES=str(tmp_path)) as server:
        first = answers(server, 30)
    (made,) = tmp_path.glob("*.table")
    before = made.stat().st_ino
    with Server(workers=2, TABLEBASES=str(tmp_path)) as server:
        assert answers(server, 30) == first
    assert made.stat().st_ino == before
    assert {status for status, _ in first} == {200}
    assert all(json.loads(body)["plies"] == 11 for _, body in first)


@pytest.mark.parametrize("place", ["none", "/proc/nowhere"])
def test_without_a_folder_the_answers_are_the_same(place: str) -> None:
    with Server(workers=2, TABLEBASES=place) as server:
        assert all(status == 200 and json.loads(body)["plies"] == 11 for status, body in answers(server, 10))


def test_a_folder_that_cannot_be_used_is_named_once_in_the_log() -> None:
    with Server(workers=2, TABLEBASES="/proc/nowhere") as server:
        (warning,) = (line["message"] for line in server.log() if line["level"] == "warning")
    assert warning.endswith("TABLEBASES cannot be used: /proc/nowhere cannot be made: No such file or directory")


LARGE = [
    {"family": "vanishing", "rows": rows, "columns": columns, "in_a_row": length, "remove": remove, "misere": misere}
    for rows, columns in ((4, 4), (4, 5), (5, 4), (3, 5), (5, 3), (3, 6), (6, 3))
    for length in (3, 4)
    for remove in ("before", "before-closed")
    for misere in (False, True)
    if length <= max(rows, columns)
]
"""Games of 800,000 to 8,000,000 positions, each of which takes a second to a minute to solve."""


def test_many_new_games_that_no_request_waits_for_take_one_thread_and_are_not_solved_later(tmp_path: Path) -> None:
    body = json.dumps({"positions": [{"game": game} for game in LARGE], "limit": {"time_ms": 1}}).encode()
    last = json.dumps({"game": "achi", "limit": {"time_ms": 60_000}}).encode()
    with Server(workers=1, TABLEBASES=str(tmp_path), THREADS="4", MAX_SEARCHES="1") as server:
        threads = Path(f"/proc/{wait_until(lambda: workers(server))[0]}/task")
        for _ in range(8):  # the threads of the server and of its search slot
            exchange(server.port, ask(last))
        before = len([*threads.iterdir()])
        assert {exchange(server.port, request("POST", "/best-moves", body=body)).status for _ in range(3)} <= {200, 503}
        assert len([*threads.iterdir()]) <= before + 4 + 1  # those of the server that were not needed before, and one
        assert json.loads(exchange(server.port, ask(last)).body)["plies"] == 11
        assert len([*tmp_path.glob("*.tmp")]) <= 1
