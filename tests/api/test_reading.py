"""Bodies and queries that cannot be understood: each fault named, none fatal."""

from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.contract import assert_matches, faults


def refused(client: FlaskClient, body: bytes) -> dict[str, Any]:
    response = client.post("/best-move", data=body)
    assert response.mimetype == "application/problem+json"
    document: dict[str, Any] = response.get_json()
    assert_matches("Problem", document)
    assert document["status"] == response.status_code
    return document


MALFORMED = {
    "empty": b"",
    "white space": b"  \n",
    "cut off": b'{"board": "X',
    "no quotes": b"{board: 1}",
    "trailing comma": b'{"board": ".........",}',
    "two documents": b"{} {}",
    "not a number": b'{"seed": NaN}',
    "infinity": b'{"seed": -Infinity}',
    "broken UTF-8": b'{"board": "\xff"}',
    "overlong UTF-8": b'{"board": "\xc0\x80"}',
    "UTF-16": '{"board": "........."}'.encode("utf-16"),
    "byte order mark": b'\xef\xbb\xbf{"board": "........."}',
    "raw control character": b'{"board": "\x00"}',
    "deep nesting": b"[" * 50_000,
    "deep nesting in a field": b'{"board": ' + b"[" * 50_000,
    "a number of many digits": b'{"seed": ' + b"9" * 5_000 + b"}",
}


@pytest.mark.parametrize("body", MALFORMED.values(), ids=MALFORMED)
def test_what_is_no_json_is_malformed(client: FlaskClient, body: bytes) -> None:
    assert refused(client, body)["type"] == "/problems/malformed-request"


FIELD_FAULTS = [
    (b"[]", [("", "wrong-type")]),
    (b"null", [("", "wrong-type")]),
    (b'"X"', [("", "wrong-type")]),
    (b"4", [("", "wrong-type")]),
    (b'{"bord": 1}', [("/bord", "unknown-field")]),
    (b'{"a/b~c": 1}', [("/a~1b~0c", "unknown-field")]),
    (b'{"board": ".........", "board": "X........"}', [("/board", "repeated-field")]),
    (b'{"player": "Z"}', [("/player", "not-a-choice")]),
    (b'{"player": "xx"}', [("/player", "not-a-choice")]),
    (b'{"player": "R"}', [("/player", "not-a-choice")]),
    (b'{"player": ["x"]}', [("/player", "not-a-choice")]),
    (b'{"player": 1}', [("/player", "not-a-choice")]),
    (b'{"game": 5}', [("/game", "wrong-type")]),
    (b'{"game": ["tic-tac-toe"]}', [("/game", "wrong-type")]),
    (b'{"tie_break": "best"}', [("/tie_break", "not-a-choice")]),
    (b'{"seed": -1}', [("/seed", "out-of-range")]),
    (b'{"seed": 9007199254740992}', [("/seed", "out-of-range")]),
    (b'{"seed": 1e999}', [("/seed", "wrong-type")]),
    (b'{"seed": 1.5}', [("/seed", "wrong-type")]),
    (b'{"seed": "4"}', [("/seed", "wrong-type")]),
    (b'{"seed": true}', [("/seed", "wrong-type")]),
    (b'{"moves": 4}', [("/moves", "wrong-type")]),
    (b'{"moves": [4, "0", true, null]}', [(f"/moves/{move}", "wrong-type") for move in (1, 2, 3)]),
    (b'{"moves": [4, [], {}]}', [("/moves/1", "wrong-type"), ("/moves/2", "wrong-type")]),
    (b'{"time_ms": 500, "rows": 4}', [("/time_ms", "unknown-field"), ("/rows", "unknown-field")]),
    (b'{"moves": [' + b"0," * 64 + b"0]}", [("/moves", "too-long")]),
    (b'{"\\ud800": 1}', [("", "wrong-type")]),
    (
        b'{"player": "Z", "seed": -1, "bord": 1, "seed": 2}',
        [("/seed", "repeated-field"), ("/player", "not-a-choice"), ("/bord", "unknown-field")],
    ),
]


@pytest.mark.parametrize(("body", "expected"), FIELD_FAULTS, ids=lambda value: repr(value)[:40])
def test_every_faulty_field_is_named_at_once(client: FlaskClient, body: bytes, expected: list[tuple[str, str]]) -> None:
    document = refused(client, body)
    assert document["type"] == "/problems/invalid-request"
    assert faults(document) == expected


def test_a_whole_number_may_be_written_with_a_point(client: FlaskClient) -> None:
    assert client.post("/best-move", data=b'{"moves": [4.0, 0], "seed": 1e3}').status_code == 200


