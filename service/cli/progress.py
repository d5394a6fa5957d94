"""The progress of a search on a terminal: one line on standard error, removed at the end."""

import os
import shutil
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from time import monotonic
from types import TracebackType
from typing import Any, Self

import click

from service.cli import text
from service.cli.client import Client, Reply, Request, service_url

Known = Mapping[str, Any]
"""The results of a search so far, as in a line of a stream."""

SHOWN_AFTER = 0.3
"""The seconds after which a search counts as long."""

CLEAR = "\r\033[K"


class StatusLine:
    """A line that is redrawn in place; silent if standard error is no capable terminal."""

    def __init__(self) -> None:
        self.is_possible = sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
        self._shown = False

    def show(self, line: str) -> None:
        """Replace the line, cut to the width of the terminal."""
        self._shown = True
        self._write(text.printable(click.unstyle(line))[: _columns() - 1])

    def clear(self) -> None:
        """Remove the line."""
        if self._shown:
            self._write("")

    def _write(self, line: str) -> None:
        if self.is_possible:
            click.echo(f"{CLEAR}{line}", nl=False, err=True, color=True)  # --color does not apply to control sequences


def _columns() -> int:
    """Return the width of the terminal of standard error, which can differ from that of standard output."""
    with suppress(OSError, ValueError):
        return os.get_terminal_size(sys.stderr.fileno()).columns or shutil.get_terminal_size().columns
    return shutil.get_terminal_size().columns


class Thinking:
    """Shows that a search goes on, and its results so far, once it takes long."""

    def __init__(self) -> None:
        self._url = service_url()
        self._line = StatusLine()
        self._known: Known = {}
        self._began = monotonic()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._line.clear()
        if isinstance(error, KeyboardInterrupt) and self._known.get("move") is not None:
            text.echo(f"Interrupted: {', '.join(self._facts())}.", err=True)

    def show(self, known: Known) -> None:
        """Show the results so far; ``known`` is empty while there are none."""
        self._known = known
        seconds = monotonic() - self._began
        if seconds >= SHOWN_AFTER:
            doing = f"Waiting for {self._url}" if self._url and not known else "Thinking"
            self._line.show(f"{', '.join([f'{doing}, {int(seconds)} s', *self._facts()])} (Ctrl-C stops)")

    def _facts(self) -> Iterator[str]:
        known = self._known
        if "ply" in known:
            yield f"ply {known['ply']}"
        if known.get("depth"):
            yield f"depth {known['depth']}"
        if known.get("nodes"):
            yield f"{text.short(known['nodes'])} nodes"
        if known.get("move") is not None:
            yield f"best so far {known['name']}"
        if known:
            yield text.value(known)


def ask(client: Client, path: str, request: Request) -> Reply:
    """Send a request; on a terminal, show the progress, and let Ctrl-C end the search with its results so far."""
    if not StatusLine().is_possible:
        return client.ask(path, request)
    with Thinking() as thinking:
        return client.follow(path, request, thinking.show)
