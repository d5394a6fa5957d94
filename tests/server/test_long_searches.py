"""Long searches behind a real server: they end with their client, and quick answers do not wait for them."""

import json
import signal
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import httpx
import psutil  # type: ignore[import-untyped]
import pytest

from tests.support import HOUR_MS, HUNG_SECONDS, Server, wait_until
from tests.wire import JSON, Connection, Reply, exchange, request

pytestmark = pytest.mark.verify

LARGE = {"rows": 8, "columns": 8, "in_a_row": 4, "gravity": True}
"""A game that nobody solves in an hour."""

LONG = {"game": LARGE, "moves": [], "limit": {"time_ms": int(HOUR_MS)}}

LONG_FOR_MANY = {
    "/best-move": LONG,
    "/analysis": LONG,
    "/best-moves": {"positions": [{"game": LARGE, "moves": [move]} for move in range(8)], "limit": LONG["limit"]},
    "/proof": LONG,
    "/review": {"game": LARGE, "moves": [0, 1, 0, 1], "limit": LONG["limit"]},
}
"""A body for each route that searches, which keeps it busy for an hour."""

WORK_SECONDS = 0.3
"""Processor time that says that a worker searches: all else here takes a hundredth of it."""


@pytest.fixture
def narrow() -> Iterator[Server]:
    """A server with one thread, which a search occupies."""
    with Server(workers=1, THREADS="1", MAX_TIME_MS=HOUR_MS) as server:
        yield server


@pytest.fixture
def wide() -> Iterator[Server]:
    with Server(workers=1, THREADS="4", MAX_TIME_MS=HOUR_MS) as server:
        yield server


@contextmanager
def searching(server: Server, requests: int, path: str = "/best-move") -> Iterator[list[Connection]]:
    """So many clients that each wait for a long search, once it runs."""
    assert exchange(server.port, request("GET", "/healthz")).status == 200
    (worker,) = psutil.Process(server.process.pid).children()
    used = sum(worker.cpu_times()[:2])
    with ExitStack() as stack:
        clients = [stack.enter_context(Connection(server.port, silence=HUNG_SECONDS)) for _ in range(requests)]
        for client in clients:
            client.send(request("POST", path, JSON, json.dumps(LONG_FOR_MANY[path]).encode()))
        wait_until(lambda: sum(worker.cpu_times()[:2]) - used > WORK_SECONDS)
        yield clients


def assert_a_thread_is_free(server: Server) -> None:
    """Fails unless a request is answered that needs a thread but no search."""
    assert httpx.get(f"{server.url}/games", timeout=HUNG_SECONDS).status_code == 200


def is_unproven(reply: Reply) -> bool:
    """Whether an answer says that it is not proven; one that would be a certificate then is a problem."""
    unproven = b'"type": "/problems/unproven"' if reply.status == 422 else b'"proven":false'
    return reply.status in (200, 422) and unproven in reply.body


@pytest.mark.parametrize("path", LONG_FOR_MANY)
def test_a_search_ends_when_its_client_leaves(narrow: Server, path: str) -> None:
    with searching(narrow, 1, path):
        pass
    assert_a_thread_is_free(narrow)


def test_a_search_ends_when_its_client_is_reset(narrow: Server) -> None:
    with searching(narrow, 1) as (client,):
        client.reset()
    assert_a_thread_is_free(narrow)


def test_searches_one_behind_another_end_when_their_client_leaves(narrow: Server) -> None:
    with searching(narrow, 1) as (client,):
        client.send(request("POST", "/best-move", JSON, json.dumps(LONG).encode()) * 2)
        assert exchange(narrow.port, request("GET", "/healthz")).status == 200  # by then they have arrived
    assert_a_thread_is_free(narrow)


def test_a_client_that_only_sends_no_more_gets_what_is_proven_until_then(wide: Server) -> None:
    with searching(wide, 1) as (client,):
        client.finish()
        assert is_unproven(client.reply())


@pytest.mark.parametrize("path", LONG_FOR_MANY)
def test_a_search_is_cut_off_in_time_when_the_service_is_stopped(path: str) -> None:
    with (
        Server(workers=1, GRACEFUL_TIMEOUT="10", MAX_TIME_MS=HOUR_MS) as server,
        searching(server, 1, path) as (client,),
    ):
        server.process.send_signal(signal.SIGTERM)
        assert is_unproven(client.reply())


def test_quick_answers_do_not_wait_for_long_searches(wide: Server) -> None:
    with searching(wide, 3):
        assert_a_thread_is_free(wide)
        answer = httpx.post(f"{wide.url}/best-move", json={"board": "X...O...."}, timeout=HUNG_SECONDS)
        assert answer.json()["proven"]


def test_those_who_ask_the_same_do_not_hold_each_other_up(wide: Server) -> None:
    with searching(wide, 1):
        answer = httpx.post(f"{wide.url}/best-move", json={**LONG, "limit": {"time_ms": 200}}, timeout=HUNG_SECONDS)
        assert not answer.json()["proven"]


def test_a_long_limit_is_kept_to_over_the_wire(wide: Server) -> None:
    answer = httpx.post(f"{wide.url}/best-move", json={**LONG, "limit": {"time_ms": 300}}, timeout=HUNG_SECONDS)
    assert answer.elapsed.total_seconds() > 0.25
    assert answer.json()["outcome"] == "unknown"
