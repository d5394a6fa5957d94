"""The edge and plain Flask give the same answers."""

from typing import Any

import pytest

from service.app import create_service
from service.settings import Settings
from tests.corpus import answer, corpus
from tests.edge_client import EdgeClient
from tests.support import sampled

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
