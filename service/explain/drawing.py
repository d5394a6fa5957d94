"""Boards as text."""

from collections.abc import Collection, Sequence
from itertools import zip_longest
from math import isqrt

from service.games.position import Position

GAP = "   "

MAX_IN_A_ROW = 8
"""The maximum cells of a single row that are drawn side by side, on boards without names of rows and columns."""

Rows = Sequence[Sequence[int | None]]
"""The cells of each row; None where there is no cell."""


def draw(position: Position, chosen: int | None = None, columns: int = 80) -> str:
    """Draw a board with the names of its rows and columns, and brackets around ``chosen`` or a completed line.

    A mark in lower case disappears next. Layers and boards stand side by side within a width of ``columns`` characters.
    Boards that players win stand in a square.
    """
    surface = position.game.surface
    bracketed = position.winning_line or (() if chosen is None else (chosen,))
    labels = _labels(position)
    width = max(map(len, [*labels, *surface.column_names]))
    blocks = []
    titles = _titles(position)
    for title, rows in zip(titles or map(str.lower, surface.sheets), surface.blocks, strict=True):
        unbroken = rows if surface.column_names else _broken(rows)
        lines = _grid_lines(unbroken, labels, width, bracketed)
        if surface.column_names:
            lines.append(" ".join(f"{column:^{width + 2}}" for column in surface.column_names))
        if surface.row_names:
            lines = _with_names(surface.row_names, lines)
        blocks.append([*([title] if title else []), *lines])
    return "\n".join(_side_by_side(blocks, columns, isqrt(len(titles)) or len(blocks)))


def _titles(position: Position) -> list[str]:
    """Return the title of each board that players win: its number, and its owner or whether to play there."""
    game, state = position.game, position.state
    playable = game.lit(state)
    titles = []
    for number, owner in enumerate(game.owners(state, position.turn)):
        said = ": play here" if number in playable else "" if owner == "." else f": {owner} has won"
        titles.append(f"board {number + 1}{said}")
    return titles


def _labels(position: Position) -> list[str]:
    """Return the text of each cell: its mark, a dot if it is playable, or its name if rows and columns have no names.

    An empty cell that is not supported yet is blank.
    """
    game, labels = position.game, [*position.contents]
    has_names = bool(game.surface.column_names)
    unsupported = game.unsupported(position.state)
    for cell in game.fading(position.state, position.turn):
        labels[cell] = labels[cell].lower()
    for cell, mark in enumerate(labels):
        if mark == ".":
            labels[cell] = "" if cell in unsupported else "·" if has_names else game.cell_name(cell)
    return labels


def _broken(rows: Rows) -> Rows:
    """Return the rows; cut a single row into pieces of ``MAX_IN_A_ROW`` cells."""
    (first, *others) = rows
    starts = range(0, len(first), MAX_IN_A_ROW)
    return rows if others else [first[start : start + MAX_IN_A_ROW] for start in starts]


def _with_names(names: Sequence[str], lines: Sequence[str]) -> list[str]:
    """Add the names of the rows to the lines of a board, in which every other line is a row."""
    width = max(map(len, names))
    heads = ["" if place % 2 or place // 2 >= len(names) else names[place // 2] for place in range(len(lines))]
    return [f"{head:>{width}} {line}" for head, line in zip(heads, lines, strict=True)]


def _grid_lines(rows: Rows, labels: Sequence[str], width: int, bracketed: Collection[int]) -> list[str]:
    """Return the lines of a layer."""
    rule = "┼".join(["─" * (width + 2)] * len(rows[0]))
    lines: list[str] = []
    for row in rows:
        lines += [rule] if lines else []
        shown = ["" if cell is None else f"[{labels[cell]}]" if cell in bracketed else labels[cell] for cell in row]
        lines.append("│".join(f"{label:^{width + 2}}" for label in shown))
    return lines


def _side_by_side(blocks: Sequence[Sequence[str]], columns: int, most: int) -> list[str]:
    """Return the lines of blocks placed side by side, as many as fit into the width, and at most that number."""
    width = max(len(line) for block in blocks for line in block)
    fitting = max(1, min(most, (columns + len(GAP)) // (width + len(GAP))))
    lines: list[str] = []
    for start in range(0, len(blocks), fitting):
        lines += [""] if lines else []
        for parts in zip_longest(*blocks[start : start + fitting], fillvalue=""):
            lines.append(GAP.join(part.ljust(width) for part in parts).rstrip())
    return lines
