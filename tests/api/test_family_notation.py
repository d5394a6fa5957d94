"""Positions of families as people write them: texts, lists and moves lead to the same, so do answers."""

import json
import re
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from pydantic_core import to_json

from service.api.problems import CODES, KINDS, Problem
from service.api.read.notation import read_position
from service.api.read.record import read_record
from service.api.write.answers import move_fields, position_answer
from service.explain.names import move_words
from service.games.catalogue import STATE_GAMES
from service.games.families.exactly import ExactlyGame
from service.games.families.morris import MorrisGame
from service.games.families.notakto import NotaktoGame
from service.games.families.pop_out import PopOutGame
from service.games.families.vanishing import VanishingGame
from service.games.families.wild import WildGame
from service.games.game import MOST_MOVES, Game
from service.games.position import Position
from service.kernel.states.family import START

LETTERS = "XOxo.0123456789-/>@|dp RYabc\u00b2\u0663\u00df\U0001f534\ufe0f\u2b1c"

GAMES: list[Game] = [
    *STATE_GAMES.values(),
    *[WildGame(rows=rows, columns=columns, in_a_row=3) for rows, columns in ((8, 8), (1, 8), (8, 1))],
    *[NotaktoGame(boards=4, rows=2, columns=8, in_a_row=2), NotaktoGame(boards=8, rows=1, columns=8, in_a_row=2)],
    *[VanishingGame(rows=4, columns=7, in_a_row=3), VanishingGame(rows=1, columns=12, in_a_row=3)],
    *[MorrisGame(moves="fly"), MorrisGame(points=13, moves="fly"), PopOutGame(rows=2, columns=8)],
    ExactlyGame(rows=8, columns=8, in_a_row=3),
]
"""The games of the catalogue, and boards of shapes of which it has none."""

each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: f"{game.family} {game.parameters}")
each_marked_game = pytest.mark.parametrize(
    "game",
    [game for game in STATE_GAMES.values() if game.family not in ("numerical", "vanishing")],
    ids=lambda game: game.id,
)
"""Games whose boards hold X and O."""


def positions(game: Game, most: int = 24) -> Iterator[tuple[Position, int]]:
    """The positions of a random game but the last one, each with the move that is played there."""
    chance, position = Random(f"{game.family} {game.parameters}"), Position(game)
    for _ in range(most):
        if not position.legal_moves:
            break
        move = chance.choice(position.legal_moves)
        yield position, move
        position = position.play(move)


@each_game
def test_a_move_is_read_by_each_of_its_names_and_a_position_by_its_text(game: Game) -> None:
    for position, _ in positions(game):
        fields = position_answer(position)
        assert read_position(game, board=fields["position"], player=fields["player"].upper()) == position
        for move in position.legal_moves:
            for name in {game.label(move), str(game.move_name(move)), str(move_fields(position.game, move)["name"])}:
                for spelled in (name, name.lower(), name.upper(), f"  {name} "):
                    assert read_record(position, [spelled])[0] == read_record(position, spelled)[0] == [move]


@each_game
def test_a_game_so_far_in_any_form_leads_where_play_leads(game: Game) -> None:
    assert read_position(game) == Position(game)
    played = [*positions(game, 40)]
    last = played[-1][0].play(played[-1][1])
    names = [game.move_name(move) for _, move in played]
    for listed in (names, [game.label(move) for _, move in played]):
        text = " ".join(map(str, listed))
        for moves in (listed, text, text.upper(), text.replace(" ", ", "), text.replace(" ", ",").lower()):
            assert read_position(game, moves=moves) == last


def repeated(words: str) -> str | None:
    """The name that a reader of a sentence gives a move; None where the sentence tells a column."""
    forms = {
        r"writes (\w) into (\S+)": r"\1\2",
        r"moves the piece on (\S+) to (\S+)": r"\1-\2",
        r"places a piece on (\S+)": r"\1",
        r"marks (\S+)": r"\1",
    }
    return next((re.sub(form, name, words) for form, name in forms.items() if re.fullmatch(form, words)), None)


def twins(game: Game, move: int) -> set[str]:
    """The names of a move beside those of answers and reasons."""
    name, shown = str(game.move_name(move)), game.label(move)
    if game.family == "morris" and ">" in name:
        without_dash = {shown.replace("-", "")} if game.rows > 1 else set()
        return {name.replace(">", "-"), shown.replace("-", ">")} | without_dash
    if game.family == "notakto":
        return {str(move)}
    return {f"{name[0]}@{shown[1:]}"} if game.family in ("wild", "order-and-chaos", "numerical") else set()


@each_game
def test_no_name_means_two_moves_and_a_move_can_be_repeated_as_reasons_write_it(game: Game) -> None:
    for move in range(game.play.moves):
        told = repeated(move_words(game, move))
        assert told is not None or game.family == "pop-out"
        for name in {str(game.move_name(move)), game.label(move), *twins(game, move), *([told] if told else [])}:
            assert game.find(START, name) == move, name


