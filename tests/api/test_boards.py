"""Boards as people write them: every notation of every game shows the same position, and every fault is named."""

import json
from collections.abc import Iterator, Mapping
from itertools import product
from random import Random
from typing import Any

import click
import pytest

from service.api.problems import CODES, KINDS, Problem
from service.api.read.notation import read_position
from service.api.read.signs import EMPTY_SIGNS, O_SIGNS, SIGNS, X_SIGNS
from service.cli.text import board as board_text
from service.games.catalogue import CATALOGUE, LINE_GAMES
from service.games.families.exactly import ExactlyGame
from service.games.families.lines import grid, hand_written
from service.games.families.moving.morris import MorrisGame
from service.games.families.notakto import NotaktoGame
from service.games.families.pop_out import PopOutGame
from service.games.families.vanishing import VanishingGame
from service.games.families.wild import WildGame
from service.games.game import Game
from service.games.position import Position
from tests.contract import validator

LINES = ((0, 1, 2), (0, 3, 4), (0, 5, 6), (1, 3, 5), (1, 4, 6))
SHAPES: Mapping[str, Game] = {
    "seven": hand_written(id="seven", name="Seven", rules="", cells=7, lines=LINES),
    "cube": grid(id="cube", name="Cube", rules="", rows=2, columns=2, layers=2, in_a_row=2),
    "flat": grid(id="flat", name="Flat", rules="", rows=1, columns=2, layers=2, in_a_row=2),
    "falling": grid(id="falling", name="Falling", rules="", rows=2, columns=2, layers=2, in_a_row=2, gravity=True),
    "drop": grid(id="drop", name="Drop", rules="", rows=3, columns=2, in_a_row=3, gravity=True),
    "nine": grid(id="nine", name="Nine", rules="", rows=2, columns=9, in_a_row=4, gravity=True),
    "ten": grid(id="ten", name="Ten", rules="", rows=2, columns=10, in_a_row=4, gravity=True),
    "wide": grid(id="wide", name="Wide", rules="", rows=1, columns=40, in_a_row=4),
    "large wild": WildGame(rows=8, columns=8, in_a_row=3),
    "tall wild": WildGame(rows=8, columns=1, in_a_row=3),
    "four boards": NotaktoGame(boards=4, rows=2, columns=8, in_a_row=2),
    "eight rows": NotaktoGame(boards=8, rows=1, columns=8, in_a_row=2),
    "fading row": VanishingGame(rows=1, columns=12, in_a_row=3),
    "flying": MorrisGame(points=13, moves="fly"),
    "wide pop-out": PopOutGame(rows=2, columns=8),
    "large exactly": ExactlyGame(rows=8, columns=8, in_a_row=3),
}
"""Games of shapes of which the catalogue has none."""

GAMES: Mapping[str, Game] = {**CATALOGUE, **SHAPES}

MARKED = ("tic-tac-toe", "connect-four", "qubic", "seven", "notakto-2", "tapatan", "pop-out-4x4", "order-and-chaos-4x4")
"""Games of every shape whose boards hold X and O."""

SIGN_SETS: list[tuple[Any, Any, Any]] = [
    *[(x, o, ".") for x, o in ("XO", "xo", "RY", "ry", "XY", "\N{MULTIPLICATION SIGN}○", "✕O")],
    *[(x, o, ".") for x, o in ("❌⭕", "✖⭕", "🔴🟡", "🔴🔵", "🟥🟨", "🟥🟦")],
    *[("X", "O", empty) for empty in (".", " ", "-", "_", "+", "·", "⬜", "⬛", "⬜\ufe0f")],
    *[("❌\ufe0f", "⭕\ufe0f", "."), ("🔴", "🟡", "⬜"), ("🔴", "🟡", "⚪"), ("🔴", "🔵", "⚫\ufe0f"), ("r", "y", " ")],
]
"""Signs of X, of O and of an empty cell, all of them texts of one character."""

MIXED_SETS: list[tuple[Any, Any, Any]] = [
    *[(1, -1, 0), (1, 2, 0), ("1", "2", "0"), ("R", "Y", 0), ("X", "O", None), ("X", "O", ""), (1, -1, None)]
]
"""Signs for lists of cells alone."""


