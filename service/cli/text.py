"""Answers as text: boards, values, tables, and what a terminal may be sent of them."""

import re
import shutil
from collections.abc import Collection, Mapping, Sequence
from itertools import zip_longest
from typing import Any

import click

from service.games.position import Position

MARK_COLOURS = {"X": "cyan", "O": "magenta"}
OUTCOME_COLOURS = {"win": "green", "draw": "yellow", "loss": "red"}
OUTCOMES = ("loss", "draw", "win")
GAP = "   "

MAX_IN_A_ROW = 8
"""Cells of a single row that are drawn side by side where cells have no names but their own."""

Rows = Sequence[Sequence[int | None]]
"""The cells of each row; None where a row has no cell."""

UNPRINTABLE = re.compile(
    r"(\x1b\[(?:0|1|2|7|3[1-7])m)"  # the colours of this program
    r"|[\x00-\x08\x0b-\x1f\x7f-\x9f]"  # C0 without tab and line feed, C1
    r"|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]"  # what changes the direction of text
)


def echo(message: str = "", *, nl: bool = True, err: bool = False) -> None:
    """Print text, which may hold what a server or a file says; every other control character is replaced."""
    click.echo(printable(message), nl=nl, err=err)


def printable(message: str) -> str:
    """Return text without characters that control a terminal or change the direction of text."""
    return UNPRINTABLE.sub(lambda found: found[1] or "\N{REPLACEMENT CHARACTER}", message)


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
    """Return how far off a proven end is, or between what distances: `` in 7 plies``."""
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
    """Return a large number in a few characters: ``532``, ``12.3 k``, ``4.20 M``."""
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


def _pad(cell: str, width: int, *, right: bool = False) -> str:
    """Return a cell with spaces up to a width, which does not count its colours."""
    space = " " * (width - len(click.unstyle(cell)))
    return space + cell if right else cell + space


def facts(pairs: Sequence[tuple[str, str]]) -> str:
    """Return names and their values, one pair a line, aligned."""
    width = max(len(name) for name, _ in pairs)
    return "\n".join(f"  {click.style(f'{name:<{width}}', dim=True)}  {text}" for name, text in pairs)


def board(position: Position, chosen: int | None = None) -> str:
    """Draw a board with the names of its rows and columns, and brackets around ``chosen`` or a completed line.

    A mark in lower case is the one that disappears next. Layers and boards stand side by side as far as the terminal
    is wide.
    """
    surface, won = position.game.surface, position.winning_line is not None
    bracketed = position.winning_line or (() if chosen is None else (chosen,))
    labels = _labels(position)
    width = max(map(len, [*labels, *surface.column_names]))
    blocks = []
    for title, rows in zip(surface.sheets, surface.blocks, strict=True):
        drawn = rows if surface.column_names else _broken(rows)
        lines = _grid_lines(drawn, labels, width, bracketed, won=won)
        if surface.column_names:
            lines.append(" ".join(_cell(column, width) for column in surface.column_names))
        if surface.row_names:
            lines = _with_names(surface.row_names, lines)
        blocks.append([*([title.lower()] if title else []), *lines])
    return "\n".join(_side_by_side(blocks))


def _labels(position: Position) -> list[str]:
    """Return what each cell shows: its mark, or a dot if it can be marked now, or its name if no row or column has one.

    An empty cell that hangs above another shows nothing.
    """
    game, labels = position.game, [*position.contents]
    has_names = bool(game.surface.column_names)
    unsupported = game.unsupported(position.words)
    for cell in game.fading(position.words, position.turn):
        labels[cell] = labels[cell].lower()
    for cell, mark in enumerate(labels):
        if mark == ".":
            labels[cell] = "" if cell in unsupported else "·" if has_names else game.cell_name(cell)
    return labels


def _broken(rows: Rows) -> Rows:
    """Return the rows; a single one is cut into pieces of ``MAX_IN_A_ROW`` cells."""
    (first, *others) = rows
    starts = range(0, len(first), MAX_IN_A_ROW)
    return rows if others else [first[start : start + MAX_IN_A_ROW] for start in starts]


def _with_names(names: Sequence[str], lines: Sequence[str]) -> list[str]:
    """Return the lines of a board with the name of a row before each row, which are every other line."""
    width = max(map(len, names))
    heads = ["" if place % 2 or place // 2 >= len(names) else names[place // 2] for place in range(len(lines))]
    return [f"{click.style(f'{head:>{width}}', dim=True)} {line}" for head, line in zip(heads, lines, strict=True)]


def _grid_lines(rows: Rows, labels: Sequence[str], width: int, bracketed: Collection[int], *, won: bool) -> list[str]:
    """Return the lines of a layer; ``won``: the bracketed cells are a completed line, which stands out."""
    rule = "┼".join(["─" * (width + 2)] * len(rows[0]))
    lines: list[str] = []
    for row in rows:
        lines += [rule] if lines else []
        shown = [("" if cell is None else labels[cell], cell in bracketed) for cell in row]
        lines.append("│".join(_cell(label, width, bracketed=marked, won=won) for label, marked in shown))
    return lines


def _cell(label: str, width: int, *, bracketed: bool = False, won: bool = False) -> str:
    text = f"[{label}]" if bracketed else label
    colour = MARK_COLOURS.get(label, "green" if bracketed else None)
    faint = not bracketed and label not in MARK_COLOURS
    line = bracketed and won
    styled = (
        click.style(text, fg=colour, bold=bracketed or None, dim=faint or None, reverse=line or None) if label else ""
    )
    return f"{text:^{width + 2}}".replace(text, styled, 1)


def _side_by_side(blocks: Sequence[Sequence[str]]) -> list[str]:
    """Return the lines of blocks beside each other, as many in a row as the terminal has room for."""
    width = max(len(click.unstyle(line)) for block in blocks for line in block)
    fitting = max(1, (shutil.get_terminal_size().columns + len(GAP)) // (width + len(GAP)))
    lines: list[str] = []
    for start in range(0, len(blocks), fitting):
        lines += [""] if lines else []
        for parts in zip_longest(*blocks[start : start + fitting], fillvalue=""):
            lines.append(GAP.join(_pad(part, width) for part in parts).rstrip())
    return lines
