"""Games so far: lists of moves, names and strings of columns lead to the same positions; every fault has its place."""

import json
import re
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
from flask.testing import FlaskClient

from service.api.problems import Problem
from service.api.read.notation import read_position
from service.api.read.record import read_record
from service.api.wire.requests import BestMoveRequest
from service.explain.names import move_words
from service.games.catalogue import LINE_GAMES, STATE_GAMES
from service.games.families.lines import LineGame
from service.games.game import MOST_MOVES, Game
from service.games.position import Position
from service.kernel.states.family import START
from tests.api.test_boards import GAMES, beginners, faults, played, refused
from tests.contract import validator


def spelled(game: Game, move: int) -> list[Any]:
    """A move as a number or as answers name it, then by other names."""
    if not isinstance(game, LineGame):
        return [game.move_name(move), game.label(move), game.names[move]]
    number = move % game.drop if game.drop else move
    return [number, *(name for name, index in game.spellings.items() if index == number)]


def written(game: Game, moves: list[int]) -> Iterator[Any]:
    """Yield the moves in every form."""
    names = [spelled(game, move) for move in moves]
    yield from ([name[0] for name in names], [name[ply % 2] for ply, name in enumerate(names)])
    for named in ([str(name[1]) for name in names], [str(name[-1]) for name in names]):
        yield from (named, [name.upper() for name in named])
        yield from (", ".join(named), " ".join(named), "\n".join(named), ",".join(named).upper())
    if isinstance(game, LineGame):
        yield [float(name[0]) for name in names]
        if game.no_columns is None:
            yield "".join(str(name[0] + 1) for name in names)


@pytest.mark.parametrize("name", GAMES)
def test_every_form_of_a_game_is_in_the_contract_and_leads_to_the_same_position(name: str) -> None:
    game = GAMES[name]
    assert read_position(game) == Position(game)
    for first, plies in product(beginners(game), (1, 4, 24)):
        position, record = played(game, first, plies)
        for moves in written(game, record):
            player = position.player if game.either_begins else None
            if isinstance(game, LineGame):
                moves = BestMoveRequest.model_validate({"moves": moves}).moves  # noqa: PLW2901, as routes read it
            assert read_position(game, moves=moves, player=player) == position, moves
            assert validator("Moves").is_valid(moves), moves


LED: list[tuple[str, Any, str]] = [
    ("tic-tac-toe", [], "........."),
    ("tic-tac-toe", ["B2", 0, " c3 "], "O...X...X"),
    ("tic-tac-toe", [0, 3, 1, 4, 2], "XXXOO...."),
    ("drop", "112", "..O.XX"),
    ("falling", [3, 3, 0], "...OX..X"),
    ("falling", ["b2", "b2", "a1"], "...OX..X"),
    ("connect-four", ["column 4", "Column  4", 2], "." * 31 + "O" + "." * 5 + "XX..."),
    ("nine", "19", "." * 9 + "X.......O"),
    ("ten", ["j", "column 1"], "." * 10 + "O........X"),
    ("seven", ["cell 6", "cell 0"], "O.....X"),
    *(("tic-tac-toe", moves, "O...X....") for moves in (["center", 0], ["Centre", "CELL  0"], "center, cell 0")),
    *(("tic-tac-toe", moves, "O...X....") for moves in ("cell 4 cell 0", ["cell 4", "a1"])),
    *(("tic-tac-toe", moves, "X...O....") for moves in (["0", "4"], ["0", 4], ["(0,0)", "(1, 1)"], "(0,0) (1,1)")),
    *(("tic-tac-toe", moves, "....O...X") for moves in (["9", "5"], ["(3,3)", "b2"], "(3,3), (2,2)", ["9", "b2"])),
    *(("tic-tac-toe", moves, "O...X....") for moves in ("4,0", "4 0", "b2. a1.", ["b2.", "A1."])),
    ("connect-four", ["7", "1"], "." * 35 + "O.....X"),
    ("connect-four", ["0", "6"], "." * 35 + "X.....O"),
    ("tic-tac-toe-3d", ["center", "cell 0"], "O" + "." * 12 + "X" + "." * 13),
    *(("connect-four", moves, "." * 38 + "X...") for moves in ("col 4", ["Col  4"], "COL 4")),
    ("connect-four", "col 4, d col 1", "." * 31 + "O" + "." * 3 + "X..X..."),
    ("wide", "z1 aa1 bb1", "." * 25 + "XOX" + "." * 12),
    *((game, "", "." * GAMES[game].cells) for game in ("qubic", "connect-four", "falling", "ten")),
]
"""Games of lines, moves, and the board after them."""


