"""Faults in front of Flask: each is answered with the same problem document as one behind it, and logged."""

import asyncio
import json
import logging
import re
import threading
from threading import Event
from typing import Any

import pytest

from service.api.routes.operations import PROBES
from service.edge.app import Edge
from service.edge.flask_threads import FlaskThreads
from service.games.catalogue import DEFAULT_GAME
from service.settings import Settings
from tests.contract import assert_matches
from tests.edge_client import EdgeClient


def refuse_threads(*_: Any, **__: Any) -> None:
    """Fail as Python does where the system starts no thread."""
    raise RuntimeError("can't start new thread")


@pytest.mark.parametrize("path", ["/games", "/best-move?board=.........", "/mcp"])
def test_a_fault_of_the_edge_is_a_problem_and_is_logged(
    path: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    client = EdgeClient(Settings())
    monkeypatch.setattr(Edge, "_answer", refuse_threads)
    monkeypatch.setattr(Edge, "_answer_mcp", refuse_threads)
    with caplog.at_level(logging.ERROR):
        response = client.get(path, headers={"X-Request-ID": "one"})
    assert (response.status_code, response.mimetype) == (500, "application/problem+json")
    assert_matches("ProblemDocument", response.get_json())
    assert (response.get_json()["type"], response.headers["X-Request-ID"]) == ("/problems/internal-error", "one")
    assert "thread" not in response.get_data(as_text=True)
    assert "can't start new thread" in caplog.text


def test_a_thread_that_does_not_start_is_a_problem_and_is_counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    client = EdgeClient(Settings())
    with monkeypatch.context() as patch:
        patch.setattr("threading.Thread.start", refuse_threads)
        assert client.get("/games").status_code == 500
    for number in range(50):
        client.open(f"/{number}", method=f"BREW{number}")  # which are other labels than they might invent
    counts = re.findall(r"request_seconds_count({.*}) (.*)", client.get("/metrics").get_data(as_text=True))
    assert counts == [
        ('{method="GET",route="(none)",status="500"}', "1.0"),
        ('{method="other",route="(none)",status="404"}', "50.0"),
    ]


def started(edge: Edge) -> list[dict[str, Any]]:
    """Return what the server of a worker is told until the worker has started and ends."""
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return {"type": "lifespan.shutdown" if sent else "lifespan.startup"}

    async def send(message: Any) -> None:
        sent.append(message)

    asyncio.run(edge({"type": "lifespan"}, receive, send))
    return sent


def test_the_threads_of_a_worker_start_with_it_or_it_says_that_they_do_not(monkeypatch: pytest.MonkeyPatch) -> None:
    before = {*threading.enumerate()}
    client = EdgeClient(Settings(threads=5))  # its threads end with it
    first, *_ = started(client.edge)
    assert first["type"] == "lifespan.startup.complete"
    assert len({*threading.enumerate()} - before) >= 5
    edge = EdgeClient(Settings(threads=5)).edge
    monkeypatch.setattr(edge._flask._executor, "submit", refuse_threads)  # noqa: SLF001
    (message,) = started(edge)
    assert message["type"] == "lifespan.startup.failed"
    assert "can't start new thread" in message["message"]


def test_a_worker_answers_a_batch_before_it_is_ready_and_does_not_count_it(monkeypatch: pytest.MonkeyPatch) -> None:
    client = EdgeClient(Settings())
    client.edge._tables.fill(DEFAULT_GAME)  # noqa: SLF001
    ask, bodies = FlaskThreads.ask, list[bytes | None]()

    async def note(threads: FlaskThreads, path: str, body: bytes) -> None:
        bodies.append(await ask(threads, path, body))

    monkeypatch.setattr(FlaskThreads, "ask", note)
    assert started(client.edge)[0]["type"] == "lifespan.startup.complete"
    answers = json.loads(bodies[0] or b"")["results"]
    assert len(answers) > 500
    assert all(answer["exact"] for answer in answers)
    metrics = client.service.flask.test_client().get("/metrics").get_data(as_text=True)
    assert "_count{" not in metrics


# Probes.


def test_a_probe_is_answered_while_every_thread_is_busy() -> None:
    client = EdgeClient(Settings(threads=1))
    entered, released = Event(), Event()

    def block() -> None:
        entered.set()
        released.wait()

    blocked = client.edge._flask._executor.submit(block)  # noqa: SLF001
    entered.wait()
    try:
        responses = {path: client.get(path) for path in PROBES}
    finally:
        released.set()
        blocked.result()
    assert {path: (each.status_code, each.data) for path, each in responses.items()} == {
        path: (200, body) for path, body in PROBES.items()
    }


# Pages of other origins.


@pytest.mark.parametrize(
    ("origin", "to_all", "to_operators"),
    [("*", "*", None), ("none", None, None), ("https://page.example", "https://page.example", "https://page.example")],
)
def test_what_operators_ask_is_not_for_every_page_that_they_visit(
    origin: str, to_all: str | None, to_operators: str | None
) -> None:
    client = EdgeClient(Settings(cors_origin=origin))
    for path, allowed in (("/version", to_operators), ("/metrics", to_operators), ("/games", to_all)):
        for method in ("GET", "HEAD", "OPTIONS"):
            response = client.open(path, method=method, headers={"Origin": "https://page.example"})
            assert response.headers.get("Access-Control-Allow-Origin") == allowed, (path, method)
