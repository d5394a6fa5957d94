"""Options make the requests that they name, and faults are told by the names of the options.

What a board, a list of moves and rules may look like is in the tests of the API, whose reader reads them.
"""

import json
from pathlib import Path
from typing import Any

import click
import pytest
from flask.testing import FlaskClient

from service.api.wire.requests import BestMoveRequest, SearchLimit
from service.api.wire.rules import IN_QUERIES
from service.cli.main import cli
from tests.cli.terminal import refused, run, said

FOUR_BY_FIVE = {"rows": 4, "columns": 5, "in_a_row": 4, "gravity": True}
CUBE = {"rows": 3, "columns": 3, "layers": 2, "in_a_row": 3, "wrap": True, "misere": True}
PYRAMID: dict[str, Any] = {"cells": 7, "lines": [[0, 1, 2], [0, 3, 4], [0, 5, 6]]}

QUESTIONS: dict[str, tuple[str, dict[str, Any]]] = {
    "the empty board": ("--game tic-tac-toe", {"game": "tic-tac-toe"}),
    "a board": ("O.XX.X.OO", {"board": "O.XX.X.OO"}),
    "a board as JSON": ('["O",1,"X","X",4,"X",6,"O","O"]', {"board": "O.XX.X.OO"}),
    "a board that looks like an option": ("---X-----", {"board": "...X....."}),
    "moves": ("4,0,8", {"moves": [4, 0, 8]}),
    "layers": ("-g qubic -m 1:a1,4:d4 --nodes 20", {"game": "qubic", "moves": [0, 63], "limit": {"nodes": 20}}),
    "a string of columns": ("-g connect-four-5x4 332", {"moves": "332", "game": "connect-four-5x4"}),
    "columns with one way to count": ("-g connect-four-5x4 -m 0,4", {"moves": [0, 4], "game": "connect-four-5x4"}),
    "a pair": ("-m (0,0),b2", {"moves": ["a1", "b2"]}),
    "rules": ("-m c,c,b --rows 4 --columns 5 --in-a-row 4 --gravity", {"moves": [2, 2, 1], "game": FOUR_BY_FIVE}),
    "all rules": ("-m 0 --rows 3 --columns 3 --layers 2 --in-a-row 3 --wrap --misere", {"moves": [0], "game": CUBE}),
    "the rules of a family": (
        "-m 4,0,8 --family vanishing --remove after --no-misere",
        {"moves": [4, 0, 8], "game": {"family": "vanishing", "remove": "after", "misere": False}},
    ),
    "rules that are renamed or denied": (
        "-m 4 --family morris --piece-moves fly --points 9 --no-diagonals-win",
        {"moves": [4], "game": {"family": "morris", "moves": "fly", "points": 9, "diagonals_win": False}},
    ),
    "names of pieces that move": (
        "-g tapatan -m B2,0,a3,c1,1,7,b2c2",
        {"game": "tapatan", "moves": ["4", "0", "6", "2", "1", "7", "4>5"]},
    ),
    "a board of a family": ("-g achi R..Y.....", {"game": "achi", "board": "X..O....."}),
    "lines": ("-m 1 --lines [[0,1,2],[0,3,4],[0,5,6]]", {"moves": [1], "game": PYRAMID}),
    "the hardest to answer": ("-m 0,4 --tie-break hardest", {"moves": [0, 4], "tie_break": "hardest"}),
    "a choice by chance": ("-m 4 --tie-break random --seed 7", {"moves": [4], "tie_break": "random", "seed": 7}),
}
"""Arguments, and the request that they make: one of each kind."""


@pytest.mark.parametrize("kind", QUESTIONS)
def test_json_is_the_body_that_the_service_answers(client: FlaskClient, kind: str) -> None:
    arguments, request_body = QUESTIONS[kind]
    done = run("best-move", "--json", *arguments.split(" "))
    answer = client.post("/best-move", json=request_body)
    assert answer.status_code == 200, answer.text
    assert (done.exit_code, done.stdout_bytes, done.stderr) == (0, answer.data + b"\n", "")


FAULTS: list[tuple[str, dict[str, Any], list[str]]] = [
    (
        "XXXX..... -p X",
        {"board": "XXXX.....", "player": "X"},
        ["--board: X has 4 marks", "--player: X has 4 marks", "--player: X has completed a line"],
    ),
    (
        "-m 4,4 -g connect-four",
        {"game": "connect-four", "moves": ["4", "4"]},
        [f'--moves (move {place}): "4" can mean column 5 or column 4, counted from 0 or from 1.' for place in (1, 2)],
    ),
    ("-m b2,d4", {"moves": ["b2", "d4"]}, ["--moves (move 2): There is no cell"]),
    (
        "-m 3348 -g connect-four-5x4",
        {"moves": "3348", "game": "connect-four-5x4"},
        ["--moves (move 4): There is no column 8; Connect Four 5x4 has columns 1 to 5."],
    ),
    (
        "-m 0 --rows 3",
        {"moves": [0], "game": {"rows": 3}},
        ["--columns: columns is required.", "--in-a-row: in_a_row is required."],
    ),
    (
        "--family morris --piece-moves king --points 13",
        {"game": {"family": "morris", "moves": "king", "points": 13}},
        ["--piece-moves: Marks move like a king only on a board of 9 points."],
    ),
    ("-m 0 --lines [[0,0]]", {"moves": [0], "game": {"cells": 1, "lines": [[0, 0]]}}, ["--lines: The line contains"]),
]