def played(game: Game, first: int, plies: int) -> tuple[Position, list[int]]:
    """A position, and the random moves that lead to it."""
    dice, position, moves = Random(plies), Position(game, turn=first), list[int]()
    while position.legal_moves and len(moves) < plies:
        moves.append(dice.choice(position.legal_moves))
        position = position.play(moves[-1])
    return position, moves


def beginners(game: Game) -> tuple[int, ...]:
    """The players who may begin."""
    return (0, 1) if game.either_begins else (0,)


def written(position: Position) -> Iterator[object]:
    """Yield the board in every notation."""
    game, marks = position.game, position.contents
    layers = game.layers * game.boards

    def in_rows(cells: list[Any]) -> list[list[Any]]:
        return [cells[start : start + game.columns] for start in range(0, len(cells), game.columns)]

    def in_layers(rows: list[Any]) -> list[Any]:
        each = len(rows) // layers
        return rows if layers == 1 else [rows[at : at + each] for at in range(0, len(rows), each)]

    for x, o, empty in SIGN_SETS:
        cells = [{"X": x, "O": o, ".": empty}[mark] for mark in marks]
        rows = in_rows(cells)
        strings = ["".join(row) for row in rows]
        yield from (cells, "".join(cells), strings, in_layers(rows), in_layers(strings))
        yield from ("/".join(strings), "\n".join(strings), "\r\n".join(strings) + "\r\n")
        yield [rows[0], *strings[1:]] if layers == 1 else ["".join(layer) for layer in in_layers(strings)]
    for x, o, empty in MIXED_SETS:
        cells = [{"X": x, "O": o, ".": empty}[mark] for mark in marks]
        yield from (cells, in_layers(in_rows(cells)))
    indexed = [cell if mark == "." else mark for cell, mark in enumerate(marks)]
    yield from (indexed, in_layers(in_rows(indexed)))


@pytest.mark.parametrize("name", MARKED)
def test_every_notation_of_a_board_is_in_the_contract_and_shows_the_same_position(name: str) -> None:
    game = GAMES[name]
    for first, plies in zip(beginners(game), (3, 4), strict=False):
        position, _ = played(game, first, plies)
        forms = {json.dumps(board): board for board in written(position)}
        assert len(forms) > 100
        for board in forms.values():
            for player in (position.player, position.player.lower()):
                found = read_position(game, board, player=player)
                assert (found.state, found.turn) == (position.state, position.turn), board
            assert validator("PositionRequest/properties/board").is_valid(board), board


READ: list[tuple[str, str, list[object]]] = [
    (
        "tic-tac-toe",
        "X...O....",
        [
            *(["X", 1.0, "-", None, "O", "_", "+", ".", " "], [1, None, None, None, -1, None, None, None, None]),
            *(["X", 0, 0, 0, "O", 0, 0, 0, 0], ["X..\n", ".O.\r\n", "..."], [["X", "", ""], ".O.", "___"]),
            *("X123O5678", "100020000", ["100", "020", "000"], "X..\n.O.\n...\n", "X__/_O_/+++"),
            *(["🔴··", "·🔵·", "···"], [["🟥", "⬜", "⬜\ufe0f"], "⬜🟨⬜", "⬜⬜⬜"], "✖\ufe0f···⭕\ufe0f····"),
        ],
    ),
    ("tic-tac-toe", ".........", [[empty] * 9 for empty in (None, "", " ", ".", "-", "_", "+")]),
    (
        "cube",
        "X......O",
        [
            *([["X.", [".", "."]], "../.O"], ["X./..", "..\n.O"], ["X...", [["", ""], ["", "O"]]]),
            *("X./../../.O", [["X", None], [None, None], [None, None], [None, "O"]]),
        ],
    ),
    ("vanishing-tic-tac-toe", "X0-4/O8", ["X0-4/O8", "x0-4/o8"]),
    ("flat", "XO..", ["XO..", [["X", "O"], [".", "."]], ["XO", ".."], [["XO"], [".."]], [[["X", "O"]], [".."]]]),
    (
        "numerical-tic-tac-toe",
        "5..2.....",
        [[5, 0, 0, 2, 0, 0, 0, 0, 0], [[5, 0, 0], [2, 0, 0], [0, 0, 0]], "500200000", "5++/2__/000"],
    ),
]
"""Games, and boards in mixed notations that show the same."""


