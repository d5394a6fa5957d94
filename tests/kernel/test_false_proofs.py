"""The false answers of version 0.1.0, one by one, and that no neighbour on the table changes what is proven."""

import random
from typing import Any

import pytest
from flask.testing import FlaskClient

from loadtests.hunt.games import Game, draw_board, grid_of, lines_of, neighbours
from service.app import create_app
from service.kernel.alpha_beta.search import Search
from service.kernel.rules import make_rules
from service.settings import Settings
from tests.support import sampled
from tests.worlds import memory

EIGHT_LINES = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]]
LATE = {"nodes": 20_000}


def fresh() -> FlaskClient:
    return create_app(Settings(), search_slots=False).test_client()


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    return fresh()


def post(client: FlaskClient, path: str, **body: Any) -> dict[str, Any]:
    response = client.post(path, json=body)
    assert response.status_code == 200, response.get_json()
    answer: dict[str, Any] = response.get_json()
    return answer


def values(analysis: dict[str, Any]) -> dict[int, tuple[str, int]]:
    return {move["move"]: (move["outcome"], move["plies"]) for move in analysis["moves"] if move["proven"]}


def test_a_misere_game_of_58_cells_is_won_and_not_drawn(client: FlaskClient) -> None:
    game = {"cells": 58, "lines": [[2, 57], [7, 57]], "misere": True}
    board = "XO.XXXX.OXXXOXXXXXOXOXOOOOXXOXOXOO.OOOOOXXOOXOX.XXOXOO.OO."
    answer = post(client, "/best-move", game=game, board=board, player="X", limit=LATE)
    assert (answer["move"], answer["outcome"], answer["plies"], answer["proven"]) == (34, "win", 6, True)


def test_a_game_of_60_cells_is_analysed_without_an_error(client: FlaskClient) -> None:
    game = {"cells": 60, "lines": [[5, 46], [5, 57]], "misere": True}
    board = "OOXXX..OXOOXXOOXOXOXXOOOXOOOXXXXOXOOOXXXXXXOXX.OOXOOXOOXX.O."
    analysis = post(client, "/analysis", game=game, board=board, player="O", limit=LATE)
    assert values(analysis) == dict.fromkeys((5, 6, 46, 57, 59), ("loss", 5))


def test_no_move_of_a_lost_8x8_misere_game_wins(client: FlaskClient) -> None:
    game = {"rows": 8, "columns": 8, "in_a_row": 5, "misere": True}
    board = "OXX.XOXO.X.XOOXXO.O.XXOXOOOXOOX.XOXXOXXXXX..OXOXOOOXOOOOXXOX.O.."
    analysis = post(client, "/analysis", game=game, board=board, player="O", limit=LATE)
    at_once = dict.fromkeys((19, 43, 60), ("loss", 1))
    truth = {**dict.fromkeys((3, 8, 10, 17, 42, 62, 63), ("loss", 11)), 31: ("loss", 9), **at_once}
    assert values(analysis) == truth


def test_drawn_cells_of_a_7x3x3_misere_game_do_not_win(client: FlaskClient) -> None:
    game = {"rows": 7, "columns": 3, "layers": 3, "in_a_row": 4, "misere": True}
    board = "..X/XOO/XOX/OX./OOX/XXX/XXX/O.X/OXX/OXO/XOO/OXO/.OX/XO./OOO/OX./OX./XOO/OXO/OXX/XXO".replace("/", "")
    found = values(post(client, "/analysis", game=game, board=board, player="O"))
    assert found == {**dict.fromkeys((0, 1, 22, 36, 41), ("win", 8)), **dict.fromkeys((11, 47, 50), ("draw", 8))}


