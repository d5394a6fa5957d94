"""The false answers of version 0.1.0, one by one, and that no neighbour on the table changes what is proven."""

import random
from typing import Any

import pytest
from flask.testing import FlaskClient

from loadtests.hunt.lines import Lines, draw_board, grid_of, neighbours
from service.app import create_app
from service.kernel.alpha_beta.search import Search
from service.kernel.rules import make_rules
from service.settings import Settings
from tests.support import sampled
from tests.worlds import memory

LATE = {"nodes": 20_000}


def fresh() -> FlaskClient:
    return create_app(Settings(), search_slots=False).test_client()


def post(client: FlaskClient, path: str, **body: Any) -> dict[str, Any]:
    response = client.post(path, json=body)
    assert response.status_code == 200, response.get_json()
    answer: dict[str, Any] = response.get_json()
    return answer


def by_lines(cells: int, *lines: list[int]) -> dict[str, Any]:
    return {"cells": cells, "lines": lines, "misere": True}


FIVE = {"rows": 8, "columns": 8, "in_a_row": 5, "misere": True}
TOWER = {"rows": 7, "columns": 3, "layers": 3, "in_a_row": 4, "misere": True}


@pytest.mark.parametrize(
    ("game", "board", "values"),
    [
        (
            by_lines(58, [2, 57], [7, 57]),
            "X:XO.XXXX.OXXXOXXXXXOXOXOOOOXXOXOXOO.OOOOOXXOOXOX.XXOXOO.OO.",
            {("win", 6): (34, 47, 54), ("draw", 6): (2, 7), ("loss", 5): (57,)},
        ),
        (
            by_lines(60, [5, 46], [5, 57]),
            "O:OOXXX..OXOOXXOOXOXOXXOOOXOOOXXXXOXOOOXXXXXXOXX.OOXOOXOOXX.O.",
            {("loss", 5): (5, 6, 46, 57, 59)},
        ),
        (
            FIVE,
            "O:OXX.XOXO.X.XOOXXO.O.XXOXOOOXOOX.XOXXOXXXXX..OXOXOOOXOOOOXXOX.O..",
            {("loss", 11): (3, 8, 10, 17, 42, 62, 63), ("loss", 9): (31,), ("loss", 1): (19, 43, 60)},
        ),
        (
            TOWER,
            "O:..XXOOXOXOX.OOXXXXXXXO.XOXXOXOXOOOXO.OXXO.OOOOX.OX.XOOOXOOXXXXO",
            {("win", 8): (0, 1, 22, 36, 41), ("draw", 8): (11, 47, 50)},
        ),
    ],
    ids=["58 cells", "60 cells", "8x8", "7x3x3"],
)
def test_a_misere_game_of_which_version_0_1_0_proved_what_is_false_has_its_true_values(
    game: dict[str, Any], board: str, values: dict[tuple[str, int], tuple[int, ...]]
) -> None:
    player, _, cells = board.partition(":")
    analysis = post(fresh(), "/analysis", game=game, board=cells, player=player, limit=LATE)
    found = {move["move"]: (move["outcome"], move["plies"]) for move in analysis["moves"] if move["proven"]}
    assert found == {move: value for value, moves in values.items() for move in moves}


FAMILIES: dict[str, list[Lines]] = {
    "qubic": [grid_of(4, 4, 4, 4)],
    "8x8 five in a row": [grid_of(1, 8, 8, 5)],
    "8x8 four in a row": [grid_of(1, 8, 8, 4), grid_of(1, 8, 8, 4, misere=True)],
    "by hand": [
        Lines({}, cells, lines, misere=misere)
        for cells in range(58, 65)
        for lines in (((2, cells - 1), (7, cells - 1)), ((5, 46), (5, 57), tuple(sorted({cells - 2, 57}))))
        for misere in (False, True)
    ],
}


@pytest.mark.parametrize("games", FAMILIES.values(), ids=FAMILIES)
def test_positions_of_neighbouring_families_have_the_same_score_from_an_empty_and_a_warm_table(
    games: list[Lines],
) -> None:
    dice, warm, solved = random.Random(2), memory(18), 0
    while solved < sampled(1_000, 2_500):
        game = dice.choice(games)
        rules = make_rules(game.cells, game.lines, misere=game.misere)
        board, _ = draw_board(dice, game, dice.randint(6, 10))
        for one in neighbours(dice, game, board, 50):
            cold = Search(rules, memory(10)).score(one.mine, one.theirs)
            assert Search(rules, warm).score(one.mine, one.theirs) == cold
            solved += 1
