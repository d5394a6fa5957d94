"""``solve`` proves a position and shows its progress."""

import io
import re
import sys

import pytest
from flask.testing import FlaskClient

from service.cli.solve import ProgressDisplay
from tests.cli.terminal import run, said
from tests.support import Server

pytestmark = pytest.mark.verify


def test_solve_prints_the_last_line_of_the_stream(server: Server, client: FlaskClient) -> None:
    request_body = {"moves": [], "game": "connect-four-5x4"}
    stream = client.post("/analysis", json=request_body, headers={"Accept": "application/x-ndjson"})
    done = run("solve", "-g", "connect-four-5x4", "--json")
    assert done.stdout_bytes == stream.data.splitlines(keepends=True)[-1]
    assert (done.exit_code, done.stderr) == (0, "")
    there = run("--url", server.url, "solve", "-g", "connect-four-5x4", "--json")
    assert there.stdout_bytes == done.stdout_bytes


def test_a_solved_position_is_told_with_what_it_took() -> None:
    shown = said("solve", "-g", "connect-four-5x4")
    assert re.search(r"\n\*       3  draw +0  3333211112 … ", shown)
    assert re.search(r"\n  nodes  [\d,]{5,}, [\d.]+ [kM] a second\n  time   [\d.]+ s\n$", shown)


def test_solve_says_what_a_limit_leaves_open() -> None:
    assert "\n  value  not proven, ≈ " in said("solve", "-g", "qubic", "-m", "1", "--nodes", "100")


UNKNOWN = {"outcome": "unknown", "score": None, "plies": None, "proven": False, "exact": False, "estimate": 0.25}
PROGRESS = {
    **UNKNOWN,
    "depth": 4,
    "nodes": 2_500_000,
    "at_least": "draw",
    "at_most": "win",
    "move": 3,
    "settled": 2,
    "moves": 5,
}


def test_progress_is_redrawn_on_a_terminal_and_taken_away(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    display = ProgressDisplay()
    display.show(PROGRESS)
    display.show(PROGRESS)
    display.clear()
    first, second, last = terminal.getvalue().split("\r\033[K")[1:]
    assert re.fullmatch(r"\[#{4}\.{6}\] 2 of 5 moves, 2.5 M nodes, [\d.]+ G/s, 0 s: draw or win, ≈ \+0.25", first)
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
    told = "[####......] 2 of 5 moves, 2.5 M nodes, 417 k/s, 6 s: draw or win, ≈ +0.25\n"
    assert capsys.readouterr().err == told


class Terminal(io.StringIO):
    """A terminal that remembers what it shows."""

    def isatty(self) -> bool:
        return True
