"""``/best-move`` as a caller sees it: what is asked, what is answered, and how long an answer holds."""

from typing import Any

import pytest

from service.api.problems import Problem
from service.api.read.reading import parse_item
from service.api.wire.requests import BestMoveRequest
from service.app import create_service
from service.games.catalogue import TIC_TAC_TOE
from service.settings import Settings
from tests.contract import assert_matches
from tests.edge_client import EdgeClient, assert_kept
from tests.worlds import WIDE, reachable

FIRST_CURL = b'{"board":["O",1,"X","X",4,"X",6,"O","O"]}'
NOTHING = dict.fromkeys(("move", "row", "column", "name", "next_position", "next_status", "next_winning_line"))


def ask(client: EdgeClient, **fields: Any) -> dict[str, Any]:
    response = client.post("/best-move", json=fields)
    assert response.status_code == 200, response.get_data(as_text=True)
    answer: dict[str, Any] = response.get_json()
    return answer


def test_the_first_curl_of_the_readme(client: EdgeClient) -> None:
    response = client.post("/best-move", data=FIRST_CURL, content_type="application/x-www-form-urlencoded")
    assert response.get_json() == {
        "game": "tic-tac-toe",
        "position": "O.XX.X.OO",
        "player": "X",
        "status": "in_progress",
        "winner": None,
        "winning_line": None,
        "move": 4,
        "row": 1,
        "column": 1,
        "name": "b2",
        "outcome": "win",
        "score": 9,
        "plies": 1,
        "pv": [4],
        "proven": True,
        "exact": True,
        "next_position": "O.XXXX.OO",
        "next_status": "won",
        "next_winning_line": [3, 4, 5],
        "reason": "Completes the middle row.",
    }


NAMED: list[tuple[dict[str, Any], str, list[int] | None]] = [
    ({"game": "connect-four", "moves": "445533"}, "column 2", [36, 37, 38, 39]),
    ({"game": "qubic", "moves": ["1:a1"], "limit": {"nodes": 10}}, "1:d1", None),
    ({"game": {"cells": 3, "lines": [[0, 1]]}}, "cell 0", None),
    ({"game": {"rows": 2, "columns": 2, "layers": 2, "in_a_row": 2, "gravity": True}}, "a1", None),
    ({"game": "vanishing-tic-tac-toe", "moves": "b2 a1 c3 a3 a2 c2"}, "b1", None),
    ({"game": "wild-tic-tac-toe"}, "Xb2", None),
    ({"game": "tapatan", "board": "OOX...XXO", "player": "O"}, "b1-b2", [0, 4, 8]),
    ({"game": "pop-out-4x4", "moves": "d0"}, "column 1", None),
    ({"game": "notakto-2", "moves": ["0.0", "1.4"]}, "1:c2", None),
]
"""Questions, what people call the best move, and the line that it completes."""


def test_an_answer_has_the_name_of_its_move_and_the_line_that_it_completes(client: EdgeClient) -> None:
    for asked, name, line in NAMED:
        answer = ask(client, **asked)
        assert (answer["name"], answer["next_winning_line"]) == (name, line), asked
        if "board" not in asked:
            moves = asked.get("moves", [])
            names = [f"column {digit}" for digit in moves] if str(moves).isdigit() else moves
            names = names.split() if isinstance(names, str) else names
            assert ask(client, **{**asked, "moves": [*names, name]})["position"] == answer["next_position"], asked


PLAIN = """\
1  O │ · │ X
  ───┼───┼───
2  X │[·]│ X
  ───┼───┼───
3  · │ O │ O
   a   b   c

X plays b2. Completes the middle row.

1  O │ · │ X
  ───┼───┼───
2 [X]│[X]│[X]
  ───┼───┼───
3  · │ O │ O
   a   b   c
"""


