"""Boards and moves as people write them, and every fault named where it is."""

from typing import Any

import pytest
from flask.testing import FlaskClient

from service.api.notation import read_board, read_position
from service.api.problems import Problem
from service.api.requests import BestMoveRequest
from service.games.catalogue import TIC_TAC_TOE
from service.games.game import Game, grid
from service.games.inline import game_by_lines
from tests.contract import validator

EMPTY_MARKS = [None, "", " ", ".", "-", "_", "+"]

CUBE = grid(id="cube", name="Cube", rules="", rows=2, columns=2, layers=2, in_a_row=2)
DROP = grid(id="drop", name="Drop", rules="", rows=3, columns=2, in_a_row=3, gravity=True)

SAME_POSITION = [
    ["X", None, None, None, "O", None, None, None, None],
    ["x", "", "", "", "o", "", "", "", ""],
    ["X", 1, 2, 3, "O", 5, 6, 7, 8],
    ["X", 1.0, "-", None, "O", "_", "+", ".", " "],
    [["X", None, None], [None, "O", None], [None, None, None]],
    [["X", 1, 2], [3, "O", 5], [6, 7, 8]],
    "X...O....",
    "x---o----",
    "X   O    ",
    "X../.O./...",
    "X__/_O_/___",
    "X..\n.O.\n...",
    "X..\n.O.\n...\n",
    "X..\r\n.O.\r\n...\r\n",
    "X++/+O+/+++",
    ["X..", ".O.", "..."],
    ["X..\n", ".O.\r\n", "..."],
    [["X", "", ""], ".O.", "___"],
    [[1, 0, 0], [0, -1, 0], [0, 0, 0]],
    [1, 0, 0, 0, 2, 0, 0, 0, 0],
    [1, None, None, None, -1, None, None, None, None],
    ["X", 0, 0, 0, "O", 0, 0, 0, 0],
    ["100", "020", "000"],
    "X123O5678",
    "100020000",
    "R../.Y./...",
    "r   y    ",
    "X---Y----",
    "❌⬜⬜/⬜⭕⬜/⬜⬜⬜",
    "✖\ufe0f···⭕\ufe0f····",
    ["🔴", "", "", "", "🟡", "", "", "", ""],
    ["🔴··", "·🔵·", "···"],
    "🟥⬛⬛⬛🟦⬛⬛⬛⬛",
    [["🟥", "⬜", "⬜\ufe0f"], "⬜🟨⬜", "⬜⬜⬜"],
]


@pytest.mark.parametrize("board", SAME_POSITION, ids=repr)
def test_every_notation_is_in_the_contract_and_shows_the_same_position(board: object) -> None:
    assert str(read_board(TIC_TAC_TOE, board, None)) == "X...O...."
    assert validator("Board").is_valid(board)


@pytest.mark.parametrize("empty", EMPTY_MARKS)
def test_every_way_to_write_an_empty_cell_is_read(empty: str | None) -> None:
    assert str(read_board(TIC_TAC_TOE, [empty] * 9, None)) == "." * 9


def test_layers_of_rows_and_rows_of_all_layers_show_a_cube() -> None:
    layers = [[["X", None], [None, None]], [[None, None], [None, "O"]]]
    assert str(read_board(CUBE, layers, None)) == "X......O"
    assert str(read_board(CUBE, "X./../../.O", None)) == "X......O"
    assert validator("Board").is_valid(layers)


SAME_CUBES = [
    [[["X", None], [None, None]], [[None, None], [None, "O"]]],
    [["X", None], [None, None], [None, None], [None, "O"]],
    [["X.", ".."], ["..", ".O"]],
    [["X.", [".", "."]], "../.O"],
    ["X.", "..", "..", ".O"],
    ["X...", "...O"],
    ["X./..", "..\n.O"],
    ["X...", [["", ""], ["", "O"]]],
    [[[1, 0], [0, 0]], [[0, 0], [0, 2]]],
    "X./../../.O",
    "X......O",
    "🔴⬜⬜⬜⬜⬜⬜🟡",
]


@pytest.mark.parametrize("board", SAME_CUBES, ids=repr)
def test_every_notation_of_layers_is_in_the_contract_and_shows_the_same_position(board: object) -> None:
    assert str(read_board(CUBE, board, None)) == "X......O"
    assert validator("Board").is_valid(board)


