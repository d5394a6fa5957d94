"""The command line answers what the service answers, and is kind to people, pipes and scripts."""

import io
import json
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from typing import Any

import click
import httpx
import pytest
from click.testing import CliRunner, Result

from service import __version__
from service.api.models import BestMoveRequest, GridRules, SearchLimit
from service.cli.main import COMMANDS, cli
from service.cli.solve import ProgressDisplay
from service.games.catalogue import CATALOGUE
from service.games.position import OPPONENT, Player
from tests.support import ROOT, Server
from tests.worlds import OUTCOME_NAMES, read_position, verdict

STRANGER = "What answers there is no Move Oracle"


def run(*args: str, typed: str | None = None, colour: bool = False, **environment: str) -> Result:
    """What a command does in this process."""
    settings = {"COLUMNS": "80", **environment}
    return CliRunner().invoke(cli, args, input=typed, color=colour, env=settings, prog_name="move-oracle")


def said(*args: str, typed: str | None = None) -> str:
    """What a command prints that succeeds."""
    done = run(*args, typed=typed)
    assert (done.exit_code, done.stderr) == (0, "")
    return done.stdout


def refused(*args: str) -> str:
    """What a command says on standard error that is refused, without printing anything."""
    done = run(*args)
    assert (done.exit_code, done.stdout) == (2, "")
    return done.stderr


FOUR_BY_FIVE = {"rows": 4, "columns": 5, "in_a_row": 4, "gravity": True}
PYRAMID: dict[str, Any] = {"cells": 7, "lines": [[0, 1, 2], [0, 3, 4], [0, 5, 6]]}
MISERE_PYRAMID = PYRAMID | {"misere": True}

QUESTIONS = [
    pytest.param("O.XX.X.OO", {"board": "O.XX.X.OO"}, id="a board"),
    pytest.param('["O",1,"X","X",4,"X",6,"O","O"]', {"board": "O.XX.X.OO"}, id="a board as JSON"),
    pytest.param("--board XXX/OO./...", {"board": "XXX/OO./..."}, id="a finished game"),
    pytest.param("---X-----", {"board": "...X....."}, id="a board that looks like an option"),
    pytest.param("4,0,8", {"moves": [4, 0, 8]}, id="moves"),
    pytest.param("-g connect-four-5x4 332", {"moves": "332", "game": "connect-four-5x4"}, id="columns"),
    pytest.param("-g connect-four-5x4 -m 3", {"moves": "3", "game": "connect-four-5x4"}, id="a column"),
    pytest.param("-g connect-four-5x4 -m 2,", {"moves": [2], "game": "connect-four-5x4"}, id="a list of one column"),
    pytest.param(
        "-m 332 --rows 4 --columns 5 --in-a-row 4 --gravity",
        {"moves": "332", "game": FOUR_BY_FIVE},
        id="columns by rules",
    ),
    pytest.param(
        "-m 3 --rows 2 --columns 2 --layers 2 --in-a-row 2 --gravity",
        {"moves": [3], "game": {"rows": 2, "columns": 2, "layers": 2, "in_a_row": 2, "gravity": True}},
        id="a column in space",
    ),
    pytest.param("4", {"moves": [4]}, id="one move"),
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
        "-m 1 --misere --lines [[0,1,2],[0,3,4],[0,5,6]]",
        {"moves": [1], "game": MISERE_PYRAMID},
        id="both",
    ),
    pytest.param(
        "-g qubic -m 0 --nodes 2000", {"game": "qubic", "moves": [0], "limit": {"nodes": 2000}}, id="a limit of nodes"
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
    pytest.param("", {}, ["--board: Give board, or moves"], id="no position"),
    pytest.param("-m 4,4", {"moves": [4, 4]}, ["--moves (move 2): Cell 4 is marked already."], id="a move twice"),
    pytest.param(
        "-m 3348 -g connect-four-5x4",
        {"moves": "3348", "game": "connect-four-5x4"},
        ["--moves (move 4): There is no column 8; Connect Four 5x4 has columns 1 to 5."],
        id="a column that is not there",
    ),
    pytest.param("-m 4 -g chess", {"moves": [4], "game": "chess"}, ["--game: There is no game chess."], id="the game"),
    pytest.param(
        "-m 0 --rows 3",
        {"moves": [0], "game": {"rows": 3}},
        ["--columns: columns is needed.", "--in-a-row: in_a_row is needed."],
        id="half of the rules",
    ),
    pytest.param(
        "-m 0 --time-ms 0",
        {"moves": [0], "limit": {"time_ms": 0}},
        ["--time-ms: time_ms must be at least 1."],
        id="time",
    ),
    pytest.param(
        "-m 0 --lines [[0,0]]",
        {"moves": [0], "game": {"cells": 1, "lines": [[0, 0]]}},
        ["--lines: Cell 0 is on the line already."],
        id="lines",
    ),
]


