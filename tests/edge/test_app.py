"""The edge and plain Flask give the same answers; the edge alone knows how long a request took."""

import time
from typing import Any

import httpx
import pytest

from service.api.responses import NDJSON
from service.app import create_service
from service.settings import Settings
from tests.corpus import answer, corpus
from tests.edge_client import EdgeClient
from tests.support import HOUR_MS, HUNG_SECONDS, Server, sampled, wait_until
from tests.wire import Connection, request, wait_until_read

pytestmark = pytest.mark.verify

EVERY = sampled(15, 5)
"""One in so many requests of the corpus is asked; ``python -m tests.corpus`` asks all."""


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


def test_the_duration_of_a_request_includes_its_wait_for_a_thread(narrow: Server) -> None:
    """A request waits while a stream holds the only thread, for as long as some lines of that take."""
    endless = {"game": "qubic", "moves": [1], "limit": {"time_ms": int(HOUR_MS)}}
    waits = request("GET", "/games", {"X-Request-ID": "waits"})
    url, accept = f"{narrow.url}/analysis", {"Accept": NDJSON}
    with Connection(narrow.port) as waiting:
        with httpx.stream("POST", url, json=endless, headers=accept, timeout=HUNG_SECONDS) as stream:
            lines = stream.iter_lines()
            next(lines)
            waiting.send(waits)
            wait_until_read(narrow.port)
            arrived = time.monotonic()
            for _ in range(4):
                next(lines)
            waited = time.monotonic() - arrived
        assert waiting.reply().status == 200
    (line,) = wait_until(lambda: [line for line in narrow.log() if line.get("request_id") == "waits"])
    assert line["duration_ms"] >= waited * 1000
