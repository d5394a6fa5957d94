"""Games of families on the command line: read, answered, drawn and played as line games are."""

import json
from pathlib import Path

import pytest

from service.families.catalogue import FAMILY_GAMES
from tests.cli.terminal import refused, said
from tests.support import sampled

ASKED_AGAIN = sampled(2, 8)
SMALL = [game.id for game in FAMILY_GAMES.values() if game.states < 1_000_000]


@pytest.mark.parametrize("game", SMALL)
def test_the_best_move_of_every_game_is_told_with_its_value(game: str) -> None:
    shown = said("best-move", "-g", game)
    body = json.loads(said("best-move", "-g", game, "--json"))
    assert f"{body['player']} plays " in shown
    assert f"value     {body['outcome']}" in shown
    assert body["reason"] in shown
    assert body["name"] == body["pv"][0]


@pytest.mark.parametrize("game", SMALL)
def test_an_analysis_names_every_move_as_it_may_be_typed(game: str) -> None:
    body = json.loads(said("analysis", "-g", game, "--json"))
    rows = said("analysis", "-g", game).split("why\n")[1].splitlines()
    assert len(rows) == len(body["moves"])
    for row, move in [*zip(rows, body["moves"], strict=True)][:: 1 + len(rows) // ASKED_AGAIN]:
        name = row.split()[1 if move["best"] else 0]
        after = json.loads(said("best-move", "-g", game, "--moves", name, "--json"))
        assert after["position"] == move["next_position"]


@pytest.mark.parametrize("game", SMALL)
def test_the_oracle_plays_both_sides_to_an_end(game: str) -> None:
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


@pytest.mark.parametrize(
    ("game", "moves", "same"),
    [
        ("numerical-tic-tac-toe", "5@4", "5b2"),
        ("tapatan", "4,0,6,2,1,7,4>5", "B2 0 a3 c1 1 7 b2c2"),
        ("notakto-2", "1.4 0.0", "b5 a1"),
    ],
)
def test_moves_have_the_names_of_answers_and_of_boards(game: str, moves: str, same: str) -> None:
    expected = said("best-move", "-g", game, "--moves", moves)
    assert said("best-move", "-g", game, "--moves", same) == expected
    assert said("best-move", "-g", game, same) == expected


def test_a_board_may_have_other_signs_or_be_json() -> None:
    expected = said("best-move", "-g", "achi", "X..O.....")
    for board in ("R..Y.....", "[1, 0, 0, -1, 0, 0, 0, 0, 0]"):
        assert said("best-move", "-g", "achi", board) == said("best-move", "-g", "achi", "--board", board) == expected


def test_the_mark_that_disappears_next_is_in_lower_case() -> None:
    shown = said("best-move", "-g", "vanishing-tic-tac-toe", "a1 b2 b1 c1 a3 a2")
    assert "1 [x]│ X │ O" in shown
    assert "position  X0-1-6/O4-2-3" in shown


def test_boards_stand_beside_each_other_and_dead_cells_keep_their_marks() -> None:
    shown = said("best-move", "-g", "notakto-2", "0.4,1.0")
    assert " a2 │ X  │ c2     a5 │ b5 │ c5" in shown


def test_the_points_of_picaria_are_where_they_are_on_the_board() -> None:
    lines = said("best-move", "-g", "picaria", "--moves", "4,0").splitlines()
    assert [line.replace("│", " ").split() for line in lines[:9:2]] == [
        ["O", "1", "2"],
        ["9", "[10]"],
        ["3", "X", "5"],
        ["11", "12"],
        ["6", "7", "8"],
    ]


def test_rules_are_given_as_json() -> None:
    rules = '{"family": "vanishing", "remove": "after"}'
    assert "value     win in 9 plies" in said("best-move", "--game", rules)
    assert "value     win in 7 plies" in said(
        "best-move", "--game", '{"family":"wild","rows":3,"columns":3,"in_a_row":3}'
    )
    assert json.loads(said("best-move", "-g", '{"rows":2,"columns":2,"in_a_row":2}', "--json"))["outcome"] == "win"


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
    ("args", "sentence"),
    [
        (["--game", '{"family": "chess"}'], "--game: family must be one of 'wild', 'notakto', "),
        (["--game", '{"family": "wild"'], "Invalid value for --game: invalid JSON: "),
        (["-g", "achi", "--moves", "4,4"], "--moves (move 2): 4 is not legal: cell 4 is already marked; legal "),
        (["-g", "achi", "--moves", "z9"], "--moves (move 1): There is no move z9; legal moves are 0, 1, 2"),
        (["-g", "achi", "--board", "XX"], "--board: The board has 2 cells; the game needs 9."),
        (["-g", "achi", "-p", "order"], "--player: player must be X or O."),
        (["-p", "first"], "--player: player must be 'X', 'O', 'x' or 'o'."),
    ],
)
def test_a_fault_is_told_with_its_option(args: list[str], sentence: str) -> None:
    assert sentence in refused("best-move", *args)


@pytest.mark.parametrize("command", ["tree", "stats"])
def test_what_only_line_games_have_says_so(command: str) -> None:
    assert "This command is for line games." in refused(command, "-g", "achi")


def test_a_certificate_is_refused_in_a_sentence() -> None:
    assert "It supports line games" in refused("proof", "-g", "achi")
