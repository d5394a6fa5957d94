"""Games by their rules or lines, and limits: understood, answered, and every fault named where it is."""

from typing import Any

from flask.testing import FlaskClient

from service.games.catalogue import LINE_GAMES
from service.games.families.lines import LineGame
from service.games.inline import game_by_lines, grid_by_rules
from tests.contract import assert_matches, faults
from tests.worlds import WIDE

FAMILY: list[dict[str, Any]] = [
    {"rows": 4, "columns": 3, "in_a_row": 3},
    {"rows": 3, "columns": 4, "in_a_row": 3, "gravity": True},
    {"rows": 3, "columns": 4, "in_a_row": 3, "misere": True},
    {"rows": 3, "columns": 4, "in_a_row": 3, "wrap": True},
    {"rows": 3, "columns": 4, "in_a_row": 3, "wrap": "cylinder"},
    {"rows": 3, "columns": 4, "in_a_row": 3, "wrap": "moebius"},
    {"rows": 2, "columns": 2, "layers": 2, "in_a_row": 2},
    {"rows": 2, "columns": 2, "layers": 2, "in_a_row": 2, "gravity": True},
]


def post(client: FlaskClient, **body: Any) -> dict[str, Any]:
    answer: dict[str, Any] = client.post("/best-move", json=body).get_json()
    assert_matches("BestMoveAnswer" if "move" in answer else "ProblemDocument", answer)
    return answer


def query(game: dict[str, Any]) -> str:
    return "&".join(f"{name}={str(value).lower()}" for name, value in game.items())


def rules_of(game: LineGame) -> dict[str, Any]:
    names = ("rows", "columns", "in_a_row", "layers", "gravity", "misere", "wrap")
    return {name: getattr(game, name) for name in names}


def test_a_game_by_its_rules_is_the_same_in_a_body_and_in_a_query(client: FlaskClient) -> None:
    for game in FAMILY:
        posted = post(client, game=game, moves=[1])
        assert (posted["game"], posted["proven"]) == ("custom", True)
        assert client.get(f"/best-move?moves=1&{query(game)}").get_json() == posted


def test_the_rules_of_a_game_of_the_catalogue_are_that_game(client: FlaskClient) -> None:
    for game in LINE_GAMES.values():
        limit = {"nodes": 50}
        by_rules = post(client, game=rules_of(game), moves=[1], limit=limit)
        assert by_rules == post(client, game=game.id, moves=[1], limit=limit)
        assert by_rules["game"] == game.id


def test_lines_written_by_hand_are_played_as_they_are(client: FlaskClient) -> None:
    # The lines of tic-tac-toe in a magic square: whoever holds three numbers with the sum 15 has won.
    magic = [2, 7, 6, 9, 5, 1, 4, 3, 8]
    lines = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]]
    game = {"cells": 9, "lines": [[magic[cell] - 1 for cell in line] for line in lines]}
    ours = post(client, game=game, moves=[magic[cell] - 1 for cell in (0, 4, 2)])
    theirs = post(client, moves=[0, 4, 2])
    assert (ours["outcome"], ours["plies"], ours["move"]) == (theirs["outcome"], theirs["plies"], magic[1] - 1)
    assert ours["reason"] == "Blocks the line 1-5-6: holds the draw."
    assert (ours["row"], ours["column"]) == (0, ours["move"])
    assert post(client, game={"cells": 3, "lines": [[0], [1, 2]], "misere": True}, board="...")["move"] == 1
    one = post(client, game={"cells": 5, "lines": [[0, 1, 2], [2, 3, 4]]}, board="X.O..")
    assert one == post(client, game={"cells": 5, "lines": [[4, 2, 3], [2, 1, 0], [0, 2, 1]]}, board="X.O..")


def test_the_same_rules_are_the_same_game_and_others_are_not() -> None:
    flags = {"layers": 1, "gravity": False, "misere": False, "wrap": False}
    tall = grid_by_rules(rows=4, columns=3, in_a_row=3, **flags)
    assert tall is grid_by_rules(rows=4, columns=3, in_a_row=3, **flags)
    assert tall is not grid_by_rules(rows=3, columns=4, in_a_row=3, **flags)
    lines = ((0, 1), (1, 2))
    assert game_by_lines(cells=3, lines=lines, misere=False) is game_by_lines(cells=3, lines=lines, misere=False)


def test_a_board_of_64_cells_is_answered(client: FlaskClient) -> None:
    board = [["."] * 8 for _ in range(8)]
    for column in range(4, 7):
        board[7][column], board[0][column] = "X", "O"
    answer = post(client, game={"rows": 8, "columns": 8, "in_a_row": 4}, board=board, player="X")
    assert (answer["move"], answer["outcome"], answer["plies"], answer["score"]) == (59, "win", 1, 64)
    board[7][3] = "O"
    answer = post(client, game={"rows": 8, "columns": 8, "in_a_row": 4}, board=board, player="X")
    assert (answer["move"], answer["next_status"], answer["reason"]) == (63, "won", "Completes the row e8-h8.")


