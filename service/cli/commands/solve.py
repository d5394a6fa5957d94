"""``solve``: prove the value of every move of a position, and show the progress."""

from collections.abc import Mapping
from time import monotonic
from typing import Any

import click

from service.cli import text
from service.cli.client import BROKEN_OFF, STREAMED, open_client, print_body, read_json, refuse, service_url
from service.cli.commands.answers import analysis_text
from service.cli.options import (
    PositionCommand,
    game_of,
    json_option,
    limit_options,
    position_options,
    read_request,
)
from service.cli.progress import StatusLine
from service.settings import MAX_TIME_MS

BAR_WIDTH = 10

SECONDS_BETWEEN_LINES = 5
"""The seconds between two lines of progress if standard error is no terminal."""


@click.command(cls=PositionCommand)
@position_options
@limit_options("by default as long as it takes")
@json_option
def solve(*, as_json: bool, **given: Any) -> None:
    """Solve a game from its empty board, or from POSITION, until the value of every move is proven.

    By default there is no limit. Standard error shows the progress. With --json the command prints the last line of
    the stream of POST /analysis/stream.
    """
    request = read_request(given)
    if service_url() is None:
        request.setdefault("limit", {"time_ms": MAX_TIME_MS})
    client, display, last = open_client(), ProgressDisplay(), b"{}"
    line: dict[str, Any] = {}
    try:
        for last in client.stream(STREAMED["/analysis"], request):
            line = read_json(last)
            if "progress" in line:
                display.show(line["progress"])
    finally:
        display.clear()
    if not line or "progress" in line:
        raise click.ClickException(BROKEN_OFF)
    if "result" not in line:
        refuse(line.get("problem", line))
    if as_json:
        print_body(last)
        return
    text.echo(f"{analysis_text(line['result'], game_of(request))}\n\n{text.facts(display.effort(client.searched))}")


class ProgressDisplay:
    """Shows the progress of a search: on a terminal in one line that is redrawn, elsewhere in lines."""

    def __init__(self) -> None:
        self._nodes = 0
        self._began = self._printed = monotonic()
        self._status = StatusLine()

    def show(self, progress: Mapping[str, Any]) -> None:
        """Show the progress of the search."""
        self._nodes = progress["nodes"]
        now = monotonic()
        if self._status.is_possible:
            self._status.show(self._line(progress, now))
        elif now - self._printed >= SECONDS_BETWEEN_LINES:
            text.echo(self._line(progress, now), err=True)
            self._printed = now

    def clear(self) -> None:
        """Remove the line from the terminal."""
        self._status.clear()

    def _line(self, progress: Mapping[str, Any], now: float) -> str:
        settled, moves = progress["settled"], progress["moves"]
        full = BAR_WIDTH * settled // moves if moves else BAR_WIDTH
        known, seconds = text.value(progress), now - self._began
        rate = f"{text.short(self._nodes)} nodes, {text.short(self._nodes / max(seconds, 0.001))}/s"
        return f"[{'#' * full}{'.' * (BAR_WIDTH - full)}] {settled} of {moves} moves, {rate}, {seconds:.0f} s: {known}"

    def effort(self, searched: int | None) -> list[tuple[str, str]]:
        """Return the nodes and the time of the search; without ``searched``, the nodes reported so far."""
        nodes, seconds = self._nodes if searched is None else searched, monotonic() - self._began
        rate = f", {text.short(nodes / max(seconds, 0.001))} a second" if nodes else ""
        return [("nodes", f"{nodes:,}{rate}"), ("time", f"{seconds:,.2f} s")]
