"""``play``: a game in the terminal, typed move by move."""

import re

import pytest

from tests.cli.terminal import said


def test_a_game_is_played_to_its_end_and_reviewed() -> None:
    shown = said("play", typed="4\n8\n6\nno\n")
    assert shown.startswith("Tic-tac-toe. Players take turns")
    assert "\nX to move: 4\n" in shown
    assert "\nO plays a1. Holds the draw.\n" in shown
    assert "O has completed the top row and won.\nReview the game? [y/N] no\n" in shown
    reviewed = said("play", typed="4\n8\n6\ny\n")
    assert re.search(r"\nPly \d: X plays [abc]\d, draw -> loss\. .+\n", reviewed)
    assert reviewed.endswith("the last mistake.\n")


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


COLUMNS = ["-g", "connect-four-5x4"]
CUBE = ["--rows", "2", "--columns", "2", "--layers", "2", "--in-a-row", "2"]
FALLING_CUBE = [*CUBE, "--gravity"]


@pytest.mark.parametrize(
    ("game", "typed", "shown"),
    [
        ([], ["b2", "B2", "4", " b 2 "], "2  · │[X]│ ·\n"),
        (COLUMNS, ["4", "d", "D", "d4"], " · │ · │ · │[X]│ ·\n"),
        (CUBE, ["2:b2", "2:B2", "7"], "2  · │ ·    2  · │[X]"),
        (FALLING_CUBE, ["2:b2", "b2", "3"], "2    │ ·    2  · │[X]"),
    ],
    ids=["cell", "column", "cell in space", "column in space"],
)
def test_a_move_is_typed_by_any_of_its_names(game: list[str], typed: list[str], shown: str) -> None:
    for line in typed:
        assert shown in said("play", *game, "--as", "both", typed=f"{line}\nq\n"), line


def test_the_skill_changes_in_a_game() -> None:
    shown = said("play", "--skill", "0", "--seed", "3", typed="skill\nskill 100\nskill\nb2\nq\n")
    assert "The oracle plays with skill 0 of 100.\n" in shown
    assert shown.count("The oracle plays with skill 100 of 100.\n") == 2
    assert "O plays a1. Holds the draw." in shown
    weaker = [said("play", "--seed", str(seed), typed="skill 0\nb1\nq\n") for seed in range(8)]
    assert len({re.findall("O plays (..)", game)[0] for game in weaker}) > 1


GAMES = [
    ("--as o", "quit", ["X plays a1.", "O to move: quit\nThe game was left unfinished.\n"]),
    ("", "4\nundo\n0\nu\nundo\nq", ["There is no move of yours to take back."]),
    ("--as both", "0\n3\nundo\n4\n1\n5\n2", ["O to move: ", "X has completed the top row and won."]),
    ("--as none", "", ["The board is full and neither player has a line: a draw.\n"]),
    ("XX.OO....", "2", ["X has completed the top row and won.\n"]),
    (
        "-g connect-four-5x4 --as both",
        "3\n3\n3\n3\nd3\n3\n6\n0\nq",
        [
            "Type a column, such as 1, to play there, or",
            "'3' is not a free column. Type one of 1 2 4 5, or ? for all that you can type.",
            *(f"'{line}' is not a free column" for line in ("6", "0", "d3")),  # the last is above the landing
        ],
    ),
    (
        "-g connect-four-5x4 --as both --nodes 20000",
        "2\n1\n2\n1\n2\n5\n2\ny",
        [
            "X has completed the vertical line in column 2 and won.",
            "Ply 6: O plays column 5, ",
            "lets X win in column 2",
        ],
    ),
    (
        "-g wild-tic-tac-toe --as both",
        "Xb2\nob1\nO b3\nxa1\nX c3\nyes",
        [
            "Wild tic-tac-toe. Players write X or O",
            "You play first and second.",
            "second to move: ob1\n",
            "First has completed the diagonal from the top left and won.",
            "% accuracy",
        ],
    ),
    (
        "-g tapatan --as both",
        "b2\na1\nc1\na3\na2\nc2\na1\nb2-a1\nb2-b3\nq",
        [
            "'a1' is not a legal move. Type one of ",
            "'b2-a1' is not a legal move. Type one of c1-b1 b2-b1 b2-b3 b2-c3, or ?",
            "3  O │[X]│ ·",
        ],
    ),
    ("-g three-mens-morris", "b2\nhint\nq", ["Best: c2. Wins in 7 plies against any defence."]),
    ("-g numerical-tic-tac-toe --moves 5@4,2@0,1@8,8@2 --as none", "", ["has "]),
    ("-g tapatan --as none --board O.XXXOO..", "", ["This position has come three times: a draw by repetition.\n"]),
]


@pytest.mark.parametrize(("arguments", "typed", "parts"), GAMES)
def test_a_game_is_played_as_it_is_typed(arguments: str, typed: str, parts: list[str]) -> None:
    shown = said("play", *arguments.split(), typed=f"{typed}\n")
    assert [part for part in parts if part not in shown] == [], shown
