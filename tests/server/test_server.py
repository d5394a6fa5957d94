"""What a real server sends and logs: whatever arrives is answered by the contract, and every line can be read."""

import json
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families

from service.metrics import Metrics
from tests.hostile import BODY, ODD_TARGETS, REFUSED, TOO_LARGE, assert_refused
from tests.support import HOUR_MS, Server, wait_until
from tests.wire import JSON, Connection, exchange, post, post_chunked, request
from tests.worlds import WIDE

BEST_MOVE = "/best-move?board=X...O...."


def logged(server: Server, request_id: str) -> dict[str, Any]:
    """The one line about a request; it is written after the last byte of the response."""
    (line,) = wait_until(lambda: [line for line in server.log() if line.get("request_id") == request_id])
    return line


# The log.


@pytest.mark.verify
def test_what_is_hardly_http_gets_problem_documents_and_every_line_of_the_log_is_a_json_object() -> None:
    with Server() as server:
        for status, table in ((400, REFUSED), (431, TOO_LARGE)):
            for data in table.values():
                assert_refused(exchange(server.port, data), status)
        for status, method, target in ODD_TARGETS.values():
            assert exchange(server.port, request(method, target), to=method).status == status, target
        exchange(server.port, post(b"[" * 60_000))
        assert server.stop() == 0
    lines = server.log()
    assert all({"time", "level", "logger", "message"} <= set(line) for line in lines)
    assert lines[0]["message"].startswith("Starting gunicorn")
    assert lines[-1]["message"].startswith("Shutting down")
    assert not any("Error" in line["message"] for line in lines)


def test_a_request_is_logged_with_all_that_tells_it_from_others(server: Server) -> None:
    for method, target, route, status in (
        ("HEAD", BEST_MOVE, "/best-move", 200),
        ("GET", "/games/go", "/games/{id}", 404),
        ("PUT", "/games", None, 405),
    ):
        given, sent = f"{method}-{target}", time.monotonic()
        reply = exchange(server.port, request(method, target, {"X-Request-ID": given}), to=method)
        assert reply.headers["x-request-id"] == given
        line = logged(server, given)
        told = (line["method"], line["path"], line["route"], line["status"], line["client"])
        assert told == (method, target.split("?", maxsplit=1)[0], route, status, "127.0.0.1")
        assert 0 < line["duration_ms"] < (time.monotonic() - sent) * 1000


# The metrics.


def samples(server: Server) -> dict[tuple[str, ...], float]:
    """The number of requests by method, route and status, as a fresh connection is told."""
    text = exchange(server.port, request("GET", "/metrics")).body.decode()
    return {
        (sample.labels["method"], sample.labels["route"], sample.labels["status"]): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
        if sample.name == "move_oracle_request_seconds_count"
    }


@pytest.mark.verify
def test_whichever_worker_is_asked_knows_the_requests_of_all() -> None:
    counted = ("POST", "/best-move", "200")
    with Server(workers=3) as server, ThreadPoolExecutor(6) as clients:
        for asked in range(60, 301, 60):
            for reply in clients.map(lambda _: exchange(server.port, post(BODY)), range(60)):
                assert reply.status == 200
            wait_until(lambda asked=asked: samples(server).get(counted) == asked)  # type: ignore[misc]
            assert [samples(server)[counted] for _ in range(12)] == [asked] * 12


LIMITED = {
    "/best-move": {"game": WIDE, "moves": [3, 3, 2], "limit": {"nodes": 20_000}},
    "/analysis": {"game": "connect-four-5x5", "moves": [2, 2], "limit": {"nodes": 20_000}},
    "/best-moves": {"positions": [{"game": "qubic", "moves": [1]}, {"board": "X........"}], "limit": {"nodes": 9_000}},
    "/proof": {"game": "connect-four-5x4", "moves": [2, 2, 1], "limit": {"nodes": 100_000}},
    "/review": {"game": "connect-four-5x4", "moves": [2, 2, 1, 3, 3], "limit": {"nodes": 30_000}},
    "/position.svg": {"game": "connect-four-6x5", "moves": "4453", "show": ["evaluation"], "limit": {"nodes": 20_000}},
    "/random-position": {"game": "qubic", "plies_at_most": 30, "seed": 3},
}
"""Questions of which each has one answer, though not all of it is proven."""


@pytest.mark.verify
def test_law_1_one_worker_and_eight_give_the_same_bytes_however_many_ask() -> None:
    """With less room than there are clients: each asks again until it is not refused."""
    asked = [request("POST", path, JSON, json.dumps(body).encode()) for path, body in LIMITED.items()]
    unhurried = {"DEFAULT_TIME_MS": HOUR_MS, "MAX_TIME_MS": HOUR_MS}

    def answer(port: int, data: bytes) -> bytes:
        (reply,) = wait_until(lambda: [each for each in [exchange(port, data)] if each.status != 503], every=0.05)
        return reply.body

    with Server(workers=1, **unhurried) as one:
        alone = [answer(one.port, data) for data in asked]
    with Server(workers=8, **unhurried) as eight, ThreadPoolExecutor(12) as clients:
        assert list(clients.map(lambda data: answer(eight.port, data), asked * 12)) == alone * 12


def test_exactly_the_metrics_that_are_declared_are_exposed_with_their_descriptions(server: Server) -> None:
    declared = {
        family.name: family.documentation
        for metric in vars(Metrics()).values()
        if hasattr(metric, "describe")
        for family in metric.describe()
    }
    exchange(server.port, post(BODY))
    exchange(server.port, post(b'{"game": "tic-tac-toe-4x4", "board": "X..............."}'))

    def exposed() -> dict[str, str]:
        text = exchange(server.port, request("GET", "/metrics")).body.decode()
        found = {family.name: family for family in text_string_to_metric_families(text)}
        processes = found.pop("process_cpu_seconds").samples
        assert len({sample.labels["pid"] for sample in processes}) == 1 + len(server.workers())
        return {name: family.documentation for name, family in found.items() if not name.startswith("process_")}

    wait_until(lambda: exposed() == declared)


# What HTTP asks of a server.


def test_no_header_can_change_which_route_is_taken(server: Server) -> None:
    names = ("SCRIPT_NAME", "SCRIPT-NAME", "PATH_INFO", "PATH-INFO", "REQUEST_METHOD")
    for target in ("/healthz", "/version"):
        plain, changed = (request("GET", target, headers) for headers in ({}, dict.fromkeys(names, "/elsewhere")))
        assert exchange(server.port, changed).json() == exchange(server.port, plain).json()


@pytest.mark.parametrize(
    "data", [post(b" " * (10 << 20)), post_chunked([b" " * 100_000] * 105)], ids=["with its length", "in chunks"]
)
def test_who_sends_far_too_much_can_read_why_it_is_refused(server: Server, data: bytes) -> None:
    assert_refused(exchange(server.port, data), 413)


@pytest.mark.parametrize("size", [100, 65_536, 1_048_577])
def test_a_connection_that_is_kept_can_be_used_again(server: Server, size: int) -> None:
    """Whatever was refused, read or unread: either the reply announces the end, or the next request is answered."""
    for method, kind in product(("POST", "GET", "PUT"), ("application/json", "text/html")):
        with Connection(server.port) as connection:
            refused = connection.ask(request(method, "/best-move?moves=99", {"Content-Type": kind}, b"[" * size))
            assert 400 <= refused.status < 500
            if refused.headers.get("connection") == "close":
                assert connection.is_closed()
            else:
                assert connection.ask(request("GET", "/healthz")).status == 200