def test_notations_may_be_mixed() -> None:
    for game, shown, boards in READ:
        for board in boards:
            assert str(read_position(GAMES[game], board)) == shown, board
            assert validator("PositionRequest/properties/board").is_valid(board), board


def test_a_sign_means_one_thing_and_the_contract_lists_it() -> None:
    assert len(SIGNS) == len(X_SIGNS) + len(O_SIGNS) + len(EMPTY_SIGNS)
    assert [sign for sign in SIGNS if not validator("Mark").is_valid(sign)] == []
    assert [sign for sign in ("Z", "XX", "◆", "0X", "X\ufe0f") if validator("Mark").is_valid(sign)] == []


def test_the_player_to_move_follows_from_the_marks() -> None:
    turns = {".........": "X", "X........": "O", "XXXOO.O..": "O", "Y........": "X", "🔵........": "X"}
    assert {board: read_position(LINE_GAMES["tic-tac-toe"], board).player for board in turns} == turns


FOUR_IN_A_ROW = ". . . . . . .\n" * 5 + ". . . X O . ."

DRAWN: list[tuple[str, str, list[object]]] = [
    (
        "tic-tac-toe",
        "X...O....",
        [
            *("X . .\n. O .\n. . .", "X  .  .\r\n.  O  .\r\n.  .  .\r\n", "X . . / . O . / . . .", "X . . . O . . . ."),
            *("X|.|.\n.|O|.\n.|.|.", "| X | | |\n|---|---|---|\n| | O | |\n| | | |", "❌ ⬜ ⬜\n⬜ ⭕ ⬜\n⬜ ⬜ ⬜"),
            *(" X |   |   \n---+---+---\n   | O |   \n---+---+---\n   |   |   ", "X    \n  O  \n     "),
            *(
                " X |   |\n===========\n   | O |\n===========\n   |   |",
                "┌─┬─┬─┐\n│X│ │ │\n├─┼─┼─┤\n│ │O│ │\n│ │ │ │\n└─┴─┴─┘",
            ),
            *("```\nX..\n.O.\n...\n```", "```text\nX . .\n. O .\n. . .\n```\n", "\nX..\n.O.\n...", "\n\nX...O....\n\n"),
            *("\n    X..\n    .O.\n    ...\n    ", ["X . .", ". O .", ". . ."], ["X|.|.", ".|O|.", ".|.|."]),
            *("X - -\n- O -\n- - -", "X|-|-\n-|O|-\n-|-|-", "X | 1 | 2\n3 | O | 5\n6 | 7 | 8"),
            *("  a b c\n1 X . .\n2 . O .\n3 . . .", "a b c\nX . .\n. O .\n. . .", "[X] . .\n. [O] .\n. . ."),
        ],
    ),
    (
        "connect-four",
        "." * 38 + "XO..",
        [
            *(FOUR_IN_A_ROW, f"{FOUR_IN_A_ROW}\n1 2 3 4 5 6 7", f"1 2 3 4 5 6 7\n{FOUR_IN_A_ROW}"),
            f"{FOUR_IN_A_ROW.replace(' ', '')}\n1234567",
            *(FOUR_IN_A_ROW.replace(" ", " | "), f"```\n{FOUR_IN_A_ROW}\n```", FOUR_IN_A_ROW.replace(" ", "")),
        ],
    ),
    (
        "cube",
        "X......O",
        [
            *("X .\n. .\n\n. .\n. O", "X|.\n-+-\n.|.\n.|.\n-+-\n.|O", "X. ..\n.. .O", "X .   . .\n. .   . O"),
            *("Layer 1\nX.\n..\nLayer 2\n..\n.O", "layer 1:  layer 2:\nX .       . .\n. .       . O"),
            *("X | .    . | .\n--+--    --+--\n. | .    . | O", "```\n  a b\n1 X .\n2 . .\n\n  a b\n1 . .\n2 . O\n```"),
        ],
    ),
    ("notakto-2", "X...X..../........X", ["X . .   . . .\n. X .   . . .\n. . .   . . X", "X.. ...\n.X. ...\n... ..X"]),
    ("tic-tac-toe-4x4", "." * 10 + "XO....", [" ".join([*map(str, range(10)), "X", "O", *map(str, range(12, 16))])]),
    ("numerical-tic-tac-toe", "5..2.....", ["5 . .\n2 . .\n. . .", "5 0 0\n2 0 0\n0 0 0", "5| | \n2| | \n | | "]),
    ("vanishing-tic-tac-toe", "X0-4/O8", ["\nX0-4/O8\n", "```\nX0-4/O8\n```"]),
]
"""Games, and drawn boards that show the same."""