@pytest.mark.parametrize(
    "board", ["XO..", [["X", "O"], [".", "."]], ["XO", ".."], [["XO"], [".."]], [[["X", "O"]], [".."]]]
)
def test_layers_of_one_row_are_read_as_rows_and_as_layers(board: object) -> None:
    assert (
        str(read_board(grid(id="flat", name="Flat", rules="", rows=1, columns=2, layers=2, in_a_row=2), board, None))
        == "XO.."
    )


AMBIGUOUS = [
    ([None, 1, *[None] * 7], ["indices of empty cells", "1 for X"]),
    ([0, 1, 2, *[None] * 6], ["indices of empty cells", "-1 or 2 for O"]),
    ([[None, 1, 2], [None] * 3, [None] * 3], ["indices of empty cells", "1 for X"]),
    ([1, 0, 0, 0, 4, *[0] * 4], ["the indices of empty cells", "signs: 1 for X"]),
    (["X", 1, *[0] * 7], ["the indices of empty cells", "signs: 1 for X"]),
    (["O", 0, "X", "X", 4, "X", 6, "O", "O"], ["the indices of empty cells", "0 for empty"]),
    ([1, -1, 2, *[0] * 6], ["both -1 and 2"]),
    ("X0.......", ["0 can be an empty cell", "a mark of O"]),
    (["X", 0, *[""] * 7], ["0 can be an empty cell", "a mark of O"]),
    ([1, 0, *[None] * 7], ["0 can be an empty cell", "a mark of O"]),
    ("....0....", ["0 can be an empty cell", "a mark of O"]),
    ("XR.......", ["X and R", "two players"]),
    ("OY.......", ["O and Y", "two players"]),
    ("🟡🔵.......", ["🟡 and 🔵", "two players"]),
    ("⭕o.......", ["⭕ and O", "two players"]),
    ("⬜⬛⬜⬛⬜⬛⬜⬛⬜", ["⬜ and ⬛", "two players"]),
]


@pytest.mark.parametrize(("board", "readings"), AMBIGUOUS, ids=repr)
def test_a_board_with_two_readings_is_refused_with_both(board: object, readings: list[str]) -> None:
    with pytest.raises(Problem) as caught:
        read_board(TIC_TAC_TOE, board, None)
    (error,) = caught.value.errors
    assert (caught.value.kind, error.pointer, error.code) == ("invalid-request", "/board", "ambiguous")
    assert [reading for reading in readings if reading not in error.detail] == []
    assert error.detail.endswith("Write X and O for marks, and null or . for an empty cell.")


@pytest.mark.parametrize("board", [[0, 1], [0, 1, 2]], ids=repr)
def test_a_game_so_small_that_all_its_indices_are_signs_has_two_readings(board: list[int]) -> None:
    lines = game_by_lines(cells=len(board), lines=((0, 1),), misere=False)
    assert faults(board, game=lines) == [("/board", "ambiguous")]
    assert str(read_board(lines, ["X", *board[1:]], None)) == "X" + "." * (len(board) - 1)


def faults(board: object, player: Any = None, game: Game = TIC_TAC_TOE) -> list[tuple[str, str]]:
    with pytest.raises(Problem) as caught:
        read_board(game, board, player)
    return [(error.pointer, error.code) for error in caught.value.errors]


