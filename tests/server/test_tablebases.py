"""The workers of a server share the tables of families."""

import json
from pathlib import Path

import pytest

from tests.support import Server
from tests.wire import exchange, request

pytestmark = pytest.mark.verify

BODY = {"game": "achi", "limit": {"time_ms": 60_000}}


def answers(server: Server, number: int) -> list[tuple[int, bytes]]:
    bodies = [json.dumps({**BODY, "seed": seed}).encode() for seed in range(number)]
    return [(reply.status, reply.body) for reply in (exchange(server.port, ask(body)) for body in bodies)]


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
