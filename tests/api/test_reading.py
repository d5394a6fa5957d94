"""Bodies and queries: whatever can be understood is answered, and each fault is named, none fatal."""

import re
from itertools import product
from typing import Any

import pytest
from flask.testing import FlaskClient

from service.games.catalogue import CATALOGUE, game_called
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


FIELD_FAULTS: dict[bytes, list[tuple[str, str]]] = {
    **{body: [("", "wrong-type")] for body in (b"[]", b"null", b'"X"', b"4", b'{"\\ud800": 1}')},
    b'{"bord": 1}': [("/bord", "unknown-field")],
    b'{"a/b~c": 1}': [("/a~1b~0c", "unknown-field")],
    b'{"board": ".........", "board": "X........"}': [("/board", "repeated-field")],
    **{b'{"player": %b}' % it: [("/player", "not-a-choice")] for it in (b'"Z"', b'"xx"', b'"R"', b'["x"]', b"1")},
    **{body: [("/game", "wrong-type")] for body in (b'{"game": 5}', b'{"game": ["tic-tac-toe"]}')},
    b'{"game": {"family": "chess"}}': [("/game/family", "not-a-choice")],
    b'{"tie_break": "best"}': [("/tie_break", "not-a-choice")],
    **{b'{"seed": %b}' % it: [("/seed", "out-of-range")] for it in (b"-1", b"9007199254740992")},
    **{b'{"seed": %b}' % it: [("/seed", "wrong-type")] for it in (b"1e999", b"1.5", b'"4"', b"true")},
    **{b'{"moves": %b}' % it: [("/moves", "wrong-type")] for it in (b"4", b'{"0": 4}')},
    b'{"moves": [4, "", 4.5, true, null, [], {}]}': [(f"/moves/{move}", "wrong-type") for move in range(1, 7)],
    b'{"moves": ["%b"]}' % (b"d" * 17): [("/moves/0", "too-long")],
    b'{"moves": "%b"}' % (b"d " * 257): [("/moves", "too-long")],
    b'{"game": "connect-four", "moves": "%b"}' % (b"1" * 65): [("/moves", "too-long")],
    b'{"moves": [' + b"0," * 64 + b"0]}": [("/moves", "too-long")],
    b'{"moves": [3], "board": "........."}': [("/moves", "conflicting-field")],
    b'{"time_ms": 500, "rows": 4}': [("/time_ms", "unknown-field"), ("/rows", "unknown-field")],
    **{body: [("/limit", "wrong-type")] for body in (b'{"limit": 5}', b'{"limit": []}')},
    **{b'{"limit": {"%b": 5}}' % it: [(f"/limit/{it.decode()}", "unknown-field")] for it in (b"time", b"by_id")},
    b'{"limit": {"time_ms": 0}}': [("/limit/time_ms", "out-of-range")],
    b'{"limit": {"time_ms": 1.5}}': [("/limit/time_ms", "wrong-type")],
    b'{"limit": {"nodes": true}}': [("/limit/nodes", "wrong-type")],
    b'{"player": "Z", "seed": -1, "bord": 1, "seed": 2}': [
        *[("/seed", "repeated-field"), ("/player", "not-a-choice"), ("/bord", "unknown-field")]
    ],
    b'{"game": "achi", "moves": 4}': [("/moves", "wrong-type")],
    b'{"game": "achi", "moves": [true]}': [("/moves/0", "wrong-type")],
    b'{"game": "achi", "player": "first"}': [("/player", "not-a-choice")],
    b'{"game": "achi", "drops": "4"}': [("/drops", "unknown-field")],
}


def test_every_faulty_field_is_named_at_once(client: FlaskClient) -> None:
    for body, expected in FIELD_FAULTS.items():
        document = refused(client, body)
        assert (document["type"], faults(document)) == ("/problems/invalid-request", expected), body


MODEL = {"limit": {"time_ms": 10**9, "nodes": True, "depth": 1}, "colour": "red"}
OF_MODEL = {"/limit/time_ms", "/limit/nodes", "/limit/depth", "/colour"}

