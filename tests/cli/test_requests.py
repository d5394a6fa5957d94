"""Options make the requests that they name, and faults are told by the names of the options."""

import json
from pathlib import Path
from typing import Any

import click
import pytest
from flask.testing import FlaskClient

from service.api.requests import BestMoveRequest, GridRules, SearchLimit
from service.cli.main import cli
from tests.cli.terminal import refused, run, said

FOUR_BY_FIVE = {"rows": 4, "columns": 5, "in_a_row": 4, "gravity": True}


PYRAMID: dict[str, Any] = {"cells": 7, "lines": [[0, 1, 2], [0, 3, 4], [0, 5, 6]]}


QUESTIONS = [
    pytest.param("--game tic-tac-toe", {"moves": [], "game": "tic-tac-toe"}, id="the empty board"),
    pytest.param("--player O", {"moves": [], "player": "O"}, id="the empty board, O begins"),
    pytest.param("O.XX.X.OO", {"board": "O.XX.X.OO"}, id="a board"),
    pytest.param('["O",1,"X","X",4,"X",6,"O","O"]', {"board": "O.XX.X.OO"}, id="a board as JSON"),
    pytest.param("---X-----", {"board": "...X....."}, id="a board that looks like an option"),
    pytest.param("-p O", {"player": "O"}, id="no position, which is the empty board"),
    pytest.param('["X..",".O.","..."]', {"board": "X...O...."}, id="a list of row strings"),
    pytest.param("[[1,0,0],[0,-1,0],[0,0,0]]", {"board": "X...O...."}, id="a board of numbers"),
    pytest.param("R../.Y./...", {"board": "X...O...."}, id="red and yellow"),
    pytest.param("--R-Y----", {"board": "..X.O...."}, id="red and yellow that look like an option"),
    pytest.param("❌⬜⬜⬜⭕⬜⬜⬜⬜", {"board": "X...O...."}, id="emoji"),
    pytest.param("O1XX4X6OO", {"board": "O.XX.X.OO"}, id="a board with indices"),
    pytest.param("--board 100020000", {"board": "X...O...."}, id="a board of digits"),
    pytest.param("4,0,8", {"moves": [4, 0, 8]}, id="moves"),
    pytest.param("b2,a1", {"moves": [4, 0]}, id="names"),
    pytest.param("B2", {"moves": [4]}, id="one name"),
    pytest.param("-m b2,0,C3", {"moves": [4, 0, 8]}, id="names and indices"),
    pytest.param(
        "-g qubic -m 1:a1,4:d4 --nodes 20", {"game": "qubic", "moves": [0, 63], "limit": {"nodes": 20}}, id="3-D"
    ),
    pytest.param("-g connect-four-5x4 -m c,c,b", {"moves": "332", "game": "connect-four-5x4"}, id="columns by letter"),
    pytest.param("-g connect-four-5x4 332", {"moves": "332", "game": "connect-four-5x4"}, id="columns"),
    pytest.param("-g connect-four-5x4 -m 2,", {"moves": [2], "game": "connect-four-5x4"}, id="a list of one column"),
    pytest.param(
        "-m 3 --rows 2 --columns 2 --layers 2 --in-a-row 2 --gravity",
        {"moves": [3], "game": {"rows": 2, "columns": 2, "layers": 2, "in_a_row": 2, "gravity": True}},
        id="a column in space",
    ),
    pytest.param("--moves= --player O", {"moves": [], "player": "O"}, id="no moves, O begins"),
    pytest.param(
        "-m 3,3,2 -p x -g connect-four-5x4",
        {"moves": [3, 3, 2], "game": "connect-four-5x4", "player": "X"},
        id="a game",
    ),
    pytest.param(
        "-m 2,2,1 --rows 4 --columns 5 --in-a-row 4 --gravity", {"moves": [2, 2, 1], "game": FOUR_BY_FIVE}, id="rules"
    ),
    pytest.param(
        "-m 0 --rows 3 --columns 3 --layers 2 --in-a-row 3 --wrap --misere",
        {"moves": [0], "game": {"rows": 3, "columns": 3, "layers": 2, "in_a_row": 3, "wrap": True, "misere": True}},
        id="more rules",
    ),
    pytest.param("-m 1 --lines [[0,1,2],[0,3,4],[0,5,6]]", {"moves": [1], "game": PYRAMID}, id="lines"),
    pytest.param(
        f"-m 1 --lines {json.dumps(PYRAMID, separators=(',', ':'))}", {"moves": [1], "game": PYRAMID}, id="all"
    ),
    pytest.param(
        "-m 4 --tie-break random --seed 7", {"moves": [4], "tie_break": "random", "seed": 7}, id="a choice by chance"
    ),
]
"""Arguments, and the request that they make."""


