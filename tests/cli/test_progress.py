"""On a terminal a line says that a search goes on, and Ctrl-C ends it with what is known."""

import io
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

import click
import pytest

from service.cli.client import HTTPClient, LocalClient, unwrapped
from service.cli.main import cli
from service.cli.progress import SHOWN_AFTER, Thinking
from service.games.catalogue import CATALOGUE
from tests.cli.pseudo_terminal import PseudoTerminal
from tests.support import HOUR_MS, Server

pytestmark = pytest.mark.verify

KNOWN = {
    "depth": 7,
    "nodes": 12_300,
    "at_least": "draw",
    "at_most": "win",
    "move": 3,
    "settled": 2,
    "moves": 5,
    "outcome": "unknown",
    "estimate": 0.25,
}
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
    with suppress(KeyboardInterrupt), click.Context(cli, obj=url), Thinking(lambda: CATALOGUE["connect-four"]) as line:
        for seconds, known in steps:
            now[0] = seconds
            line.show(known)
        if interrupted:
            raise KeyboardInterrupt
    return terminal.getvalue()


def test_a_short_search_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    assert shown(monkeypatch, [(SHOWN_AFTER - 0.001, KNOWN)]) == ""


def test_a_long_search_shows_what_it_knows_in_one_place(monkeypatch: pytest.MonkeyPatch) -> None:
    assert shown(monkeypatch, [(SHOWN_AFTER, {}), (2.9, KNOWN)]).split("\r\033[K") == [
        "",
        "Thinking, 0 s (Ctrl-C stops)",
        "Thinking, 2 s, depth 7, 12.3 k nodes, best so far column 4, draw or win, ≈ +0.25 (Ctrl-C stops)",
        "",
    ]


def test_an_interrupt_leaves_what_is_known_of_a_search_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    told = "Interrupted: depth 7, 12.3 k nodes, best so far column 4, draw or win, ≈ +0.25.\n"
    assert shown(monkeypatch, [(0.1, KNOWN)], interrupted=True) == told


def test_a_service_that_does_not_tell_its_progress_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    waiting = "Waiting for http://oracle, 5 s (Ctrl-C stops)"
    assert waiting in shown(monkeypatch, [(5, {})], url="http://oracle")


@pytest.mark.parametrize("command", ["best-move", "analysis"])
def test_an_interrupt_prints_what_is_known(command: str) -> None:
    with PseudoTerminal(command, *LONG, HOUR_MS) as terminal:
        terminal.wait_for(" nodes, best so far ")
        terminal.interrupt()
        assert terminal.end() == 130
    assert terminal.screen.startswith("layer 1")
    assert "O plays " in terminal.screen
    assert "Thinking" not in terminal.screen


def test_an_interrupt_makes_the_oracle_move_and_at_the_prompt_ends_the_game() -> None:
    with PseudoTerminal("play", *LONG, HOUR_MS) as terminal:
        terminal.wait_for(" nodes, best so far ")
        terminal.interrupt()
        terminal.wait_for("to move: ")
        assert "O plays " in terminal.screen
        terminal.interrupt()
        assert terminal.end() == 130
    assert "Thinking" not in terminal.screen


def test_a_service_elsewhere_tells_its_progress_too(server: Server) -> None:
    with PseudoTerminal("--url", server.url, "analysis", *LONG, "60000") as terminal:
        terminal.wait_for(" nodes, best so far ")
        terminal.interrupt()
        assert terminal.end() == 130
    assert terminal.screen.strip().startswith("Interrupted: depth ")


def test_waiting_for_a_service_elsewhere_is_interrupted(server: Server) -> None:
    with PseudoTerminal("--url", server.url, "best-move", *LONG, "60000") as terminal:
        terminal.wait_for(f"Waiting for {server.url}, ")
        terminal.interrupt()
        assert terminal.end() == 130
    assert terminal.screen.strip() == ""


def test_a_terminal_that_cannot_redraw_a_line_gets_none() -> None:
    with PseudoTerminal("best-move", *LONG, "600", TERM="dumb", NO_COLOR="1") as terminal:
        assert terminal.end() == 0
    assert "Thinking" not in terminal.output
    assert "\033" not in terminal.output


@pytest.mark.parametrize("path", ["/best-move", "/analysis"])
@pytest.mark.parametrize(
    "request_body",
    [
        {"moves": [2, 2, 1], "game": "connect-four-5x4"},
        {"board": "XXXX....."},
        {"moves": [1], "game": "qubic", "limit": {"nodes": 30_000}},
    ],
)
def test_a_followed_request_gets_the_same_answer(server: Server, path: str, request_body: dict[str, Any]) -> None:
    for client in (LocalClient(), HTTPClient(server.url)):
        seen: list[object] = []
        assert client.follow(path, request_body, seen.append) == client.ask(path, request_body)


def test_a_followed_review_gets_the_same_answer_and_says_which_ply_it_judges(server: Server) -> None:
    request_body = {"moves": [1, 16, 0, 17], "game": "qubic", "limit": {"nodes": 6_000_000}}
    for client in (LocalClient(), HTTPClient(server.url)):
        seen: list[Mapping[str, Any]] = []
        assert client.follow("/review", request_body, seen.append) == client.ask("/review", request_body)
        plies = [known["ply"] for known in seen if known]
        assert plies == sorted(plies, reverse=True)
        assert plies[-1] < 5


@pytest.mark.parametrize("last", [b'{"progress":{"ply":2}}\n', b'{"ply":{"ply":2}}\n', b"{}"])
def test_a_stream_that_ends_before_its_answer_ends_the_command(last: bytes) -> None:
    with pytest.raises(click.ClickException, match="before the answer was complete"):
        unwrapped(last)


def test_a_review_on_a_terminal_says_which_ply_it_judges(server: Server) -> None:
    for where in ((), ("--url", server.url)):
        with PseudoTerminal(*where, "review", "1,16,0,17", "-g", "qubic", "--time-ms", "3000") as terminal:
            terminal.wait_for(" s, ply 5, ")
            terminal.wait_for(" s, ply 4, ")
            assert terminal.end() == 0


def test_a_followed_search_tells_what_it_finds_out() -> None:
    seen: list[dict[str, Any]] = []
    request_body = {"moves": [1], "game": "qubic", "limit": {"time_ms": 700}}
    LocalClient().follow("/best-move", request_body, lambda known: seen.append(dict(known)))
    nodes = [known["nodes"] for known in seen if known]
    assert nodes == sorted(nodes)
    assert any(known.get("depth") and known.get("move") is not None for known in seen)