GRID: dict[str, Any] = {"rows": 3, "columns": 3, "in_a_row": 3}

RULE_FAULTS: list[tuple[dict[str, Any], list[str]]] = [
    ({}, ["rows required", "columns required", "in_a_row required"]),
    ({"rows": 3, "columns": 3}, ["in_a_row required"]),
    ({"rows": 0, "columns": 65, "in_a_row": "3"}, ["rows out-of-range", "columns out-of-range", "in_a_row wrong-type"]),
    ({**GRID, "gravity": 1}, ["gravity wrong-type"]),
    ({**GRID, "gravty": True}, ["gravty unknown-field"]),
    ({**GRID, "by_grid": 1}, ["by_grid unknown-field"]),
    ({"cells": 3, "lines": [[0]], "by_lines": 1}, ["by_lines unknown-field"]),
    ({"cells": 9, "lines": [[0]], "rows": 3}, ["rows unknown-field"]),
    ({**GRID, "rows": 5, "columns": 13}, ["rows too-many-cells"]),
    ({**GRID, "rows": 5, "columns": 5, "layers": 3}, ["rows too-many-cells"]),
    ({**GRID, "in_a_row": 4}, ["in_a_row no-line-fits"]),
    ({"cells": 3}, ["lines required"]),
    ({"lines": [[0]]}, ["cells required"]),
    ({"cells": 65, "lines": [[0]]}, ["cells out-of-range"]),
    ({"cells": 3, "lines": []}, ["lines too-short"]),
    ({"cells": 3, "lines": [[]]}, ["lines/0 too-short"]),
    ({"cells": 3, "lines": [[0]] * 1025}, ["lines too-long"]),
    ({"cells": 3, "lines": [[0, 1], 2]}, ["lines/1 wrong-type"]),
    ({"cells": 3, "lines": [[0, 3], [1, 2, 1]]}, ["lines/0/1 no-such-cell", "lines/1/2 repeated-cell"]),
]


def test_every_fault_of_the_rules_is_named(client: FlaskClient) -> None:
    for game, expected in RULE_FAULTS:
        found = faults(post(client, game=game, board="..."))
        assert [f"{at} {code}" for at, code in found] == [f"/game/{fault}" for fault in expected], game


def test_a_misspelt_rule_is_answered_with_a_guess(client: FlaskClient) -> None:
    game = {"rows": 3, "columns": 3, "in_a_row": 3, "gravty": True}
    detail = "There is no field game.gravty. Did you mean gravity?"
    assert post(client, game=game, board="...")["detail"] == detail
    query = "board=...&rows=3&columns=3&in_a_row=3&gravty=true"
    detail = "There is no field gravty. Did you mean gravity?"
    assert client.get(f"/best-move?{query}").get_json()["detail"] == detail


def test_a_search_that_was_cut_off_says_what_it_knows_and_is_never_kept(client: FlaskClient) -> None:
    for url in ("/best-move?game=qubic&moves=1&nodes=200", "/best-move?game=qubic&moves=1&time_ms=20"):
        for _ in range(2):
            response = client.get(url)
            answer = response.get_json()
            assert_matches("BestMoveAnswer", answer)
            assert response.headers["Cache-Control"] == "no-store"
            assert response.headers["Server-Timing"].startswith("search;dur=")
            known = [answer[field] for field in ("proven", "outcome", "score", "plies")]
            assert known == [False, "unknown", None, None]
            assert (answer["at_least"], answer["at_most"], answer["pv"]) == ("loss", "win", [answer["move"]])


def test_a_node_limited_answer_is_the_same_to_the_byte(client: FlaskClient) -> None:
    body = {"game": WIDE, "moves": [3, 3, 3], "limit": {"nodes": 5000}}
    first = client.post("/best-move", json=body).data
    client.post("/best-move", json={**body, "limit": {"time_ms": 100}})
    assert client.post("/best-move", json=body).data == first


def test_a_proven_answer_does_not_show_its_limit(client: FlaskClient) -> None:
    board = "X" + "." * 15
    limits: list[Any] = [None, {}, {"time_ms": 5000}, {"nodes": 10**6}]
    answers = [post(client, game="tic-tac-toe-4x4", board=board, limit=limit) for limit in limits]
    assert answers[0]["proven"]
    assert "at_least" not in answers[0]
    assert all(answer == answers[0] for answer in answers)
