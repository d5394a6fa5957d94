"""Bodies and queries: whatever can be understood is answered, and each fault is named, none fatal."""

from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.contract import assert_matches, faults


def refused(client: FlaskClient, body: bytes) -> dict[str, Any]:
    response = client.post("/best-move", data=body)
    assert response.mimetype == "application/problem+json"
    document: dict[str, Any] = response.get_json()
    assert_matches("ProblemDocument", document)
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


def test_what_is_no_json_is_malformed(client: FlaskClient) -> None:
    for name, body in MALFORMED.items():
        assert refused(client, body)["type"] == "/problems/malformed-request", name
    assert refused(client, b"")["detail"].endswith("{} is the empty board.")


FIELD_FAULTS = {
    **{key: [("", "wrong-type")] for key in (b"[]", b"null", b'"X"', b"4", b'{"\\ud800": 1}')},
    b'{"bord": 1}': [("/bord", "unknown-field")],
    b'{"a/b~c": 1}': [("/a~1b~0c", "unknown-field")],
    b'{"board": ".........", "board": "X........"}': [("/board", "repeated-field")],
    **{b'{"player": %b}' % it: [("/player", "not-a-choice")] for it in (b'"Z"', b'"xx"', b'"R"', b'["x"]', b"1")},
    **{key: [("/game", "wrong-type")] for key in (b'{"game": 5}', b'{"game": ["tic-tac-toe"]}')},
    b'{"tie_break": "best"}': [("/tie_break", "not-a-choice")],
    **{b'{"seed": %b}' % it: [("/seed", "out-of-range")] for it in (b"-1", b"9007199254740992")},
    **{b'{"seed": %b}' % it: [("/seed", "wrong-type")] for it in (b"1e999", b"1.5", b'"4"', b"true")},
    b'{"moves": 4}': [("/moves", "wrong-type")],
    b'{"moves": [4, "0", true, null]}': [(f"/moves/{move}", "wrong-type") for move in (1, 2, 3)],
    b'{"moves": [4, [], {}]}': [("/moves/1", "wrong-type"), ("/moves/2", "wrong-type")],
    b'{"moves": [' + b"0," * 64 + b"0]}": [("/moves", "too-long")],
    b'{"time_ms": 500, "rows": 4}': [("/time_ms", "unknown-field"), ("/rows", "unknown-field")],
    **{key: [("/limit", "wrong-type")] for key in (b'{"limit": 5}', b'{"limit": []}')},
    **{b'{"limit": {"%b": 5}}' % it: [(f"/limit/{it.decode()}", "unknown-field")] for it in (b"time", b"by_id")},
    b'{"limit": {"time_ms": 0}}': [("/limit/time_ms", "out-of-range")],
    b'{"limit": {"time_ms": 1.5}}': [("/limit/time_ms", "wrong-type")],
    b'{"limit": {"nodes": true}}': [("/limit/nodes", "wrong-type")],
    b'{"limit": {"nodes": 10000001}}': [("/limit/nodes", "out-of-range")],
    b'{"player": "Z", "seed": -1, "bord": 1, "seed": 2}': [
        *[("/seed", "repeated-field"), ("/player", "not-a-choice"), ("/bord", "unknown-field")],
    ],
}


def test_every_faulty_field_is_named_at_once(client: FlaskClient) -> None:
    for body, expected in FIELD_FAULTS.items():
        document = refused(client, body)
        assert (document["type"], faults(document)) == ("/problems/invalid-request", expected), body


MISPLACED = {
    b'{"bord": 1}': "There is no field bord. Did you mean board?",
    **{
        b'{"%b": %b}' % (name, value): f"There is no field {name.decode()}. {name.decode()} belongs in {advice}."
        for name, value, advice in [
            (b"time_ms", b"500", 'limit: {"limit": {"time_ms": 500}}'),
            (b"time_ms", b'"1 s"', 'limit: {"limit": {"time_ms": ...}}'),
            (b"nodes", b"100000", 'limit: {"limit": {"nodes": 100000}}'),
            (b"rows", b"4", 'game: {"game": {"rows": 4}}'),
            (b"gravity", b"true", 'game: {"game": {"gravity": true}}'),
            (b"lines", b"[[0, 1]]", 'game: {"game": {"lines": ...}}'),
        ]
    },
}


