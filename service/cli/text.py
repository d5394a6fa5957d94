"""Answers as text: boards, values, tables, and filtered output for terminals."""

import re
import shutil
from collections.abc import Mapping, Sequence
from typing import Any

import click

from service.api.problems import GAMES_LISTED
from service.explain.drawing import draw
from service.games.position import Position

MARK_COLOURS = {"X": "cyan", "O": "magenta"}
OUTCOME_COLOURS = {"win": "green", "draw": "yellow", "loss": "red"}
OUTCOMES = ("loss", "draw", "win")

LABEL = re.compile(r"\[[^]]*\]|[^\s│┼─]+")
"""A label beside the grid of a drawn board."""

UNPRINTABLE = re.compile(
    r"(\x1b\[(?:0|1|2|7|3[1-7])m)"  # the colours of this program
    r"|[\x00-\x08\x0b-\x1f\x7f-\x9f]"  # C0 without tab and line feed; C1
    r"|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]"  # marks that change the direction of text
)


def echo(message: str = "", *, nl: bool = True, err: bool = False) -> None:
    """Print text from a service or a file; replace its control characters except for the colours of this program."""
    click.echo(printable(message), nl=nl, err=err)


def printable(message: str) -> str:
    """Return text without characters that control a terminal or change the direction of text."""
    return UNPRINTABLE.sub(lambda found: found[1] or "\N{REPLACEMENT CHARACTER}", message)


def advice(detail: str) -> str:
    """Return the detail of a problem with a command in place of a request."""
    return detail.replace(GAMES_LISTED, "move-oracle games lists the games.")


def player(name: str) -> str:
    """Return a player's name, a mark in its colour."""
    return click.style(name, fg=MARK_COLOURS.get(name), bold=True)


def value(known: Mapping[str, Any]) -> str:
    """Return a value: ``win in 7 plies``, ``win in 7 to 19 plies``, ``draw or win, ≈ +0.24``."""
    outcome = known["outcome"]
    if outcome != "unknown":
        endless = " by repetition" if known.get("repetition") else ""
        return click.style(outcome + _distance(known), fg=OUTCOME_COLOURS[outcome]) + endless
    least, most = OUTCOMES.index(known["at_least"]), OUTCOMES.index(known["at_most"])
    possible = " or ".join(OUTCOMES[least : most + 1]) if most - least == 1 else "not proven"
    return f"{possible}, ≈ {known['estimate']:+z.2f}" if "estimate" in known else possible


def _distance(known: Mapping[str, Any]) -> str:
    """Return the proven distance to the end, or its bounds: `` in 7 plies``."""
    if known["outcome"] == "draw" or known["plies"] == 0:
        return ""
    if known["exact"]:
        return f" in {count(known['plies'], 'ply', 'plies')}"
    least, most = known["plies_at_least"], known["plies_at_most"]
    return f" in {count(most, 'ply', 'plies')}" if least == most else f" in {least} to {most} plies"


def count(number: int, one: str, many: str) -> str:
    """Return a number and what it counts: ``1 ply``, ``2 plies``."""
    return f"{number:,} {one if number == 1 else many}"


def short(number: float) -> str:
    """Return a large number in short form: ``532``, ``12.3 k``, ``4.20 M``."""
    for unit, size in (("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if number >= size:
            return f"{number / size:.3g} {unit}"
    return f"{number:.0f}"


def table(rows: Sequence[Sequence[str]], right: Sequence[bool] = ()) -> str:
    """Return rows as aligned columns, the first row dimmed as the head; ``right``: which columns align right."""
    columns = list(zip(*rows, strict=True))
    widths = [max(len(click.unstyle(cell)) for cell in column) for column in columns]
    aligned = [
        [_pad(cell, width, right=place < len(right) and right[place]) for cell in column]
        for place, (column, width) in enumerate(zip(columns, widths, strict=True))
    ]
    head, *lines = ["  ".join(row).rstrip() for row in zip(*aligned, strict=True)]
    return "\n".join([click.style(head, dim=True), *lines])


def facts(pairs: Sequence[tuple[str, str]]) -> str:
    """Return names and their values, one pair a line, aligned."""
    width = max(len(name) for name, _ in pairs)
    return "\n".join(f"  {click.style(f'{name:<{width}}', dim=True)}  {text}" for name, text in pairs)


def _pad(cell: str, width: int, *, right: bool = False) -> str:
    """Return a cell with spaces up to a width, which does not count its colours."""
    space = " " * (width - len(click.unstyle(cell)))
    return space + cell if right else cell + space


def board(position: Position, chosen: int | None = None) -> str:
    """Draw a board with ``draw``, in the width and the colours of the terminal."""
    plain = draw(position, chosen, shutil.get_terminal_size().columns)
    won = position.winning_line is not None or None

    def styled(found: re.Match[str]) -> str:
        label, bracketed = found[0].strip("[]"), found[0].startswith("[") or None
        colour = MARK_COLOURS.get(label, "green" if bracketed else None)
        faint = None if bracketed or label in MARK_COLOURS else True
        return click.style(found[0], fg=colour, bold=bracketed, dim=faint, reverse=bracketed and won)

    return "\n".join(line if line.startswith("layer") else LABEL.sub(styled, line) for line in plain.split("\n"))