def test_moves_lead_to_a_position_and_the_player_to_move_tells_who_began() -> None:
    for game, moves, shown in LED:
        position = read_position(GAMES[game], moves=moves)
        other = read_position(GAMES[game], moves=moves, player="XO".replace(position.player, ""))
        assert (str(position), str(other)) == (shown, shown.translate(str.maketrans("XO", "OX")))
        assert validator("Moves").is_valid(moves)


# The names of moves


def told(game: Game, move: int) -> str:
    """The name that a reader of a sentence gives a move; that of answers where the sentence tells a column."""
    forms = {
        r"writes (\w) into (\S+)": r"\1\2",
        r"moves the piece on (\S+) to (\S+)": r"\1-\2",
        r"(?:places a piece on|marks) (\S+)": r"\1",
    }
    words = move_words(game, move)
    found = [re.sub(form, name, words) for form, name in forms.items() if re.fullmatch(form, words)]
    return found[0] if found and not isinstance(game, LineGame) else str(spelled(game, move)[-1])


@pytest.mark.parametrize("name", GAMES)
def test_a_move_can_be_repeated_as_answers_and_reasons_write_it(name: str) -> None:
    game = GAMES[name]
    for move in Position(game).legal_moves:
        for each in [*spelled(game, move), told(game, move)]:
            for spelling in (str(each).lower(), f"  {each} ".upper()) if isinstance(each, str) else (each,):
                assert game.find(START, spelling) == move, spelling


SAME_NAMES: list[tuple[str, int | str, list[int | str]]] = [
    ("wild-tic-tac-toe", "X4", ["x4", "Xb2", "XB2", "x@b2"]),
    ("numerical-tic-tac-toe", "5@4", ["5b2", "5@b2", "5B2", " 5@B2 "]),
    ("vanishing-tic-tac-toe", 5, ["5", "c2", "C2"]),
    ("notakto-2", "1.4", [13, "13", "2:b2"]),
    ("treblecross", 7, ["7", "h1"]),
    ("tapatan", 4, ["center", "Centre", "cell 4"]),
    ("notakto-2", "1.4", ["cell 13"]),
    ("exactly-three-4x4", 5, ["cell 5", "CELL  5"]),
    ("tapatan", "2>5", ["2-5", "c1-c2", "c1c2", "C1>C2"]),
    ("picaria", "1>12", ["1-12"]),
    ("pop-out-4x4", "d3", ["D3", "drop4", "column 4"]),
    ("pop-out-4x4", "p0", ["pop1", "Popping  column 1", "popping column 1."]),
    ("picaria", 7, ["cell 7", "7"]),
]


def test_a_move_has_several_names() -> None:
    for name, move, others in SAME_NAMES:
        game = GAMES[name]
        assert {game.find(START, other) for other in others} == {game.moves_by_name[str(move).lower()]}


# Faults

CELL, COLUMN = "/moves/0 no-such-cell: There is no cell", "/moves/0 no-such-column: There is no column"
FALLS = "Marks fall, so a move names only its column."
OVER = "played-after-the-end"
TWO = "/moves/0 ambiguous:"

NO_NAMES: dict[str, list[int | str]] = {
    "wild-tic-tac-toe": ["b2", "X", "5b2"],
    "numerical-tic-tac-toe": ["54", "b2"],
    "notakto-2": ["b5", "3:a1", 18],
    "treblecross": ["b2", "center"],
    "notakto": ["cell 9"],
    "tapatan": ["25", "c1--c2"],
    "picaria": ["01", "112", "b2"],
    "pop-out-4x4": [0, "3", "a1", "column 5"],
}

