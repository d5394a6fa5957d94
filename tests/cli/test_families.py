"""Games of families on the command line, one for each kind of move: cell, column, number and mark."""

import json
from pathlib import Path

import pytest

from tests.cli.terminal import refused, said
from tests.support import sampled

ASKED_AGAIN = sampled(2, 8)

each_kind_of_move = pytest.mark.parametrize(
    "game",
    ["tapatan", '{"family":"pop-out","rows":3,"columns":3,"in_a_row":3}', "numerical-tic-tac-toe", "wild-tic-tac-toe"],
)


@each_kind_of_move
def test_a_game_is_answered_analysed_and_played_with_moves_that_can_be_typed(game: str) -> None:
    # A table of a million positions takes seconds to make.
    position = ["--moves", "5@4,2@0,1@8,8@2"] if game.startswith("numerical") else []
    asked = ("-g", game, *position, "--time-ms", "120000")
    shown, body = said("best-move", *asked), json.loads(said("best-move", *asked, "--json"))
    assert f"\n{body['player']} {'drops' if 'pop-out' in game else 'plays'} " in shown
    assert f"value     {body['outcome']}" in shown
    assert body["reason"][1:] in shown  # it goes on after the player where a move is a column
    assert body["name"] == body["pv"][0]
    moves = json.loads(said("analysis", *asked, "--json"))["moves"]
    rows = said("analysis", *asked).split("why\n")[1].splitlines()
    assert len(rows) == len(moves)
    before = f"{position[1]}," if position else ""
    for row, move in [*zip(rows, moves, strict=True)][:: 1 + len(rows) // ASKED_AGAIN]:
        name = row.split()[1 if move["best"] else 0]
        after = json.loads(said("best-move", "-g", game, "--moves", before + name, "--json"))
        assert after["position"] == move["next_position"]
    end = said("play", "-g", game, "--as", "none", "--skill", "40", "--seed", "3").rstrip().splitlines()[-1]
    assert any(word in end for word in ("has completed", "has won", "draw"))


def test_marks_are_chosen_and_a_game_is_reviewed() -> None:
    shown = said("play", "-g", "wild-tic-tac-toe", "--as", "both", typed="Xb2\nob1\nO b3\nxa1\nX c3\nyes\n")
    assert shown.startswith("Wild tic-tac-toe. Players write X or O")
    assert "You play first and second." in shown
    assert "second to move: ob1\n" in shown
    assert "First has completed the diagonal from the top left and won." in shown
    assert "% accuracy" in shown


def test_pieces_are_placed_and_then_moved() -> None:
    typed = "b2\na1\nc1\na3\na2\nc2\na1\nb2-a1\nb2-b3\nq\n"
    shown = said("play", "-g", "tapatan", "--as", "both", typed=typed)
    assert "'a1' is not a legal move. Type one of " in shown
    assert "'b2-a1' is not a legal move. Type one of c1-b1 b2-b1 b2-b3 b2-c3, or ?" in shown
    assert "3  O │[X]│ ·" in shown


def test_moves_have_the_names_of_answers_and_of_boards() -> None:
    expected = said("best-move", "-g", "tapatan", "--moves", "4,0,6,2,1,7,4>5")
    for option in (["--moves"], []):
        assert said("best-move", "-g", "tapatan", *option, "B2 0 a3 c1 1 7 b2c2") == expected


def test_a_board_may_have_other_signs_or_be_json() -> None:
    expected = said("best-move", "-g", "achi", "X..O.....")
    for board in (["R..Y....."], ["--board", "[1, 0, 0, -1, 0, 0, 0, 0, 0]"]):
        assert said("best-move", "-g", "achi", *board) == expected


@pytest.mark.parametrize(
    ("game", "moves", "drawn"),
    [
        ("vanishing-tic-tac-toe", "a1 b2 b1 c1 a3 a2", ["1 [x]│ X │ O"]),  # in lower case the mark that goes next
        ("notakto-2", "0.4,1.0", [" a2 │ X  │ c2     a5 │ b5 │ c5"]),  # cells of a board that is over keep their names
        ("picaria", "4,0", [" O │   │ 1 │   │ 2", "   │ 9 │   │[10]│", " 3 │   │ X │   │ 5"]),
    ],
)
def test_boards_are_drawn_as_they_are(game: str, moves: str, drawn: list[str]) -> None:
    shown = said("best-move", "-g", game, "--moves", moves)
    assert [line for line in drawn if line.split() not in [each.split() for each in shown.splitlines()]] == []


def test_a_draw_by_repetition_ends_a_game() -> None:
    shown = said("play", "-g", "tapatan", "--as", "none", "--board", "O.XXXOO..")
    assert shown.endswith("This position has come three times: a draw by repetition.\n")
    assert "value     draw by repetition" in said("best-move", "-g", "tapatan", "--board", "O.XXXOO..")


def test_a_hint_an_undone_move_and_a_saved_game(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    shown = said("play", "-g", "three-mens-morris", typed=f"b2\nhint\nundo\nb2\nsave {file}\nq\n")
    assert "Best: c2. Places a piece on c2: wins in 7 plies against any defence. (win in 7 plies)" in shown
    assert f"The game is saved in {file}." in shown
    assert json.loads(file.read_text())["moves"] == ["4", "0"]
    again = said("play", "--load", str(file), typed="u\nq\n")
    assert "1 [O]│ · │ ·" in again
    assert again.count("2  · │ · │ ·") == 1


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ('best-move --game {"family":"chess"}', "--family: family must be one of 'wild', 'notakto', "),
        ('best-move --game {"family":"wild"', "Invalid value for --game: invalid JSON: "),
        ("best-move -g achi --moves 4,4", "--moves (move 2): 4 is not legal: cell 4 is already marked; legal "),
        ("best-move -g achi --board XX", "--board: The board has 2 cells; Achi needs 9."),
        ("best-move -g achi -p order", "--player: player must be X or O."),
        ("best-move -p first", "--player: player must be 'X', 'O', 'x' or 'o'."),
        ("tree -g achi", "This command is for line games."),
        ("stats -g achi", "This command is for line games."),
        ("proof -g achi", "It supports line games"),
    ],
)
def test_a_fault_is_told_with_its_option(arguments: str, sentence: str) -> None:
    assert sentence in refused(*arguments.split(" "))
