"""The library gives the answers of the HTTP API, without HTTP."""

import json
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event, Lock
from typing import Any

import psutil  # type: ignore[import-untyped]
import pytest
from mypy import api as mypy

import move_oracle
from service.engine import oracle as engine
from tests.edge_client import EdgeClient
from tests.support import HUNG_SECONDS, ROOT, wait_until

DEEP: dict[str, Any] = {"game": {"rows": 8, "columns": 8, "in_a_row": 5, "misere": True}}

SAME: list[tuple[str, Callable[..., Any], dict[str, Any]]] = [
    ("/best-move", move_oracle.best_move, {"board": " X | O |\n---+---+---\n   | X |\n---+---+---\n   |   |"}),
    ("/best-move", move_oracle.best_move, {"board": [["X", "X", "X"], ["O", "O", None], ["", ".", 8]]}),
    ("/best-move", move_oracle.best_move, {"game": "Connect Four", "moves": "4455", "limit": {"time_ms": 60_000}}),
    ("/best-move", move_oracle.best_move, {"moves": ["b2", 0], "skill": 30, "seed": 7}),
    ("/best-move", move_oracle.best_move, DEEP | {"limit": {"nodes": 500}}),
    ("/best-move", move_oracle.best_move, {"game": {"family": "vanishing"}, "moves": [0, 4, 8]}),
    ("/best-move", move_oracle.best_move, {"board": "XXXX.....", "player": "Z", "seed": -1, "game": "tic-tac-to"}),
    ("/analysis", move_oracle.analyse, {"game": "connect-four-5x4", "moves": "332", "tie_break": "first"}),
    ("/analysis", move_oracle.analyse, {"board": "XX..O....", "sedd": 1}),
    ("/review", move_oracle.review, {"moves": [0, 4, 8, 2, 6, 3, 7], "first_player": "O"}),
    ("/review", move_oracle.review, {"moves": [0, 4, 0]}),
    ("/proof", move_oracle.prove, {"board": "XO......."}),
    ("/proof", move_oracle.prove, DEEP | {"limit": {"nodes": 1}}),
    ("/proof", move_oracle.prove, {"game": "tapatan"}),
    ("/position.svg", move_oracle.picture, {"moves": [4, 0, 8], "show": ["best", "evaluation"], "size": 240}),
    ("/position.svg", move_oracle.picture, {"board": "X", "size": 7}),
]
"""Requests to a route, and the function that takes the same."""


@pytest.mark.parametrize(("path", "ask", "request_"), SAME)
def test_a_function_returns_or_raises_what_the_route_answers(
    client: EdgeClient, path: str, ask: Callable[..., Any], request_: dict[str, Any]
) -> None:
    response = client.post(path, json=request_)
    if response.status_code != 200:
        with pytest.raises(move_oracle.Problem) as refused:
            ask(**request_)
        assert refused.value.document() == response.get_json()
        assert str(refused.value) == response.get_json()["detail"]
    elif path == "/position.svg":
        assert ask(**request_)._repr_svg_() == response.text
    elif path == "/proof":
        assert [json.loads(line) for line in response.text.splitlines()] == ask(**request_)
    else:
        assert json.dumps(ask(**request_)) == json.dumps(response.get_json())


def test_the_catalogue_is_that_of_the_route(client: EdgeClient) -> None:
    for query, solved in (("", False), ("?solved=true", True)):
        assert move_oracle.games(solved=solved) == client.get(f"/games{query}").get_json()


class Rows:
    """An array as NumPy has them, in which 1 is X and -1 is O."""

    def tolist(self) -> list[list[int]]:
        return [[1, 1, 0], [0, -1, 0], [0, 0, 0]]


def test_tuples_and_arrays_are_read_as_lists_and_what_is_no_board_is_refused() -> None:
    boards: list[Any] = [("XX.", ".O.", "..."), Rows(), ("X", "X", None, *(3, "O", 5), *(6, 7, 8))]
    assert {move_oracle.best_move(board)["position"] for board in boards} == {"XX..O...."}
    with pytest.raises(move_oracle.Problem, match="board"):
        move_oracle.best_move(boards.append)  # type: ignore[arg-type]


def test_the_limit_of_an_oracle_is_for_calls_that_give_none() -> None:
    with move_oracle.Oracle(limit={"nodes": 1}) as oracle:
        assert not oracle.best_move(**DEEP)["proven"]
        assert not oracle.review([0, 9, 1], **DEEP)["proven"]
        assert oracle.best_move(game="connect-four-5x4", moves="332135", limit={"time_ms": 60_000})["proven"]


