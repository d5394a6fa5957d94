"""The edge and plain Flask give the same answers; the edge alone knows how long a request took."""

import json
from typing import Any

import pytest

from service.app import create_service
from service.settings import Settings
from tests.corpus import answer, corpus
from tests.edge_client import EdgeClient
from tests.support import Server, wait_until
from tests.wire import JSON, Connection, request

EVERY = 5
"""One in so many requests of the corpus is asked, which takes half a minute; ``python -m tests.corpus`` asks all."""


def test_the_edge_can_be_deleted_and_the_service_is_still_right(monkeypatch: pytest.MonkeyPatch) -> None:
    def without_slots(settings: Settings) -> Any:
        return create_service(settings, search_slots=False)

    monkeypatch.setattr("tests.edge_client.create_service", without_slots)
    edge: Any = EdgeClient(Settings())
    flask = without_slots(Settings()).flask.test_client()
    for asked in [*corpus()][::EVERY]:
        if asked.path.startswith("//"):  # werkzeug's test client takes it for a host
            continue
        cold, warm, plain = answer(edge, asked), answer(edge, asked), answer(flask, asked)
        assert cold == warm == plain


def test_the_duration_of_a_request_includes_its_wait_for_a_thread() -> None:
    slow = {"game": "qubic", "moves": [0], "limit": {"nodes": 300_000}}
    with Server(workers=1, THREADS="1") as server, Connection(server.port) as one, Connection(server.port) as other:
        for number, connection in enumerate((one, other)):
            body = json.dumps({**slow, "moves": [number]}).encode()
            connection.send(request("POST", "/analysis", {**JSON, "X-Request-ID": f"slow-{number}"}, body))
        for connection in (one, other):
            assert connection.reply().status == 200

        def lines() -> list[dict[str, Any]]:
            found = [line for line in server.log() if line.get("request_id", "").startswith("slow-")]
            return found if len(found) == 2 else []

        first, second = (line["duration_ms"] for line in wait_until(lines))
    assert second > 1.5 * first