ALL_AT_ONCE: list[tuple[str, dict[str, Any], set[str]]] = [
    *[
        (
            path,
            {**MODEL, "moves": ["zz9", True, "yy9"], "skill": 101},
            {*OF_MODEL, "/moves/0", "/moves/1", "/moves/2", "/skill"},
        )
        for path in ("/best-move", "/analysis", "/position.svg")
    ],
    ("/best-move", {**MODEL, "board": "?", "moves": 7}, {*OF_MODEL, "/board", "/moves"}),
    ("/best-move", {**MODEL, "board": "?", "player": []}, {*OF_MODEL, "/board", "/player"}),
    ("/review", {**MODEL, "moves": "zz9 yy9", "first_player": "Z"}, {*OF_MODEL, "/moves", "/first_player"}),
    ("/review", MODEL, {*OF_MODEL, "/moves"}),
    ("/proof", {**MODEL, "board": "?"}, {*OF_MODEL, "/board"}),
    ("/random-position", {"plies_at_least": 4, "plies_at_most": 3, "seed": -1}, {"/plies_at_least", "/seed"}),
]
"""Requests with faults of the model, of the position and of the limit, and the fields at fault."""


@pytest.mark.parametrize("game", CATALOGUE)
def test_law_7_all_faults_of_a_request_are_named_at_once_on_every_route_in_every_game(
    client: FlaskClient, game: str
) -> None:
    for path, fields, at in ALL_AT_ONCE:
        answer = client.post(path, json={"game": game, **fields})
        named = {error["pointer"] for error in answer.get_json()["errors"]}
        assert (path, answer.status_code, named) == (path, 422, at)


def test_law_7_all_faults_of_a_query_are_named_at_once(client: FlaskClient) -> None:
    for query, at in [
        ("best-move?moves=zz9,4,4&time_ms=999999999&nodes=x&colour=red", "moves/0 moves/2 time_ms nodes colour"),
        ("position.png?board=?&moves=4&player=Z&player=X", "board moves player"),
        ("puzzles?game=go&plies=4&plies_at_most=9&time_ms=5&goal=draw", "game plies_at_most time_ms goal"),
        ("puzzles?plies=4&nodes=999999999999", "plies nodes"),
    ]:
        errors = client.get(f"/{query}").get_json()["errors"]
        assert {error["pointer"] for error in errors} == {f"/{name}" for name in at.split()}


@pytest.mark.parametrize(
    "game", [{"rows": 4, "colums": 4}, {"rows": 0}, "tic-tac-go", {"family": "odd"}, 7, {"rows": 9, "columns": 9}]
)
def test_no_position_of_a_game_that_is_not_known_is_judged(client: FlaskClient, game: object) -> None:
    errors = client.post("/best-move", json={"game": game, "moves": [99], "limit": 5}).get_json()["errors"]
    assert {error["pointer"].split("/")[1] for error in errors} == {"game", "limit"}


@pytest.mark.parametrize("field", ["gmae", "rows", "lines", "family"])
def test_no_position_is_judged_if_a_field_may_have_been_meant_for_the_game(client: FlaskClient, field: str) -> None:
    errors = client.post("/best-move", json={field: 7, "moves": [99]}).get_json()["errors"]
    assert [error["pointer"] for error in errors] == [f"/{field}"]


TIME = 'time_ms belongs in limit: {"limit": {"time_ms": 500}}.'

MISPLACED: list[tuple[str, dict[str, Any], str]] = [
    ("/best-move", {"bord": 1}, "Did you mean board?"),
    ("/best-move", {"time_ms": 500}, TIME),
    ("/best-move", {"time_ms": "1 s"}, 'time_ms belongs in limit: {"limit": {"time_ms": ...}}.'),
    ("/best-move", {"gravity": True}, 'gravity belongs in game: {"game": {"gravity": true}}.'),
    ("/best-move", {"lines": [[0, 1]]}, 'lines belongs in game: {"game": {"lines": ...}}.'),
    ("/best-move", {"family": "wild"}, 'family belongs in game: {"game": {"family": ...}}.'),
    ("/best-move", {"game": {"rows": 3, "columns": 3, "in_a_row": 3, "gravty": True}}, "Did you mean gravity?"),
    ("/analysis", {"time_ms": 500}, TIME),
    ("/proof", {"time_ms": 500}, TIME),
    ("/review", {"moves": [], "time_ms": 500}, TIME),
    ("/best-moves", {"positions": [{}], "time_ms": 500}, TIME),
    ("/best-moves", {"positions": [{}], "rows": 4}, "The fields are positions, limit, detail, best_moves."),
]


def test_a_misspelt_or_misplaced_field_is_told_its_place_on_every_route(client: FlaskClient) -> None:
    for path, body, advice in MISPLACED:
        detail = client.post(path, json=body).get_json()["detail"]
        assert detail.startswith("There is no field ")
        assert detail.partition(". ")[2] == advice, (path, body)
    (result,) = client.post("/best-moves", json={"positions": [{"rows": 4}]}).get_json()["results"]
    assert faults(result["problem"]) == [("/positions/0/rows", "unknown-field")]