def test_a_board_may_be_drawn() -> None:
    for game, shown, boards in DRAWN:
        for board in boards:
            assert str(read_position(GAMES[game], board)) == shown, board
            assert validator("PositionRequest/properties/board").is_valid(board), board


@pytest.mark.parametrize("name", [game.id for game in CATALOGUE.values() if not game.loops])
def test_a_board_is_read_as_the_command_line_prints_it(name: str) -> None:
    for plies in range(5):
        position, _ = played(GAMES[name], 0, plies)
        chosen = None if position.result else position.legal_moves[0]
        drawn = click.unstyle(board_text(position, chosen))
        if position.game.has_rest:  # the command line prints it with the position
            drawn += f"\n;{str(position).partition(';')[2]}"
        assert str(read_position(GAMES[name], drawn, player=position.player)) == str(position), drawn


NOT_DRAWN = [
    *("X O", "X . .\n. O .", "X . .\n. O\n. . .", "X . .\n. O .\n. . .\n. . .", "| X | O |\n| | |\n| | |"),
    *("X | O\n. | .\n. | .", "X..\n---\n.O.\n---\n...", "X . .\n" * 300, "```\n```", "\n", "X .. .\n. O .\n. . ."),
]
"""Texts that have not one sensible reading as boards of tic-tac-toe."""


def test_a_drawing_without_the_cells_of_the_game_is_refused() -> None:
    for board in NOT_DRAWN:
        assert faults(refused("tic-tac-toe", board=board)).startswith("/board board-size"), board
    for board in ("X . . .\n. . . O", "X. .. ..\n.. .O ..", "X. ..\n.. .O\n\nX. ..", "Layer 1\nX.\n..", "X.  ..\n.O"):
        assert faults(refused("cube", board=board)).startswith("/board board-size"), board
    assert faults(refused("tic-tac-toe", board="X R .\n. . .\n. . .")) == "/board ambiguous"
    assert faults(refused("tic-tac-toe", board="X X X\nX . .\n. . .")).startswith("/board mark-count")
    assert faults(refused("tic-tac-toe", board="1 | X | 3\n4 | O | 6\n7 | 8 | 9")).startswith("/board wrong-index")


AMBIGUOUS: list[tuple[object, list[str]]] = [
    ([None, 1, *[None] * 7], ["indices of empty cells", "1 for X"]),
    ([0, 1, 2, *[None] * 6], ["indices of empty cells", "-1 or 2 for O"]),
    ([[None, 1, 2], [None] * 3, [None] * 3], ["indices of empty cells", "1 for X"]),
    ([1, 0, 0, 0, 4, *[0] * 4], ["the indices of empty cells", "signs: 1 for X"]),
    (["X", 1, *[0] * 7], ["the indices of empty cells", "signs: 1 for X"]),
    (["O", 0, "X", "X", 4, "X", 6, "O", "O"], ["the indices of empty cells", "0 for empty"]),
    ([1, -1, 2, *[0] * 6], ["both -1 and 2"]),
    *[(board, ["0 can be an empty cell", "a mark of O"]) for board in ("X0.......", ["X", 0, *[""] * 7], "....0....")],
    *[(f"{signs}.......", [f"{signs[0]} and {signs[1]}", "two players"]) for signs in ("XR", "OY", "🟡🔵")],
    ("⭕o.......", ["⭕ and O", "two players"]),
    ("⬜⬛⬜⬛⬜⬛⬜⬛⬜", ["⬜ and ⬛", "two players"]),
]