def test_at_most_so_many_threads_are_answered_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    lock, inside, most = Lock(), 0, 0
    answer = engine.Oracle.best_move

    def counted(*args: Any, **kwargs: Any) -> engine.BestMove:
        nonlocal inside, most
        with lock:
            inside += 1
            most = max(most, inside)
        try:
            return answer(*args, **kwargs)
        finally:
            with lock:
                inside -= 1

    monkeypatch.setattr(engine.Oracle, "best_move", counted)
    with ThreadPoolExecutor(6) as pool, move_oracle.Oracle(threads=2) as oracle:
        found = [*pool.map(lambda column: oracle.best_move(game="connect-four", moves=[column]), range(7))]
    assert [answer["player"] for answer in found] == ["O"] * 7
    assert 1 <= most <= 2


def test_close_ends_the_searches_of_other_threads_and_later_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    begun, answer = Event(), engine.Oracle.best_move

    def noted(*args: Any, **kwargs: Any) -> engine.BestMove:
        begun.set()
        return answer(*args, **kwargs)

    monkeypatch.setattr(engine.Oracle, "best_move", noted)
    oracle = move_oracle.Oracle(limit={"time_ms": 3_600_000})
    with ThreadPoolExecutor(1) as pool:
        searched = pool.submit(oracle.best_move, **DEEP)
        assert begun.wait(HUNG_SECONDS)
        oracle.close()
        assert not searched.result(HUNG_SECONDS)["proven"]
    with pytest.raises(ValueError, match="closed"):
        oracle.best_move()


SEARCH = """
import sys
import move_oracle

move_oracle.best_move()  # opens books and tables
try:
    print("searching", flush=True)
    move_oracle.best_move(game={"rows": 8, "columns": 8, "in_a_row": 5, "misere": True}, limit={"time_ms": 3_600_000})
except KeyboardInterrupt:
    print(move_oracle.best_move("XX..O....")["move"])
    print(sorted({"flask", "gunicorn", "uvicorn", "click", "prometheus_client"} & {*sys.modules}))
"""


@pytest.mark.verify
def test_an_interrupt_ends_a_search_and_the_next_question_is_answered() -> None:
    with subprocess.Popen([sys.executable, "-c", SEARCH], cwd=ROOT, stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None
        assert program.stdout.readline() == "searching\n"
        process = psutil.Process(program.pid)
        start = process.cpu_times().user
        wait_until(lambda: process.cpu_times().user > start + 0.2)
        program.send_signal(signal.SIGINT)
        assert program.stdout.read() == "2\n[]\n"
        assert program.wait(HUNG_SECONDS) == 0


USER_CODE = """
from typing import assert_type

import move_oracle
from move_oracle import BestMoveAnswer, Limit, Oracle, Problem

board: list[str] = ["X", "", "", "", "O", "", "", "", ""]
answer: BestMoveAnswer = move_oracle.best_move(board, skill=60, limit={"time_ms": 1000})
if answer["status"] == "in_progress":
    cell: int = answer["move"]
    print(cell + 1, answer["next_position"].upper())
else:
    assert_type(answer["move"], int | None)
cells: int = answer["move"]  # error: assignment
answer["moves"]  # error: typeddict-item
for move in move_oracle.analyse(board)["moves"]:
    print(move["reasons"][0]["code"], move["outcome"])
with Oracle(limit=Limit(nodes=1000), threads=2) as oracle:
    print(oracle.review("4455", game="connect-four")["accuracy"]["X"], oracle.prove(moves=["b2", 0])[0])
    oracle.review([0, 4], skill=1)  # error: call-arg
try:
    move_oracle.best_move(game={"rows": 8, "columns": 8, "in_a_row": 5}, moves=(1, "b2"))
except Problem as problem:
    print(problem.document()["title"], problem.detail)
move_oracle.best_move(time_ms=1000)  # error: call-arg
move_oracle.best_move(board, skill="60")  # error: arg-type
move_oracle.best_move(board, tie_break="last")  # error: arg-type
move_oracle.best_move(object())  # error: arg-type
print(move_oracle.picture(board, show=["best"]).encode(), move_oracle.games()["games"][0]["id"])
move_oracle.picture(board, show=["worst"])  # error: list-item
"""


@pytest.mark.verify
def test_a_strict_type_checker_accepts_right_code_of_users_and_finds_what_is_wrong(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(USER_CODE)
    options = ["--strict", "--config-file=", f"--cache-dir={tmp_path}", "--no-error-summary"]
    found, errors, _ = mypy.run([*options, str(program)])
    assert errors == ""
    told = re.findall(r"program\.py:(\d+): error: .*\[([\w-]+)\]$", found, re.MULTILINE)
    marked = [(str(at), line.partition("# error: ")[2]) for at, line in enumerate(USER_CODE.splitlines(), 1)]
    assert [*dict.fromkeys(told)] == [(at, code) for at, code in marked if code], found