def test_an_answer_is_drawn_for_clients_that_ask_for_text(client: EdgeClient) -> None:
    board, text = {"board": "O.XX.X.OO"}, {"Accept": "text/plain"}
    for _ in range(2):
        drawn = client.post("/best-move", json=board, headers=text)
        assert (drawn.mimetype, drawn.text) == ("text/plain", PLAIN)
    query = client.get("/best-move?board=O.XX.X.OO", headers=text)
    assert (query.text, query.headers["Vary"]) == (PLAIN, "Accept")
    analysis = client.post("/analysis", json=board, headers=text).text
    assert analysis.startswith(f"{PLAIN}\nb2  Completes the middle row.\n")
    assert client.post("/best-move", json={"board": "XXXOO...."}, headers=text).text.endswith("top row and won.\n")
    assert client.post("/best-move", json={"board": "X"}, headers=text).mimetype == "application/problem+json"
    for accept in ("application/json, text/plain, */*", "text/plain;q=0.5, application/json", "text/*", "*/*"):
        assert client.post("/best-move", json=board, headers={"Accept": accept}).is_json, accept
    preferred = "application/json;q=0.5, text/plain"
    assert client.post("/best-move", json=board, headers={"Accept": preferred}).text == PLAIN


FINISHED: list[tuple[dict[str, Any], dict[str, Any]]] = [
    (
        {"board": "XXXOO...."},
        {"status": "won", "winner": "X", "winning_line": [0, 1, 2], "player": "O", "outcome": "loss"},
    ),
    (
        {"board": "XXXOO...."},
        {"score": -10, "plies": 0, "pv": [], "reason": "X has completed the top row and won.", **NOTHING},
    ),
    (
        {"board": "XXXOO....", "game": "misere-tic-tac-toe"},
        {"winner": "O", "winning_line": [0, 1, 2], "outcome": "win", "score": 10},
    ),
    (
        {"game": "notakto", "moves": [0, 4, 8]},
        {"status": "won", "winner": "second", "winning_line": [0, 4, 8], "board": "X...X...X", "player": "second"},
    ),
]


def test_law_7_a_finished_game_is_an_answer(client: EdgeClient) -> None:
    for fields, expected in FINISHED:
        assert expected.items() <= ask(client, **fields).items()


def test_equally_good_moves_are_broken_by_the_lowest_cell(client: EdgeClient) -> None:
    assert [ask(client, tie_break=how)["move"] for how in (None, "first")] == [0, 0]


def test_of_equally_good_moves_the_hardest_to_answer_is_chosen_where_it_is_asked_for(client: EdgeClient) -> None:
    asked = {"board": "O...X....", "tie_break": "hardest"}
    lowest, answer, again = (ask(client, **asked | {"tie_break": how}) for how in (None, "hardest", None))
    assert (answer["move"], answer["pv"][0], answer["exact"], answer["outcome"]) == (8, 8, True, "draw")
    assert (lowest["move"], lowest) == (1, again)
    assert answer.keys() == lowest.keys()  # no seed: nothing is left to chance
    analysis = client.post("/analysis", json=asked).get_json()
    assert analysis["move"] == 8
    assert [move["move"] for move in analysis["moves"] if move["best"]] == [1, 2, 3, 5, 6, 7, 8]


DRAWN: list[dict[str, Any]] = [
    *({"tie_break": "random"}, {"game": "achi", "moves": ["4"], "tie_break": "random"}),
    {"game": "tapatan", "skill": 0},
]


def test_chance_without_a_seed_draws_one_and_says_which_and_a_seed_makes_it_repeatable(client: EdgeClient) -> None:
    for fields in DRAWN:
        answers = [ask(client, **fields) for _ in range(30)]
        assert len({answer["seed"] for answer in answers}) > 25
        assert len({answer["move"] for answer in answers}) > 1
        assert ask(client, **fields, seed=answers[0]["seed"]) == answers[0]
        assert answers[0].get("skill") == fields.get("skill")
    assert ask(client, board=".........", seed=7) == ask(client, board=".........")  # chance did not decide


# Limits


def test_a_search_that_was_cut_off_says_what_it_knows_and_is_never_kept(client: EdgeClient) -> None:
    for limit in ("nodes=200", "time_ms=20", "nodes=200"):
        response = client.get(f"/best-move?game=qubic&moves=1&{limit}")
        answer = response.get_json()
        assert_matches("BestMoveAnswer", answer)
        assert response.headers["Cache-Control"] == "no-store"
        assert response.headers["Server-Timing"].startswith("search;dur=")
        known = [answer[field] for field in ("proven", "outcome", "score", "plies", "at_least", "at_most", "pv")]
        assert known == [False, "unknown", None, None, "loss", "win", [answer["move"]]]