@pytest.mark.parametrize(("arguments", "request_body"), QUESTIONS)
def test_json_is_the_body_that_the_service_answers(server: Server, arguments: str, request_body: object) -> None:
    done = run("best-move", "--json", *arguments.split(" "))
    answer = httpx.post(f"{server.url}/best-move", json=request_body)
    assert answer.status_code == 200, answer.text
    assert (done.exit_code, done.stdout_bytes, done.stderr) == (0, answer.content, "")


@pytest.mark.parametrize(("arguments", "request_body", "complaints"), FAULTS)
def test_a_fault_is_told_by_the_name_of_its_option(
    server: Server, arguments: str, request_body: object, complaints: list[str]
) -> None:
    words = refused("best-move", *arguments.split())
    assert words.startswith("Error: ")
    assert [complaint for complaint in complaints if complaint not in words] == []
    assert len(words.splitlines()) == len(complaints)
    as_json = run("best-move", "--json", *arguments.split())
    assert as_json.stdout_bytes == httpx.post(f"{server.url}/best-move", json=request_body).content
    assert (as_json.exit_code, as_json.stderr) == (2, words)


@pytest.mark.parametrize("path", ["/games", "/games/qubic"])
def test_the_catalogue_as_json_is_the_body_that_the_service_answers(server: Server, path: str) -> None:
    arguments = path.split("/")[1:]
    assert run(*arguments, "--json").stdout_bytes == httpx.get(server.url + path).content


@pytest.mark.parametrize("arguments", ["best-move O.XX.X.OO", "best-move --json XX", "games", "tree -m 4 --depth 1"])
def test_a_running_service_is_asked_instead_and_gives_the_same(server: Server, arguments: str) -> None:
    here, there = run(*arguments.split()), run("--url", server.url, *arguments.split())
    assert (there.exit_code, there.stdout_bytes, there.stderr) == (here.exit_code, here.stdout_bytes, here.stderr)


def test_it_says_so_where_no_service_runs() -> None:
    done = run("--url", "http://127.0.0.1:9", "games")
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr.startswith("Error: Nobody answers at http://127.0.0.1:9: ")


