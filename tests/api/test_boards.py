"""Boards as people write them: every notation of every game shows the same position, and every fault is named."""

import json
from collections.abc import Iterator, Mapping
from itertools import product
from random import Random
from typing import Any

import pytest
from flask.testing import FlaskClient

from service.api.problems import Problem
from service.api.read.notation import read_position
from service.api.read.signs import DISCS, EMPTY_SIGNS, O_SIGNS, SIGNS, SQUARES, X_SIGNS
from service.games.catalogue import LINE_GAMES, TIC_TAC_TOE
from service.games.families.lines import PLAYERS, LineGame, LinePosition, Player, grid, line_position
from service.games.inline import game_by_lines
from tests.contract import validator

LINES = ((0, 1, 2), (0, 3, 4), (0, 5, 6), (1, 3, 5), (1, 4, 6))
GAMES: Mapping[str, LineGame] = {
    **{name: LINE_GAMES[name] for name in ("tic-tac-toe", "connect-four", "qubic")},
    "lines": game_by_lines(cells=7, lines=LINES, misere=False),
}
CUBE = grid(id="cube", name="Cube", rules="", rows=2, columns=2, layers=2, in_a_row=2)
DROP = grid(id="drop", name="Drop", rules="", rows=3, columns=2, in_a_row=3, gravity=True)
FLAT = grid(id="flat", name="Flat", rules="", rows=1, columns=2, layers=2, in_a_row=2)

SIGN_SETS: list[tuple[Any, Any, Any]] = [
    *[(x, o, ".") for x, o in ("XO", "xo", "RY", "ry", "XY", "\N{MULTIPLICATION SIGN}○", "✕O")],
    *[(x, o, ".") for x, o in ("❌⭕", "✖⭕", "🔴🟡", "🔴🔵", "🟥🟨", "🟥🟦")],
    *[("X", "O", empty) for empty in (".", " ", "-", "_", "+", "·", "⬜", "⬛", "⬜\ufe0f")],
    *[("❌\ufe0f", "⭕\ufe0f", "."), ("🔴", "🟡", "⬜"), ("🔴", "🟡", "⚪"), ("🔴", "🔵", "⚫\ufe0f"), ("r", "y", " ")],
]
"""Signs of X, of O and of an empty cell, all of them texts of one character."""

MIXED_SETS: list[tuple[Any, Any, Any]] = [
    *[(1, -1, 0), (1, 2, 0), ("1", "2", "0"), ("R", "Y", 0), ("X", "O", None), ("X", "O", ""), (1, -1, None)],
]
"""Signs for lists of cells alone."""


def written(position: LinePosition) -> Iterator[object]:
    """Yield the board in every notation."""
    game = position.game
    for x, o, empty in SIGN_SETS:
        cells = [{"X": x, "O": o, ".": empty}[mark] for mark in str(position)]
        rows = in_rows(game, cells)
        strings = ["".join(row) for row in rows]
        yield from (cells, "".join(cells), strings, in_layers(game, rows), in_layers(game, strings))
        yield from ("/".join(strings), "\n".join(strings), "\r\n".join(strings) + "\r\n")
        yield [rows[0], *strings[1:]] if game.layers == 1 else ["".join(layer) for layer in in_layers(game, strings)]
    for x, o, empty in MIXED_SETS:
        cells = [{"X": x, "O": o, ".": empty}[mark] for mark in str(position)]
        yield from (cells, in_layers(game, in_rows(game, cells)))
    indexed = [cell if mark == "." else mark for cell, mark in enumerate(str(position))]
    yield from (indexed, in_layers(game, in_rows(game, indexed)))


def in_rows(game: LineGame, cells: list[Any]) -> list[list[Any]]:
    return [cells[start : start + game.columns] for start in range(0, len(cells), game.columns)]


def in_layers(game: LineGame, rows: list[Any]) -> list[Any]:
    """The rows, or with several layers the layers of rows."""
    return rows if game.layers == 1 else [rows[at : at + game.rows] for at in range(0, len(rows), game.rows)]


def played(game: LineGame, first: Player, plies: int) -> tuple[LinePosition, list[int]]:
    """A position, and the random moves that lead to it."""
    dice, position, moves = Random(plies), line_position(game, 0, 0, first), list[int]()
    while position.legal_moves and len(moves) < plies:
        moves.append(dice.choice(position.legal_moves))
        position = position.play(moves[-1])
    return position, moves


