"""What every response carries: an id, the headers that browsers need, and its place in the metrics."""

import re

import pytest
from flask.testing import FlaskClient

from service.app import create_app
from service.settings import Settings


def test_every_response_has_an_id_of_its_own(client: FlaskClient) -> None:
    ids = {client.get(path).headers["X-Request-ID"] for path in ("/version", "/version", "/nothing")}
    assert len(ids) == 3
    assert all(re.fullmatch("[0-9a-f]{16}", given) for given in ids)


def test_an_id_that_the_client_gave_is_returned(client: FlaskClient) -> None:
    assert client.get("/version", headers={"X-Request-ID": "abc-123"}).headers["X-Request-ID"] == "abc-123"


@pytest.mark.parametrize("given", ["", "with space", "x" * 129, "caf\u00e9", "tab\t"])
def test_an_id_that_is_not_fit_to_be_logged_is_replaced(client: FlaskClient, given: str) -> None:
    assert client.get("/version", headers={"X-Request-ID": given}).headers["X-Request-ID"] != given


def test_an_answer_from_memory_has_an_id_of_its_own(client: FlaskClient) -> None:
    first, second = (client.get("/best-move?board=X.......O") for _ in range(2))
    assert first.headers["X-Request-ID"] != second.headers["X-Request-ID"]


@pytest.mark.parametrize("path", ["/best-move?board=.........", "/nothing", "/best-move?board=Z"])
def test_pages_of_any_origin_may_read_every_answer(client: FlaskClient, path: str) -> None:
    headers = client.get(path).headers
    assert headers["Access-Control-Allow-Origin"] == "*"
    assert "X-Request-ID" in headers["Access-Control-Expose-Headers"]


def test_a_browsers_pre_flight_is_answered() -> None:
    client = create_app(Settings(cors_origin="https://example.org")).test_client()
    asked = {"Origin": "https://example.org", "Access-Control-Request-Method": "POST"}
    response = client.options("/best-move", headers=asked)
    assert (response.status_code, response.data) == (204, b"")
    assert response.headers["Access-Control-Allow-Origin"] == "https://example.org"
    assert "POST" in response.headers["Access-Control-Allow-Methods"]
    assert "Content-Type" in response.headers["Access-Control-Allow-Headers"]
    assert "POST" in response.headers["Allow"]


def test_cors_can_be_turned_off() -> None:
    headers = create_app(Settings(cors_origin="none")).test_client().get("/version").headers
    assert not [name for name, _ in headers if name.startswith("Access-Control")]


def test_no_response_lets_a_browser_guess_its_type(client: FlaskClient) -> None:
    assert client.get("/version").headers["X-Content-Type-Options"] == "nosniff"