def test_a_body_full_of_faults_gets_a_short_answer(client: FlaskClient) -> None:
    body = ("{" + ",".join(f'"f{n}":{n}' for n in range(5_000)) + "}").encode()
    response = client.post("/best-move", data=body)
    assert len(response.get_json()["errors"]) == 64
    assert len(response.data) < 20_000


@pytest.mark.parametrize("path", ["/best-move", "/analysis", "/best-moves", "/review", "/proof", "/random-positions"])
def test_a_body_that_is_no_object_is_refused_with_one_that_is_answered(client: FlaskClient, path: str) -> None:
    for body in (b"", b"board=X...O....", b"X...O....", b'["X...O...."]', b"[", b"5", b"null"):
        detail = client.post(path, data=body).get_json()["detail"]
        advice = re.search(r"[a ]JSON object such as (.*)\.$", detail)
        assert advice, detail
        assert client.post(path, data=advice[1]).status_code == 200


def test_a_limit_that_is_no_object_is_refused_with_one_that_is_taken(client: FlaskClient) -> None:
    document = refused(client, b'{"limit": 5}')
    assert document["detail"] == 'limit must be a JSON object such as {"time_ms": 1000}.'
    assert client.post("/best-move", json={"limit": {"time_ms": 1000}}).status_code == 200


def test_an_unknown_game_is_not_found_and_a_misspelt_one_is_answered_with_a_guess(client: FlaskClient) -> None:
    document = refused(client, b'{"game": "conect-four", "board": "."}')
    assert (document["status"], document["type"], faults(document)[0][0]) == (404, "/problems/unknown-game", "/game")
    assert document["detail"] == "There is no game conect-four. Did you mean connect-four?"
    for name in ("go", "three-dimensional-go"):
        detail = client.get(f"/games/{name}").get_json()["detail"]
        assert detail == f"There is no game {name}. GET /games lists the games."


NAMED = {
    "tic-tac-toe": ["Tic-tac-toe", "tic tac toe", "TIC_TAC_TOE", " Tic-Tac-Toe ", "tictactoe", "TicTacToe"],
    "connect-four": ["Connect Four", "connect four", "Connect-Four", "CONNECT  FOUR", "Connect 4", "connect4"],
    "tapatan": ["Tapatan", "TAPATAN"],
    "misere-wild-tic-tac-toe": ["Misère wild tic-tac-toe", "misere wild tic-tac-toe", "misère-wild-tic-tac-toe"],
    "three-mens-morris": ["Three men's morris", "three mens morris", "3 men\u2019s morris"],
}
"""Games by their names."""


def test_a_game_is_known_by_its_name_too(client: FlaskClient) -> None:
    for game, names in NAMED.items():
        expected = client.post("/best-move", json={"game": game, "limit": {"nodes": 100}})
        assert expected.get_json()["game"] == game
        for name in names:
            asked = {"game": name, "limit": {"nodes": 100}}
            assert client.post("/best-move", json=asked).data == expected.data, name
            query = {"game": name, "nodes": 100}
            assert client.get("/best-move", query_string=query).data == expected.data, name
            assert client.get(f"/games/{name}").data == client.get(f"/games/{game}").data, name


def test_no_two_games_share_a_name() -> None:
    for named, game in CATALOGUE.items():
        assert game_called(named) is game_called(game.name) is game_called(game.name.upper()) is game
    assert [name for name in ("", "-", "go", "connect", "connect5", "tictactoes", "custom") if game_called(name)] == []