MILL = ("0", "9", "1", "8")
"""Moves after which X can close a mill."""

FAULTS: list[tuple[str, Any, list[str]]] = [
    *(("tic-tac-toe", [cell], [f"{CELL} {cell}; Tic-tac-toe has cells 0 to 8."]) for cell in (64, -1)),
    ("tic-tac-toe", [10**40], [f"{CELL} 1{'0' * 20}...; Tic-tac-toe has cells 0 to 8."]),
    *(("tic-tac-toe", [name], [f'{CELL} "{name}"; Tic-tac-toe has cells a1 to c3.']) for name in ("d1", "b", "1:b2")),
    ("qubic", ["b2"], [f'{CELL} "b2"; Qubic has cells 1:a1 to 4:d4.']),
    ("seven", ["b2"], [f'{CELL} "b2"; Seven has cells cell 0 to cell 6.']),
    ("connect-four", [7], [f"{COLUMN} 7; Connect Four has columns 0 to 6."]),
    ("connect-four", ["d1"], [f'{COLUMN} "d1"; Connect Four has columns a to g. {FALLS}']),
    ("tic-tac-toe", ["cell 9"], [f'{CELL} "cell 9"; Tic-tac-toe has cells a1 to c3.']),
    ("tic-tac-toe-4x4", ["center"], [f'{CELL} "center"; Tic-tac-toe 4x4 has cells a1 to d4.']),
    ("seven", ["center"], [f'{CELL} "center"; Seven has cells cell 0 to cell 6.']),
    *(
        ("connect-four", [name], [f'{COLUMN} "{name}"; Connect Four has columns a to g.'])
        for name in ("col 8", "cell 4")
    ),
    ("falling", ["2:a1"], [f'{COLUMN} "2:a1"; Falling has columns a1 to b2. {FALLS}']),
    (
        "tic-tac-toe",
        [4, "B2", 9, 0, 0],
        ["/moves/1 occupied-cell: Cell B2 is ", "/moves/2 no-such-cell", "/moves/4 occupied-cell: Cell 0 is "],
    ),
    ("tic-tac-toe", "b2 b2, d4", ["/moves occupied-cell: moves[1]: Cell b2 ", "/moves no-such-cell: moves[2]: There"]),
    ("tic-tac-toe", [0, 3, 1, 4, 2, 5, 6], [f"/moves/5 {OVER}: The game was over before this move."]),
    ("drop", [0, 0, 0, 0, 2, 1], ["/moves/3 full-column: Column 0 is full.", "/moves/4 no-such-column"]),
    ("drop", "a a a a", ["/moves full-column: moves[3]: Column a is full."]),
    *(
        ("connect-four", f"44{digit}", [f"/moves no-such-column: moves[2]: There is no column {digit}; Connect Four "])
        for digit in (0, 8)
    ),
    ("connect-four", "4444444", ["/moves full-column: moves[6]: Column 4 is full."]),
    ("connect-four", "12121213", [f"/moves {OVER}: moves[7]"]),
    *(
        ("connect-four", f"44{it}4{it}", [f"/moves no-digit: moves[{at}]: {json.dumps(it)} is not" for at in (2, 4)])
        for it in ("a", " ", ",", "-", ".", "\u0663", "\u00b2", "\ud800", "\x00")
    ),
    ("tic-tac-toe", ["4"], [f'{TWO} "4" can mean b2 or a2, counted from 0 or from 1. Write "b2" or "a2".']),
    (
        "connect-four",
        ["4"],
        [f'{TWO} "4" can mean column 5 or column 4, counted from 0 or from 1. Write "column 5" or '],
    ),
    ("tic-tac-toe", ["(1,1)"], [f'{TWO} "(1,1)" can mean b2 or a1, with the row or the column first, counted from 0 ']),
    ("tic-tac-toe", "1", ['/moves ambiguous: moves[0]: "1" can mean b1 or a1, counted from 0 or from 1. Write "b1" ']),
    ("tic-tac-toe", "(1,1)", ['/moves ambiguous: moves[0]: "(1,1)" can mean b2 or a1, ']),
    ("tic-tac-toe", "(0,2)", ['/moves ambiguous: moves[0]: "(0,2)" can mean c1 or a3, ']),
    ("tic-tac-toe", [0, "9"], ['/moves/1 ambiguous: "9" can mean c3, but then other moves count from another number.']),
    ("tic-tac-toe", ["0", "9"], [f'{TWO} "0" can mean a1, but', '/moves/1 ambiguous: "9" can mean c3, but then']),
    *(
        ("tic-tac-toe", [name], [f'{CELL} "{name}"; Tic-tac-toe has cells a1 to c3.'])
        for name in ("10", "(4,4)", "(0,3)")
    ),
    *((game, ["(1,1)"], ["/moves/0 no-such-"]) for game in ("connect-four", "qubic", "seven")),
    *(("tic-tac-toe", moves, ["/moves no-column-string: Tic-tac-toe has no"]) for moves in ("10", "40", " ", "b2b3")),
    ("qubic", "40", ["/moves no-column-string: Qubic has no gravity, so its moves are not columns."]),
    ("falling", "40", ["/moves no-column-string: Falling has 2 layers; a string of columns is for games with one."]),
    ("ten", "40", ["/moves no-column-string: Ten has 10 columns; a string of columns is for at most 9."]),
    ("wild-tic-tac-toe", [4], ["/moves/0 no-such-move: There is no move 4; legal moves are X0, O0, X1, O1, X2, O2, "]),
    *((game, [name], ["/moves/0 no-such-"]) for game, names in NO_NAMES.items() for name in names),
    ("achi", "4 b2", ["/moves occupied-cell: moves[1]: b2 is not legal: cell 4 is already marked; legal moves are "]),
    ("achi", [0] * (MOST_MOVES + 1), ["/moves too-long"]),
    ("tapatan", [4, 4, 0, 0], ["/moves/1 occupied-cell", "/moves/3 occupied-cell"]),
    (
        "tapatan",
        [4, 0, 99, 4, "0>1"],
        ["/moves/2 no-such-cell", "/moves/3 occupied-cell", "/moves/4 illegal-move", "/moves/4 illegal-move"],
    ),
    ("notakto", "0 1 2 3 4 zz", [f"/moves {OVER}", "/moves no-such-move"]),
    (
        "numerical-tic-tac-toe",
        ["5@4", "5@4", "5@0", "2@0", "2@0"],
        [
            *("/moves/1 occupied-cell", "/moves/1 repeated-digit", "/moves/1 wrong-digit", "/moves/2 repeated-digit"),
            *("/moves/4 occupied-cell", "/moves/4 repeated-digit", "/moves/4 wrong-digit"),
        ],
    ),
    (
        "vanishing-tic-tac-toe",
        [0, 0, 9, 1, 1],
        ["/moves/1 occupied-cell", "/moves/2 no-such-cell", "/moves/4 occupied-cell"],
    ),
    (
        "pop-out-4x4",
        ["d0", "p0", "d9", "p1"],
        ["/moves/1 illegal-move", "/moves/2 no-such-column", "/moves/3 illegal-move"],
    ),
    (
        "notakto-2",
        ["0.0", "0.1", "0.2", "0.3", "0.0"],
        ["/moves/3 illegal-move", "/moves/4 occupied-cell", "/moves/4 illegal-move"],
    ),
    *((game, ["X0", "X0"], ["/moves/1 occupied-cell"]) for game in ("wild-tic-tac-toe", "order-and-chaos-4x4")),
    ("exactly-three-4x4", [0, 0], ["/moves/1 occupied-cell"]),
    (
        "six-mens-morris",
        ["0>1", "0>5", "0x9"],
        [
            "/moves/0 illegal-move: 0>1 is not legal: X has pieces to place and places one",
            "/moves/0 illegal-move: 0>1 is not legal: X has no piece on point 0",
            '/moves/1 no-such-move: There is no move "0>5": no line leads from point 0 to point 5',
            "/moves/2 illegal-move: 0x9 is not legal: O has no piece on point 9",
        ],
    ),
    (
        "six-mens-morris",
        [*MILL, "2"],
        ["/moves/4 illegal-move: 2 is not legal: X closes a mill; O has pieces to take "],
    ),
    ("six-mens-morris", [*MILL, "3x9"], ["/moves/4 illegal-move: 3x9 is not legal: X closes no mill and so takes no"]),
    (
        "six-mens-morris",
        ["0", "3", "1", "4", "6", "5x0", "0", "9", "2x3"],
        ["/moves/8 illegal-move: 2x3 is not legal: the piece on point 3 stands in a mill, and O has pieces"],
    ),
]
"""Games, moves, and the beginning of every error: where it is, its code, and its sentence."""

