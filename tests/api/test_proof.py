"""``/proof``: certificates over HTTP, and the problems of those that there are not."""

import json
from typing import Any

import pytest

from service.app import create_app
from service.engine import engine
from service.settings import Settings
from tests.certificates import holds_in_python
from tests.contract import assert_matches, faults
from tests.edge_client import EdgeClient

PROVEN: list[dict[str, Any]] = [
    *({}, {"board": "XX..O...."}, {"moves": ["b2", "a1"], "player": "x"}, {"board": "XXXOO...."}),
    {"game": {"rows": 4, "columns": 4, "in_a_row": 3}},
    {"game": {"cells": 7, "lines": [[0, 1, 2], [0, 3, 4], [0, 5, 6], [1, 3, 5], [1, 4, 6]]}},
    {"game": "achi", "moves": [4, 0]},
    {"game": {"family": "vanishing", "rows": 2, "columns": 3, "marks": 2}},
    {"game": "numerical-tic-tac-toe", "moves": ["5@4", "2@0"]},
    {"game": "order-and-chaos-6x6-exactly", "moves": ["X14"]},
    {"game": "notakto-2", "moves": ["0.4"]},
    {"game": "pop-out-4x4", "moves": ["d0", "d0", "d1", "d1", "d2"]},
]


@pytest.mark.parametrize("body", PROVEN, ids=str)
def test_law_9_a_certificate_is_lines_of_json_that_hold(client: EdgeClient, body: dict[str, Any]) -> None:
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
    assert header == {"certificate": 2, **rules, **position}
    body = {"game": "connect-four", "moves": "44444432266665512", "limit": {"time_ms": 60_000}}
    first, second = (client.post("/proof", json=body) for _ in range(2))
    assert (first.status_code, first.data) == (200, second.data)


def test_a_family_has_the_switches_of_its_rules_in_the_header_and_its_own_names_of_moves(client: EdgeClient) -> None:
    header, claim, *entries = client.post("/proof", json={"game": "achi"}).get_data(as_text=True).splitlines()
    switches = {"points": 9, "marks": 4, "moves": "diagonals", "diagonals_win": True, "stuck": "loss", "centre": "open"}
    assert json.loads(header) == {
        "certificate": 2,
        "family": "morris",
        "parameters": switches,
        "position": ".........",
        "player": "X",
        "outcome": "win",
        "symmetries": [],
    }
    assert json.loads(claim) == {"holder": "X", "at_least": "win"}
    assert json.loads(entries[0]) == [".........", "4"]
    assert any(">" in move for _, move in map(json.loads, entries))


SEVEN = {"rows": 7, "columns": 7, "in_a_row": 5}
UNPROVEN: list[tuple[dict[str, Any], str]] = [
    ({"game": "qubic", "moves": [1], "limit": {"nodes": 100}}, "no result is ruled out yet"),
    (
        {"game": "five-in-a-row-6x6", "board": ".XX..O.XX.O....O...O..XXOO..O...OXX.", "limit": {"nodes": 50}},
        "X does not win, but may lose",
    ),
    (
        {"game": SEVEN, "board": "..XO..OX...XOX.O.OOX...X...X..XOXXOOX.X..OXOO...O", "limit": {"nodes": 50}},
        "X does not lose, but may not win",
    ),
]

REFUSED: list[tuple[dict[str, Any], str, tuple[str, str], str]] = [
    *((body, "unproven", ("", "unproven"), f"within the limit: {known}. Give a higher") for body, known in UNPROVEN),
    (
        {"game": "connect-four-5x4", "limit": {"nodes": 60_000}},
        "certificate-too-large",
        ("", "unfinished"),
        "had only grown to",
    ),
    ({"board": "XXXX....."}, "impossible-position", ("/board", "mark-count"), ""),
    ({"seed": 3}, "invalid-request", ("/seed", "unknown-field"), ""),
    ({"limit": {"time_ms": 10**9}}, "invalid-request", ("/limit/time_ms", "out-of-range"), ""),
    (
        {"game": {"family": "pop-out", "rows": 3, "columns": 3, "in_a_row": 3}, "board": "X..XXXOOO", "player": "O"},
        "impossible-position",
        ("/board", "unreachable-position"),
        "No play leads to this position",
    ),
    ({"game": "achi", "moves": [9]}, "impossible-position", ("/moves/0", "no-such-cell"), ""),
    ({"game": "ultimate-tic-tac-toe", "limit": {"nodes": 50}}, "unproven", ("", "unproven"), "no result is ruled out"),
]
"""Bodies, the problem that each has, its error, and what its sentence says."""


def test_where_there_is_no_certificate_the_problem_says_why(client: EdgeClient) -> None:
    for body, kind, fault, told in REFUSED:
        response = client.post("/proof", json=body)
        document = response.get_json()
        assert_matches("ProblemDocument", document)
        assert (response.status_code, document["type"]) == (422, f"/problems/{kind}")
        assert (faults(document), told in document["detail"]) == ([fault], True), document["detail"]


def test_a_certificate_with_too_many_entries_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "MOST_ENTRIES", 10)
    response = create_app(Settings()).test_client().post("/proof", json={})
    assert (response.status_code, faults(response.get_json())) == (422, [("", "too-large")])