@pytest.mark.parametrize(("arguments", "request_body", "complaints"), FAULTS)
def test_a_fault_is_told_by_the_name_of_its_option(
    client: FlaskClient, arguments: str, request_body: object, complaints: list[str]
) -> None:
    words = refused("best-move", *arguments.split())
    assert words.startswith("Error: ")
    assert [complaint for complaint in complaints if complaint not in words] == []
    assert len(words.splitlines()) == len(complaints)
    as_json = run("best-move", "--json", *arguments.split())
    assert as_json.stdout_bytes == client.post("/best-move", json=request_body).data + b"\n"
    assert (as_json.exit_code, as_json.stderr) == (2, words)


def test_every_field_of_the_request_is_an_option() -> None:
    fields = {*BestMoveRequest.model_fields, "family", *IN_QUERIES, *SearchLimit.model_fields, "lines"} - {"limit"}
    command = cli.get_command(click.Context(cli), "best-move")
    assert command is not None
    options = {option for param in command.params for option in param.opts}
    assert {f"--{field.replace('_', '-')}" for field in fields} <= options


def test_a_position_is_read_from_standard_input() -> None:
    assert said("best-move", "-", typed="X../.O./...\n") == said("best-move", "X...O....")
    assert said("best-move", "-", typed="4,0,8\n") == said("best-move", "-m", "4,0,8")
    assert said("best-move", "-b", "-", typed="X...O....") == said("best-move", "X...O....")


def test_a_game_is_read_from_a_file_of_lines(tmp_path: Path) -> None:
    (tmp_path / "lines.json").write_text(json.dumps(PYRAMID))
    from_file = said("best-move", "-m", "1", "--lines", str(tmp_path / "lines.json"))
    assert from_file == said("best-move", "-m", "1", "--lines", json.dumps(PYRAMID["lines"]))
    (tmp_path / "number.json").write_text("5", encoding="utf-8")
    words = refused("best-move", "--lines", str(tmp_path / "number.json"))
    assert "contains neither a list of lines nor a game" in words


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ("best-move X........ -m 4", "Give the position once"),
        (f"best-move -m {'9' * 5000}", "is neither a list of moves such as 4,0,8"),
        (f"best-move {'9' * 5000}", "The board has 5000 cells"),
        ("best-move -m 4;0", "'4;0' is neither a list of moves such as 4,0,8 or b2,a1 nor a string of columns such as"),
        ("best-move -m 4 -g qubic --wrap", "or the rules of a custom game, not both"),
        ("best-move -m 4 -g qubic --lines [[0]]", "Give the game once"),
        ("best-move -m 4 --lines nowhere.json", "'nowhere.json' is neither a file nor JSON"),
        ("stats --most 99999999999999999999", "Invalid value for '--most'"),
        ('best-move ["X",', "invalid JSON: "),
        ("best-move -m 4 -p Z", "'Z' is not one of"),
        ("best-move --bords X", "No such option"),
        ("bestmove", "No such command 'bestmove'. (Did you mean one of: 'best-move'"),
        ("analyse X", "Did you mean 'analysis'?"),
        ("review X...O....", "A review needs the moves of a game, such as 4,0,8"),
        ("games chess", "There is no game chess. move-oracle games lists the games."),
        ("tree -m 4 -g chess", "--game: There is no game chess. move-oracle games lists the games."),
        ("tree -m 4 -g conect-four", "--game: There is no game conect-four. Did you mean connect-four?"),
        ("play XXXX.....", "--board: X has 4 marks"),
        ('best-move --game {"family":"chess"}', "--family: family must be one of 'wild', 'notakto', "),
        ("best-move -g achi --moves 4,4", "--moves (move 2): 4 is not legal: cell 4 is already marked; legal "),
        ("best-move -g achi --board XX", "--board: The board has 2 cells; Achi needs 9."),
        ("best-move -g achi -p order", "--player: player must be X or O."),
        ("best-move -p first", "--player: player must be 'X', 'O', 'x' or 'o'."),
        ("tree -g achi", "This command is for line games."),
        ("stats -g achi", "This command is for line games."),
    ],
)
def test_what_cannot_be_understood_is_refused_in_words(arguments: str, complaint: str) -> None:
    assert complaint in refused(*arguments.split(" "))


@pytest.mark.parametrize("command", ["tree", "stats", "solve"])
def test_a_refusal_is_a_problem_document_where_json_is_wanted(command: str) -> None:
    done = run(command, "XXXX.....", "--json")
    assert (done.exit_code, json.loads(done.stdout)["type"]) == (2, "/problems/impossible-position")
