"""Boards drawn in the terminal."""

import shutil
from collections.abc import Collection, Sequence
from itertools import zip_longest

import click

from service.games.game import Game
from service.games.position import Position

MARKS = {"X": "cyan", "O": "magenta"}
GAP = "   "

MOST_IN_A_ROW = 8
"""Cells that are drawn side by side where a game has no rows, only lines."""


def draw(position: Position, chosen: int | None = None) -> str:
    """The board with the numbers by which moves are typed; the ``chosen`` cell and a completed line in brackets.

    Under gravity those are the columns, below the board; with several layers, in the cells where a mark would land.
    Layers stand side by side as far as the terminal is wide.
    """
    game = position.game
    shown = position.winning_line or (() if chosen is None else (chosen,))
    labels = [_label(position, cell, str(position)[cell]) for cell in range(game.cells)]
    width = max(len(label) for label in [*labels, *_footer(game)])
    blocks = [
        [*_title(game, layer), *_grid(_rows(game, layer), labels, width, shown), *_feet(game, width)]
        for layer in range(game.layers)
    ]
    return "\n".join(_side_by_side(blocks))


def _label(position: Position, cell: int, mark: str) -> str:
    """What stands in a cell: its mark, or the number by which it is played."""
    game = position.game
    if mark != ".":
        return mark
    if not game.drop:
        return str(cell)
    return str(cell % game.drop) if game.layers > 1 and cell in position.legal_moves else "·"


def _rows(game: Game, layer: int) -> list[list[int]]:
    """The cells of a layer as they are drawn, row by row."""
    size = game.rows * game.columns
    length = min(game.columns, MOST_IN_A_ROW) if game.in_a_row is None else game.columns
    return [
        list(range(start, min(start + length, (layer + 1) * size)))
        for start in range(layer * size, (layer + 1) * size, length)
    ]


def _grid(rows: Sequence[Sequence[int]], labels: Sequence[str], width: int, shown: Collection[int]) -> list[str]:
    rule = "┼".join(["─" * (width + 2)] * len(rows[0]))
    lines: list[str] = []
    for row in rows:
        lines += [rule] if lines else []
        lines.append("│".join(_cell(labels[cell], width, bracketed=cell in shown) for cell in row))
    return lines


def _cell(label: str, width: int, *, bracketed: bool) -> str:
    text = f"[{label}]" if bracketed else label
    left, right = f"{text:^{width + 2}}".split(text)
    colour = MARKS.get(label, "green" if bracketed else None)
    faint = not bracketed and label not in MARKS
    return left + click.style(text, fg=colour, bold=bracketed or None, dim=faint or None) + right


def _title(game: Game, layer: int) -> list[str]:
    return [f"layer {layer}"] if game.layers > 1 else []


def _footer(game: Game) -> list[str]:
    return [str(column + 1) for column in range(game.columns)] if game.has_columns else []


def _feet(game: Game, width: int) -> list[str]:
    """The line with the numbers of the columns, where marks fall down on a single layer."""
    numbers = [_cell(column, width, bracketed=False) for column in _footer(game)]
    return [" ".join(numbers)] if numbers else []


def _side_by_side(blocks: Sequence[Sequence[str]]) -> list[str]:
    """The blocks beside each other, in as many rows as the width of the terminal makes them."""
    width = max(len(click.unstyle(line)) for block in blocks for line in block)
    fitting = max(1, (shutil.get_terminal_size().columns + len(GAP)) // (width + len(GAP)))
    lines: list[str] = []
    for start in range(0, len(blocks), fitting):
        lines += [""] if lines else []
        for parts in zip_longest(*blocks[start : start + fitting], fillvalue=""):
            lines.append(GAP.join(part + " " * (width - len(click.unstyle(part))) for part in parts).rstrip())
    return lines