@pytest.mark.parametrize("name", GAMES)
def test_every_notation_of_a_board_is_in_the_contract_and_shows_the_same_position(name: str) -> None:
    for first, plies in product(PLAYERS, (3, 4)):
        position, _ = played(GAMES[name], first, plies)
        forms = [*{json.dumps(board): board for board in written(position)}.values()]
        assert len(forms) > 100
        for board in forms:
            for player in (position.player, position.player.lower()):
                found = read_position(GAMES[name], board, player=player)
                assert (*found.game.masks(found), found.player) == (*position.game.masks(position), position.player), (
                    board
                )
            assert validator("Board").is_valid(board), board


@pytest.mark.parametrize(
    ("game", "shown", "boards"),
    [
        (
            TIC_TAC_TOE,
            "X...O....",
            [
                *(["X", 1.0, "-", None, "O", "_", "+", ".", " "], [1, None, None, None, -1, None, None, None, None]),
                *(["X", 0, 0, 0, "O", 0, 0, 0, 0], ["X..\n", ".O.\r\n", "..."], [["X", "", ""], ".O.", "___"]),
                *("X123O5678", "100020000", ["100", "020", "000"], "X..\n.O.\n...\n", "X__/_O_/+++"),
                *(["🔴··", "·🔵·", "···"], [["🟥", "⬜", "⬜\ufe0f"], "⬜🟨⬜", "⬜⬜⬜"], "✖\ufe0f···⭕\ufe0f····"),
            ],
        ),
        (
            CUBE,
            "X......O",
            [
                *([["X.", [".", "."]], "../.O"], ["X./..", "..\n.O"], ["X...", [["", ""], ["", "O"]]]),
                *("X./../../.O", [["X", None], [None, None], [None, None], [None, "O"]]),
            ],
        ),
        (FLAT, "XO..", ["XO..", [["X", "O"], [".", "."]], ["XO", ".."], [["XO"], [".."]], [[["X", "O"]], [".."]]]),
    ],
    ids=lambda value: getattr(value, "id", ""),
)
def test_notations_may_be_mixed(game: LineGame, shown: str, boards: list[object]) -> None:
    for board in boards:
        assert str(read_position(game, board)) == shown, board
        assert validator("Board").is_valid(board), board


def test_every_way_to_write_an_empty_cell_is_read() -> None:
    for empty in (None, "", " ", ".", "-", "_", "+"):
        assert str(read_position(TIC_TAC_TOE, [empty] * 9)) == "." * 9


def test_a_sign_means_one_thing_and_the_contract_lists_it() -> None:
    assert len(SIGNS) == len(X_SIGNS) + len(O_SIGNS) + len(EMPTY_SIGNS)
    assert {*SQUARES, *DISCS} < set(EMPTY_SIGNS)
    assert [sign for sign in SIGNS if not validator("Mark").is_valid(sign)] == []
    assert [sign for sign in ("Z", "XX", "◆", "0X", "X\ufe0f") if validator("Mark").is_valid(sign)] == []


