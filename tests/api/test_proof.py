"""``/proof``: certificates over HTTP, and the problems of those that there are not."""

import json
from typing import Any

import pytest

from service.app import create_app
from service.engine import line_engine
from service.settings import Settings
from tests.certificates import holds_in_python
from tests.contract import assert_matches, faults
from tests.edge_client import EdgeClient


def refused(client: EdgeClient, **body: Any) -> dict[str, Any]:
    """Return the problem document of a request that is refused with 422."""
    response = client.post("/proof", json=body)
    assert (response.status_code, response.mimetype) == (422, "application/problem+json")
    document: dict[str, Any] = response.get_json()
    assert_matches("ProblemDocument", document)
    return document


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"board": "XX..O...."},
        {"moves": ["b2", "a1"], "player": "x"},
        {"game": {"rows": 4, "columns": 4, "in_a_row": 3}},
        {"game": {"cells": 7, "lines": [[0, 1, 2], [0, 3, 4], [0, 5, 6], [1, 3, 5], [1, 4, 6]]}},
        {"board": "XXXOO...."},
    ],
    ids=str,
)
def test_a_certificate_is_lines_of_json_that_hold(client: EdgeClient, body: dict[str, Any]) -> None:
    response = client.post("/proof", json=body)
    assert (response.status_code, response.mimetype) == (200, "application/x-ndjson")
    assert response.headers["Cache-Control"] == "no-store"
    text = response.get_data(as_text=True)
    for line in text.splitlines():
        assert_matches("CertificateLine", json.loads(line))
    assert text.endswith("\n")
    assert holds_in_python(text)


def test_the_header_names_the_position_and_the_same_request_has_the_same_bytes(client: EdgeClient) -> None:
    header = json.loads(client.post("/proof", json={"board": "X...O....", "player": "X"}).data.partition(b"\n")[0])
    assert [0, 3, 6, 1, 4, 7, 2, 5, 8] in header.pop("symmetries")
    rules = {"rows": 3, "columns": 3, "layers": 1, "in_a_row": 3, "gravity": False, "misere": False, "wrap": False}
    position = {"position": "X...O....", "player": "X", "outcome": "draw"}
    assert header == {"certificate": 1, **rules, **position}
    body = {"game": "connect-four", "moves": "44444432266665512", "limit": {"time_ms": 60_000}}
    first, second = (client.post("/proof", json=body) for _ in range(2))
    assert (first.status_code, first.data) == (200, second.data)


def test_an_unproven_outcome_is_told_with_what_is_known(client: EdgeClient) -> None:
    document = refused(client, game="qubic", moves=[1], limit={"nodes": 100})
    assert document["type"] == "/problems/unproven"
    assert faults(document) == [("", "unproven")]
    assert document["detail"] == (
        "The outcome is not proven within the limit: no result is ruled out yet. "
        "Give a higher limit, or ask for a position later in the game."
    )


PARTLY_KNOWN = [
    ("five-in-a-row-6x6", "......X...O..O.XX..X..X.XO..O.X.O.O.", "O does not win, but may lose"),
    (
        {"rows": 7, "columns": 7, "in_a_row": 5},
        "..XO..OX...XOX.O.OOX...X...X..XOXXOOX.X..OXOO...O",
        "X does not lose, but may not win",
    ),
]


def test_an_outcome_of_which_something_is_proven_is_told_with_that(client: EdgeClient) -> None:
    for game, board, known in PARTLY_KNOWN:
        detail = refused(client, game=game, board=board, limit={"nodes": 50})["detail"]
        assert detail.startswith(f"The outcome is not proven within the limit: {known}. Give a higher limit")


def test_a_certificate_that_is_not_complete_in_time_is_told_with_its_size(client: EdgeClient) -> None:
    document = refused(client, game="connect-four-5x4", limit={"nodes": 60_000})
    assert document["type"] == "/problems/certificate-too-large"
    assert faults(document) == [("", "unfinished")]
    assert "had only grown to" in document["detail"]
    assert "Give a higher limit, or ask for a position later in the game." in document["detail"]


def test_a_certificate_with_too_many_entries_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(line_engine, "MOST_ENTRIES", 10)
    response = create_app(Settings()).test_client().post("/proof", json={})
    assert response.status_code == 422
    document = response.get_json()
    assert faults(document) == [("", "too-large")]
    assert "Ask for a position later in the game." in document["detail"]


def test_an_impossible_position_and_an_unknown_field_are_refused_as_everywhere(client: EdgeClient) -> None:
    assert refused(client, board="XXXX.....")["type"] == "/problems/impossible-position"
    assert faults(refused(client, seed=3)) == [("/seed", "unknown-field")]
    assert faults(refused(client, limit={"time_ms": 10**9})) == [("/limit/time_ms", "out-of-range")]
    assert client.get("/proof").status_code == 405
