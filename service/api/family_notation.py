"""Positions of families as people write them: a text of the family, rows, cells, or the moves that led to it."""

import re
from collections.abc import Sequence

from service.api.problems import Error, faulty, pointer, shortened
from service.families.game import FamilyGame, UnreadableError
from service.families.position import FamilyPosition, read_position

MOST_MOVES = 1024
"""The most moves of a game so far; games with loops have no end of their own."""

LONGEST_BOARD = 256
"""Characters of the longest text of a position."""

MAX_LEGAL = 8
"""Legal moves that an error names."""

Moves = Sequence[int | str] | str


def read_family_position(
    game: FamilyGame, board: object = None, moves: Moves | None = None, player: str | None = None
) -> FamilyPosition:
    """Return the position that a request gives; without board and moves, the initial one.

    Raises a Problem that names the fault.
    """
    if board is not None and moves is not None:
        raise _invalid("moves", "conflicting-field", "Give the board or the moves, not both.")
    named = None if player is None else _read_player(game, player)
    if board is not None:
        return _read_board(game, board, named)
    position = play_moves(FamilyPosition(game), moves or ())[1]
    if named not in (None, position.player):
        detail = f"{position.player} is to move, not {named}."
        raise faulty("impossible-position", [Error(pointer("player"), "player-not-to-move", detail)])
    return position


def play_moves(start: FamilyPosition, moves: Moves, field: str = "moves") -> tuple[list[int], FamilyPosition]:
    """Return the numbers of the moves, in order, and the position after them. Raises a Problem for the first fault."""
    written = re.findall(r"[^\s,]+", moves) if isinstance(moves, str) else moves
    if len(written) > MOST_MOVES:
        raise _invalid(field, "too-long", f"{field} must have at most {MOST_MOVES} entries.")
    position, played = start, []
    for place, name in enumerate(written):
        at = pointer(field) if isinstance(moves, str) else pointer(field, place)
        move = _read_move(position, name, at)
        played.append(move)
        position = position.play(move)
    return played, position


def _read_player(game: FamilyGame, player: str) -> str:
    """Return the player of the game that is written so, in either case."""
    for known in game.players:
        if known.lower() == player.lower():
            return known
    raise _invalid("player", "not-a-choice", f"player must be {' or '.join(game.players)}.")


def _read_board(game: FamilyGame, board: object, player: str | None) -> FamilyPosition:
    text = _joined(board)
    if text is None:
        raise _invalid("board", "wrong-type", "board must be a text, a list of cells or a list of rows.")
    if len(text) > LONGEST_BOARD:
        raise _invalid("board", "too-long", f"board must have at most {LONGEST_BOARD} characters.")
    try:
        return read_position(game, text, player)
    except UnreadableError as error:
        raise faulty("impossible-position", [Error(pointer("board"), "unreadable-position", str(error))]) from None


def _joined(board: object) -> str | None:
    """Return the text of a board; a list of its parts may be nested once, and null is an empty cell."""
    if isinstance(board, str):
        return board
    if not isinstance(board, list):
        return None
    cells = [cell for part in board for cell in (part if isinstance(part, list) else [part])]
    if not all(cell is None or isinstance(cell, str) or type(cell) is int for cell in cells):
        return None
    return "".join("." if cell in (None, "") else str(cell) for cell in cells)


def _read_move(position: FamilyPosition, name: int | str, at: str) -> int:
    """Return the number of a legal move by its name. Raises a Problem that says what is legal instead."""
    game = position.game
    move = game.moves_by_name.get(str(name).strip().lower())
    if move in position.legal_moves:
        return int(move)
    shown = shortened(str(name))
    if not position.legal_moves:
        raise _impossible(at, "played-after-the-end", f"The game was over before the move {shown}.")
    legal = ", ".join(str(game.move_name(move)) for move in position.legal_moves[:MAX_LEGAL])
    others = " and others" if len(position.legal_moves) > MAX_LEGAL else ""
    if move is None:
        raise _impossible(at, "no-such-move", f"There is no move {shown}; legal moves are {legal}{others}.")
    raise _impossible(at, "illegal-move", f"{shown} is not legal here; legal moves are {legal}{others}.")


def _impossible(at: str, code: str, detail: str) -> Exception:
    return faulty("impossible-position", [Error(at, code, detail)])


def _invalid(field: str, code: str, detail: str) -> Exception:
    return faulty("invalid-request", [Error(pointer(field), code, detail)])
