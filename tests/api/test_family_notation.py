"""Positions of families as people write them: texts, lists and moves lead to the same, and faults are named."""

import re
from collections.abc import Iterator
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from service.api.family_notation import MOST_MOVES, label, move_named, play_moves, read_family_position
from service.api.problems import CODES, KINDS, Problem
from service.explain.family_names import move_words
from service.families.catalogue import FAMILY_GAMES
from service.families.exactly import ExactlyGame
from service.families.game import FamilyGame
from service.families.morris import MorrisGame
from service.families.notakto import NotaktoGame
from service.families.pop_out import PopOutGame
from service.families.position import FamilyPosition
from service.families.vanishing import VanishingGame
from service.families.wild import WildGame

LETTERS = "XOxo.0123456789-/>@|dp RYabc\u00b2\u0663\u00df\U0001f534\ufe0f\u2b1c"

SHAPES = (
    WildGame(rows=8, columns=8, in_a_row=5),
    WildGame(rows=1, columns=8, in_a_row=3),
    WildGame(rows=8, columns=1, in_a_row=3),
    NotaktoGame(boards=4, rows=2, columns=8, in_a_row=2),
    NotaktoGame(boards=8, rows=1, columns=8, in_a_row=2),
    VanishingGame(rows=4, columns=7, in_a_row=3),
    VanishingGame(rows=1, columns=12, in_a_row=3),
    MorrisGame(moves="fly"),
    MorrisGame(points=13, moves="fly"),
    PopOutGame(rows=2, columns=8),
    ExactlyGame(rows=8, columns=8, in_a_row=3),
)
GAMES = [*FAMILY_GAMES.values(), *SHAPES]
MARKED = [game for game in FAMILY_GAMES.values() if game.family not in ("numerical", "vanishing")]
"""Games whose boards hold X and O."""


def named(game: FamilyGame) -> str:
    return f"{game.family} {game.parameters}"


def positions(game: FamilyGame, most: int = 24) -> Iterator[FamilyPosition]:
    """The positions of a random game but the last one."""
    chance, position = Random(named(game)), FamilyPosition(game)
    for _ in range(most):
        if not position.legal_moves:
            break
        yield position
        position = position.play(chance.choice(position.legal_moves))


def fault(game: str, **fields: Any) -> tuple[str, str, str, str]:
    with pytest.raises(Problem) as caught:
        read_family_position(FAMILY_GAMES[game], **fields)
    error = caught.value.errors[0]
    return caught.value.kind, error.pointer, error.code, error.detail


def outcome_of(game: FamilyGame, fields: dict[str, Any]) -> FamilyPosition | Problem:
    try:
        return read_family_position(game, **fields)
    except Problem as problem:
        return problem


@pytest.mark.parametrize("game", FAMILY_GAMES)
def test_without_board_and_moves_it_is_the_initial_position(game: str) -> None:
    assert read_family_position(FAMILY_GAMES[game]) == FamilyPosition(FAMILY_GAMES[game])


@pytest.mark.parametrize("game", FAMILY_GAMES)
def test_moves_by_name_lead_where_play_leads(game: str) -> None:
    chance, rules = Random(game), FAMILY_GAMES[game]
    position, names = FamilyPosition(rules), list[int | str]()
    while position.legal_moves and len(names) < 40:
        move = chance.choice(position.legal_moves)
        names.append(rules.move_name(move))
        position = position.play(move)
    text = " ".join(map(str, names))
    assert read_family_position(rules, moves=names) == position
    assert read_family_position(rules, moves=text.upper()) == position
    assert read_family_position(rules, moves=text.replace(" ", ", ")) == position


def spelled(name: str) -> set[str]:
    return {name, name.lower(), name.upper(), f"  {name} "}


@pytest.mark.parametrize("game", GAMES, ids=named)
def test_the_label_of_a_legal_move_is_read_as_its_name_is(game: FamilyGame) -> None:
    for position in positions(game):
        for move in position.legal_moves:
            for name in spelled(label(game, move)) | spelled(str(game.move_name(move))):
                assert play_moves(position, [name])[0] == play_moves(position, name)[0] == [move]


@pytest.mark.parametrize("game", FAMILY_GAMES)
def test_a_game_in_labels_leads_where_play_leads(game: str) -> None:
    played = [*positions(FAMILY_GAMES[game])]
    names = [
        next(label(before.game, move) for move in before.legal_moves if before.play(move) == after)
        for before, after in pairwise(played)
    ]
    for text in (names, " ".join(names), ",".join(names).upper(), ", ".join(names)):
        assert read_family_position(FAMILY_GAMES[game], moves=text) == played[-1]