QUERY_FAULTS = {
    "bord=1": [("/bord", "unknown-field")],
    "board=.........&board=X........": [("/board", "repeated-field")],
    **{f"seed={it}": [("/seed", "wrong-type")] for it in ("x", "1.0", "9" * 30, "")},
    "seed=-1": [("/seed", "out-of-range")],
    "moves=4,;,": [("/moves/1", "wrong-type"), ("/moves/2", "wrong-type")],
    f"moves=4,{'0' * 17}": [("/moves/1", "wrong-type")],
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
    "game=qubic&rows=3": [("/rows", "conflicting-field")],
    "game=tapatan&piece_moves=king": [("/piece_moves", "conflicting-field")],
    "family=morris&piece_moves=far": [("/piece_moves", "not-a-choice")],
    "family=morris&points=13&piece_moves=king": [("/piece_moves", "conflicting-field")],
    "marks=3": [("/marks", "unknown-field")],
    "game=go": [("/game", "unknown-game")],
    **{f"{name}=1": [(f"/{name}", "unknown-field")] for name in ("lines", "limit", "by_id")},
    "time_ms=0": [("/time_ms", "out-of-range")],
    "nodes=many": [("/nodes", "wrong-type")],
    "nodes=10000001&time_ms=60001": [("/time_ms", "out-of-range"), ("/nodes", "out-of-range")],
    "game=connect-four&drops=448": [("/drops", "no-such-column")],
    "game=connect-four&drops=4,4": [("/drops", "no-digit")],
    **{f"game=connect-four&drops=4&{it}": [("/drops", "conflicting-field")] for it in ("moves=3", "board=" + "." * 42)},
    "game=connect-four&drops=4&drops=4": [("/drops", "repeated-field")],
    f"game=connect-four&drops={'1' * 65}": [("/drops", "too-long")],
    "game=connect-four&moves=33": [("/moves/0", "no-such-column")],
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
    [{"board": "X...O....", **dict.fromkeys(left_out)} for left_out in ((), ("moves", "player", "game", "limit"))],
    [{"moves": moves, "player": "X"} for moves in ([4, 0], [4.0, 0], "b2 a1", ["b2", 0])],
    [{"game": "tapatan", "moves": moves} for moves in (["4", "0", "6", "2", "1", "7"], "b2 a1 a3 c1 b1 b3")],
]
"""Bodies that ask the same."""


def test_whatever_asks_the_same_has_the_same_answer_to_the_byte(client: FlaskClient) -> None:
    for bodies, route in product(EQUAL, ("/best-move", "/analysis")):
        answers = [client.post(route, json=body) for body in bodies]
        assert {(answer.status_code, answer.data) for answer in answers} == {(200, answers[0].data)}, bodies
    for moves in ("moves=4&moves=0&moves=8", "moves=b2,+0,c3", "moves=4,0&moves=8"):
        assert client.get(f"/best-move?{moves}").data == client.get("/best-move?moves=4,0,8").data


def test_get_and_post_give_the_same_answer(client: FlaskClient) -> None:
    asked: list[dict[str, Any]] = [
        *[{"board": board} for board in ("X...O....", "X../.O./...", "X+++O++++", "🔴⬜⬜⬜🟡⬜⬜⬜⬜", "100020000")],
        *({"moves": []}, {"moves": [4, 0], "player": "o"}, {"moves": "b2 a1"}),
        {"game": "qubic", "moves": "1:a1,2:b2", "nodes": 300},
        {"game": "tapatan", "moves": "b2 a1 a3 c1 b1 b3 b2-c2"},
        {"board": "XO.......", "game": "misere-tic-tac-toe", "tie_break": "random", "seed": 3},
    ]
    for fields in asked:
        query = {key: ",".join(map(str, value)) if isinstance(value, list) else value for key, value in fields.items()}
        body = {name: value for name, value in fields.items() if name != "nodes"}
        limit = {"limit": {"nodes": fields["nodes"]}} if "nodes" in fields else {}
        posted = client.post("/best-move", json={**body, **limit})
        assert (posted.status_code, client.get("/best-move", query_string=query).data) == (200, posted.data), fields
    for drops, moves in (("332", "2,2,1"), ("", "")):
        by_string, by_list = (
            client.get(f"/best-move?game=connect-four-5x4&{how}") for how in (f"drops={drops}", f"moves={moves}")
        )
        assert (by_string.data, by_string.headers["ETag"]) == (by_list.data, by_list.headers["ETag"])


def test_a_player_is_read_in_either_case(client: FlaskClient) -> None:
    for player in "xoXO":
        assert client.get(f"/analysis?player={player}").get_json()["player"] == player.upper()
        reviewed = client.post("/review", json={"moves": "b2 a1", "first_player": player}).get_json()
        assert [ply["player"] for ply in reviewed["plies"]] == [player.upper(), "XO".replace(player.upper(), "")]


JSON_TYPES = [
    *("application/json", "application/json; charset=utf-8", "application/vnd.x+json", "Text/Plain", None),
    *("application/x-www-form-urlencoded", "text/plain;charset=UTF-8"),
]
"""JSON, and what a page sends without a pre-flight."""

OTHER_TYPES = ["text/html", "text/plainer", "multipart/form-data; boundary=x", "image/png", "application/", "nonsense"]


def test_a_json_body_is_read_under_json_and_under_no_type_in_particular(client: FlaskClient) -> None:
    def status(content_type: str | None) -> int:
        return client.post("/best-move", data=b'{"board":"X...O...."}', content_type=content_type).status_code

    assert {status(content_type) for content_type in JSON_TYPES} == {200}
    assert {status(content_type) for content_type in OTHER_TYPES} == {415}
