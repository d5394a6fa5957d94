"""Positions of families as people write them: texts, lists and moves lead to the same, and faults are named."""

from random import Random
from typing import Any

import pytest

from service.api.family_notation import MOST_MOVES, play_moves, read_family_position
from service.api.problems import CODES, KINDS, Problem
from service.families.catalogue import FAMILY_GAMES
from service.families.game import FamilyGame
from service.families.position import FamilyPosition

LETTERS = "XOxo.0123456789-/>@|dp \u00b2\u0663\u00df"


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


def test_a_move_that_the_game_does_not_have_is_named_with_legal_ones() -> None:
    detail = "There is no move 4; legal moves are X0, O0, X1, O1, X2, O2, X3, O3 and others."
    assert fault("wild-tic-tac-toe", moves=[4]) == ("impossible-position", "/moves/0", "no-such-move", detail)


def test_a_move_that_is_not_legal_is_named_by_its_place() -> None:
    kind, at, code, _ = fault("notakto", moves=[4, 4])
    assert (kind, at, code) == ("impossible-position", "/moves/1", "illegal-move")


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
    assert (kind, at, code) == ("impossible-position", "/board", "unreadable-position")
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
