"""Typed input: lines, and moves by their names."""

import sys

from service.cli import text
from service.games.position import Position
from service.games.surface import letters


class InputEnded(Exception):
    """Standard input is at its end."""


def read_line(prompt: str) -> str:
    """Read the next line of the input; echo it if it comes from a file or a pipe. Raises InputEnded."""
    text.echo(prompt, nl=False)
    line = sys.stdin.readline()
    if not line:
        text.echo()
        raise InputEnded
    if not sys.stdin.isatty():
        text.echo(line.strip())
    return line.strip()


def moves_by_name(position: Position) -> dict[str, int]:
    """Return the legal moves by their displayed names, columns from the left."""
    game = position.game
    moves = sorted(position.legal_moves, key=game.column_of if game.has_columns else None)
    return {game.label(move): move for move in moves}


def read_move(position: Position, line: str) -> int | None:
    """Return the legal move with this name, in any case and with or without spaces; None if there is none."""
    game, written = position.game, "".join(line.lower().split())
    shown = {name.lower(): move for name, move in moves_by_name(position).items()}
    numbers = {str(game.listed(move)).lower(): move for move in position.legal_moves}
    others = _landings(position) if game.has_columns else numbers
    move = {**others, **shown}.get(written, game.find(position.state, written))
    return move if move in position.legal_moves else None


def _landings(position: Position) -> dict[str, int]:
    """Return the moves into columns by the cell in which the mark lands."""
    game = position.game
    return {f"{letters(game.column_of(move))}{game.row_of(move) + 1}": move for move in position.legal_moves}
