"""Games so far as people write them: lists of moves, strings of names, and strings of columns under gravity.

A move is an index, counted from 0: of a cell, under gravity of a column. Or it is a name, such as ``b3``.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from service.api.problems import Error, faulty, pointer, shortened
from service.explain.names import moves_by_name
from service.games.lines import PLAYERS, LineGame, LinePosition, Player, line_position, marked

MOST_COLUMNS = 9
"""Columns that one digit each tells apart, counted from 1."""

DIGITS = "0123456789"

NAMES = re.compile(r"(?:cell +|column +)?[^\s,]+", re.IGNORECASE)
"""The names in a string of names."""

NAME = re.compile(r"(cell +|column +)[0-9]+|([0-9]+:)?[a-z]+[0-9]*", re.IGNORECASE | re.ASCII)
"""What looks like the name of a move."""

Move = int | str
Record = Sequence[Move] | str
"""Moves in order: indices or names; or names in one string; or a string of columns, counted from 1."""

Fault = tuple[str, str]
"""The code of an error and its detail."""


@dataclass(frozen=True)
class Written:
    """Moves as they were written: ``first`` is the number of the first cell or column, ``error`` says where a fault is.

    ``hint`` is what to do about a number that is too large.
    """

    moves: Sequence[Move]
    first: int
    error: Callable[[int, Fault], Error]
    hint: str = ""


def read_moves(
    game: LineGame, moves: Record, player: Player | None, field: str = "moves", *, in_query: bool = False
) -> LinePosition:
    """Return the position after ``moves`` from the empty board; ``player`` is the one to move now.

    Left open, X began. Raises a Problem that names every illegal move by its place.
    """
    written = _written(game, moves, field, in_query=in_query)
    first_player = "X" if player is None else PLAYERS[(PLAYERS.index(player) + len(written.moves)) % 2]
    return _play(line_position(game, 0, 0, first_player), written)[1]


def read_record(start: LinePosition, moves: Record, field: str = "moves") -> tuple[list[int], LinePosition]:
    """Return the cells that ``moves`` mark, in order, and the position after them.

    Raises a Problem that names every illegal move by its place, counted from 0, in the ``field`` of the request.
    """
    return _play(start, _written(start.game, moves, field))


def _written(game: LineGame, moves: Record, field: str, *, in_query: bool = False) -> Written:
    """Return the moves in a list or a string. Raises a Problem for a string that has none."""
    if not isinstance(moves, str):
        hint = TRY_DROPS if in_query and game.has_columns else ""
        return Written(moves, 0, lambda ply, fault: Error(pointer(field, ply), *fault), hint)

    def error(place: int, fault: Fault) -> Error:  # a pointer cannot reach into a string
        return Error(pointer(field), fault[0], f"{field}[{place}]: {fault[1]}")

    names = NAMES.findall(moves)
    if field != "drops" and (not moves or (names and all(map(NAME.fullmatch, names)))):
        return Written(names, 0, error)
    return Written(_read_columns(game, moves, field, error), 1, error)


TRY_DROPS = " Give a string of columns as drops."
"""What to do with a string that was taken for one large number."""


def _read_columns(game: LineGame, text: str, field: str, error: Callable[[int, Fault], Error]) -> list[int]:
    """Return the columns of a string, counted from 0. Raises a Problem for an unfit game or character."""
    unfit = _why_no_string(game)
    if unfit:
        units, example = "columns" if game.drop else "cells", ", ".join([*moves_by_name(game)][:2])
        detail = f'{unfit} Give moves as a list of {units}, or as names such as "{example}".'
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


def _why_no_string(game: LineGame) -> str | None:
    """Return why the moves of a game cannot be a string of columns; None if they can."""
    name = f"{game.name[0].upper()}{game.name[1:]}"
    if not game.drop:
        return f"{name} has no gravity, so its moves are not columns."
    if not game.has_columns:
        return f"{name} has {game.layers} layers; a string of columns is for games with one."
    if game.columns > MOST_COLUMNS:
        return f"{name} has {game.columns} columns; a string of columns is for at most {MOST_COLUMNS}."
    return None


def _play(position: LinePosition, written: Written) -> tuple[list[int], LinePosition]:
    """Return the cells that legal moves mark, and where they lead."""
    names = moves_by_name(position.game) if str in map(type, written.moves) else {}
    cells: list[int] = []
    errors: list[Error] = []
    for ply, move in enumerate(written.moves):
        cell = _cell(position, move, names, written)
        if isinstance(cell, int):
            cells.append(cell)
            position = position.play(cell)
            continue
        errors.append(written.error(ply, cell))
        if cell[0] == "played-after-the-end":
            break
        position = position.passed()
    if errors:
        raise faulty("impossible-position", errors)
    return cells, position


def _cell(position: LinePosition, move: Move, names: Mapping[str, int], written: Written) -> int | Fault:
    """Return the cell that ``move`` marks, under gravity the free one of its column; or why it cannot be played."""
    game = position.game
    if position.status != "in_progress":
        return "played-after-the-end", "The game was over before this move."
    index = names.get(" ".join(move.lower().split())) if isinstance(move, str) else move
    if index is None or not 0 <= index < (game.drop or game.cells):
        return _no_such_move(game, move, written)
    shown = move if isinstance(move, str) else index + written.first
    if not game.drop:
        return ("occupied-cell", f"Cell {shown} is already marked.") if marked(position) >> index & 1 else index
    for cell in position.legal_moves:
        if cell % game.drop == index:
            return cell
    return "full-column", f"Column {shown} is full."


def _no_such_move(game: LineGame, move: Move, written: Written) -> Fault:
    """Return the fault of a move that the board does not have, in the words in which it was written."""
    unit, count = ("column", game.drop) if game.drop else ("cell", game.cells)
    if isinstance(move, str):
        names = [*moves_by_name(game)]
        shown, first, last = json.dumps(shortened(move)), names[0], names[count - 1]
        hint = " Marks fall, so a move names only its column." if game.drop else ""
    else:
        shown, first, last = shortened(str(move + written.first)), *(str(end + written.first) for end in (0, count - 1))
        hint = written.hint
    return f"no-such-{unit}", f"There is no {unit} {shown}; {game.name} has {unit}s {first} to {last}.{hint}"
