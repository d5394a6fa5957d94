"""A server with more to search than it can do: who gets in, who waits, who is refused, and who never notices."""

import json
import os
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import Any

import httpx
import pytest

from service.api.responses import NDJSON, PROBLEM
from tests.contract import assert_matches
from tests.server.searches import DEEP, FOREVER, PATIENT, deep, numbers, wait_for
from tests.server.test_server import LIMITED
from tests.streams import MIMETYPES, read_lines
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
    before = numbers(full)["refused_total"]
    answer = ask(full, path, DEEP[path])
    assert (answer.status_code, answer.headers["content-type"]) == (503, PROBLEM)
    assert 1 <= int(answer.headers["retry-after"]) <= 60
    assert answer.headers["cache-control"] == "no-store"
    assert_matches("ProblemDocument", answer.json())
    assert answer.json()["type"] == "/problems/overloaded"
    # A search takes an hour, and there is an answer; how soon the refusal really comes is measured by the benchmark.
    assert numbers(full) == {"running": 2, "waiting": 2, "slots": 2, "refused_total": before + 1}


@pytest.mark.parametrize("path", ["/analysis", "/review"])
def test_a_stream_is_refused_before_its_first_line(full: Server, path: str) -> None:
    """On a busy machine the first line may be due before a refusal is known; then it is the last line."""
    for mimetype in MIMETYPES:
        (answer,) = wait_until(lambda mimetype=mimetype: if_refused(ask(full, path, DEEP[path], mimetype), mimetype))  # type: ignore[misc]
        assert answer.headers["content-type"] == PROBLEM
        assert int(answer.headers["retry-after"]) >= 1


def if_refused(answer: httpx.Response, mimetype: str) -> list[httpx.Response]:
    """The answer if it is refused before its first line; it is refused in any case."""
    if answer.status_code == 503:
        return [answer]
    *_, last = read_lines(mimetype, answer.text.split("\n")[:-1])
    assert last["problem"]["type"] == "/problems/overloaded"
    return []


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


def test_a_search_whose_time_ends_in_the_queue_is_answered_with_what_is_known(own: Server) -> None:
    with deep(own, 2):
        wait_for(own, running=2, waiting=0)
        answer = ask(own, "/best-move", {**DEEP["/best-move"], "limit": {"time_ms": 300}})
        assert (answer.status_code, answer.json()["proven"]) == (200, False)


def test_law_1_a_node_limited_answer_is_the_same_however_many_searches_run(own: Server) -> None:
    """Each is asked again and again, refused or not, until all have their answers."""
    asked = [*LIMITED.items()] * 3

    def until_answered(question: tuple[str, Any]) -> bytes:
        (answer,) = wait_until(lambda: unless_refused(ask(own, *question)), every=0.05)
        assert answer.status_code == 200
        return answer.content

    alone = [until_answered(question) for question in asked]
    with ExitStack() as stack, ThreadPoolExecutor(12) as crowd:
        stack.enter_context(deep(own, 1))
        wait_for(own, running=1, waiting=0)
        assert list(crowd.map(until_answered, asked)) == alone


def unless_refused(answer: httpx.Response) -> list[httpx.Response]:
    return [] if answer.status_code == 503 else [answer]


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


def test_two_threads_of_a_worker_are_free_of_searches_and_of_those_who_wait_for_them() -> None:
    room = {"THREADS": "4", "MAX_SEARCHES": "4", "MAX_QUEUED": "4"}
    with Server(workers=1, **room, **PATIENT) as server, deep(server, 2):
        wait_for(server, running=2, waiting=0)
        answer = ask(server, "/best-move", DEEP["/best-move"])
        assert answer.status_code == 503
        # One of those searches is asked for again: nobody can wait for it either.
        with ThreadPoolExecutor(8) as crowd:
            again = {"game": {"rows": 8, "columns": 8, "in_a_row": 5}, "moves": [1], "limit": FOREVER}
            answers = list(crowd.map(lambda _: ask(server, "/best-move", again), range(8)))
        assert [answer.status_code for answer in answers] == [503] * 8
        assert ask(server, "/best-move", {"board": "X...O...."}).json()["proven"]
        assert numbers(server)["running"] == 2


def test_a_stream_that_waits_tells_so_and_ends_with_the_problem_that_came_later(own: Server) -> None:
    """For nodes the clock stands still in the queue; who waits longer than it allows is refused."""
    with deep(own, 2):
        wait_for(own, running=2, waiting=0)
        limit = {"nodes": 10_000_000, "time_ms": 1500}
        answer = ask(own, "/analysis", {**DEEP["/analysis"], "limit": limit}, NDJSON)
    *progress, last = [json.loads(line) for line in answer.text.splitlines()]
    assert answer.status_code == 200
    assert progress
    assert [set(line) for line in progress] == [{"progress"}] * len(progress)
    assert last["problem"]["type"] == "/problems/overloaded"
    for line in (*progress, last):
        assert_matches("StreamLine", line)