FAULTY = [
    (5, [("/board", "wrong-type")]),
    ({}, [("/board", "wrong-type")]),
    (True, [("/board", "wrong-type")]),
    ([], [("/board", "board-size")]),
    ("", [("/board", "board-size")]),
    ("X", [("/board", "board-size")]),
    ([None] * 8, [("/board", "board-size")]),
    ([None] * 10, [("/board", "board-size")]),
    ([[None] * 3] * 2, [("/board", "board-size")]),
    ([[None] * 3, [None] * 2, [None] * 3], [("/board/1", "board-size")]),
    ([[None] * 3, None, [None] * 3], [("/board/1", "wrong-type")]),
    ([[[None] * 3] * 3] * 3, [(f"/board/{r}/{c}", "unknown-mark") for r in range(3) for c in range(3)]),
    (".../..../...", [("/board", "board-size")]),
    (".../...", [("/board", "board-size")]),
    ("........Z", [("/board", "unknown-mark")]),
    ("........9", [("/board", "wrong-index")]),
    ("X.......x\ufe0f", [("/board", "board-size")]),
    ("X◆.......", [("/board", "unknown-mark")]),
    ("X⚪.......", [("/board", "ambiguous")]),
    ("⚪⚫⚪⚫⚪⚫⚪⚫⚪", [("/board", "ambiguous")]),
    (["X", "⚫", *[None] * 7], [("/board", "ambiguous")]),
    (["X..", ".O.", "...", "..."], [("/board", "board-size")]),
    (["X..", ".O..", "..."], [("/board/1", "board-size")]),
    (["X..", ".?.", "..."], [("/board/1", "unknown-mark")]),
    (["X..", None, "..."], [("/board/1", "wrong-type")]),
    (["X../.O./..."], [("/board", "board-size"), ("/board/0", "board-size")]),
    (["Z", *[None] * 8], [("/board/0", "unknown-mark")]),
    (["XX", *[None] * 8], [("/board/0", "unknown-mark")]),
    ([True, *[None] * 8], [("/board/0", "unknown-mark")]),
    ([False, *[None] * 8], [("/board/0", "unknown-mark")]),
    ([{}, *[None] * 8], [("/board/0", "unknown-mark")]),
    ([3, *[None] * 8], [("/board/0", "wrong-index")]),
    ([-2, *[0] * 8], [("/board/0", "wrong-index")]),
    ([1, *[0] * 7, 7], [("/board/8", "wrong-index")]),
    (["X", -1, *[None] * 7], [("/board/1", "wrong-index")]),
    (["X", 0, 1, *[0] * 6], [("/board/2", "wrong-index")]),
    ([0.5, *[None] * 8], [("/board/0", "wrong-index")]),
    ([[0, 1, 2], [3, 4, 5], [6, 7, 9]], [("/board/2/2", "wrong-index")]),
    ([1, 2, 3, 4, 5, 6, 7, 8, 9], [(f"/board/{cell}", "wrong-index") for cell in range(9)]),
    (["Z", 5, *[None] * 6], [("/board", "board-size"), ("/board/0", "unknown-mark"), ("/board/1", "wrong-index")]),
    ("XXXX.....", [("/board", "mark-count")]),
]


@pytest.mark.parametrize(("board", "expected"), FAULTY, ids=repr)
def test_every_fault_of_a_board_is_named_where_it_is(board: object, expected: list[tuple[str, str]]) -> None:
    assert faults(board)[: len(expected)] == expected


def test_all_reasons_of_an_impossible_board_come_in_one_answer() -> None:
    assert faults("XXXOOOX..", "X") == [
        ("/player", "player-not-to-move"),
        ("/board", "two-winners"),
        ("/board", "played-after-the-end"),
    ]
    assert faults("XXXXXX.OO") == [("/board", "mark-count"), ("/board", "no-last-move")]


def test_a_floating_mark_is_named_in_the_notation_that_was_used() -> None:
    for board, pointer in [
        ([None, None, "X", None, None, None], "/board/2"),
        ([["."] * 2, ["X", "."], ["."] * 2], "/board/1/0"),
        ("../X./..", "/board"),
    ]:
        assert faults(board, game=DROP) == [(pointer, "floating-mark")]


def test_an_error_never_repeats_more_than_a_glimpse_of_what_was_sent() -> None:
    with pytest.raises(Problem) as caught:
        read_board(TIC_TAC_TOE, ["Z" * 10_000, *[None] * 8], None)
    assert len(caught.value.detail) < 200


def test_a_request_may_not_have_both_a_board_and_moves() -> None:
    with pytest.raises(Problem) as caught:
        read_position(BestMoveRequest(board="." * 9, moves=[]), TIC_TAC_TOE)
    assert [(error.pointer, error.code) for error in caught.value.errors] == [("/moves", "conflicting-field")]


def test_a_board_of_every_text_in_the_contract_is_answered_or_refused(client: FlaskClient) -> None:
    for text in ["/", "//", "\n", "X/O", "/" * 256, "\u0000" * 9, "\u2028" * 9, "\u0425" * 9]:
        assert client.post("/best-move", json={"board": text}).status_code == 422
