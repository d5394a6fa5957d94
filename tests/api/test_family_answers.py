"""Answers tell of positions and moves of families what a client needs to ask again."""

from random import Random

import pytest
from pydantic_core import to_json

from service.api.family_answers import family_move_fields, family_position_fields
from service.api.family_notation import play_moves, read_family_position
from service.families.catalogue import FAMILY_GAMES
from service.families.position import FamilyPosition


@pytest.mark.parametrize("id", FAMILY_GAMES)
def test_what_an_answer_says_can_be_asked_again(id: str) -> None:
    chance, game = Random(id), FAMILY_GAMES[id]
    position = FamilyPosition(game)
    for _ in range(30):
        fields = family_position_fields(position)
        assert read_family_position(game, board=fields["position"], player=fields["player"]) == position
        if not position.legal_moves:
            break
        move = chance.choice(position.legal_moves)
        assert play_moves(position, [family_move_fields(position, move)["name"]])[0] == [move]
        position = position.play(move)


@pytest.mark.parametrize("id", FAMILY_GAMES)
def test_the_fields_of_a_move_are_always_the_same_and_none_is_a_field_of_the_position(id: str) -> None:
    position = FamilyPosition(FAMILY_GAMES[id])
    fields = [family_move_fields(position, move) for move in position.legal_moves]
    nothing = family_move_fields(position, None)
    assert set(nothing.values()) == {None}
    assert all(list(found) == list(nothing) for found in fields)
    assert not set(nothing) & set(family_position_fields(position))
    assert to_json(fields)


@pytest.mark.parametrize(
    ("id", "move", "expected"),
    [
        ("wild-tic-tac-toe", "O4", {"move": 4, "row": 1, "column": 1, "mark": "O", "name": "O4"}),
        ("notakto", "8", {"move": 8, "row": 2, "column": 2, "name": 8}),
        ("notakto-2", "1.3", {"move": 12, "row": 4, "column": 0, "board_number": 1, "name": "1.3"}),
        ("achi", "4", {"move": 4, "row": 1, "column": 1, "from": None, "name": "4"}),
        ("pop-out-4x4", "d2", {"move": 14, "row": 3, "column": 2, "pop": False, "name": "d2"}),
    ],
)
def test_a_move_has_the_fields_of_its_family(id: str, move: str, expected: dict[str, object]) -> None:
    position = FamilyPosition(FAMILY_GAMES[id])
    (number,), _ = play_moves(position, [move])
    assert family_move_fields(position, number) == expected


def test_a_finished_game_has_its_winner_and_line() -> None:
    fields = family_position_fields(read_family_position(FAMILY_GAMES["notakto"], moves=[0, 4, 8]))
    assert fields == {
        "game": "notakto",
        "family": "notakto",
        "position": "X...X...X",
        "board": "X...X...X",
        "player": "second",
        "status": "won",
        "winner": "second",
        "winning_line": (0, 4, 8),
    }