def test_a_board_with_two_readings_is_refused_with_both() -> None:
    for (board, readings), game in product(AMBIGUOUS, ("tic-tac-toe", "achi")):
        with pytest.raises(Problem) as caught:
            read_position(GAMES[game], board)
        (error,) = caught.value.errors
        assert (caught.value.kind, error.pointer, error.code) == ("invalid-request", "/board", "ambiguous"), board
        assert [reading for reading in readings if reading not in error.detail] == []


def test_a_single_cell_is_in_the_singular() -> None:
    (error,) = refused("tic-tac-toe", board="X").errors
    assert error.detail == "The board has 1 cell; Tic-tac-toe needs 9."


NOTHING = [None] * 8
EMPTY_ROW = [None] * 3
NO_BOARDS: list[object] = [5, True, {}]
NO_MARKS: list[object] = ["Z", "XX", True, {}]

FAULTY: list[tuple[str, object, str]] = [
    *[("tic-tac-toe", board, "/board wrong-type") for board in NO_BOARDS],
    *[("tic-tac-toe", board, "/board board-size") for board in ([], "", "X", NOTHING, [EMPTY_ROW] * 2, ".../...")],
    *[("tic-tac-toe", board, "/board board-size") for board in (".../..../...", ["X..", ".O.", "...", "..."])],
    ("tic-tac-toe", [EMPTY_ROW, [None] * 2, EMPTY_ROW], "/board/1 board-size"),
    ("tic-tac-toe", [EMPTY_ROW, None, EMPTY_ROW], "/board/1 wrong-type"),
    ("tic-tac-toe", [[EMPTY_ROW] * 3, *[EMPTY_ROW] * 2], "/board/0/0 unknown-mark"),
    *[("tic-tac-toe", board, "/board unknown-mark") for board in ("........Z", "X◆.......")],
    ("tic-tac-toe", "........9", "/board wrong-index"),
    ("tic-tac-toe", "X.......x\ufe0f", "/board board-size"),
    *[("tic-tac-toe", board, "/board ambiguous") for board in ("X⚪.......", ["X", "⚫", *[None] * 7])],
    ("tic-tac-toe", ["X..", ".O..", "..."], "/board/1 board-size"),
    ("tic-tac-toe", ["X..", ".?.", "..."], "/board/1 unknown-mark"),
    ("tic-tac-toe", ["X../.O./..."], "/board board-size, /board/0 board-size"),
    *[("tic-tac-toe", [cell, *NOTHING], "/board/0 unknown-mark") for cell in NO_MARKS],
    *[("tic-tac-toe", [cell, *NOTHING], "/board/0 wrong-index") for cell in (3, 0.5)],
    ("tic-tac-toe", [1, *[0] * 7, 7], "/board/8 wrong-index"),
    ("tic-tac-toe", ["X", -1, *[None] * 7], "/board/1 wrong-index"),
    ("tic-tac-toe", ["X", 0, 1, *[0] * 6], "/board/2 wrong-index"),
    ("tic-tac-toe", [[0, 1, 2], [3, 4, 5], [6, 7, 9]], "/board/2/2 wrong-index"),
    ("tic-tac-toe", [*range(1, 10)], ", ".join(f"/board/{cell} wrong-index" for cell in range(9))),
    ("tic-tac-toe", ["Z", 5, *[None] * 6], "/board board-size, /board/0 unknown-mark, /board/1 wrong-index"),
    ("tic-tac-toe", "XXXX.....", "/board mark-count"),
    ("tic-tac-toe", "XXXXXX.OO", "/board mark-count, /board no-last-move"),
    ("drop", [None, None, "X", None, None, None], "/board/2 floating-mark"),
    ("drop", [["."] * 2, ["X", "."], ["."] * 2], "/board/1/0 floating-mark"),
    ("drop", "../X./..", "/board floating-mark"),
    ("achi", "." * 257, "/board board-size"),
    ("tapatan", [1, 1, 0, -1] * 3, "/board board-size"),
    ("tapatan", [1, 1, *[0] * 7], "/board mark-count"),
    ("three-mens-morris", "XXXOOO...", "/board two-winners"),
    ("notakto", [1, 2, *[0] * 7], "/board/1 unknown-mark"),
    ("numerical-tic-tac-toe", [1, -1, *7 * [0]], "/board/1 unknown-mark"),
    ("numerical-tic-tac-toe", [12, 0], "/board board-size"),
    ("numerical-tic-tac-toe", "1133.....", "/board repeated-digit, /board repeated-digit, /board mark-count"),
    ("vanishing-tic-tac-toe", [1, *8 * [0]], "/board unreadable-position"),
    ("vanishing-tic-tac-toe", "." * 257, "/board too-long"),
    ("vanishing-tic-tac-toe", "X0-0-9/O1", "/board repeated-cell, /board no-such-cell, /board mark-count"),
    *[(game, "XXXOOOXXX", "/board no-last-move") for game in ("wild-tic-tac-toe", "misere-wild-tic-tac-toe")],
    ("notakto", "XXXXXXXXX", "/board no-last-move"),
]