def repeated(words: str) -> str | None:
    """The name that a reader of a sentence gives a move; None where the sentence tells a column."""
    forms = {
        r"writes (\w) into (\S+)": r"\1\2",
        r"moves the piece on (\S+) to (\S+)": r"\1-\2",
        r"places a piece on (\S+)": r"\1",
        r"marks (\S+)": r"\1",
    }
    return next((re.sub(form, name, words) for form, name in forms.items() if re.fullmatch(form, words)), None)


@pytest.mark.parametrize("game", GAMES, ids=named)
def test_a_move_can_be_repeated_as_reasons_write_it(game: FamilyGame) -> None:
    moves = range(game.play.moves)
    names = [repeated(move_words(game, move)) for move in moves]
    assert (None in names) is (game.family == "pop-out")
    assert all(move_named(game, name) == move for move, name in zip(moves, names, strict=True) if name)


def twins(game: FamilyGame, move: int) -> set[str]:
    """The names of a move beside those of answers and reasons."""
    name, shown = str(game.move_name(move)), label(game, move)
    if game.family == "morris" and ">" in name:
        without_dash = {shown.replace("-", "")} if game.rows > 1 else set()
        return {name.replace(">", "-"), shown.replace("-", ">")} | without_dash
    if game.family == "notakto":
        return {str(move)}
    return {f"{name[0]}@{shown[1:]}"} if game.family in ("wild", "order-and-chaos", "numerical") else set()


@pytest.mark.parametrize("game", GAMES, ids=named)
def test_no_name_means_two_moves(game: FamilyGame) -> None:
    for move in range(game.play.moves):
        for name in {str(game.move_name(move)), label(game, move), *twins(game, move)}:
            assert move_named(game, name) == move, name


@pytest.mark.parametrize(
    ("game", "name", "others"),
    [
        ("wild-tic-tac-toe", "X4", ["x4", "Xb2", "XB2", "x@b2"]),
        ("order-and-chaos-4x4", "O15", ["Od4", "od4"]),
        ("numerical-tic-tac-toe", "5@4", ["5b2", "5@b2", "5B2", " 5@B2 "]),
        ("vanishing-tic-tac-toe", 5, ["5", "c2", "C2"]),
        ("exactly-three-4x4", 4, ["a2"]),
        ("notakto", 4, ["4", "b2"]),
        ("notakto-2", "1.4", [13, "13", "b5"]),
        ("notakto-2", "0.4", [4, "4", "b2"]),
        ("treblecross", 7, ["7", "h1"]),
        ("tapatan", "4", [4, "b2"]),
        ("tapatan", "2>5", ["2-5", "c1-c2", "c1c2", "C1>C2"]),
        ("picaria", "12", [12]),
        ("picaria", "1>12", ["1-12"]),
        ("pop-out-4x4", "d3", ["D3"]),
    ],
    ids=str,
)
def test_a_move_has_several_names(game: str, name: int | str, others: list[int | str]) -> None:
    rules = FAMILY_GAMES[game]
    assert {move_named(rules, other) for other in others} == {rules.moves_by_name[str(name).lower()]}


@pytest.mark.parametrize(
    ("game", "name"),
    [
        ("wild-tic-tac-toe", "b2"),
        ("wild-tic-tac-toe", "X"),
        ("wild-tic-tac-toe", "5b2"),
        ("numerical-tic-tac-toe", "54"),
        ("numerical-tic-tac-toe", "b2"),
        ("notakto", "d1"),
        ("notakto-2", "b7"),
        ("notakto-2", 18),
        ("treblecross", "b2"),
        ("tapatan", "25"),
        ("tapatan", "c1--c2"),
        ("picaria", "01"),
        ("picaria", "112"),
        ("picaria", "b2"),
        ("pop-out-4x4", 0),
        ("pop-out-4x4", "3"),
        ("pop-out-4x4", "a1"),
        ("pop-out-4x4", "column 4"),
    ],
    ids=str,
)
def test_a_name_without_one_reading_is_refused(game: str, name: int | str) -> None:
    kind, at, code, detail = fault(game, moves=[name])
    assert (kind, at) == ("impossible-position", "/moves/0")
    if code == "no-such-cell":
        assert detail.startswith(f"There is no cell {name}; the game has cells 0 to ")
        return
    assert code == "no-such-move"
    legal = [str(FAMILY_GAMES[game].move_name(move)) for move in FamilyPosition(FAMILY_GAMES[game]).legal_moves]
    assert detail.startswith(f"There is no move {name}; legal moves are {', '.join(legal[:8])}")


