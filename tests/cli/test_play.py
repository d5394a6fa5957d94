"""``play``: a game in the terminal, typed move by move."""

import re

import pytest

from tests.cli.terminal import said


def test_a_game_is_played_to_its_end() -> None:
    shown = said("play", typed="4\n8\n6\nno\n")
    assert shown.startswith("Tic-tac-toe. Players take turns")
    assert "\nX to move: 4\n" in shown
    assert "\nO plays a1. Holds the draw.\n" in shown
    assert "O has completed the top row and won.\nReview the game? [y/N] no\n" in shown


def test_a_game_is_reviewed_once_it_is_over() -> None:
    shown = said("play", typed="4\n8\n6\ny\n")
    assert re.search(r"\nPly \d: X plays [abc]\d, draw -> loss\. .+\n", shown)
    assert shown.endswith("the last mistake.\n")


def test_the_oracle_begins_where_one_plays_the_second_player() -> None:
    shown = said("play", "--as", "o", typed="quit\n")
    assert shown.index("X plays a1.") < shown.index("O to move: quit")
    assert shown.endswith("The game was left unfinished.\n")


def test_the_end_of_the_input_ends_a_game_with_a_message() -> None:
    assert said("play", typed="4\n").endswith("X to move: \nThe game was left unfinished.\n")


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("skill 101", "'101' is no skill. Type a number from 0, random, to 100, perfect."),
        ("skill good", "'good' is no skill."),
        ("save", "Type the name of a file too, such as save game.json."),
        ("load", "Type the name of a file too, such as load game.json."),
        ("load nowhere.json", "nowhere.json cannot be read: No such file or directory."),
        ("save /nowhere/game.json", "/nowhere/game.json cannot be written: No such file or directory."),
        ("first", "'first' is not a free cell. Type one of b1 c1 a2 c2 a3 b3 c3, or ? for all that you can type."),
        ("9", "'9' is not a free cell"),
        ("4", "'4' is not a free cell"),
        ("b2", "'b2' is not a free cell"),
        ("-1", "'-1' is not a free cell"),
        ("²", "'²' is not a free cell"),
        ("9" * 5000, "'9999"),
        ("HINT", "Best: b1. Holds the draw. (draw)"),
        ("?", "quit  (q)    leave the game"),
        ("", "X to move: \nX to move: q"),
    ],
)
def test_whatever_is_typed_gets_a_kind_answer_and_another_turn(line: str, answer: str) -> None:
    shown = said("play", typed=f"4\n{line}\nq\n")
    assert answer in shown
    assert shown.endswith("X to move: q\nThe game was left unfinished.\n")


def test_a_cell_is_typed_by_its_name_or_by_its_index() -> None:
    shown = said("play", "--as", "both", typed="b2\n0\nA3\n2\nq\n")
    assert "1 [O]│ · │ ·\n" in shown
    assert "3 [X]│ · │ ·\n" in shown
    assert "1  O │ · │[O]\n" in shown


@pytest.mark.parametrize("typed", ["b2", "B2", "4", " b 2 "])
def test_a_cell_is_typed_in_either_case_and_with_spaces(typed: str) -> None:
    assert "2  · │[X]│ ·\n" in said("play", "--as", "both", typed=f"{typed}\nq\n")


@pytest.mark.parametrize("typed", ["4", "d", "D", "d4", "D4"])
def test_a_column_is_typed_by_its_number_its_letter_or_the_cell_where_the_mark_lands(typed: str) -> None:
    shown = said("play", "-g", "connect-four-5x4", "--as", "both", typed=f"{typed}\nq\n")
    assert " · │ · │ · │[X]│ ·\n" in shown


def test_a_cell_above_the_landing_is_no_move() -> None:
    shown = said("play", "-g", "connect-four-5x4", "--as", "both", typed="d3\nq\n")
    assert "'d3' is not a free column. Type one of 1 2 3 4 5, or ?" in shown


@pytest.mark.parametrize("typed", ["2:b2", "2:B2", "7", "b2"])
def test_a_cell_in_space_is_typed_with_its_layer_which_gravity_makes_needless(typed: str) -> None:
    rules = ["--rows", "2", "--columns", "2", "--layers", "2", "--in-a-row", "2"]
    falls = said("play", *rules, "--gravity", "--as", "both", typed=f"{'3' if typed == '7' else typed}\nq\n")
    assert "2    │ " in falls
    assert falls.count("[X]") == 1
    free = said("play", *rules, "--as", "both", typed=f"{typed}\nq\n")
    assert free.count("[X]") == (typed != "b2")


def test_the_skill_changes_in_a_game() -> None:
    shown = said("play", "--skill", "0", "--seed", "3", typed="skill\nskill 100\nskill\nb2\nq\n")
    assert "The oracle plays with skill 0 of 100.\n" in shown
    assert shown.count("The oracle plays with skill 100 of 100.\n") == 2
    assert "O plays a1. Holds the draw." in shown


def test_the_oracle_plays_with_the_skill_of_the_moment() -> None:
    typed = "skill 0\nb1\nq\n"
    weaker = [re.findall("O plays (..)", said("play", "--seed", str(seed), typed=typed))[0] for seed in range(8)]
    best = said("best-move", "1", "--json")
    assert len(set(weaker)) > 1
    assert '"move":0' in best


def test_a_move_is_taken_back_with_its_answer() -> None:
    shown = said("play", typed="4\nundo\n0\nu\nundo\nq\n")
    assert shown.count("1  · │ · │ ·\n  ───┼───┼───\n2  · │ · │ ·\n  ───┼───┼───\n3  · │ · │ ·\n") == 3
    assert "There is no move of yours to take back." in shown


def test_two_people_play_at_one_keyboard() -> None:
    shown = said("play", "--as", "both", typed="0\n3\nundo\n4\n1\n5\n2\n")
    assert shown.count("O to move: ") == 3
    assert "X has completed the top row and won." in shown
    assert "plays" not in shown


def test_the_oracle_plays_itself_to_a_draw() -> None:
    shown = said("play", "--as", "none")
    assert shown.endswith("The board is full and neither player has a line: a draw.\n")
    assert "to move" not in shown


def test_columns_are_typed_under_gravity() -> None:
    shown = said("play", "-g", "connect-four-5x4", "--as", "both", typed="3\n3\n3\n3\n3\n6\n0\nq\n")
    assert "Type a column, such as 1, to play there, or" in shown
    assert "'3' is not a free column. Type one of 1 2 4 5, or ? for all that you can type." in shown
    assert "'6' is not a free column" in shown
    assert "'0' is not a free column" in shown


def test_a_game_of_columns_is_reviewed_as_it_was_played() -> None:
    typed = "2\n1\n2\n1\n2\n5\n2\ny\n"
    shown = said("play", "-g", "connect-four-5x4", "--as", "both", "--nodes", "20000", typed=typed)
    assert "X has completed the vertical line in column 2 and won." in shown
    assert "Ply 6: O plays column 5, " in shown
    assert "lets X win in column 2" in shown


def test_a_game_goes_on_from_a_position() -> None:
    shown = said("play", "XX.OO....", typed="2\n")
    assert shown.endswith("X has completed the top row and won.\n")
