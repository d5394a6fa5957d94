"""The searches of a request are gone at its end, without the help of the garbage collector."""

import gc
from collections.abc import Iterator

import pytest
from flask.testing import FlaskClient

from service.api.responses import EVENTS, JSON, NDJSON
from service.app import create_app
from service.kernel.alpha_beta.search import Search
from service.settings import Settings

LONG = {"game": "qubic", "moves": [0, 21, 5], "limit": {"time_ms": 60}}
"""A question that spends the light budget, and then runs on in a slot."""


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    return create_app(Settings(books="none")).test_client()


@pytest.fixture(autouse=True)
def _without_collector() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def searches() -> int:
    return sum(isinstance(each, Search) for each in gc.get_objects())


@pytest.mark.parametrize(
    ("path", "accept"), [("/best-move", JSON), ("/analysis", JSON), ("/analysis", NDJSON), ("/analysis", EVENTS)]
)
def test_no_search_is_left_behind(client: FlaskClient, path: str, accept: str) -> None:
    before = searches()
    response = client.post(path, json=LONG, headers={"Accept": accept})
    assert response.status_code == 200
    assert response.data
    response.close()
    assert searches() == before