def test_a_misspelt_or_misplaced_field_is_told_its_place(client: FlaskClient) -> None:
    for body, detail in MISPLACED.items():
        assert refused(client, body)["detail"] == detail


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


def test_an_unknown_game_is_not_found_and_a_misspelt_one_is_answered_with_a_guess(client: FlaskClient) -> None:
    document = refused(client, b'{"game": "conect-four", "board": "."}')
    assert (document["status"], document["type"]) == (404, "/problems/unknown-game")
    assert document["errors"][0]["pointer"] == "/game"
    assert document["detail"] == "There is no game conect-four. Did you mean connect-four?"
    assert client.get("/games/go").get_json()["detail"] == "There is no game go. GET /games lists the games."


def test_a_body_over_the_limit_is_too_large(client: FlaskClient) -> None:
    document = refused(client, b" " * 1_048_577)
    assert (document["status"], document["detail"]) == (413, "The body is larger than the limit of 1048576 bytes.")


QUERY_FAULTS = {
    "bord=1": [("/bord", "unknown-field")],
    "board=.........&board=X........": [("/board", "repeated-field")],
    **{f"seed={it}": [("/seed", "wrong-type")] for it in ("x", "1.0", "9" * 30, "")},
    "seed=-1": [("/seed", "out-of-range")],
    "moves=4,;,": [("/moves/1", "wrong-type"), ("/moves/2", "wrong-type")],
    "moves=4,x,1": [("/moves/1", "no-such-cell")],
    "moves=4&board=.........": [("/moves", "conflicting-field")],
    "player=": [("/player", "not-a-choice")],
    "board=%c3%b7%c3%b7.......": [("/board", "unknown-mark"), ("/board", "unknown-mark")],
    "rows=3": [("/columns", "required"), ("/in_a_row", "required")],
    "rows=3&columns=x&in_a_row=3": [("/columns", "wrong-type")],
    **{f"rows=3&columns=3&in_a_row=3&wrap={it}": [("/wrap", "wrong-type")] for it in ("1", "torus")},
    "rows=3&columns=3&in_a_row=5": [("/in_a_row", "no-line-fits")],
    "rows=9&columns=9&in_a_row=5": [("/rows", "too-many-cells")],
    "rows=3&rows=3&columns=3&in_a_row=3": [("/rows", "repeated-field")],
    "rows=3&columns=3&in_a_row=3&by_grid=1": [("/by_grid", "unknown-field")],
    "game=qubic&rows=3": [("/rows", "conflicting-field")],
    "game=go": [("/game", "unknown-game")],
    **{f"{name}=1": [(f"/{name}", "unknown-field")] for name in ("lines", "limit", "by_id")},
    **{f"time_ms={it}": [("/time_ms", "out-of-range")] for it in (0, 60_001)},
    "nodes=many": [("/nodes", "wrong-type")],
    "nodes=10000001&time_ms=60001": [("/time_ms", "out-of-range"), ("/nodes", "out-of-range")],
}


def test_every_faulty_parameter_is_named_at_once(client: FlaskClient) -> None:
    for query, expected in QUERY_FAULTS.items():
        response = client.get(f"/best-move?{query}")
        assert_matches("ProblemDocument", response.get_json())
        assert response.status_code == (404 if query == "game=go" else 422)
        assert faults(response.get_json()) == expected, query


# What is understood