@pytest.mark.parametrize(
    ("command", "answer", "complaint"),
    [
        ("games", b"HTTP/1.0 200 OK\r\n\r\n<p>A page</p>", STRANGER),
        ("solve", b"HTTP/1.0 200 OK\r\n\r\n[]", STRANGER),
        ("games", b'HTTP/1.0 404 Not Found\r\nContent-Type: application/json\r\n\r\n{"detail": "Not Found"}', STRANGER),
        ("solve", b"HTTP/1.0 502 Bad Gateway\r\n\r\n<p>A page</p>", "it refuses with 502 and no problem"),
        ("games", b"HTTP/1.0 200 OK\r\nContent-Length: 99\r\n\r\n{", "Nobody answers at"),
        ("solve", b"nonsense\r\n\r\n", "Nobody answers at"),
    ],
)
def test_it_says_so_where_something_else_answers(command: str, answer: bytes, complaint: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        Thread(target=answer_once, args=(listener, answer), daemon=True).start()
        done = run("--url", f"http://127.0.0.1:{listener.getsockname()[1]}", command)
    assert (done.exit_code, done.stdout) == (1, "")
    assert complaint in done.stderr


def answer_once(listener: socket.socket, answer: bytes) -> None:
    """Answers the first who connects with these bytes, and goes when the other has gone."""
    connection, _ = listener.accept()
    with connection:
        connection.sendall(answer)
        connection.shutdown(socket.SHUT_WR)
        while connection.recv(65536):
            pass


def test_a_search_that_breaks_off_is_no_answer() -> None:
    progress = {"depth": 1, "nodes": 1, "at_least": "loss", "at_most": "win", "move": None, "settled": 0, "moves": 9}
    answer = b"HTTP/1.0 200 OK\r\n\r\n" + json.dumps({"progress": progress}).encode() + b"\n"
    with socket.create_server(("127.0.0.1", 0)) as listener:
        Thread(target=answer_once, args=(listener, answer), daemon=True).start()
        done = run("--url", f"http://127.0.0.1:{listener.getsockname()[1]}", "solve")
    assert (done.exit_code, done.stdout) == (1, "")
    assert "The search broke off" in done.stderr


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
    assert "holds no list of lines and no game" in refused("best-move", "--lines", str(tmp_path / "number.json"))


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ("best-move X........ -m 4", "Give the position once"),
        (f"best-move -m {'9' * 5000}", "is no list of moves such as 3,3,2"),
        (f"best-move -m 1,{'9' * 5000}", "is no list of moves such as 3,3,2"),
        (f"best-move {'9' * 5000}", "The board has 5000 cells"),
        ("best-move -m 4,x", "'4,x' is no list of moves such as 3,3,2, and no string of columns such as 443."),
        ("best-move -m 4 -g qubic --wrap", "or the rules, not both"),
        ("best-move -m 4 -g qubic --lines [[0]]", "not by two of them"),
        ("best-move -m 4 --lines nowhere.json", "'nowhere.json' is neither a file nor JSON"),
        ("best-move -m 4 --lines [[0", "is neither a file nor JSON"),
        ("best-move -m 4 --rows 0 --columns 3 --in-a-row 3", "--rows: rows must be at least 1"),
        ("stats --most 99999999999999999999", "Invalid value for '--most'"),
        ("tree --nodes 99999999999999999999", "Invalid value for '--nodes'"),
        ('best-move ["X",', "it begins like JSON and is none"),
        ("best-move -m 4 -p Z", "'Z' is not one of"),
        ("best-move --boards X", "No such option"),
        ("bestmove", "No such command"),
        ("review X...O....", "A review takes the moves of a game, such as 4,0,8"),
        ("games chess", "There is no game chess. move-oracle games lists those there are."),
        ("tree -m 4 -g chess", "--game: There is no game chess."),
        ("tree XXXX.....", "--board: X has 4 marks"),
        ("stats XXXX.....", "--board: X has 4 marks"),
        ("play XXXX.....", "--board: X has 4 marks"),
    ],
)
def test_what_cannot_be_understood_is_refused_in_words(arguments: str, complaint: str) -> None:
    assert complaint in refused(*arguments.split(" "))


@pytest.mark.parametrize("command", ["tree", "stats"])
def test_a_refusal_is_a_problem_document_where_json_is_wanted(command: str) -> None:
    done = run(command, "XXXX.....", "--json")
    assert (done.exit_code, json.loads(done.stdout)["type"]) == (2, "/problems/impossible-position")


def test_the_rate_limit_of_a_service_is_none_for_its_own_command() -> None:
    done = run("tree", "XX..O....", "--depth", "2", RATE_LIMIT="1 per day")
    assert (done.exit_code, done.stderr) == (0, "")


def test_a_bad_setting_is_named() -> None:
    done = run("games", TABLE_MB="much")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "TABLE_MB='much': must be a whole number" in done.stderr