FAULTS = [
    pytest.param("XXXX.....", {"board": "XXXX....."}, ["--board: X has 4 marks"], id="too many marks"),
    pytest.param(
        "XXXX..... -p X",
        {"board": "XXXX.....", "player": "X"},
        ["--board: X has 4 marks", "--player: X has 4 marks", "--player: X has completed a line"],
        id="every fault of a position",
    ),
    pytest.param("-m b2,d4", {"moves": ["b2", "d4"]}, ["--moves (move 2): There is no cell"], id="no such name"),
    pytest.param(
        "X0.......", {"board": "X0......."}, ["--board: 0 can be an empty cell, or a mark"], id="two readings"
    ),
    pytest.param("-m 4,4", {"moves": [4, 4]}, ["--moves (move 2): Cell 4 is already marked."], id="a move twice"),
    pytest.param(
        "-m 3348 -g connect-four-5x4",
        {"moves": "3348", "game": "connect-four-5x4"},
        ["--moves (move 4): There is no column 8; Connect Four 5x4 has columns 1 to 5."],
        id="a column that is not there",
    ),
    pytest.param(
        "-m 0 --rows 3",
        {"moves": [0], "game": {"rows": 3}},
        ["--columns: columns is required.", "--in-a-row: in_a_row is required."],
        id="half of the rules",
    ),
    pytest.param(
        "-m 0 --lines [[0,0]]",
        {"moves": [0], "game": {"cells": 1, "lines": [[0, 0]]}},
        ["--lines: The line contains cell 0 twice."],
        id="lines",
    ),
]


@pytest.mark.parametrize(("arguments", "request_body"), QUESTIONS)
def test_json_is_the_body_that_the_service_answers(client: FlaskClient, arguments: str, request_body: object) -> None:
    done = run("best-move", "--json", *arguments.split(" "))
    answer = client.post("/best-move", json=request_body)
    assert answer.status_code == 200, answer.text
    assert (done.exit_code, done.stdout_bytes, done.stderr) == (0, answer.data + b"\n", "")


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


@pytest.mark.parametrize("command", ["best-move", "analysis"])
def test_without_a_position_the_board_is_empty(command: str) -> None:
    assert said(command) == said(command, ".........")
    assert said(command, "-g", "connect-four-5x4") == said(command, "-g", "connect-four-5x4", "--moves=")


def test_every_field_of_the_request_is_an_option() -> None:
    fields = {*BestMoveRequest.model_fields, *GridRules.model_fields, *SearchLimit.model_fields, "lines"} - {"limit"}
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


def test_a_file_that_holds_no_game_is_refused_in_words(tmp_path: Path) -> None:
    (tmp_path / "number.json").write_text("5", encoding="utf-8")
    assert "contains neither a list of lines nor a game" in refused(
        "best-move", "--lines", str(tmp_path / "number.json")
    )


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ("best-move X........ -m 4", "Give the position once"),
        (f"best-move -m {'9' * 5000}", "is neither a list of moves such as 3,3,2"),
        (f"best-move {'9' * 5000}", "The board has 5000 cells"),
        ("best-move -m 4;0", "'4;0' is neither a list of moves such as 3,3,2 or b2,a1 nor a string of columns such as"),
        ("best-move -m 4,x", 'There is no cell "x"; Tic-tac-toe has cells a1 to c3.'),
        ("best-move -m 64", "There is no cell 64; Tic-tac-toe has cells 0 to 8."),
        ("best-move -m 4 -g qubic --wrap", "or the rules of a custom game, not both"),
        ("best-move -m 4 -g qubic --lines [[0]]", "Give the game once"),
        ("best-move -m 4 --lines nowhere.json", "'nowhere.json' is neither a file nor JSON"),
        ("best-move -m 4 --rows 0 --columns 3 --in-a-row 3", "--rows: rows must be at least 1"),
        ("stats --most 99999999999999999999", "Invalid value for '--most'"),
        ('best-move ["X",', "invalid JSON: "),
        ("best-move -m 4 -p Z", "'Z' is not one of"),
        ("best-move --boards X", "No such option"),
        ("bestmove", "No such command"),
        ("review X...O....", "A review needs the moves of a game, such as 4,0,8"),
        ("games chess", "There is no game chess. move-oracle games lists the games."),
        ("tree -m 4 -g chess", "--game: There is no game chess."),
        ("play XXXX.....", "--board: X has 4 marks"),
    ],
)
def test_what_cannot_be_understood_is_refused_in_words(arguments: str, complaint: str) -> None:
    assert complaint in refused(*arguments.split(" "))


@pytest.mark.parametrize("command", ["tree", "stats", "solve"])
def test_a_refusal_is_a_problem_document_where_json_is_wanted(command: str) -> None:
    done = run(command, "XXXX.....", "--json")
    assert (done.exit_code, json.loads(done.stdout)["type"]) == (2, "/problems/impossible-position")
