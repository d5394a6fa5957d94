"""``best-move``, ``analysis``, ``review``, ``games`` and ``proof`` print what the service answers, as JSON or text."""

import re

import pytest
from flask.testing import FlaskClient

from service.games.catalogue import CATALOGUE
from tests.certificates import holds_in_python
from tests.cli.terminal import refused, run, said

ALIKE: list[tuple[str, str, object]] = [
    ("best-move 4 --skill 30 --seed 9", "/best-move", {"moves": [4], "skill": 30, "seed": 9}),
    (
        "analysis 0,4 -g tic-tac-toe-3d --skill 20 --seed 5",
        "/analysis",
        {"moves": [0, 4], "game": "tic-tac-toe-3d", "skill": 20, "seed": 5},
    ),
    (
        "review -m 2,2,1 -g connect-four-5x4 --first-player O",
        "/review",
        {"moves": [2, 2, 1], "game": "connect-four-5x4", "first_player": "O"},
    ),
    ("review 0,0", "/review", {"moves": [0, 0]}),
]
"""Commands, and the requests that they make."""


@pytest.mark.parametrize(("command", "path", "request_body"), ALIKE)
def test_every_route_has_a_command_that_prints_its_body(
    client: FlaskClient, command: str, path: str, request_body: object
) -> None:
    answer = client.post(path, json=request_body)
    done = run(*command.split(), "--json")
    assert done.stdout_bytes == answer.data + b"\n"
    assert done.exit_code == (0 if answer.status_code == 200 else 2)


def test_the_catalogue_as_json_is_the_body_that_the_service_answers(client: FlaskClient) -> None:
    for path in ("/games", "/games/qubic"):
        assert run(*path.split("/")[1:], "--json").stdout_bytes == client.get(path).data + b"\n"


def test_a_certificate_is_the_body_that_the_service_answers_and_holds(client: FlaskClient) -> None:
    answer = client.post("/proof", json={"board": "XX..O....", "player": "O", "limit": {"nodes": 5000}})
    assert run("proof", "XX..O....", "--player", "o", "--nodes", "5000").stdout_bytes == answer.data
    assert holds_in_python(said("proof", "--rows", "4", "--columns", "4", "--in-a-row", "3"))
    assert "The outcome is not proven within the limit" in refused("proof", "-g", "qubic", "-m", "1", "--nodes", "100")


BEST = """\
1  O │ · │ X
  ───┼───┼───
2  X │[·]│ X
  ───┼───┼───
3  · │ O │ O
   a   b   c

X plays b2. Completes the middle row.

  value  win in 1 ply
  score  9
  line   b2
"""


def test_the_best_move_is_shown_on_the_board() -> None:
    assert said("best-move", "O.XX.X.OO") == BEST


def test_a_finished_game_is_shown_with_its_line() -> None:
    shown = said("best-move", "XXXOO....")
    assert "[X]│[X]│[X]" in shown
    assert shown.endswith("\n\nX has completed the top row and won.\n")


def test_under_gravity_the_columns_are_numbered_below_the_board() -> None:
    shown = said("best-move", "-g", "connect-four-5x4", "-m", "2,2,1").splitlines()
    assert shown[6] == " · │ X │ X │[·]│ ·"
    assert shown[7] == " 1   2   3   4   5"
    assert shown[9].startswith("O drops into column 4 and stops X")
    assert shown[13] == "  line   43242253445551111"


def test_columns_to_choose_from_are_told_in_order() -> None:
    shown = said("review", "-g", "connect-four-5x4", "33241").splitlines()
    assert re.match(r"ply  player  column  verdict  best ", shown[11])
    assert re.match(r"  1  X            3  best     2 3 4 ", shown[12])
    assert re.match(r"  3  X            2  mistake  3 ", shown[14])
    ranked = said("analysis", "-g", "connect-four-5x4", "33241").splitlines()
    assert [line[1:9].strip() for line in ranked[16:21]] == ["3", "2", "4", "1", "5"]
    threats = said("analysis", "-g", "connect-four", "445533", "--nodes", "2000")
    assert "Moves that would complete a line now:\n  X  2 6" in threats


def test_layers_stand_side_by_side_as_far_as_there_is_room() -> None:
    assert said("best-move", "-g", "qubic", "-m", "0", "--nodes", "10").splitlines()[:2] == [
        "layer 1             layer 2             layer 3             layer 4",
        "1  X │ · │ · │[·]   1  · │ · │ · │ ·    1  · │ · │ · │ ·    1  · │ · │ · │ ·",
    ]
    narrow = run("best-move", "-g", "qubic", "-m", "0", "--nodes", "10", COLUMNS="20").stdout
    assert narrow.count("\nlayer ") == 3


def test_a_dot_marks_where_a_mark_would_land() -> None:
    rules = "--rows 2 --columns 2 --layers 2 --in-a-row 2 --gravity"
    shown = said("best-move", *rules.split(), "-m", "0").splitlines()
    assert shown[1:4] == ["1 [·]│      1  X │ ·", "  ───┼───     ───┼───", "2    │      2  · │ ·"]
    assert shown[6].startswith("O plays 1:a1. Blocks the line 1:a1-2:a1: ")


def test_cells_without_rows_are_drawn_eight_to_a_line() -> None:
    shown = said("best-move", "-m", "0", "--lines", "[[0,1,2],[7,8,9]]").splitlines()
    assert shown[0] == " X │[1]│ 2 │ 3 │ 4 │ 5 │ 6 │ 7"
    assert shown[2] == " 8 │ 9"


def test_an_analysis_lists_every_move_with_its_reasons_and_the_threats() -> None:
    shown = said("analysis", "O.XX.X.OO")
    assert "\n   move  value            score  line   why\n*    b2  win in 1 ply         9  b2     Completes" in shown
    assert shown.endswith("\nMoves that would complete a line now:\n  X  b2\n  O  b2 a3\n")


def test_a_review_tells_where_the_game_turned() -> None:
    shown = said("review", "4,1,0,8,6,3,2")
    assert shown.splitlines()[7] == "X has won."
    assert re.search(r"\n  2  O         b1  mistake  a1 c1 a3 c3 +draw -> loss  ", shown)
    assert shown.endswith("\nThe game turned at ply 2, the last mistake.\n")


def test_a_review_tells_how_the_game_stands() -> None:
    for moves, words in ("", "The game goes on; X is to move."), ("0,4,8,1,7,6,2,5,3", "A draw."):
        shown = said("review", f"--moves={moves}")
        assert f"\n{words}\n" in shown
        assert shown.endswith("Neither player made a mistake.\n")


def test_what_is_not_proven_or_judged_is_said_in_words_and_no_failure() -> None:
    assert "\n  value  not proven, ≈ " in said("best-move", "-g", "qubic", "-m", "1", "--nodes", "10")
    shown = said("review", "0,1,2", "-g", "qubic", "--nodes", "30")
    assert shown.endswith("No mistake was found. Not every move was judged within the limit.\n")


def test_the_catalogue_is_a_table_and_a_game_is_described_with_its_source() -> None:
    head, *lines = said("games").splitlines()
    assert head.split("  ")[0] == "id"
    assert [line.split()[0] for line in lines] == list(CATALOGUE)
    assert re.fullmatch(r"connect-four +6x7 +4 +gravity +wins in 41 plies", lines[9])
    shown = said("games", "qubic")
    assert shown.startswith("Qubic\n")
    assert "4x4x4, 64 cells" in shown
    assert "Oren Patashnik" in shown