ALIKE = [
    pytest.param("analysis X...O....", "/analysis", {"board": "X...O...."}, id="analysis"),
    pytest.param("analysis XXXOO....", "/analysis", {"board": "XXXOO...."}, id="analysis of a finished game"),
    pytest.param(
        "analysis 0,4 -g tic-tac-toe-3d --skill 20 --seed 5",
        "/analysis",
        {"moves": [0, 4], "game": "tic-tac-toe-3d", "skill": 20, "seed": 5},
        id="analysis with a skill",
    ),
    pytest.param("analysis XX", "/analysis", {"board": "XX"}, id="analysis of no board"),
    pytest.param("review 0,4,8", "/review", {"moves": [0, 4, 8]}, id="review"),
    pytest.param(
        "review -m 2,2,1 -g connect-four-5x4 --first-player O",
        "/review",
        {"moves": [2, 2, 1], "game": "connect-four-5x4", "first_player": "O"},
        id="review under gravity",
    ),
    pytest.param(
        "review 332 -g connect-four-5x4",
        "/review",
        {"moves": "332", "game": "connect-four-5x4"},
        id="review of columns",
    ),
    pytest.param(
        "analysis 338 -g connect-four-5x4",
        "/analysis",
        {"moves": "338", "game": "connect-four-5x4"},
        id="analysis of columns that are none",
    ),
    pytest.param("review 0,0", "/review", {"moves": [0, 0]}, id="review of no game"),
    pytest.param("best-move 4 --skill 30 --seed 9", "/best-move", {"moves": [4], "skill": 30, "seed": 9}, id="skill"),
]
"""Commands, and the requests that they make."""


@pytest.mark.parametrize(("command", "path", "request_body"), ALIKE)
def test_every_route_has_a_command_that_prints_its_body(
    server: Server, command: str, path: str, request_body: object
) -> None:
    answer = httpx.post(server.url + path, json=request_body)
    done = run(*command.split(), "--json")
    assert done.stdout_bytes == answer.content
    assert done.exit_code == (0 if answer.status_code == 200 else 2)


def test_solve_prints_the_last_line_of_the_stream(server: Server) -> None:
    request_body = {"moves": [], "game": "connect-four-5x4"}
    stream = httpx.post(f"{server.url}/analysis", json=request_body, headers={"Accept": "application/x-ndjson"})
    done = run("solve", "-g", "connect-four-5x4", "--json")
    assert done.stdout_bytes == stream.content.splitlines(keepends=True)[-1]
    assert (done.exit_code, done.stderr) == (0, "")
    there = run("--url", server.url, "solve", "-g", "connect-four-5x4", "--json")
    assert there.stdout_bytes == done.stdout_bytes


def test_a_solved_position_is_told_with_what_it_took() -> None:
    shown = said("solve", "-g", "connect-four-5x4")
    assert re.search(r"\n\*       3  draw +0  3333211112 … ", shown)
    assert re.search(r"\n  nodes  [\d,]{5,}, [\d.]+ [kM] a second\n  time   [\d.]+ s\n$", shown)


def test_solve_says_what_a_limit_leaves_open() -> None:
    assert "\n  value  not proven\n" in said("solve", "-g", "qubic", "-m", "0", "--nodes", "100")


def test_solve_refuses_as_the_others_do() -> None:
    assert "--board: X has 4 marks" in refused("solve", "XXXX.....")
    done = run("solve", "XXXX.....", "--json")
    assert (done.exit_code, json.loads(done.stdout)["type"]) == (2, "/problems/impossible-position")


PROGRESS = {"depth": 4, "nodes": 2_500_000, "at_least": "draw", "at_most": "win", "move": 3, "settled": 2, "moves": 5}


