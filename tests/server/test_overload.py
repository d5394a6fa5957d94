"""A server with more to search than it can do: who gets in, who waits, who is refused, and who never notices."""

import json
import os
import signal
from collections.abc import Iterator
from contextlib import ExitStack

import httpx
import pytest

from service.api.responses import NDJSON, PROBLEM
from tests.contract import assert_matches
from tests.server.searches import DEEP, PATIENT, deep, numbers, wait_for
from tests.streams import MIMETYPES
from tests.support import HUNG_SECONDS, Server, wait_until

pytestmark = pytest.mark.verify


def ask(server: Server, path: str, body: object, accept: str = "*/*") -> httpx.Response:
    return httpx.post(f"{server.url}{path}", json=body, headers={"Accept": accept}, timeout=HUNG_SECONDS)


@pytest.fixture(scope="module")
def own() -> Iterator[Server]:
    with Server(workers=1, MAX_SEARCHES="2", MAX_QUEUED="2", **PATIENT) as server:
        yield server


@pytest.fixture
def full(own: Server) -> Iterator[Server]:
    """A server on which two searches run and two wait."""
    with deep(own, 4):
        wait_for(own, running=2, waiting=2)
        yield own
    wait_for(own, running=0, waiting=0)


@pytest.mark.parametrize("path", DEEP)
def test_where_every_place_is_taken_the_next_search_is_refused_at_once(full: Server, path: str) -> None:
    before = numbers(full)["refusals"]
    answer = ask(full, path, DEEP[path])
    assert (answer.status_code, answer.headers["content-type"]) == (503, PROBLEM)
    assert 1 <= int(answer.headers["retry-after"]) <= 60
    assert answer.headers["cache-control"] == "no-store"
    assert_matches("ProblemDocument", answer.json())
    assert answer.json()["type"] == "/problems/overloaded"
    # A search takes an hour, and there is an answer; how soon the refusal really comes is measured by the benchmark.
    assert numbers(full) == {"running": 2, "waiting": 2, "slots": 2, "refusals": before + 1}


@pytest.mark.parametrize("mimetype", MIMETYPES)
@pytest.mark.parametrize("path", ["/analysis", "/review"])
def test_a_stream_is_refused_before_its_first_line(full: Server, path: str, mimetype: str) -> None:
    """On a busy machine the first line may be due before a refusal is known, so it is asked again."""

    def refused() -> list[httpx.Headers]:
        answer = ask(full, path, DEEP[path], mimetype)
        return [answer.headers] if answer.status_code == 503 else []

    (headers,) = wait_until(refused)
    assert headers["content-type"] == PROBLEM
    assert int(headers["retry-after"]) >= 1


def test_what_needs_no_heavy_search_is_answered_as_ever(full: Server) -> None:
    for number in range(9):
        board = "." * number + "X" + "." * (8 - number)
        assert ask(full, "/best-move", {"board": board}).json()["proven"]
        assert ask(full, "/analysis", {"board": board}).json()["proven"]
    assert ask(full, "/best-move", {"game": "tic-tac-toe-4x4", "board": "." * 16}).json()["outcome"] == "draw"
    assert ask(full, "/best-move", {"game": "qubic", "moves": [60], "limit": {"nodes": 1000}}).status_code == 200
    for path in ("/healthz", "/readyz", "/version", "/games", "/"):
        assert httpx.get(f"{full.url}{path}", timeout=HUNG_SECONDS).status_code == 200


def test_who_leaves_makes_room_whether_running_or_waiting(own: Server) -> None:
    with deep(own, 2) as runners:
        wait_for(own, running=2, waiting=0)
        with deep(own, 2, first=2):
            wait_for(own, running=2, waiting=2)
        wait_for(own, running=2, waiting=0)
        with deep(own, 1, first=4):
            wait_for(own, running=2, waiting=1)
            runners[0].close()
            wait_for(own, running=2, waiting=0)
    wait_for(own, running=0, waiting=0)


def test_each_worker_has_its_share_of_the_slots_and_of_the_queue_and_forgets_those_of_one_that_is_killed() -> None:
    with Server(workers=2, MAX_SEARCHES="4", MAX_QUEUED="2", **PATIENT) as server, ExitStack() as clients:
        assert numbers(server)["slots"] == 4
        for number in range(64):  # on whichever worker; those that find their worker full are refused
            clients.enter_context(deep(server, 1, first=number))
            now = numbers(server)
            if number >= 16 and (now["running"], now["waiting"]) == (4, 2):
                break
        wait_for(server, running=4, waiting=2)
        os.kill(server.workers()[0], signal.SIGKILL)
        wait_for(server, running=2, waiting=1)
        os.kill(server.workers()[1], signal.SIGKILL)
        wait_for(server, running=0, waiting=0)
        with deep(server, 1):
            wait_for(server, running=1, waiting=0)


def test_a_stream_that_waits_tells_so_and_ends_with_the_problem_that_came_later(own: Server) -> None:
    """For nodes the clock stands still in the queue; who waits longer than it allows is refused."""
    with deep(own, 2):
        wait_for(own, running=2, waiting=0)
        limit = {"nodes": 10_000_000, "time_ms": 1500}
        answer = ask(own, "/analysis/stream", {**DEEP["/analysis"], "limit": limit}, NDJSON)
    *progress, last = [json.loads(line) for line in answer.text.splitlines()]
    assert answer.status_code == 200
    assert progress
    assert [set(line) for line in progress] == [{"progress"}] * len(progress)
    assert last["problem"]["type"] == "/problems/overloaded"
    for line in (*progress, last):
        assert_matches("StreamLine", line)
