"""How far a long search is, on standard error: a line that is redrawn on a terminal, else a line now and then."""

import shutil
import sys
from collections.abc import Mapping
from time import monotonic
from typing import Any

import click

from service.cli import words

BAR = 10
"""Characters of the bar."""

SECONDS_BETWEEN_LINES = 5
"""How often it is told where there is no terminal to show it."""

Progress = Mapping[str, Any]


class Meter:
    """Shows the progress of one search, and what it took in the end."""

    def __init__(self) -> None:
        self._nodes = 0
        self._began = self._told = monotonic()
        self._redraws = sys.stderr.isatty()
        self._drawn = False

    @property
    def _seconds(self) -> float:
        """The time since the search began."""
        return monotonic() - self._began

    def show(self, progress: Progress) -> None:
        """Shows how far the search is."""
        self._nodes = progress["nodes"]
        if self._redraws:
            room = shutil.get_terminal_size().columns - 1
            click.echo(f"\r\033[K{click.unstyle(self._line(progress))[:room]}", nl=False, err=True)
            self._drawn = True
        elif monotonic() - self._told >= SECONDS_BETWEEN_LINES:
            click.echo(self._line(progress), err=True)
            self._told = monotonic()

    def clear(self) -> None:
        """Takes the line off the terminal."""
        if self._drawn:
            click.echo("\r\033[K", nl=False, err=True)

    def _line(self, progress: Progress) -> str:
        settled, moves = progress["settled"], progress["moves"]
        full = BAR * settled // moves if moves else BAR
        known = words.value({"outcome": "unknown", "plies": None, **progress})
        rate = f"{words.short(self._nodes)} nodes, {words.short(self._nodes / max(self._seconds, 0.001))}/s"
        return f"[{'#' * full}{'.' * (BAR - full)}] {settled} of {moves} moves, {rate}, {self._seconds:.0f} s: {known}"

    def total(self, searched: int | None) -> list[tuple[str, str]]:
        """What the search took, as facts; ``searched`` are its nodes, None for as many as were seen."""
        nodes, seconds = self._nodes if searched is None else searched, self._seconds
        rate = f", {words.short(nodes / max(seconds, 0.001))} a second" if nodes else ""
        return [("nodes", f"{nodes:,}{rate}"), ("time", f"{seconds:,.2f} s")]
