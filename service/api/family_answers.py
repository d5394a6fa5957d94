"""The fields of answers that tell of a family's position and of its moves."""

from typing import Any

from service.families.position import FamilyPosition

MOVE_FIELDS = {"board": "board_number"}
"""What a family calls a field of its moves, and what answers do, in which ``board`` is what the cells hold."""


def family_position_fields(position: FamilyPosition) -> dict[str, Any]:
    """Return how a position was understood, and how its game stands."""
    return {
        "game": position.game.id,
        "family": position.game.family,
        "position": str(position),
        "board": position.contents,
        "player": position.player,
        "status": position.status,
        "winner": position.winner,
        "winning_line": position.winning_line,
    }


def family_move_fields(position: FamilyPosition, move: int | None) -> dict[str, Any]:
    """Return a move of a position, by its cell and by its name; without a move, the same fields with null."""
    game = position.game
    own = {MOVE_FIELDS.get(name, name): value for name, value in game.move_fields(move or 0).items()}
    if move is None:
        return dict.fromkeys(("move", "row", "column", *own, "name"))
    cell = game.cell_of(move)
    return {"move": cell, "row": game.row_of(cell), "column": game.column_of(cell), **own, "name": game.move_name(move)}
