"""On a terminal a line says that a search goes on, and Ctrl-C ends it with what is known; ``solve`` shows progress."""

import io
import re
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

import click
import pytest

from service.app import create_app
from service.cli.client import HTTPClient, LocalClient, unwrapped
from service.cli.commands.solve import ProgressDisplay
from service.cli.main import cli
from service.cli.progress import SHOWN_AFTER, Thinking
from tests.cli.pseudo_terminal import PseudoTerminal
from tests.cli.terminal import said
from tests.support import HOUR_MS, Server

VALUE = {"outcome": "unknown", "at_least": "draw", "at_most": "win", "estimate": 0.25}
KNOWN = {"depth": 7, "nodes": 12_300, "move": 3, "name": "column 4", "settled": 2, "moves": 5, **VALUE}
LONG = ("-g", "qubic", "-m", "1", "--time-ms")


class Terminal(io.StringIO):
    """A terminal that remembers what it shows."""

    def isatty(self) -> bool:
        return True


def shown(
    monkeypatch: pytest.MonkeyPatch,
    steps: Sequence[tuple[float, Mapping[str, object]]],
    *,
    url: str | None = None,
    interrupted: bool = False,
) -> str:
    """What a terminal is sent while a search knows this at these seconds."""
    terminal, now = Terminal(), [0.0]
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr("service.cli.progress.monotonic", lambda: now[0])
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "200")
    with suppress(KeyboardInterrupt), click.Context(cli, obj=url), Thinking() as line:
        for seconds, known in steps:
            now[0] = seconds
            line.show(known)
        if interrupted:
            raise KeyboardInterrupt
    return terminal.getvalue()


def test_a_long_search_shows_what_it_knows_in_one_place_and_a_short_one_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert shown(monkeypatch, [(SHOWN_AFTER - 0.001, KNOWN)]) == ""
    assert shown(monkeypatch, [(SHOWN_AFTER, {}), (2.9, KNOWN)]).split("\r\033[K") == [
        "",
        "Thinking, 0 s (Ctrl-C stops)",
        "Thinking, 2 s, depth 7, 12.3 k nodes, best so far column 4, draw or win, ≈ +0.25 (Ctrl-C stops)",
        "",
    ]
    assert "Waiting for http://oracle, 5 s (Ctrl-C stops)" in shown(monkeypatch, [(5, {})], url="http://oracle")


def test_an_interrupt_leaves_what_is_known_of_a_search_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    told = "Interrupted: depth 7, 12.3 k nodes, best so far column 4, draw or win, ≈ +0.25.\n"
    assert shown(monkeypatch, [(0.1, KNOWN)], interrupted=True) == told


PROGRESS = {**KNOWN, "nodes": 2_500_000, "score": None, "plies": None, "proven": False, "exact": False}


def test_the_progress_of_solve_is_redrawn_on_a_terminal_and_taken_away(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    display = ProgressDisplay()
    display.show(PROGRESS)
    display.show(PROGRESS)
    display.clear()
    first, second, last = terminal.getvalue().split("\r\033[K")[1:]
    assert re.fullmatch(r"\[#{4}\.{6}\] 2 of 5 moves, 2.5 M nodes, [\d.]+ G/s, 0 s: draw or win, ≈ \+0.25", first)
    assert (second.startswith("[####"), last) == (True, "")


def test_the_progress_of_solve_is_told_now_and_then_where_there_is_no_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    clock = iter([0.0, 1.0, 6.0, 7.0])
    monkeypatch.setattr("service.cli.commands.solve.monotonic", lambda: next(clock))
    display = ProgressDisplay()
    for _ in range(3):
        display.show(PROGRESS)
    display.clear()
    told = "[####......] 2 of 5 moves, 2.5 M nodes, 417 k/s, 6 s: draw or win, ≈ +0.25\n"
    assert capsys.readouterr().err == told


def test_a_solved_position_is_told_with_what_it_took(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.cli.client.create_app", create_app)  # one that knows no position yet
    solved = said("solve", "-g", "connect-four-5x4", "-m", "33")
    assert re.search(r"\n\*       \d  (win|draw|loss) ", solved)
    assert re.search(r"\n  nodes  [\d,]{5,}, [\d.]+ [kM] a second\n  time   [\d.]+ s\n$", solved)
    assert "\n  value  not proven, ≈ " in said("solve", "-g", "qubic", "-m", "1", "--nodes", "100")


@pytest.mark.parametrize("last", [b'{"progress":{"ply":2}}\n', b'{"ply":{"ply":2}}\n', b"{}"])
def test_a_stream_that_ends_before_its_answer_ends_the_command(last: bytes) -> None:
    with pytest.raises(click.ClickException, match="before the answer was complete"):
        unwrapped(last)


@pytest.mark.verify
def test_an_interrupt_prints_what_is_known() -> None:
    with PseudoTerminal("analysis", *LONG, HOUR_MS) as terminal:
        terminal.wait_for(" nodes, best so far ")
        terminal.interrupt()
        assert terminal.end() == 130
    assert terminal.screen.startswith("layer 1")
    assert "Thinking" not in terminal.screen


@pytest.mark.verify
def test_an_interrupt_makes_the_oracle_move_and_at_the_prompt_ends_the_game() -> None:
    with PseudoTerminal("play", *LONG, HOUR_MS) as terminal:
        terminal.wait_for(" nodes, best so far ")
        terminal.interrupt()
        terminal.wait_for("to move: ")
        assert "O plays " in terminal.screen
        terminal.interrupt()
        assert terminal.end() == 130
    assert "Thinking" not in terminal.screen


@pytest.mark.verify
def test_a_service_elsewhere_tells_its_progress_if_it_can_and_is_interrupted(server: Server) -> None:
    with PseudoTerminal("--url", server.url, "analysis", *LONG, "60000") as terminal:
        terminal.wait_for(" nodes, best so far ")
        terminal.interrupt()
        assert terminal.end() == 130
    assert terminal.screen.strip().startswith("Interrupted: depth ")


@pytest.mark.verify
def test_a_followed_request_gets_the_same_answer(server: Server) -> None:
    requests: list[dict[str, Any]] = [
        {"moves": [2, 2, 1], "game": "connect-four-5x4"},
        {"board": "XXXX....."},
        {"moves": [1], "game": "qubic", "limit": {"nodes": 30_000}},
    ]
    for client in (LocalClient(), HTTPClient(server.url)):
        for path in ("/best-move", "/analysis"):
            for request_body in requests:
                found = client.follow(path, request_body, lambda _: None)
                assert found == client.ask(path, request_body), (path, request_body)


@pytest.mark.verify
def test_a_followed_review_gets_the_same_answer_and_says_which_ply_it_judges(server: Server) -> None:
    request_body = {"moves": [1, 16, 0, 17], "game": "qubic", "limit": {"nodes": 6_000_000}}
    for client in (LocalClient(), HTTPClient(server.url)):
        seen: list[Mapping[str, Any]] = []
        assert client.follow("/review", request_body, seen.append) == client.ask("/review", request_body)
        plies = [known["ply"] for known in seen if known]
        assert plies == sorted(plies, reverse=True)
        assert plies[-1] < 5
