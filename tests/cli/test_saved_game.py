"""Games are saved in files, and go on from them."""

import json
from pathlib import Path

import pytest

from tests.cli.terminal import refused, run, said


def test_a_game_goes_on_where_it_was_saved(tmp_path: Path) -> None:
    file = tmp_path / "Game One.json"
    saved = said("play", "--skill", "40", "--seed", "1", typed=f"b2\nsave {file}\nq\n")
    assert f"The game is saved in {file}.\n" in saved
    on_the_board = saved[saved.rindex("\n1  ") : saved.index("X to move: save")]
    loaded = said("play", "--load", str(file), typed="skill\nundo\nq\n")
    assert on_the_board in loaded
    assert "You play X." in loaded
    assert "The oracle plays with skill 40 of 100.\n" in loaded
    assert "2  · │ · │ ·\n" in loaded  # the move before it was saved is taken back


def test_the_file_says_the_game_its_moves_the_skill_and_who_plays(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    said("play", "-g", "connect-four-5x4", "--as", "both", "--skill", "7", typed=f"3\n3\n1\nsave {file}\nq\n")
    written = {"format": 1, "game": "connect-four-5x4", "first_player": "X", "moves": [2, 2, 0]}
    assert json.loads(file.read_text()) == {**written, "play_as": "both", "skill": 7}


def test_a_game_of_its_own_rules_from_a_position_of_its_own_is_saved_too(tmp_path: Path) -> None:
    file, rules = tmp_path / "game.json", ["--rows", "3", "--columns", "4", "--in-a-row", "3", "--misere"]
    said("play", *rules, "XO..........", "--as", "both", typed=f"a2\nsave {file}\nq\n")
    saved = json.loads(file.read_text())
    assert (saved["board"], saved["moves"]) == ("XO..........", [4])
    assert saved["game"] == {"rows": 3, "columns": 4, "in_a_row": 3, "misere": True}
    shown = said("play", "--load", str(file), typed="b2\nundo\nundo\nundo\nq\n")
    assert "1  X │ O │ · │ ·\n" in shown
    assert "There is no move of yours to take back." in shown


def test_a_finished_game_is_saved_before_its_review_and_shown_again(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    said("play", "--as", "both", typed=f"a1\na2\nb1\nb2\nc1\nsave {file}\nno\n")
    shown = said("play", "--load", str(file), typed="y\n")
    assert "1 [X]│[X]│[X]\n" in shown
    assert shown.endswith("the last mistake.\n")


def test_what_is_given_beside_a_file_holds_but_no_other_game_or_position(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    file.write_text('{"moves": [], "skill": 3}')
    shown = said("play", "--load", str(file), "--as", "both", "--skill", "5", typed="skill\nq\n")
    assert "You play X and O." in shown
    assert "skill 5 of 100" in shown
    for other in (["X...O...."], ["-g", "qubic"], ["--misere"]):
        assert "give --load alone" in refused("play", "--load", str(file), *other)


def test_no_other_file_is_overwritten(tmp_path: Path) -> None:
    file = tmp_path / "thesis.txt"
    file.write_text("Chapter 1")
    shown = said("play", typed=f"save {file}\nq\n")
    assert f"{file} exists and is no saved game; choose another name.\n" in shown
    assert file.read_text() == "Chapter 1"
    said("play", typed=f"save {tmp_path / 'game'}\nb2\nsave {tmp_path / 'game'}\nq\n")
    assert json.loads((tmp_path / "game").read_text())["moves"] == [4, 0]


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("Chapter 1", "contains no saved game: The body is not JSON"),
        ('{"moves": [4, 4]}', "contains no saved game: move 2: Cell 4 is already marked."),
        ('{"moves": [9], "game": "connect-four"}', "There is no column 9; Connect Four has columns 0 to 6."),
        ('{"moves": [], "board": "XXXX....."}', "contains no saved game: X has 4 marks"),
        ('{"moves": [], "game": "chess"}', "contains no saved game: There is no game chess. move-oracle games lists"),
        ('{"moves": [], "skill": 101, "format": 2}', "format must be 1. skill must be at most 100."),
    ],
)
def test_a_file_with_no_game_is_refused_in_words(tmp_path: Path, content: str, complaint: str) -> None:
    file = tmp_path / "game.json"
    file.write_text(content)
    assert complaint in refused("play", "--load", str(file))
    done = run("play", typed=f"load {file}\nb2\nq\n")
    assert done.exit_code == 0
    assert complaint in done.stdout
    assert "2  · │[X]│ ·\n" in done.stdout  # the game goes on