AMBIGUOUS: list[tuple[object, list[str]]] = [
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


def test_a_board_with_two_readings_is_refused_with_both() -> None:
    for board, readings in AMBIGUOUS:
        with pytest.raises(Problem) as caught:
            read_position(TIC_TAC_TOE, board)
        (error,) = caught.value.errors
        assert (caught.value.kind, error.pointer, error.code) == ("invalid-request", "/board", "ambiguous"), board
        assert [reading for reading in readings if reading not in error.detail] == []
        assert error.detail.endswith("Write X and O for marks, and null or . for an empty cell.")


def test_a_game_so_small_that_all_its_indices_are_signs_has_two_readings() -> None:
    for board in ([0, 1], [0, 1, 2]):
        lines = game_by_lines(cells=len(board), lines=((0, 1),), misere=False)
        assert faults(board, game=lines) == ["/board ambiguous"]
        assert str(read_position(lines, ["X", *board[1:]])) == "X" + "." * (len(board) - 1)


def faults(board: object, player: Any = None, game: LineGame = TIC_TAC_TOE) -> list[str]:
    """The pointer and the code of each fault of a board."""
    with pytest.raises(Problem) as caught:
        read_position(game, board, player=player)
    return [f"{error.pointer} {error.code}" for error in caught.value.errors]


FAULTY: list[tuple[object, list[str]]] = [
    *[(5, ["/board wrong-type"]), (True, ["/board wrong-type"]), ({}, ["/board wrong-type"])],
    *[(board, ["/board board-size"]) for board in ([], "", "X", [None] * 8, [None] * 10, [[None] * 3] * 2)],
    *[(board, ["/board board-size"]) for board in (".../..../...", ".../...", ["X..", ".O.", "...", "..."])],
    ([[None] * 3, [None] * 2, [None] * 3], ["/board/1 board-size"]),
    ([[None] * 3, None, [None] * 3], ["/board/1 wrong-type"]),
    ([[[None] * 3] * 3] * 3, [f"/board/{row}/{column} unknown-mark" for row in range(3) for column in range(3)]),
    *[(board, ["/board unknown-mark"]) for board in ("........Z", "X◆.......")],
    ("........9", ["/board wrong-index"]),
    ("X.......x\ufe0f", ["/board board-size"]),
    *[(board, ["/board ambiguous"]) for board in ("X⚪.......", "⚪⚫⚪⚫⚪⚫⚪⚫⚪", ["X", "⚫", *[None] * 7])],
    (["X..", ".O..", "..."], ["/board/1 board-size"]),
    (["X..", ".?.", "..."], ["/board/1 unknown-mark"]),
    (["X..", None, "..."], ["/board/1 wrong-type"]),
    (["X../.O./..."], ["/board board-size", "/board/0 board-size"]),
    *[([cell, *[None] * 8], ["/board/0 unknown-mark"]) for cell in ("Z", "XX", True, False)],
    ([{}, *[None] * 8], ["/board/0 unknown-mark"]),
    *[([cell, *[None] * 8], ["/board/0 wrong-index"]) for cell in (3, 0.5)],
    ([-2, *[0] * 8], ["/board/0 wrong-index"]),
    ([1, *[0] * 7, 7], ["/board/8 wrong-index"]),
    (["X", -1, *[None] * 7], ["/board/1 wrong-index"]),
    (["X", 0, 1, *[0] * 6], ["/board/2 wrong-index"]),
    ([[0, 1, 2], [3, 4, 5], [6, 7, 9]], ["/board/2/2 wrong-index"]),
    ([1, 2, 3, 4, 5, 6, 7, 8, 9], [f"/board/{cell} wrong-index" for cell in range(9)]),
    (["Z", 5, *[None] * 6], ["/board board-size", "/board/0 unknown-mark", "/board/1 wrong-index"]),
    ("XXXX.....", ["/board mark-count"]),
    ("XXXXXX.OO", ["/board mark-count", "/board no-last-move"]),
]


def test_every_fault_of_a_board_is_named_where_it_is() -> None:
    for board, expected in FAULTY:
        assert faults(board)[: len(expected)] == expected, board
    several = ["/player player-not-to-move", "/board two-winners", "/board played-after-the-end"]
    assert faults("XXXOOOX..", "X") == several


def test_a_floating_mark_is_named_in_the_notation_that_was_used() -> None:
    assert faults([None, None, "X", None, None, None], game=DROP) == ["/board/2 floating-mark"]
    assert faults([["."] * 2, ["X", "."], ["."] * 2], game=DROP) == ["/board/1/0 floating-mark"]
    assert faults("../X./..", game=DROP) == ["/board floating-mark"]


def test_an_error_never_repeats_more_than_a_glimpse_of_what_was_sent() -> None:
    with pytest.raises(Problem) as caught:
        read_position(TIC_TAC_TOE, ["Z" * 10_000, *[None] * 8])
    assert len(caught.value.detail) < 200


def test_a_board_of_every_text_in_the_contract_is_answered_or_refused(client: FlaskClient) -> None:
    for text in ["/", "//", "\n", "X/O", "/" * 256, "\u0000" * 9, "\u2028" * 9, "\u0425" * 9]:
        assert client.post("/best-move", json={"board": text}).status_code == 422


def test_yellow_began_where_yellow_has_one_mark_more(client: FlaskClient) -> None:
    for board, player in [("Y........", "X"), ("R........", "O"), ("RY.......", "X"), ("🔵........", "X")]:
        assert client.post("/best-move", json={"board": board}).get_json()["player"] == player
