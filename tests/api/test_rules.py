"""Games by their rules: every family's are read, and every fault is named where it is."""

import inspect
from itertools import product
from typing import Any
from urllib.parse import urlencode

import pytest
from flask.testing import FlaskClient

from service.api.read.notation import read_position
from service.api.wire.rules import ALL_FAMILIES, IN_QUERY
from service.games.catalogue import CATALOGUE, FAMILIES
from service.games.game import Game
from service.games.position import Position
from tests.contract import assert_matches, faults
from tests.support import some

RULES: list[dict[str, Any]] = [
    {"rows": 4, "columns": 3, "in_a_row": 3},
    *({"rows": 3, "columns": 4, "in_a_row": 3, rule: True} for rule in ("gravity", "misere", "wrap")),
    *({"rows": 3, "columns": 4, "in_a_row": 3, "wrap": wrap} for wrap in ("cylinder", "moebius")),
    *({"rows": 2, "columns": 2, "layers": 2, "in_a_row": 2, "gravity": gravity} for gravity in (False, True)),
    {"family": "notakto", "boards": 2, "misere": False},
    {"family": "vanishing", "remove": "after", "marks": None},
    {"family": "morris", "moves": "king", "centre": "closed"},
]


def post(client: FlaskClient, **body: Any) -> dict[str, Any]:
    answer: dict[str, Any] = client.post("/best-move", json=body).get_json()
    assert_matches("BestMoveAnswer" if "move" in answer else "ProblemDocument", answer)
    return answer


def query(rules: dict[str, Any]) -> str:
    given = {IN_QUERY.get(name, name): f"{value}".lower() for name, value in rules.items() if value is not None}
    return urlencode(given)


def test_a_game_by_its_rules_is_the_same_in_a_body_and_in_a_query(client: FlaskClient) -> None:
    for rules in RULES:
        posted = post(client, game=rules)
        assert (posted["game"], posted["proven"]) == ("custom", True)
        assert client.get(f"/best-move?{query(rules)}").get_json() == posted


@pytest.mark.parametrize("name", CATALOGUE)
def test_the_rules_of_a_game_of_the_catalogue_are_that_game(client: FlaskClient, name: str) -> None:
    shown = client.get(f"/games/{name}").get_json()
    told, declared = shown.get("parameters", shown), ALL_FAMILIES[shown["family"]].PARAMETERS
    rules = {"family": shown["family"], **{each.name: told[each.name] for each in declared}}
    asked = {"plies": 2, "seed": 1}
    drawn = client.post("/random-position", json={"game": rules, **asked})
    assert drawn.data == client.post("/random-position", json={"game": name, **asked}).data
    assert drawn.get_json()["game"] == name


def test_every_family_declares_the_parameters_that_it_takes() -> None:
    for family, game in FAMILIES.items():
        taken = set(inspect.signature(game.__init__).parameters) - {"self", "named"}
        assert {parameter.name for parameter in ALL_FAMILIES[family].PARAMETERS} == taken


def test_lines_written_by_hand_are_played_as_they_are(client: FlaskClient) -> None:
    # The lines of tic-tac-toe in a magic square: whoever holds three numbers with the sum 15 has won.
    magic = [2, 7, 6, 9, 5, 1, 4, 3, 8]
    lines = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]]
    game = {"cells": 9, "lines": [[magic[cell] - 1 for cell in line] for line in lines]}
    ours = post(client, game=game, moves=[magic[cell] - 1 for cell in (0, 4, 2)])
    theirs = post(client, moves=[0, 4, 2])
    assert (ours["outcome"], ours["plies"], ours["move"]) == (theirs["outcome"], theirs["plies"], magic[1] - 1)
    assert (ours["row"], ours["column"]) == (0, ours["move"])
    assert post(client, game={"cells": 3, "lines": [[0], [1, 2]], "misere": True}, board="...")["move"] == 1
    one = post(client, game={"cells": 5, "lines": [[0, 1, 2], [2, 3, 4]]}, board="X.O..")
    assert one == post(client, game={"cells": 5, "lines": [[4, 2, 3], [2, 1, 0], [0, 2, 1]]}, board="X.O..")


def test_a_board_of_64_cells_is_answered(client: FlaskClient) -> None:
    board = [["."] * 8 for _ in range(8)]
    for column in range(4, 7):
        board[7][column], board[0][column] = "X", "O"
    asked: dict[str, Any] = {"game": {"rows": 8, "columns": 8, "in_a_row": 4}, "board": board, "player": "X"}
    answer = post(client, **asked)
    assert (answer["move"], answer["outcome"], answer["plies"], answer["score"]) == (59, "win", 1, 64)
    board[7][3] = "O"
    answer = post(client, **asked)
    assert (answer["move"], answer["next_status"], answer["reason"]) == (63, "won", "Completes the row e8-h8.")