SAME_NAMES: list[tuple[str, int | str, list[int | str]]] = [
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
]

NO_NAMES: dict[str, list[int | str]] = {
    "wild-tic-tac-toe": ["b2", "X", "5b2", 4],
    "numerical-tic-tac-toe": ["54", "b2"],
    "notakto": ["d1"],
    "notakto-2": ["b7", 18],
    "treblecross": ["b2"],
    "tapatan": ["25", "c1--c2"],
    "picaria": ["01", "112", "b2"],
    "pop-out-4x4": [0, "3", "a1", "column 4"],
}


def fault(game: str, **fields: Any) -> tuple[str, str, str, str]:
    """The kind of the problem with a position, and the pointer, the code and the sentence of its first error."""
    with pytest.raises(Problem) as caught:
        read_position(STATE_GAMES[game], **fields)
    error = caught.value.errors[0]
    return caught.value.kind, error.pointer, error.code, error.detail


def test_a_move_has_several_names_and_what_has_no_one_reading_is_refused() -> None:
    for game, name, others in SAME_NAMES:
        rules = STATE_GAMES[game]
        assert {rules.find(START, other) for other in others} == {rules.moves_by_name[str(name).lower()]}
    for game, names in NO_NAMES.items():
        legal = [str(STATE_GAMES[game].move_name(move)) for move in Position(STATE_GAMES[game]).legal_moves]
        for name in names:
            kind, at, code, detail = fault(game, moves=[name])
            assert (kind, at) == ("impossible-position", "/moves/0")
            sentence = {
                "no-such-cell": f"There is no cell {json.dumps(name)}; {STATE_GAMES[game].name} has cells 0 to ",
                "no-such-move": f"There is no move {json.dumps(name)}; legal moves are {', '.join(legal[:8])}",
            }
            assert detail.startswith(sentence[code])


SIGNS: list[dict[str, Any]] = [
    {"X": 1, "O": -1, ".": 0},
    {"X": 1, "O": 2, ".": 0},
    {"X": "r", "O": "Y", ".": None},
    {"X": "\u274c", "O": "\u2b55\ufe0f", ".": "\u2b1c"},
    {"X": "\U0001f534", "O": "\U0001f7e1", ".": "+"},
]


@each_marked_game
def test_boards_have_the_signs_of_line_games(game: Game) -> None:
    for number, (position, _) in enumerate(positions(game)):
        boards: list[object] = []
        for signs in SIGNS:
            cells = [signs[mark] for mark in position.contents]
            rows = [cells[start : start + game.columns] for start in range(0, game.cells, game.columns)]
            boards += [cells, rows]
            if -1 not in signs.values():
                texts = ["".join("." if cell is None else str(cell) for cell in row) for row in rows]
                boards += ["".join(texts), "/".join(texts), "\r\n".join(texts), texts]
        if number:
            boards.append([cell if mark == "." else mark for cell, mark in enumerate(position.contents)])
        for board in boards:
            assert read_position(game, board=board, player=position.player) == position


def test_a_board_of_digits_may_have_zeros() -> None:
    game = STATE_GAMES["numerical-tic-tac-toe"]
    expected = read_position(game, board="5..2.....")
    for board in ([5, 0, 0, 2, 0, 0, 0, 0, 0], [[5, 0, 0], [2, 0, 0], [0, 0, 0]], "500200000", "5++/2__/000"):
        assert read_position(game, board=board) == expected


FAULTY_BOARDS: list[tuple[str, object, str, str]] = [
    ("tapatan", [1, 1, 0, -1] * 3, "board-size", "The board has 12 cells; Tapatan needs 9."),
    ("tapatan", [10] * 8, "board-size", "The board has 8 cells; Tapatan needs 9."),
    ("achi", "XX", "board-size", "The board has 2 cells; Achi needs 9."),
    ("numerical-tic-tac-toe", [12, 0], "board-size", "The board has 2 cells; Numerical tic-tac-toe needs 9."),
    ("tapatan", [1, 1, 0, 3, 0, 0, 0, 0, 0], "ambiguous", "Some numbers are the indices of empty cells, others "),
    ("tapatan", [None, 1, *7 * [None]], "ambiguous", "The numbers can be the indices of empty cells, or marks: "),
    ("tapatan", "XR.......", "ambiguous", "The board has X and R, which are both signs for X, or for two players."),
    ("tapatan", "X0.......", "ambiguous", "0 can be an empty cell, or a mark of O beside the other empty cells."),
    ("tapatan", "XQ.......", "unknown-mark", 'Cell 1 contains "Q"; write X or O for a mark '),
    ("notakto", [1, 2, 0, 0, 0, 0, 0, 0, 0], "unknown-mark", "Cell 1 contains O; write X, or . for an "),
    ("numerical-tic-tac-toe", [1, -1, *7 * [0]], "unknown-mark", "Cell 1 contains -1; write a digit from 1 to 9, or "),
    ("tapatan", [1, 1, 0, 0, 0, 0, 0, 0, 0], "mark-count", "X has 2 marks and O has 0; X begins and "),
    ("vanishing-tic-tac-toe", [1, *8 * [0]], "unreadable-position", "A position says in which order the marks were "),
    ("achi", "." * 257, "board-size", "The board has 257 cells; Achi needs 9."),
    ("vanishing-tic-tac-toe", "." * 257, "too-long", "board must have at most 256 "),
    *[("achi", board, "wrong-type", "board must be ") for board in (5, True)],
    ("achi", {}, "wrong-type", "board must be "),
]