INVALID = ("ambiguous", "no-digit", "no-column-string", "too-long")


def test_every_move_that_cannot_be_played_is_named_with_its_place_and_the_range_of_the_game() -> None:
    for game, moves, expected in FAULTS:
        problem = refused(game, moves=moves)
        errors = [f"{error.pointer} {error.code}: {error.detail}" for error in problem.errors]
        assert [error[: len(start)] for error, start in zip(errors, expected, strict=True)] == expected
        is_invalid = any(code in expected[0] for code in INVALID)
        assert problem.kind == ("invalid-request" if is_invalid else "impossible-position")


@pytest.mark.parametrize("name", STATE_GAMES)
def test_a_player_is_named_beside_faults_of_moves(name: str) -> None:
    game = STATE_GAMES[name]
    named = "/player not-a-choice, /moves/0 no-such-move, /moves/1 no-such-move"
    assert faults(refused(name, moves=["z9", "?"], player="Nobody")) == named
    moves = [game.move_name(Position(game).legal_moves[0]), "z9"]
    assert (
        faults(refused(name, moves=moves, player=game.players[1]))
        == "/moves/1 no-such-move, /player player-not-to-move"
    )


def test_what_follows_a_fault_is_played_on_as_far_as_it_is_legal() -> None:
    for names in product(["4", "0", "7"], repeat=4):
        with pytest.raises(Problem) as caught:
            read_record(Position(STATE_GAMES["tapatan"]), ["4", "z9", *names])
        repeated = {f"/moves/{2 + place}" for place, name in enumerate(names) if name in ("4", *names[:place])}
        assert {error.pointer for error in caught.value.errors if error.code == "occupied-cell"} == repeated