def test_a_proof_after_neighbours_is_the_proof_without_them() -> None:
    client = fresh()
    # A win of the side to move takes an odd number of plies; version 0.1.0 proved one in 8 here.
    board = "O...........X.X........O.......O.X.....X....O..XX........O.O...O"
    dice = random.Random(1)
    for _ in range(60):
        cells = [*board]
        for cell in dice.sample(range(57, 64), 3):
            cells[cell] = dice.choice("XO.")
        difference = cells.count("O") - cells.count("X")
        if difference in (0, 1):
            body = {"game": "qubic", "board": "".join(cells), "player": "X", "limit": {"time_ms": 20}}
            assert client.post("/best-move", json=body).status_code == 200
    nodes = {"nodes": 300_000, "time_ms": 60_000}
    alone = post(client, "/best-move", game="qubic", board=board, player="X", limit=nodes)
    after = post(client, "/best-move", game="qubic", board=board, player="X", limit={"time_ms": 60_000})
    assert (alone["outcome"], alone["plies"]) == ("win", 7)
    assert (after["outcome"], after["plies"]) == ("win", 7)


@pytest.mark.parametrize(
    ("game", "place", "line"),
    [
        ({"rows": 3, "columns": 1, "layers": 3, "in_a_row": 3}, {"row": 2, "column": 0, "layer": 2}, "1:a1-3:a3"),
        ({"cells": 9, "lines": EIGHT_LINES}, {"row": 0, "column": 8}, "0-4-8"),
    ],
    ids=["3x1x3", "lines"],
)
def test_a_game_with_the_lines_of_another_is_answered_as_itself(
    client: FlaskClient, game: dict[str, Any], place: dict[str, int], line: str
) -> None:
    board = "X.O.X.O.."
    for _ in range(2):
        assert post(client, "/best-move", board=board)["game"] == "tic-tac-toe"
        answer = post(client, "/best-move", game=game, board=board)
        assert (answer["game"], answer["reason"]) == ("custom", f"Completes the line {line}.")
        assert answer.items() >= place.items()
        batch = post(client, "/best-moves", positions=[{"board": board}, {"game": game, "board": board}])
        assert [one["game"] for one in batch["results"]] == ["tic-tac-toe", "custom"]


def test_a_node_limited_answer_does_not_depend_on_what_was_asked_of_the_same_game_before() -> None:
    client, other = fresh(), fresh()
    wrapped = {"rows": 4, "columns": 4, "in_a_row": 4, "wrap": True}
    by_hand = {"cells": 16, "lines": [[*line] for line in lines_of((1, 4, 4), 4, wrap=True)]}
    limit = {"nodes": 5000}
    cold = post(other, "/best-move", moves=[], game=by_hand, limit=limit)
    post(client, "/best-move", moves=[], game=wrapped, limit=limit)
    post(client, "/best-move", moves=[], game=wrapped)
    assert post(client, "/best-move", moves=[], game=by_hand, limit=limit) == cold


FAMILIES: dict[str, list[Game]] = {
    "qubic": [grid_of(4, 4, 4, 4)],
    "8x8 five in a row": [grid_of(1, 8, 8, 5)],
    "8x8 four in a row": [grid_of(1, 8, 8, 4), grid_of(1, 8, 8, 4, misere=True)],
    "by hand": [
        Game({}, 1, cells, 1, lines, 0, misere)
        for cells in range(58, 65)
        for lines in (((2, cells - 1), (7, cells - 1)), ((5, 46), (5, 57), tuple(sorted({cells - 2, 57}))))
        for misere in (False, True)
    ],
}


@pytest.mark.parametrize("games", FAMILIES.values(), ids=FAMILIES)
def test_positions_of_neighbouring_families_have_the_same_score_from_an_empty_and_a_warm_table(
    games: list[Game],
) -> None:
    dice, warm, solved = random.Random(2), memory(18), 0
    while solved < sampled(1_000, 2_500):
        game = dice.choice(games)
        rules = make_rules(game.cells, game.lines, misere=game.misere)
        board = draw_board(dice, game, dice.randint(6, 10))
        for one in neighbours(dice, board, 50):
            cold = Search(rules, memory(10)).score(one.mine, one.theirs)
            assert Search(rules, warm).score(one.mine, one.theirs) == cold
            solved += 1