def test_an_error_repeats_a_name_as_it_was_written() -> None:
    detail = "moves[1]: b2 is not legal: cell 4 is already marked; legal moves are 0, 1, 2, 3, 5, 6, 7, 8."
    assert fault("achi", moves="4 b2") == ("impossible-position", "/moves", "occupied-cell", detail)


@pytest.mark.parametrize("game", FAMILY_GAMES)
def test_the_text_of_a_position_is_read_back(game: str) -> None:
    chance, rules = Random(game), FAMILY_GAMES[game]
    position = FamilyPosition(rules)
    for _ in range(30):
        if not position.legal_moves:
            break
        assert read_family_position(rules, board=str(position), player=position.player.upper()) == position
        position = position.play(chance.choice(position.legal_moves))


def test_a_board_may_be_a_list_of_cells_or_of_rows() -> None:
    game = FAMILY_GAMES["wild-tic-tac-toe"]
    expected = read_family_position(game, board="X...O....")
    assert read_family_position(game, board=["X..", ".O.", "..."]) == expected
    assert read_family_position(game, board=["X", None, "", "", "O", ".", ".", ".", "."]) == expected
    assert read_family_position(game, board=[["X", None, None], [None, "O", None], [None, None, None]]) == expected


SIGNS = [
    {"X": 1, "O": -1, ".": 0},
    {"X": 1, "O": 2, ".": 0},
    {"X": "r", "O": "Y", ".": None},
    {"X": "\u274c", "O": "\u2b55\ufe0f", ".": "\u2b1c"},
    {"X": "\U0001f534", "O": "\U0001f7e1", ".": "+"},
]


@pytest.mark.parametrize("signs", SIGNS, ids=str)
@pytest.mark.parametrize("game", MARKED, ids=lambda game: game.id)
def test_boards_have_the_signs_of_line_games(game: FamilyGame, signs: dict[str, Any]) -> None:
    for position in positions(game):
        cells = [signs[mark] for mark in position.contents]
        rows = [cells[start : start + game.columns] for start in range(0, game.cells, game.columns)]
        boards: list[object] = [cells, rows]
        if -1 not in signs.values():
            texts = ["".join("." if cell is None else str(cell) for cell in row) for row in rows]
            boards += ["".join(texts), "/".join(texts), "\r\n".join(texts), texts]
        for board in boards:
            assert read_family_position(game, board=board, player=position.player) == position


@pytest.mark.parametrize("game", MARKED, ids=lambda game: game.id)
def test_an_empty_cell_may_hold_its_index(game: FamilyGame) -> None:
    for position in [*positions(game)][1:]:
        cells = [cell if mark == "." else mark for cell, mark in enumerate(position.contents)]
        assert read_family_position(game, board=cells, player=position.player) == position


def test_a_board_of_digits_may_have_zeros() -> None:
    game = FAMILY_GAMES["numerical-tic-tac-toe"]
    expected = read_family_position(game, board="5..2.....")
    for board in ([5, 0, 0, 2, 0, 0, 0, 0, 0], [[5, 0, 0], [2, 0, 0], [0, 0, 0]], "500200000", "5++/2__/000"):
        assert read_family_position(game, board=board) == expected