def test_a_board_without_one_reading_is_refused() -> None:
    for game, board, code, sentence in FAULTY_BOARDS:
        _, at, found, detail = fault(game, board=board)
        assert (at.split("/")[1], found, detail[: len(sentence)]) == ("board", code, sentence), board


SENTENCES: list[tuple[str, dict[str, Any], str]] = [
    (
        "wild-tic-tac-toe",
        {"moves": [4]},
        "There is no move 4; legal moves are X0, O0, X1, O1, X2, O2, X3, O3 and others.",
    ),
    (
        "achi",
        {"moves": "4 b2"},
        "moves[1]: b2 is not legal: cell 4 is already marked; legal moves are 0, 1, 2, 3, 5, 6, 7, 8.",
    ),
    ("notakto", {"moves": [4], "player": "first"}, "second is to move, not first."),
    ("order-and-chaos-4x4", {"player": "X"}, "player must be Order or Chaos."),
]


def test_a_fault_is_said_in_a_sentence() -> None:
    for game, fields, expected in SENTENCES:
        assert fault(game, **fields)[3] == expected


def test_too_many_moves_are_refused() -> None:
    with pytest.raises(Problem) as caught:
        read_record(Position(STATE_GAMES["achi"]), [0] * (MOST_MOVES + 1))
    assert caught.value.errors[0].code == "too-long"


def outcome_of(game: Game, fields: dict[str, Any]) -> Position | Problem:
    try:
        return read_position(game, **fields)
    except Problem as problem:
        return problem


@pytest.mark.parametrize("game", STATE_GAMES)
def test_any_text_is_a_position_or_a_problem(game: str) -> None:
    chance = Random(game)
    for _ in range(500):
        text = "".join(chance.choices(LETTERS, k=chance.randrange(20)))
        for outcome in [outcome_of(STATE_GAMES[game], fields) for fields in ({"board": text}, {"moves": text})]:
            if isinstance(outcome, Problem):
                assert outcome.kind in KINDS
                assert all(error.code in CODES for error in outcome.errors)
            else:
                assert outcome.status in ("in_progress", "won", "drawn")


# The fields of answers


@each_game
def test_the_fields_of_a_move_are_always_the_same_and_none_is_a_field_of_the_position(game: Game) -> None:
    position = Position(game)
    fields = [move_fields(position.game, move) for move in position.legal_moves]
    nothing = move_fields(position.game, None)
    assert set(nothing.values()) == {None}
    assert all(list(found) == list(nothing) for found in fields)
    assert not set(nothing) & set(position_answer(position))
    assert to_json(fields)


MOVE_FIELDS: list[tuple[str, str, dict[str, object]]] = [
    ("wild-tic-tac-toe", "O4", {"move": 4, "row": 1, "column": 1, "mark": "O", "name": "O4"}),
    ("notakto", "8", {"move": 8, "row": 2, "column": 2, "name": 8}),
    ("notakto-2", "1.3", {"move": 12, "row": 4, "column": 0, "board_number": 1, "name": "1.3"}),
    ("achi", "4", {"move": 4, "row": 1, "column": 1, "from": None, "name": "4"}),
    ("pop-out-4x4", "d2", {"move": 14, "row": 3, "column": 2, "pop": False, "name": "d2"}),
]


def test_a_move_has_the_fields_of_its_family() -> None:
    for game, move, expected in MOVE_FIELDS:
        position = Position(STATE_GAMES[game])
        (number,), _ = read_record(position, [move])
        assert move_fields(position.game, number) == expected


def test_a_finished_game_has_its_winner_and_line() -> None:
    fields = position_answer(read_position(STATE_GAMES["notakto"], moves=[0, 4, 8]))
    assert (fields["status"], fields["winner"], fields["winning_line"]) == ("won", "second", (0, 4, 8))
    assert (fields["position"], fields["board"], fields["player"]) == ("X...X...X", "X...X...X", "second")
