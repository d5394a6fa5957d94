"""Games so far as people write them: lists of moves, and the columns of games with gravity as one string."""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace

from service.api.problems import Error, faulty, pointer
from service.games.game import Game
from service.games.position import OPPONENT, PLAYERS, Player, Position

MOST_COLUMNS = 9
"""Columns that one digit each tells apart, counted from 1."""

DIGITS = "0123456789"

Record = Sequence[int] | str
"""Moves in order: cells, under gravity columns, counted from 0; or a string of columns, counted from 1."""

Fault = tuple[str, str]
"""The code of an error and its detail."""


def read_moves(game: Game, moves: Record, player: Player | None, field: str = "moves") -> Position:
    """Return the position after ``moves`` from the empty board; ``player`` is the one to move now.

    Left open, X began. Raises a Problem that names every illegal move by its place.
    """
    first_player = "X" if player is None else PLAYERS[(PLAYERS.index(player) + len(moves)) % 2]
    return read_record(Position(game, 0, 0, first_player), moves, field)[1]


def read_record(start: Position, moves: Record, field: str = "moves") -> tuple[list[int], Position]:
    """Return the cells that ``moves`` mark, in order, and the position after them; a move is a cell or a column.

    Raises a Problem that names every illegal move by its place, counted from 0, in the ``field`` of the request.
    """
    if not isinstance(moves, str):
        return _play(start, moves, 0, lambda ply, fault: Error(pointer(field, ply), *fault))

    def error(place: int, fault: Fault) -> Error:  # a pointer cannot reach into a string
        return Error(pointer(field), fault[0], f"{field}[{place}]: {fault[1]}")

    return _play(start, _read_columns(start.game, moves, field, error), 1, error)


def as_moves(game: Game, cells: Sequence[int]) -> list[int]:
    """Return the moves that mark these cells, as ``read_record`` takes them: cells, under gravity their columns."""
    return [cell % game.drop if game.drop else cell for cell in cells]


def _read_columns(game: Game, text: str, field: str, error: Callable[[int, Fault], Error]) -> list[int]:
    """Return the columns of a string, counted from 0. Raises a Problem for an unfit game or character."""
    unfit = _why_no_string(game)
    if unfit:
        detail = f"{unfit[0].upper()}{unfit[1:]} Give moves as a list of {'columns' if game.drop else 'cells'}."
        raise faulty("invalid-request", [Error(pointer(field), "no-column-string", detail)])
    columns = f"{game.name} has columns 1 to {game.columns}."
    errors = [
        error(place, ("no-digit", f"{json.dumps(character)} is not a digit; {columns}"))
        for place, character in enumerate(text)
        if character not in DIGITS
    ]
    if errors:
        raise faulty("invalid-request", errors)
    return [int(digit) - 1 for digit in text]


def _why_no_string(game: Game) -> str | None:
    """Return why the moves of a game cannot be a string of columns; None if they can."""
    if not game.drop:
        return f"{game.name} has no gravity, so its moves are not columns."
    if not game.has_columns:
        return f"{game.name} has {game.layers} layers; a string of columns is for games with one."
    if game.columns > MOST_COLUMNS:
        return f"{game.name} has {game.columns} columns; a string of columns is for at most {MOST_COLUMNS}."
    return None


def _play(
    position: Position, moves: Sequence[int], first: int, error: Callable[[int, Fault], Error]
) -> tuple[list[int], Position]:
    """Return the cells that legal moves mark, and where they lead; ``first``: number of the first column or cell."""
    cells: list[int] = []
    errors: list[Error] = []
    for ply, move in enumerate(moves):
        cell = _cell(position, move, first)
        if isinstance(cell, int):
            cells.append(cell)
            position = position.play(cell)
            continue
        errors.append(error(ply, cell))
        if cell[0] == "played-after-the-end":
            break
        position = replace(position, player=OPPONENT[position.player])
    if errors:
        raise faulty("impossible-position", errors)
    return cells, position


def _cell(position: Position, move: int, first: int) -> int | Fault:
    """Return the cell that ``move`` marks, under gravity the free one of its column; or why it cannot be played."""
    game = position.game
    unit, count = ("column", game.drop) if game.drop else ("cell", game.cells)
    if position.status != "in_progress":
        return "played-after-the-end", "The game was over before this move."
    if not 0 <= move < count:
        detail = f"There is no {unit} {move + first}; {game.name} has {unit}s {first} to {count - 1 + first}."
        return f"no-such-{unit}", detail
    if not game.drop:
        return ("occupied-cell", f"Cell {move + first} is already marked.") if position.occupied >> move & 1 else move
    for cell in position.legal_moves:
        if cell % game.drop == move:
            return cell
    return "full-column", f"Column {move + first} is full."