def test_progress_is_redrawn_on_a_terminal_and_taken_away(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    display = ProgressDisplay()
    display.show(PROGRESS)
    display.show(PROGRESS)
    display.clear()
    first, second, last = terminal.getvalue().split("\r\033[K")[1:]
    assert re.fullmatch(r"\[#{4}\.{6}\] 2 of 5 moves, 2.5 M nodes, [\d.]+ G/s, 0 s: draw or win, not proven", first)
    assert (second.startswith("[####"), last) == (True, "")


def test_progress_is_told_now_and_then_where_there_is_no_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    clock = iter([0.0, 1.0, 6.0, 7.0])
    monkeypatch.setattr("service.cli.solve.monotonic", lambda: next(clock))
    display = ProgressDisplay()
    for _ in range(3):
        display.show(PROGRESS)
    display.clear()
    told = "[####......] 2 of 5 moves, 2.5 M nodes, 417 k/s, 6 s: draw or win, not proven\n"
    assert capsys.readouterr().err == told


class Terminal(io.StringIO):
    """A terminal that remembers what it shows."""

    def isatty(self) -> bool:
        return True


def test_an_analysis_lists_every_move_with_its_reasons_and_the_threats() -> None:
    shown = said("analysis", "O.XX.X.OO")
    assert "\n   move  value            score  line  why\n*     4  win in 1 ply         9  4     Completes" in shown
    assert shown.endswith("\nMoves that would complete a line now:\n  X  4\n  O  4 6\n")


def test_a_review_tells_where_the_game_turned() -> None:
    shown = said("review", "4,1,0,8,6,3,2")
    assert shown.splitlines()[6] == "X has won."
    assert re.search(r"\n  2  O          1  mistake  0 2 6 8 +draw -> loss  ", shown)
    assert shown.endswith("\nThe game turned at ply 2, the last mistake.\n")


@pytest.mark.parametrize(
    ("moves", "words"), [("", "The game goes on; X is to move."), ("0,4,8,1,7,6,2,5,3", "A draw.")]
)
def test_a_review_tells_how_the_game_stands(moves: str, words: str) -> None:
    shown = said("review", f"--moves={moves}")
    assert f"\n{words}\n" in shown
    assert shown.endswith("Nobody made a mistake.\n")


def test_a_review_says_what_it_could_not_judge() -> None:
    shown = said("review", "0,1,2", "-g", "qubic", "--nodes", "30")
    assert shown.endswith("No mistake was found. Not every move could be judged within the limit.\n")


def test_a_game_is_reviewed_once_it_is_over() -> None:
    shown = said("play", typed="4\n8\n6\ny\n")
    assert re.search(r"\nPly \d: X at \d, draw -> loss\. .+\n", shown)
    assert shown.endswith("the last mistake.\n")


BEST = """\
 O │ 1 │ X
───┼───┼───
 X │[4]│ X
───┼───┼───
 6 │ O │ O

X plays 4 (row 1, column 1). Completes the middle row.

  value  win in 1 ply
  score  9
  line   4
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
    assert shown[9].startswith("O drops into the 4th column and stops X")
    assert shown[13] == "  line   43242253445551111"


def test_the_line_of_best_play_can_be_played_on() -> None:
    moves = "332"
    line = said("best-move", "-g", "connect-four-5x4", moves).split()[-1]
    assert said("best-move", "-g", "connect-four-5x4", moves + line).endswith(" and won.\n")


def test_columns_to_choose_from_are_told_in_order() -> None:
    shown = said("review", "-g", "connect-four-5x4", "33241").splitlines()
    assert re.match(r"ply  player  column  verdict  best ", shown[11])
    assert re.match(r"  1  X            3  best     2 3 4 ", shown[12])
    assert re.match(r"  3  X            2  mistake  3 ", shown[14])
    ranked = said("analysis", "-g", "connect-four-5x4", "33241").splitlines()
    assert [line[1:9].strip() for line in ranked[16:21]] == ["3", "2", "4", "1", "5"]
    assert "Moves that would complete a line now:\n  X  2 6" in said(
        "analysis", "-g", "connect-four", "445533", "--nodes", "2000"
    )


def test_layers_stand_side_by_side_as_far_as_there_is_room() -> None:
    assert said("best-move", "-g", "qubic", "-m", "0", "--nodes", "10").splitlines()[:2] == [
        "layer 0               layer 1               layer 2",
        " X  │ 1  │ 2  │[3]     16 │ 17 │ 18 │ 19     32 │ 33 │ 34 │ 35",
    ]
    narrow = run("best-move", "-g", "qubic", "-m", "0", "--nodes", "10", COLUMNS="20").stdout
    assert narrow.count("\nlayer ") == 3


def test_under_gravity_in_space_the_cells_tell_where_a_mark_would_land() -> None:
    rules = "--rows 2 --columns 2 --layers 2 --in-a-row 2 --gravity"
    shown = said("best-move", *rules.split(), "-m", "0").splitlines()
    assert shown[1] == "[0]│ ·     X │ 1"


def test_cells_without_rows_are_drawn_eight_to_a_line() -> None:
    shown = said("best-move", "-m", "0", "--lines", "[[0,1,2],[7,8,9]]").splitlines()
    assert shown[0] == " X │[1]│ 2 │ 3 │ 4 │ 5 │ 6 │ 7"
    assert shown[2] == " 8 │ 9"


def test_what_is_not_proven_is_said_in_words_and_no_failure() -> None:
    assert "\n  value  not proven\n" in said("best-move", "-g", "qubic", "-m", "0", "--nodes", "10")


def test_colour_is_for_terminals_that_want_it() -> None:
    assert "\033[" in run("best-move", "O.XX.X.OO", colour=True).stdout
    assert "\033[" not in run("best-move", "O.XX.X.OO", colour=True, NO_COLOR="1").stdout
    assert "\033[" not in said("best-move", "O.XX.X.OO")


def test_the_catalogue_is_a_table_with_a_line_for_each_game() -> None:
    head, *lines = said("games").splitlines()
    assert head.split("  ")[0] == "id"
    assert [line.split()[0] for line in lines] == list(CATALOGUE)
    assert re.fullmatch(r"connect-four +6x7 +4 +gravity +wins in 41 plies", lines[9])


def test_a_game_is_described_with_its_source() -> None:
    shown = said("games", "qubic")
    assert shown.startswith("Qubic\n")
    assert "4x4x4, 64 cells" in shown
    assert "Oren Patashnik" in shown


TREE = """\
X to move
├─ 4  win in 1 ply *
├─ 1  loss in 2 plies
│  ├─ 4  win in 1 ply *
│  └─ 6  win in 1 ply *
└─ 6  loss in 2 plies
   ├─ 4  win in 1 ply *
   └─ 1  loss in 2 plies
"""


def test_a_tree_has_the_value_of_every_move_and_marks_the_best() -> None:
    assert said("tree", "O.XX.X.OO").split("\n\n")[1] == TREE


def test_a_tree_is_cut_where_it_is_told() -> None:
    lines = said("tree", "--depth", "1", "--width", "2").splitlines()[7:]
    assert lines == ["├─ 0  draw *", "├─ 1  draw *", "└─ … 7 more moves"]


def test_a_tree_as_json_has_the_worth_of_every_move() -> None:
    tree = json.loads(said("tree", "O.XX.X.OO", "--json"))
    assert (tree["position"], tree["player"]) == ("O.XX.X.OO", "X")
    assert tree["moves"][0] == {
        "move": 4,
        "outcome": "win",
        "score": 9,
        "plies": 1,
        "proven": True,
        "best": True,
        "position": "O.XXXX.OO",
        "moves": [],
    }
    assert [reply["move"] for reply in tree["moves"][2]["moves"]] == [4, 1]


@pytest.mark.parametrize("game", ["tic-tac-toe", "misere-tic-tac-toe"])
def test_every_value_in_a_tree_is_what_plain_minimax_finds(game: str) -> None:
    tree = json.loads(said("tree", "-g", game, "-m", "0,4", "--depth", "3", "--json"))
    branches = list(flattened(tree["moves"], "O"))
    assert len(branches) > 7 + 7 * 6
    for branch, mover in branches:
        worth = verdict(read_position(branch["position"], mover, CATALOGUE[game]))
        assert (branch["outcome"], branch["plies"]) == (OUTCOME_NAMES[-worth.outcome], worth.plies + 1)


def flattened(branches: list[Any], mover: Player) -> Iterator[tuple[Any, Player]]:
    """Every branch of a tree in JSON, with the player who is to move below it."""
    for branch in branches:
        yield branch, mover
        yield from flattened(branch["moves"], OPPONENT[mover])


def test_a_tree_of_a_finished_game_says_so() -> None:
    assert said("tree", "XXXOO....").endswith("The game is over.\n")


def test_a_tree_says_what_is_not_proven() -> None:
    lines = said("tree", "-g", "qubic", "--depth", "1", "--nodes", "10", "--width", "3").splitlines()
    assert lines[-1] == "└─ … 61 more moves"
    assert all(line.endswith("not proven") for line in lines[-4:-1])


def test_a_tree_keeps_to_its_time() -> None:
    began = time.monotonic()
    said("tree", "-g", "qubic", "--depth", "1", "--time-ms", "500")
    assert time.monotonic() - began < 4


def test_a_deep_tree_is_cut_when_its_time_is_over() -> None:
    began = time.monotonic()
    shown = said("tree", "--depth", "9", "--time-ms", "300")
    assert time.monotonic() - began < 4
    assert shown.endswith("\n\nThe time ended before the tree was complete; --time-ms gives it more.\n")
    assert json.loads(said("tree", "--depth", "9", "--time-ms", "300", "--json"))["complete"] is False
    assert json.loads(said("tree", "--depth", "9", "XOXOXO...", "--json"))["complete"] is True


def test_the_stats_are_those_of_the_textbooks() -> None:
    shown = said("stats").splitlines()
    assert re.fullmatch(r"plain minimax +549,946 +549,945 +9 +1.87 +0 +0 +[\d.,]+", shown[-3])
    assert re.fullmatch(r"alpha-beta +20,866 +20,865 +9 +1.68 +4,856 +0 +[\d.,]+", shown[-2])
    assert re.fullmatch(r"the kernel, \w+ +19 +- +- +- +- +0 +[\d.,]+", shown[-1])


def test_the_stats_say_where_a_search_was_given_up() -> None:
    shown = said("stats", "-g", "tic-tac-toe-4x4", "--most", "1000").splitlines()
    assert re.fullmatch(r"plain minimax +> 1,000( +-){5} +[\d.,]+", shown[-3])
    searches = json.loads(said("stats", "-g", "qubic", "--most", "50", "--json"))["searches"]
    assert [(search["complete"], search["nodes"]) for search in searches] == [(False, None)] * 3


def test_the_stats_as_json_have_the_published_branches() -> None:
    counted = json.loads(said("stats", "-m", "1,0,2", "--json"))
    assert (counted["position"], counted["player"]) == ("OXX......", "O")
    assert counted["searches"][0]["branches"] == 1_228
    assert counted["searches"][2]["branches"] is None


def test_a_game_is_played_to_its_end() -> None:
    shown = said("play", typed="4\n8\n6\nno\n")
    assert shown.startswith("Tic-tac-toe. Players mark empty cells")
    assert "\nX to move: 4\n" in shown
    assert "\nO plays 0. Holds the draw.\n" in shown
    assert "O has completed the top row and won.\nReview the game? [y/N] no\n" in shown


def test_the_oracle_begins_where_one_plays_the_second_player() -> None:
    shown = said("play", "--as", "o", typed="quit\n")
    assert shown.index("X plays 0.") < shown.index("O to move: quit")
    assert shown.endswith("The game was left unfinished.\n")


def test_the_end_of_the_input_ends_a_game_with_a_message() -> None:
    assert said("play", typed="4\n").endswith("X to move: \nThe game was left unfinished.\n")


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("first", "'first' is no number of a cell, and none of hint, undo, help, quit. Free: 1 2 3 5 6 7 8."),
        ("9", "There is no cell 9. Free: 1 2 3 5 6 7 8."),
        ("4", "Cell 4 is marked already. Free: 1 2 3 5 6 7 8."),
        ("-1", "'-1' is no number of a cell"),
        ("²", "'²' is no number of a cell"),
        ("9" * 5000, "'9999"),
        ("HINT", "1: Holds the draw. (draw)"),
        ("?", "quit  (q)  leave the game"),
        ("", "X to move: \nX to move: q"),
    ],
)
def test_whatever_is_typed_gets_a_kind_answer_and_another_turn(line: str, answer: str) -> None:
    shown = said("play", typed=f"4\n{line}\nq\n")
    assert answer in shown
    assert shown.endswith("X to move: q\nThe game was left unfinished.\n")


def test_a_move_is_taken_back_with_its_answer() -> None:
    shown = said("play", typed="4\nundo\n0\nu\nundo\nq\n")
    assert shown.count(" 0 │ 1 │ 2\n───┼───┼───\n 3 │ 4 │ 5\n───┼───┼───\n 6 │ 7 │ 8\n") == 3
    assert "There is no move of yours to take back." in shown


def test_two_people_play_at_one_keyboard() -> None:
    shown = said("play", "--as", "both", typed="0\n3\nundo\n4\n1\n5\n2\n")
    assert shown.count("O to move: ") == 3
    assert "X has completed the top row and won." in shown
    assert "plays" not in shown


def test_the_oracle_plays_itself_to_a_draw() -> None:
    shown = said("play", "--as", "none")
    assert shown.endswith("The board is full and nobody has a line: a draw.\n")
    assert "to move" not in shown


def test_columns_are_typed_under_gravity() -> None:
    shown = said("play", "-g", "connect-four-5x4", "--as", "both", typed="3\n3\n3\n3\n3\n6\n0\nq\n")
    assert "Type the number of a column to drop into it, or" in shown
    assert "Column 3 is full. Free: 1 2 4 5." in shown
    assert "There is no column 6. Free: 1 2 4 5." in shown
    assert "There is no column 0. Free: 1 2 4 5." in shown


def test_a_game_of_columns_is_reviewed_as_it_was_played() -> None:
    typed = "2\n1\n2\n1\n2\n5\n2\ny\n"
    shown = said("play", "-g", "connect-four-5x4", "--as", "both", "--nodes", "20000", typed=typed)
    assert "X has completed the vertical line in the 2nd column and won." in shown
    assert "Ply 6: O at column 5, " in shown
    assert "lets X win in the 2nd column" in shown


def test_a_game_goes_on_from_a_position() -> None:
    shown = said("play", "XX.OO....", typed="2\n")
    assert shown.endswith("X has completed the top row and won.\n")


def test_help_needs_neither_the_framework_nor_the_kernel() -> None:
    script = (
        "import sys; from service.cli.main import cli; cli(['--help'], standalone_mode=False);"
        "print(sorted({name.split('.')[0] for name in sys.modules} & {'flask', 'pydantic', 'cython', 'yaml'}))"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.endswith("\n[]\n")


def test_help_lists_every_command_and_each_has_its_own() -> None:
    listed = said("--help")
    for command in COMMANDS:
        assert f"\n  {command} " in listed
        assert f"move-oracle {command} " in said(command, "--help")


def test_the_version_is_told() -> None:
    assert said("--version") == f"move-oracle {__version__}\n"


@pytest.mark.parametrize(
    ("option", "value", "complaint"),
    [("--port", "70000", "PORT='70000'"), ("--workers", "0", "WEB_CONCURRENCY='0'"), ("--threads", "x", "'--threads'")],
)
def test_serve_refuses_what_the_service_cannot_use(option: str, value: str, complaint: str) -> None:
    assert complaint in refused("serve", option, value)