GRID: dict[str, Any] = {"rows": 3, "columns": 3, "in_a_row": 3}
WILD: dict[str, Any] = {"family": "wild", **GRID}

RULE_FAULTS: list[tuple[dict[str, Any], list[str]]] = [
    ({}, ["rows required", "columns required", "in_a_row required"]),
    ({"rows": 0, "columns": 65, "in_a_row": "3"}, ["rows out-of-range", "columns out-of-range", "in_a_row wrong-type"]),
    ({**GRID, "gravity": 1}, ["gravity wrong-type"]),
    ({**GRID, "gravty": True}, ["gravty unknown-field"]),
    ({**GRID, "by_grid": 1}, ["by_grid unknown-field"]),
    ({**GRID, "rows": 5, "columns": 13}, ["rows too-many-cells"]),
    ({**GRID, "rows": 5, "columns": 5, "layers": 3}, ["rows too-many-cells"]),
    ({**GRID, "in_a_row": 4}, ["in_a_row no-line-fits"]),
    ({"rows": 9, "columns": 9, "in_a_row": 10}, ["rows too-many-cells", "in_a_row no-line-fits"]),
    ({"cells": 3, "lines": [[0]], "by_lines": 1}, ["by_lines unknown-field"]),
    ({"cells": 9, "lines": [[0]], "rows": 3}, ["rows unknown-field"]),
    ({"cells": 3}, ["lines required"]),
    ({"lines": [[0]]}, ["cells required"]),
    ({"cells": 65, "lines": [[0]]}, ["cells out-of-range"]),
    ({"cells": 3, "lines": []}, ["lines too-short"]),
    ({"cells": 3, "lines": [[]]}, ["lines/0 too-short"]),
    ({"cells": 3, "lines": [[0]] * 1025}, ["lines too-long"]),
    ({"cells": 3, "lines": [[0, 1], 2]}, ["lines/1 wrong-type"]),
    ({"cells": 3, "lines": [[0, 3], [1, 2, 1]]}, ["lines/0/1 no-such-cell", "lines/1/2 repeated-cell"]),
    ({"family": "chess"}, ["family not-a-choice"]),
    ({"family": "wild", "rows": 3, "columns": 3}, ["in_a_row required"]),
    ({**WILD, "rows": 9}, ["rows out-of-range"]),
    ({**WILD, "rows": 2, "columns": 2}, ["in_a_row no-line-fits"]),
    ({"family": "pop-out", "rows": 3, "columns": 3}, ["in_a_row no-line-fits"]),
    ({"family": "vanishing", "rounds": 3}, ["rounds unknown-field"]),
    ({"family": "vanishing", "marks": 0}, ["marks out-of-range"]),
    ({"family": "vanishing", "marks": True}, ["marks wrong-type"]),
    ({"family": "vanishing", "rows": 8, "columns": 4}, ["rows too-many-cells"]),
    ({"family": "notakto", "boards": 8, "in_a_row": 4}, ["boards too-many-cells", "in_a_row no-line-fits"]),
    ({"family": "morris", "points": 10}, ["points not-a-choice"]),
    ({"family": "morris", "misere": 1}, ["misere unknown-field"]),
]


def test_every_fault_of_the_rules_is_named(client: FlaskClient) -> None:
    for game, expected in RULE_FAULTS:
        found = faults(post(client, game=game))
        assert [f"{at} {code}" for at, code in found] == [f"/game/{fault}" for fault in expected], game


def by_rules(family: str, **rules: Any) -> Game:
    return FAMILIES[family](**rules)


def test_positions_of_any_morris_game_are_read_back() -> None:
    boards = [*product((9, 13), ("orthogonal", "diagonals", "fly")), (9, "king")]
    choices = [*product((1, 2, 3, 4), ("loss", "draw"), ("open", "not-first", "closed"), (True, False))]
    for (points, moves), (marks, stuck, centre, diagonals_win) in some(product(boards, choices), 100):
        rules = {"stuck": stuck, "centre": centre, "diagonals_win": diagonals_win}
        position = Position(by_rules("morris", points=points, marks=marks, moves=moves, **rules))
        for _ in range(20):
            assert read_position(position.game, str(position), player=position.player) == position
            if position.legal_moves:
                position = position.play(position.legal_moves[len(position.legal_moves) // 2])