# What answers tell of moves


def test_wherever_an_answer_names_moves_it_names_their_columns(client: FlaskClient) -> None:
    for game in (game for game in LINE_GAMES.values() if game.has_columns):
        asked = {"game": game.id, "moves": "3132415", "limit": {"nodes": 500}}
        best, answer, review = (
            client.post(route, json=asked).get_json() for route in ("/best-move", "/analysis", "/review")
        )
        for line in (answer, best, *answer["moves"]):
            assert line["pv_columns"] == [cell % game.columns for cell in line["pv"]]
        for player, cells in answer["threats"].items():
            assert answer["threat_columns"][player] == [cell % game.columns for cell in cells]
        for ply, digit in zip(review["plies"], asked["moves"], strict=True):
            assert ply["column"] == int(digit) - 1
            assert ply["best_columns"] == [cell % game.columns for cell in ply["best_moves"]]
    over = client.post("/analysis", json={"game": "connect-four", "moves": "1212121"}).get_json()
    assert (over["status"], over["column"], over["pv_columns"]) == ("won", None, [])
    layered = {"rows": 2, "columns": 2, "layers": 2, "in_a_row": 2, "gravity": True}
    for rules, route in product(("tic-tac-toe", layered), ("/best-move", "/analysis", "/review")):
        text = client.post(route, json={"game": rules, "moves": [3]}).data
        assert not any(added in text for added in (b"pv_columns", b"threat_columns", b"best_columns"))
