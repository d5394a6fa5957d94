"""Requests about games of families with several independent faults: every one of them is named at once."""

from itertools import product
from typing import Any

import pytest

from service.api.problems import CODES, Problem
from service.api.read.notation import read_position
from service.api.read.record import read_record
from service.games.catalogue import CATALOGUE, STATE_GAMES
from service.games.families.pop_out import PopOutGame
from service.games.game import Game
from service.games.position import Position
from tests.edge_client import EdgeClient

GAMES = {**STATE_GAMES, "pop-out-3x3": PopOutGame(rows=3, columns=3, in_a_row=3)}
each_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)


def refused(game: Game, **fields: Any) -> tuple[str, list[tuple[str, str]]]:
    """The kind of the problem, and the pointer and the code of each error."""
    with pytest.raises(Problem) as caught:
        read_position(game, **fields)
    assert all(error.code in CODES for error in caught.value.errors)
    assert all(error.detail[-1] == "." for error in caught.value.errors)
    return caught.value.kind, [(error.pointer, error.code) for error in caught.value.errors]


@each_game
def test_a_player_is_named_beside_faults_of_board_and_moves(game: Game) -> None:
    kind, errors = refused(game, board="Q", moves=[], player="Nobody")
    codes = ["unreadable-position"] if game.family == "vanishing" else ["board-size", "unknown-mark"]
    assert kind == "invalid-request"
    assert errors[:2] == [("/moves", "conflicting-field"), ("/player", "not-a-choice")]
    assert [code for _, code in errors[2:]] == codes

    kind, errors = refused(game, moves=["z9", "?"], player="Nobody")
    named = [("/player", "not-a-choice"), ("/moves/0", "no-such-move"), ("/moves/1", "no-such-move")]
    assert (kind, errors) == ("invalid-request", named)

    name = game.move_name(Position(game).legal_moves[0])
    kind, errors = refused(game, moves=[name, "z9"], player=game.players[1])
    assert (kind, errors) == ("impossible-position", [("/moves/1", "no-such-move"), ("/player", "player-not-to-move")])


@each_game
def test_two_moves_that_repeat_others_are_both_named(game: Game) -> None:
    start = Position(game)
    if game.upright:  # into a column that is full, and a pop of one that is empty
        names = [*["d0"] * game.rows, "d0", "p1"]
        wrong = {f"/moves/{game.rows}": {"full-column"}, f"/moves/{game.rows + 1}": {"illegal-move"}}
    else:
        first, last = (str(game.move_name(start.legal_moves[place])) for place in (0, -1))
        names = [first, first, last, last]
        wrong = {"/moves/1": {"occupied-cell"}, "/moves/3": {"occupied-cell"}}
    with pytest.raises(Problem) as caught:
        read_record(start, names)
    found: dict[str, set[str]] = {}
    for error in caught.value.errors:
        found.setdefault(error.pointer, set()).add(error.code)
    assert all(codes <= found[at] for at, codes in wrong.items())
    assert set(found) == set(wrong)


@each_game
def test_two_faults_of_a_board_are_both_named(game: Game) -> None:
    if game.family == "vanishing":
        assert refused(game, board="X0-0-9/O1")[1] == [
            ("/board", "repeated-cell"),
            ("/board", "no-such-cell"),
            ("/board", "mark-count"),
        ]
        return
    kind, errors = refused(game, board=["Q", "?", *"." * game.cells], player=game.players[0])
    assert kind == "invalid-request"
    assert errors == [("/board", "board-size"), ("/board/0", "unknown-mark"), ("/board/1", "unknown-mark")]


FAULTS: list[tuple[str, dict[str, Any], str]] = [
    ("tapatan", {"moves": [4, 4, 0, 0]}, "moves/1 occupied-cell, moves/3 occupied-cell"),
    (
        "tapatan",
        {"moves": [4, 0, 99, 4, "0>1"]},
        "moves/2 no-such-cell, moves/3 occupied-cell, moves/4 illegal-move, moves/4 illegal-move",
    ),
    ("notakto", {"moves": "0 1 2 3 4 zz"}, "moves played-after-the-end, moves no-such-move"),
    (
        "numerical-tic-tac-toe",
        {"board": "1133.....", "player": "even"},
        "board repeated-digit, board repeated-digit, board mark-count, player player-not-to-move",
    ),
    (
        "numerical-tic-tac-toe",
        {"moves": ["5@4", "5@4", "5@0", "2@0", "2@0"]},
        (
            "moves/1 occupied-cell, moves/1 repeated-digit, moves/1 wrong-digit, moves/2 repeated-digit, "
            "moves/4 occupied-cell, moves/4 repeated-digit, moves/4 wrong-digit"
        ),
    ),
    (
        "vanishing-tic-tac-toe",
        {"moves": [0, 0, 9, 1, 1]},
        "moves/1 occupied-cell, moves/2 no-such-cell, moves/4 occupied-cell",
    ),
    (
        "pop-out-4x4",
        {"moves": ["d0", "p0", "d9", "p1"]},
        "moves/1 illegal-move, moves/2 no-such-column, moves/3 illegal-move",
    ),
    (
        "notakto-2",
        {"moves": ["0.0", "0.1", "0.2", "0.3", "0.0"]},
        "moves/3 illegal-move, moves/4 occupied-cell, moves/4 illegal-move",
    ),
    ("three-mens-morris", {"board": "XXXOOO..."}, "board two-winners"),
    ("three-mens-morris", {"board": "XX.OO...O"}, "board mark-count"),
]


def test_every_fault_is_named() -> None:
    for game, fields, expected in FAULTS:
        _, errors = refused(STATE_GAMES[game], **fields)
        assert ", ".join(f"{at[1:]} {code}" for at, code in errors) == expected


def test_what_follows_a_fault_is_played_on_as_far_as_it_is_legal() -> None:
    for names in product(["4", "0", "7"], repeat=4):
        with_fault = ["4", "z9", *names]
        with pytest.raises(Problem) as caught:
            read_record(Position(STATE_GAMES["tapatan"]), with_fault)
        repeated = {f"/moves/{2 + place}" for place, name in enumerate(names) if name in ("4", *names[:place])}
        assert {error.pointer for error in caught.value.errors if error.code == "occupied-cell"} == repeated


@pytest.mark.parametrize("game", CATALOGUE.values(), ids=CATALOGUE)
def test_law_7_faults_of_moves_and_of_the_limit_are_named_at_once_in_every_game(client: EdgeClient, game: Game) -> None:
    asked = {"game": game.id, "moves": ["zz9", "yy9"], "limit": {"time_ms": 10**9}}
    errors = client.post("/best-move", json=asked).get_json()["errors"]
    assert {error["pointer"] for error in errors} == {"/moves/0", "/moves/1", "/limit/time_ms"}