def refused(game: str, **fields: Any) -> Problem:
    """The problem with a position, whose errors have codes and sentences."""
    with pytest.raises(Problem) as caught:
        read_position(GAMES[game], **fields)
    assert all(error.code in CODES and error.detail[-1] == "." for error in caught.value.errors)
    return caught.value


def faults(problem: Problem) -> str:
    """The pointer and the code of each error."""
    return ", ".join(f"{error.pointer} {error.code}" for error in problem.errors)


def test_every_fault_of_a_board_is_named_where_it_is() -> None:
    for game, board, expected in FAULTY:
        assert faults(refused(game, board=board)).startswith(expected), (game, board)
    several = "/player player-not-to-move, /board two-winners, /board played-after-the-end"
    assert faults(refused("tic-tac-toe", board="XXXOOOX..", player="X")) == several
    detail = "After 5 marks Chaos is to move, not Order."
    order = refused("order-and-chaos-4x4", board="XXXX...........O", player="Order")
    assert (faults(order), order.detail) == ("/player player-not-to-move", detail)


@pytest.mark.parametrize("name", CATALOGUE)
def test_faults_of_player_board_and_moves_are_named_at_once(name: str) -> None:
    read_as_text = not GAMES[name].marks
    codes = "/board unreadable-position" if read_as_text else "/board board-size, /board unknown-mark"
    expected = f"/moves conflicting-field, /player not-a-choice, {codes}"
    problem = refused(name, board="Q", moves=[], player="Nobody")
    assert (problem.kind, faults(problem)) == ("invalid-request", expected)


def test_a_game_so_small_that_all_its_indices_are_signs_has_two_readings() -> None:
    for cells in (2, 3):
        small = hand_written(id="small", name="Small", rules="", cells=cells, lines=[[0, 1]])
        with pytest.raises(Problem) as caught:
            read_position(small, [*range(cells)])
        assert faults(caught.value) == "/board ambiguous"
        assert str(read_position(small, ["X", *range(1, cells)])) == "X" + "." * (cells - 1)


def test_an_error_never_repeats_more_than_a_glimpse_of_what_was_sent() -> None:
    assert len(refused("tic-tac-toe", board=["Z" * 10_000, *NOTHING]).detail) < 200


LETTERS = "XOxo.0123456789-/>@|dp RYabc\u00b2\u0663\u00df\u2028\x00\n\U0001f534\ufe0f\u2b1c"


def outcome_of(game: Game, fields: dict[str, Any]) -> Position | Problem:
    try:
        return read_position(game, **fields)
    except Problem as problem:
        return problem


@pytest.mark.parametrize("name", CATALOGUE)
def test_any_text_is_a_position_or_a_problem(name: str) -> None:
    chance = Random(name)
    for _ in range(300):
        text = "".join(chance.choices(LETTERS, k=chance.randrange(20)))
        for outcome in [outcome_of(CATALOGUE[name], fields) for fields in ({"board": text}, {"moves": text})]:
            if isinstance(outcome, Problem):
                assert outcome.kind in KINDS
                assert all(error.code in CODES for error in outcome.errors)
            else:
                assert outcome.status in ("in_progress", "won", "drawn")
