"""``best-move``, ``analysis``, ``review``, ``games`` and ``proof`` print what the service answers, as JSON or text."""

import csv
import json
import re
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from service.games.catalogue import CATALOGUE
from tests.certificates import holds_in_python
from tests.cli.terminal import refused, run, said
from tests.support import sampled

ASKED_AGAIN = sampled(2, 8)

ALIKE: list[tuple[str, str, object]] = [
    ("best-move 4 --skill 30 --seed 9", "/best-move", {"moves": [4], "skill": 30, "seed": 9}),
    (
        "analysis 0,4 -g tic-tac-toe-3d --skill 20 --seed 5",
        "/analysis",
        {"moves": [0, 4], "game": "tic-tac-toe-3d", "skill": 20, "seed": 5},
    ),
    (
        "review -m 332 -g connect-four-5x4 --first-player O",
        "/review",
        {"moves": "332", "game": "connect-four-5x4", "first_player": "O"},
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

COLUMNS = "-g connect-four-5x4"

SHOWN = [
    ("best-move O.XX.X.OO", [BEST]),
    ("best-move XXXOO....", ["[X]│[X]│[X]", "\n\nX has completed the top row and won.\n"]),
    (
        f"best-move {COLUMNS} -m 332",
        ["\n · │ X │ X │[·]│ ·\n 1   2   3   4   5\n", "\nO plays column 4. Stops X", "line   43242253445551111"],
    ),
    (f"review {COLUMNS} 33241", ["\n  1  X            3  best     2 3 4 ", "\n  3  X            2  mistake  3 "]),
    ("analysis -g connect-four 445533 --nodes 2000", ["Moves that would complete a line now:\n  X  2 6"]),
    (
        "best-move -g qubic -m 0 --nodes 10",
        [
            "layer 1             layer 2             layer 3             layer 4\n",
            "1  X │ · │ · │[·]   1  · │ · │ · │ ·    1  · │ · │ · │ ·    1  · │ · │ · │ ·\n",
        ],
    ),
    (
        "best-move --rows 2 --columns 2 --layers 2 --in-a-row 2 --gravity -m 0",
        [
            "1 [·]│      1  X │ ·\n  ───┼───     ───┼───\n2    │      2  · │ ·\n",
            "\nO plays a1. Blocks the line 1:a1-2:a1: ",
        ],
    ),
    ("best-move -m 0 --lines [[0,1,2],[7,8,9]]", [" X │[1]│ 2 │ 3 │ 4 │ 5 │ 6 │ 7\n", "\n 8 │ 9\n"]),
    (
        "analysis O.XX.X.OO",
        [
            "\n   move  value            score  line   why\n*    b2  win in 1 ply         9  b2     Completes",
            "\nMoves that would complete a line now:\n  X  b2\n  O  b2 a3\n",
        ],
    ),
    (
        "review 4,1,0,8,6,3,2",
        [
            "\nX has won.\n",
            "\n  2  O         b1  mistake  a1 c1 a3 c3                 draw -> loss  ",
            "\nThe game turned at ply 2, the last mistake.\n",
        ],
    ),
    ("review --moves=", ["\nThe game goes on; X is to move.\n", "Neither player made a mistake.\n"]),
    ("review 0,4,8,1,7,6,2,5,3", ["\nA draw.\n", "Neither player made a mistake.\n"]),
    ("best-move -g qubic -m 1 --nodes 10", ["\n  value  not proven, ≈ "]),
    ("review 0,1,2 -g qubic --nodes 30", ["No mistake was found. Not every move was judged within the limit.\n"]),
    ("games qubic", ["Qubic\n", "4x4x4, 64 cells", "Oren Patashnik"]),
    # In lower case the mark that goes next; cells of a board that is over keep their names.
    ("best-move -g vanishing-tic-tac-toe --moves a1,b2,b1,c1,a3,a2", ["1 [x]│ X │ O"]),
    ("best-move -g notakto-2 --moves 0.4,1.0", [" 1:a2 │  X   │ 1:c2     2:a2 │ 2:b2 │ 2:c2"]),
    (
        "best-move -g picaria --moves 4,0",
        [" O  │    │ 1  │    │ 2\n", "    │ 9  │    │[10]│", " 3  │    │ X  │    │ 5\n"],
    ),
    ("best-move -g tapatan --board O.XXXOO..", ["value     draw by repetition"]),
]


@pytest.mark.parametrize(("command", "parts"), SHOWN)
def test_an_answer_is_shown_as_a_board_and_sentences(command: str, parts: list[str]) -> None:
    shown = said(*command.split(" "))
    assert [part for part in parts if part not in shown] == [], shown


def test_layers_stand_below_each_other_where_there_is_little_room() -> None:
    narrow = run("best-move", "-g", "qubic", "-m", "0", "--nodes", "10", COLUMNS="20").stdout
    assert narrow.count("\nlayer ") == 3


def test_the_catalogue_is_a_table() -> None:
    _, *lines = said("games").splitlines()
    assert [line.split()[0] for line in lines] == list(CATALOGUE)
    assert re.fullmatch(r"connect-four +6x7 +4 +gravity +wins in 41 plies", lines[[*CATALOGUE].index("connect-four")])


@pytest.mark.parametrize(
    "asked",
    [
        "tapatan",
        '{"family":"pop-out","rows":3,"columns":3,"in_a_row":3}',
        "numerical-tic-tac-toe --moves 5@4,2@0,1@8,8@2",
        "wild-tic-tac-toe",
    ],
)
def test_moves_of_every_kind_are_called_as_they_can_be_typed(asked: str) -> None:
    options = ["-g", *asked.split(" "), "--time-ms", "120000"]  # a table of a million positions takes seconds to make
    before = f"{options[3]}," if "--moves" in options else ""
    moves = json.loads(said("analysis", *options, "--json"))["moves"]
    rows = said("analysis", *options).split("why\n")[1].splitlines()
    assert len(rows) == len(moves)
    for row, move in [*zip(rows, moves, strict=True)][:: 1 + len(rows) // ASKED_AGAIN]:
        name = row.split()[1 if move["best"] else 0]
        after = json.loads(said("best-move", *options[:2], "--moves", before + name, "--json"))
        assert after["position"] == move["next_position"]


@pytest.mark.verify
def test_positions_of_a_file_or_at_random_are_labelled_and_an_interrupted_file_goes_on(
    client: FlaskClient, tmp_path: Path
) -> None:
    asked = {"positions": [{"board": "X...O....", "player": "X"}, {"moves": [4]}, {"board": "?"}]}
    expected = client.post("/best-moves", json={**asked, "detail": "value", "best_moves": True}).get_json()["results"]
    source = tmp_path / "positions"
    source.write_text('X...O....\n{"moves": [4]}\n\n{"board": "?"}\n')
    done = run("label", str(source), "--workers", "1")
    assert [json.loads(line) for line in done.stdout.splitlines()] == expected
    assert "3 positions" in done.stderr
    rows = list(csv.DictReader(run("label", str(source), "--workers", "1", "--csv").stdout.splitlines()))
    assert [(row["outcome"], row["best_moves"]) for row in rows] == [
        ("draw", "1 2 3 5 6 7 8"),
        ("draw", "0 2 6 8"),
        ("", ""),
    ]
    assert rows[2]["problem"] == expected[2]["problem"]["detail"]
    drawn = ("label", "--random", "130", "-g", "connect-four-5x4", "--plies-at-least", "6", "--csv", "-o")
    whole, broken_off = tmp_path / "whole.csv", tmp_path / "broken.csv"
    run(*drawn, str(whole))
    broken_off.write_bytes(whole.read_bytes()[:-100])
    for file in (broken_off, whole):
        assert run(*drawn, str(file)).exit_code == 0
    assert len(whole.read_text().splitlines()) == 131
    assert broken_off.read_bytes() == whole.read_bytes()
    every = list(csv.DictReader(run("label", "--every", "--csv", "--plies-at-least", "8").stdout.splitlines()))
    assert len(every) == len({row["position"] for row in every}) == 34  # published for the last mark but one
    assert {row["best_moves"] for row in every} == {row["move"] for row in every}
    usage = ((), (str(source), "--random", "3"), ("--random", "2", "--every"), ("--random", "2", "-g", "chess"))
    for args in (*usage, ("--every", "-g", "chess")):
        assert run("label", *args).exit_code == 2


def test_long_searches_are_written_one_by_one_so_that_an_interruption_loses_little(tmp_path: Path) -> None:
    source, written = tmp_path / "positions", tmp_path / "labels"
    source.write_text("X...O....\nX.......O\nXO.......\n")
    asked = ("label", str(source), "--workers", "1", "--time-ms", "60000", "-o", str(written))
    assert "3 positions" in run(*asked).stderr
    whole = written.read_text()
    written.write_text("".join(whole.splitlines(keepends=True)[:2]) + '{"position":')
    assert "1 position," in run(*asked).stderr
    assert written.read_text() == whole


def test_positions_that_are_too_many_end_with_the_plies_that_can_be_labelled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.cli.commands.label.MOST", 10)
    done = run("label", "--every", "--workers", "1")
    assert done.exit_code == 2
    assert "There are 12 positions after 2 plies; end with --plies-at-most 2." in done.stderr
    assert run("label", "--every", "--workers", "1", "--plies-at-most", "2").stdout.count("\n") == 1 + 3 + 12


def test_outcomes_alone_are_labelled_within_the_limit_of_each_position() -> None:
    game = ("-g", "connect-four-5x4", "--plies-at-most", "2")
    asked = ("label", "--every", "--workers", "1", *game, "--prove", "outcome")
    done = run(*asked)
    assert (done.exit_code, " 0 not proven." in done.stderr) == (0, True), done.stderr
    assert {json.loads(line)["proven"] for line in done.stdout.splitlines()} == {True}
    done = run(*asked, "--nodes", "30")
    unproven = sum(not json.loads(line)["proven"] for line in done.stdout.splitlines())
    assert unproven > 0
    assert f" {unproven} not proven." in done.stderr