@pytest.mark.parametrize(
    ("game", "board", "code", "sentence"),
    [
        ("tapatan", [1, 1, 0, -1] * 3, "board-size", "The board has 12 cells; the game needs 9."),
        ("tapatan", [10] * 8, "board-size", "The board has 8 cells; the game needs 9."),
        ("tapatan", [1, 1, 0, 3, 0, 0, 0, 0, 0], "ambiguous", "Some numbers are the indices of empty cells, others "),
        ("tapatan", [None, 1, *7 * [None]], "ambiguous", "The numbers can be the indices of empty cells, or marks: "),
        ("tapatan", "XR.......", "ambiguous", "The board has X and R, which are both signs for X, or for two players."),
        ("tapatan", "X0.......", "ambiguous", "0 can be an empty cell, or a mark of O beside the other empty cells."),
        ("tapatan", "XQ.......", "unknown-mark", 'Cell 1 contains "Q"; write X or O for a mark '),
        ("tapatan", [1, 1, 0, 0, 0, 0, 0, 0, 0], "mark-count", "X has 2 marks and O has 0; X begins and "),
        ("notakto", [1, 2, 0, 0, 0, 0, 0, 0, 0], "unknown-mark", "Cell 1 contains O; write X, or . for an "),
        (
            "numerical-tic-tac-toe",
            [1, -1, 0, 0, 0, 0, 0, 0, 0],
            "unknown-mark",
            "Cell 1 contains -1; write a digit from 1 to 9, or null, 0 or . for an empty cell.",
        ),
        ("numerical-tic-tac-toe", [12, 0], "board-size", "The board has 2 cells; the game needs 9."),
        (
            "vanishing-tic-tac-toe",
            [1, 1, 0, -1, 0, 0, 0, 0, 0],
            "unreadable-position",
            "A position says in which order the marks were written: ",
        ),
    ],
    ids=str,
)
def test_a_board_without_one_reading_is_refused(game: str, board: object, code: str, sentence: str) -> None:
    _, at, found, detail = fault(game, board=board)
    assert (at, found) == ("/board", code)
    assert detail.startswith(sentence), detail


@pytest.mark.parametrize("board", ["." * 257, ["."] * 257])
def test_a_board_that_is_too_long_is_refused(board: object) -> None:
    assert fault("achi", board=board)[:3] == ("invalid-request", "/board", "too-long")


def test_a_move_that_the_game_does_not_have_is_named_with_legal_ones() -> None:
    detail = "There is no move 4; legal moves are X0, O0, X1, O1, X2, O2, X3, O3 and others."
    assert fault("wild-tic-tac-toe", moves=[4]) == ("impossible-position", "/moves/0", "no-such-move", detail)


def test_a_move_that_is_not_legal_is_named_by_its_place() -> None:
    kind, at, code, _ = fault("notakto", moves=[4, 4])
    assert (kind, at, code) == ("impossible-position", "/moves/1", "occupied-cell")


def test_a_move_after_the_end_is_refused() -> None:
    assert fault("notakto", moves="0 1 2 3")[2] == "played-after-the-end"


def test_moves_of_a_string_have_the_pointer_of_the_string() -> None:
    assert fault("tapatan", moves="0 0")[1] == "/moves"


def test_the_other_player_cannot_be_to_move() -> None:
    detail = "second is to move, not first."
    assert fault("notakto", moves=[4], player="first")[2:] == ("player-not-to-move", detail)


def test_a_player_of_another_game_is_refused() -> None:
    kind, at, code, detail = fault("order-and-chaos-4x4", player="X")
    assert (kind, at, code, detail) == ("invalid-request", "/player", "not-a-choice", "player must be Order or Chaos.")


def test_board_and_moves_together_are_refused() -> None:
    assert fault("achi", board=".........", moves=[])[2] == "conflicting-field"


@pytest.mark.parametrize("board", [5, True, {}, [[["X"]]], [1.5]])
def test_a_board_that_is_neither_text_nor_list_is_refused(board: object) -> None:
    assert fault("achi", board=board)[:3] == ("invalid-request", "/board", "wrong-type")


def test_a_board_that_cannot_be_read_says_why() -> None:
    kind, at, code, detail = fault("achi", board="XX")
    assert (kind, at, code) == ("invalid-request", "/board", "board-size")
    assert detail == "The board has 2 cells; the game needs 9."


def test_too_many_moves_are_refused() -> None:
    with pytest.raises(Problem) as caught:
        play_moves(FamilyPosition(FAMILY_GAMES["achi"]), [0] * (MOST_MOVES + 1))
    assert caught.value.errors[0].code == "too-long"


@pytest.mark.parametrize("game", FAMILY_GAMES)
def test_any_text_is_a_position_or_a_problem(game: str) -> None:
    chance, rules = Random(game), FAMILY_GAMES[game]
    for _ in range(500):
        text = "".join(chance.choices(LETTERS, k=chance.randrange(20)))
        for fields in ({"board": text}, {"moves": text}):
            outcome = outcome_of(rules, fields)
            if isinstance(outcome, Problem):
                assert outcome.kind in KINDS
                assert all(error.code in CODES for error in outcome.errors)
            else:
                assert outcome.status in ("in_progress", "won", "drawn")