def test_law_1_a_node_limited_answer_is_the_same_to_the_byte_and_a_proven_one_does_not_show_its_limit(
    client: EdgeClient,
) -> None:
    body = {"game": WIDE, "moves": [3, 3, 3], "limit": {"nodes": 5000}}
    first = client.post("/best-move", json=body).data
    client.post("/best-move", json={**body, "limit": {"time_ms": 100}})
    assert client.post("/best-move", json=body).data == first
    limits: list[Any] = [None, {}, {"time_ms": 5000}, {"nodes": 10**6}]
    answers = [ask(client, game="tic-tac-toe-4x4", board="X" + "." * 15, limit=limit) for limit in limits]
    assert answers == [answers[0]] * 4
    assert answers[0]["proven"]


# How long an answer holds


@pytest.mark.parametrize("path", ["/best-move", "/analysis"])
def test_only_what_is_proven_and_not_drawn_by_chance_may_be_kept(client: EdgeClient, path: str) -> None:
    over = [f"board=XXXOO....&{chance}" for chance in ("tie_break=random", "skill=50")]
    for query in ("board=X........", "board=X...O....&tie_break=hardest", "game=tic-tac-toe-3d&moves=13", *over):
        answer = assert_kept(client, f"{path}?{query}")
        assert answer.get_json()["proven"]
        assert not {"seed", "skill"} & set(answer.get_json())  # chance has no part in a game that is over
    for query in ("board=X........&tie_break=random", "board=X........&skill=50", "game=qubic&moves=1&nodes=100"):
        assert client.get(f"{path}?{query}").headers["Cache-Control"] == "no-store", query
    assert client.post(path, json={"board": "X........"}).headers["Cache-Control"] == "no-store"


def test_a_client_that_has_the_answer_gets_304_whether_it_was_given_before_or_not() -> None:
    url = "/best-move?board=X.O......"
    full = EdgeClient(Settings()).get(url)
    client = EdgeClient(Settings())
    for known in ("{etag}", "W/{etag}", '"other", {etag}', "*"):
        again = client.get(url, headers={"If-None-Match": known.format(etag=full.headers["ETag"])})
        assert (again.status_code, again.data, again.headers["ETag"]) == (304, b"", full.headers["ETag"])
        assert again.headers["Cache-Control"] == full.headers["Cache-Control"]
        assert "Content-Type" not in again.headers


def test_head_is_get_without_the_body(client: EdgeClient) -> None:
    head, get = client.head("/best-move?board=X..O....."), client.get("/best-move?board=X..O.....")
    assert head.data == b""
    for name in ("Content-Length", "Content-Type", "ETag", "Cache-Control"):
        assert head.headers[name] == get.headers[name]


@pytest.mark.verify
def test_answers_written_before_the_start_are_those_found_when_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    positions = reachable(TIC_TAC_TOE, "X")
    asked = [parse_item(BestMoveRequest, {"board": str(position), "player": position.player}) for position in positions]
    lazy, filled = (create_service(Settings()).tables for _ in range(2))
    found = [lazy.answer(reading) for reading in asked]
    filled.fill(TIC_TAC_TOE)
    monkeypatch.delattr("service.api.routes.best_move.answer_question")
    assert [filled.answer(reading) for reading in asked] == found


def test_answers_kept_by_the_text_of_a_board_are_those_of_the_whole_request() -> None:
    tables = create_service(Settings()).tables
    board = {"board": "XO......."}
    others: list[dict[str, Any]] = [
        {"player": "X"},
        {"player": "O"},
        {"game": "tic-tac-toe"},
        {"game": "misere-tic-tac-toe"},
        {"game": None, "player": None},
        {"limit": {"nodes": 1}},
        {"tie_break": "random", "seed": 7},
        {"skill": 0, "seed": 7},
    ]
    readings = [parse_item(BestMoveRequest, board | other) for other in others]
    found = [tables.answer(reading) for reading in readings]
    assert [tables.answer(reading) for reading in readings] == found
    assert [create_service(Settings()).tables.answer(reading) for reading in readings] == found
    assert found[0] is found[2] is found[4] is not None
    assert found[-2:] == [None, None]  # they need a random choice
    assert len({None if answered is None else answered.body for answered in found}) == 4

    for fault in ({"moves": [4]}, {"player": "Z"}, {"seed": -1}, {"unknown": 1}):
        for _ in range(2):
            with pytest.raises(Problem):
                tables.answer(parse_item(BestMoveRequest, board | fault))
