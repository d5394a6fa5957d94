"""What a player types: lines, and moves by their names."""

import sys
from collections.abc import Mapping

from service.cli import text
from service.explain.names import cell_name
from service.games.lines import LinePosition, is_line
from service.games.position import Position
from service.games.surface import letters


class InputEnded(Exception):
    """There is no further line."""


def read_line(prompt: str) -> str:
    """Read the next line of the input, and echo it unless it was typed. Raises InputEnded."""
    text.echo(prompt, nl=False)
    line = sys.stdin.readline()
    if not line:
        text.echo()
        raise InputEnded
    if not sys.stdin.isatty():
        text.echo(line.strip())
    return line.strip()


def moves_by_name(position: Position) -> dict[str, int]:
    """Return the legal moves by the names that are shown, columns from the left."""
    if not is_line(position):
        return {position.game.label(move): move for move in position.legal_moves}
    game = position.game
    moves = sorted(position.legal_moves, key=game.column_of if game.has_columns else None)
    return {cell_name(game, move): move for move in moves}


def read_move(position: Position, line: str) -> int | None:
    """Return the legal move that a line means, in upper or lower case and with or without spaces; None if none."""
    if not is_line(position):
        move = position.game.find(position.words, "".join(line.split()))
        return move if move in position.legal_moves else None
    names = moves_by_name(position)
    game = position.game
    others: Mapping[str, int] = {str(game.listed(move)): move for move in names.values()}
    if game.has_columns:
        others = _moves_by_letter(position)
    elif game.drop:
        others = {**others, **{name.partition(":")[2]: move for name, move in names.items()}}
    return {**others, **names}.get("".join(line.lower().split()))


def _moves_by_letter(position: LinePosition) -> dict[str, int]:
    """Return the moves into columns by the letter of the column, and by that of the cell where the mark lands."""
    game = position.game
    found: dict[str, int] = {}
    for move in position.legal_moves:
        column = letters(game.column_of(move))
        found |= {column: move, f"{column}{game.row_of(move) + 1}": move}
    return found