def test_a_misspelt_field_is_answered_with_a_guess(client: FlaskClient) -> None:
    assert refused(client, b'{"bord": 1}')["detail"] == "There is no field bord. Did you mean board?"


MISPLACED = [
    (b'{"time_ms": 500}', "time_ms", 'time_ms belongs in limit: {"limit": {"time_ms": 500}}.'),
    (b'{"nodes": 100000}', "nodes", 'nodes belongs in limit: {"limit": {"nodes": 100000}}.'),
    (b'{"rows": 4}', "rows", 'rows belongs in game: {"game": {"rows": 4}}.'),
    (b'{"gravity": true}', "gravity", 'gravity belongs in game: {"game": {"gravity": true}}.'),
    (b'{"lines": [[0, 1]]}', "lines", 'lines belongs in game: {"game": {"lines": ...}}.'),
    (b'{"time_ms": "1 s"}', "time_ms", 'time_ms belongs in limit: {"limit": {"time_ms": ...}}.'),
]


@pytest.mark.parametrize(("body", "field", "advice"), MISPLACED, ids=str)
def test_a_field_beside_the_object_that_has_it_is_told_where_it_belongs(
    client: FlaskClient, body: bytes, field: str, advice: str
) -> None:
    document = refused(client, body)
    assert document["detail"] == f"There is no field {field}. {advice}"
    assert faults(document) == [(f"/{field}", "unknown-field")]


def test_a_misplaced_field_is_told_its_place_on_every_route_that_has_one(client: FlaskClient) -> None:
    routes: dict[str, dict[str, Any]] = {
        "/analysis": {},
        "/proof": {},
        "/review": {"moves": []},
        "/best-moves": {"positions": [{}]},
    }
    for path, asked in routes.items():
        detail = client.post(path, json={**asked, "time_ms": 500}).get_json()["detail"]
        assert detail.endswith('time_ms belongs in limit: {"limit": {"time_ms": 500}}.')
    detail = client.post("/best-moves", json={"positions": [{}], "rows": 4}).get_json()["detail"]
    assert detail == "There is no field rows. The fields are positions, limit."
    (result,) = client.post("/best-moves", json={"positions": [{"rows": 4}]}).get_json()["results"]
    assert result["problem"]["errors"][0]["pointer"] == "/positions/0/rows"
    assert "belongs in game" in result["problem"]["detail"]


def test_a_body_full_of_faults_gets_a_short_answer(client: FlaskClient) -> None:
    body = ("{" + ",".join(f'"f{n}":{n}' for n in range(5_000)) + "}").encode()
    response = client.post("/best-move", data=body)
    assert len(response.get_json()["errors"]) == 64
    assert len(response.data) < 20_000


def test_an_unknown_game_is_not_found(client: FlaskClient) -> None:
    document = refused(client, b'{"game": "go", "board": "."}')
    assert (document["status"], document["type"]) == (404, "/problems/unknown-game")
    assert document["errors"][0]["pointer"] == "/game"


def test_a_body_over_the_limit_is_too_large(client: FlaskClient) -> None:
    document = refused(client, b" " * 1_048_577)
    assert (document["status"], document["detail"]) == (413, "The body is larger than the limit of 1048576 bytes.")


QUERY_FAULTS = [
    ("bord=1", [("/bord", "unknown-field")]),
    ("board=.........&board=X........", [("/board", "repeated-field")]),
    ("board=.........&seed=x", [("/seed", "wrong-type")]),
    ("board=.........&seed=-1", [("/seed", "out-of-range")]),
    ("board=.........&seed=1.0", [("/seed", "wrong-type")]),
    ("board=.........&seed=" + "9" * 30, [("/seed", "wrong-type")]),
    ("board=.........&seed=", [("/seed", "wrong-type")]),
    ("moves=4,;,", [("/moves/1", "wrong-type"), ("/moves/2", "wrong-type")]),
    ("moves=4,x,1", [("/moves/1", "no-such-cell")]),
    ("moves=4&board=.........", [("/moves", "conflicting-field")]),
    ("board=.........&player=", [("/player", "not-a-choice")]),
    ("board=%c3%b7%c3%b7.......", [("/board", "unknown-mark"), ("/board", "unknown-mark")]),
]


@pytest.mark.parametrize(("query", "expected"), QUERY_FAULTS)
def test_every_faulty_parameter_is_named_at_once(
    client: FlaskClient, query: str, expected: list[tuple[str, str]]
) -> None:
    response = client.get(f"/best-move?{query}")
    assert response.status_code == 422
    assert faults(response.get_json()) == expected