EQUAL: list[list[dict[str, Any]]] = [
    [{}, {"board": None}, {"moves": None}, {"moves": []}, {"moves": ""}, {"board": [0] * 9}, {"player": "x"}],
    [
        {"board": "X...O....", **nothing}
        for nothing in ({}, dict.fromkeys(["moves", "player", "game", "seed", "limit"]))
    ],
    [
        {"moves": [4, 0], "player": "X", "seed": 1e3},
        *({"moves": moves, "player": "X"} for moves in ([4, 0], [4.0, 0], "b2 a1", ["b2", 0])),
    ],
]
"""Bodies that ask the same."""


@pytest.mark.parametrize("route", ["/best-move", "/analysis"])
def test_whatever_asks_the_same_has_the_same_answer_to_the_byte(client: FlaskClient, route: str) -> None:
    for bodies in EQUAL:
        assert len({client.post(route, json=body).data for body in bodies}) == 1, bodies
    assert {client.get(route).data, client.get(f"{route}?moves=").data} == {client.post(route, json={}).data}
    query = {
        client.get(f"{route}?{moves}").data for moves in ("moves=4,0,8", "moves=4&moves=0&moves=8", "moves=b2,+0,c3")
    }
    assert query == {client.get(f"{route}?moves=4,0&moves=8").data}


def test_get_and_post_give_the_same_answer(client: FlaskClient) -> None:
    asked: list[dict[str, Any]] = [
        *[{"board": board} for board in ("X...O....", "X../.O./...", "X+++O++++", "🔴⬜⬜⬜🟡⬜⬜⬜⬜", "100020000")],
        {"moves": [4, 0], "player": "o"},
        {"moves": "b2 a1"},
        {"game": "qubic", "moves": "1:a1,2:b2", "nodes": 300},
        {"board": "XO.......", "game": "misere-tic-tac-toe", "tie_break": "random", "seed": 3},
    ]
    for fields in asked:
        query = {key: ",".join(map(str, value)) if isinstance(value, list) else value for key, value in fields.items()}
        body = {name: value for name, value in fields.items() if name != "nodes"}
        limit = {"limit": {"nodes": fields["nodes"]}} if "nodes" in fields else {}
        posted = client.post("/best-move", json={**body, **limit})
        assert (posted.status_code, client.get("/best-move", query_string=query).data) == (200, posted.data), fields


def test_a_player_is_read_in_either_case(client: FlaskClient) -> None:
    for player in "xoXO":
        assert client.post("/best-move", json={"player": player}).get_json()["player"] == player.upper()
        assert client.get(f"/analysis?player={player}").get_json()["player"] == player.upper()
        reviewed = client.post("/review", json={"moves": "b2 a1", "first_player": player}).get_json()
        assert [ply["player"] for ply in reviewed["plies"]] == [player.upper(), "XO".replace(player.upper(), "")]


JSON_TYPES = ["application/json", "application/json; charset=utf-8", "application/vnd.x+json", "Text/Plain", None]
SIMPLE_TYPES = ["application/x-www-form-urlencoded", "text/plain", "text/plain;charset=UTF-8"]
"""What a page sends without a pre-flight, as ``fetch(url, {method: "POST", body: JSON.stringify(...)})`` does."""

OTHER_TYPES = ["text/html", "text/plainer", "multipart/form-data; boundary=x", "image/png", "application/", "nonsense"]


def test_a_json_body_is_read_under_json_and_under_no_type_in_particular(client: FlaskClient) -> None:
    body, origin = b'{"board":"X...O...."}', {"Origin": "https://example.org"}
    answers = [
        client.post("/best-move", data=body, content_type=content_type, headers=origin)
        for content_type in (*JSON_TYPES, *SIMPLE_TYPES)
    ]
    assert {(answer.status_code, answer.data) for answer in answers} == {(200, answers[0].data)}
    for content_type in OTHER_TYPES:
        response = client.post("/best-move", data=body, content_type=content_type)
        shown = content_type.partition(";")[0]
        assert response.status_code == 415
        assert response.get_json()["detail"] == f"The content type is {shown}; send JSON text as application/json."
