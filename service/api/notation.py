"""Positions as people write them: boards flat, nested or as text, and games so far."""

import re
from collections.abc import Mapping, Sequence
from math import prod
from types import MappingProxyType
from typing import Any

from service.api.problems import Error, faulty, pointer
from service.api.record import read_moves
from service.api.requests import PLAYERS, BestMoveQuery, PositionRequest
from service.api.signs import read_cells, shown, without_selectors
from service.games.game import Violation
from service.games.lines import LineGame, LinePosition, Player
from service.games.setup import Setup

PLAIN: Mapping[str | None, str] = MappingProxyType(
    {None: "."} | dict.fromkeys("Xx", "X") | dict.fromkeys("Oo", "O") | dict.fromkeys(("", *" .-_+"), ".")
)
"""What a cell holds that is written in one of the most common ways."""

UNIT = {1: "row", 2: "layer"}
UNITS = {1: "cells", 2: "rows", 3: "layers"}
"""What a list is that has so many dimensions, and what it holds."""

ROWS = ({str}, {list})
"""The types of rows of which all have the same."""

Path = tuple[str | int, ...]
Shape = tuple[int, ...]


def read_position(request: PositionRequest, game: LineGame) -> LinePosition:
    """Return the position that a request describes: the empty board if it has neither a board nor moves.

    Raises a Problem that names every fault.
    """
    in_query = isinstance(request, BestMoveQuery)
    drops = request.drops if isinstance(request, BestMoveQuery) else None
    ways: dict[str, Any] = {"board": request.board, "moves": request.moves, "drops": drops}
    given = [name for name, way in ways.items() if way is not None]
    if len(given) > 1:
        detail = f"Give {' or '.join(given)}, not both."
        raise faulty("invalid-request", [Error(pointer(given[-1]), "conflicting-field", detail)])
    if request.board is not None:
        return read_board(game, request.board, PLAYERS[request.player])
    field = given[0] if given else "moves"
    return read_moves(game, ways[field] or [], PLAYERS[request.player], field, in_query=in_query)


def read_board(game: LineGame, board: object, player: Player | None) -> LinePosition:
    """Return the position that a board shows.

    The board is a flat list, nested rows (layers of rows in three dimensions) or a string, in which rows may be split
    by ``/`` or a newline. A string may also stand for a row or a layer of a list. Raises a Problem that names every
    fault.
    """
    masks = _read_plain(board, game)
    if masks is not None:
        setup = Setup(game, *masks, player)
        if not setup.violations():
            return setup.position()
    reading = _Reading(game)
    x, o = reading.read(board)
    if reading.errors:
        raise faulty("invalid-request", reading.errors)
    setup = Setup(game, x, o, player)
    violations = setup.violations()
    if violations:
        raise faulty("impossible-position", [_violation_error(v, reading.paths) for v in violations])
    return setup.position()


def _read_plain(board: object, game: LineGame) -> tuple[int, int] | None:
    """Return the masks of a flat board or of rows, quickly; None for a faulty or rare board: see ``_Reading``."""
    if not isinstance(board, list | str):
        return None
    if len(board) != (cells := game.cells):
        board = _joined(board, game)
        if len(board) != cells:
            return None
    x, o, numbered = 0, 0, False
    for cell, content in enumerate(board):
        if isinstance(content, str) or content is None:
            mark = PLAIN.get(content)
            if mark == "X":
                x |= 1 << cell
            elif mark == "O":
                o |= 1 << cell
            elif mark is None:
                return None
        elif type(content) is not int or content != cell:
            return None
        else:
            numbered = True
    return (x, o) if x | o or not numbered else None  # without X and O, numbers may be marks


def _joined(board: str | list[Any], game: LineGame) -> str | list[Any]:
    """Return the cells of rows if all have the right size; any other board as it is."""
    rows = board if isinstance(board, list) else board.split("/" if "/" in board else "\n")
    kinds = set(map(type, rows))
    if len(rows) != game.rows * game.layers or kinds not in ROWS or set(map(len, rows)) != {game.columns}:
        return board
    return "".join(rows) if kinds == {str} else [cell for row in rows for cell in row]


class _Reading:
    """A board on its way from JSON to masks: the cells read so far, where each stands, and what was wrong with them."""

    def __init__(self, game: LineGame) -> None:
        self.paths: list[Path] = []
        self.errors: list[Error] = []
        self._game = game
        self._contents: list[object] = []

    def read(self, board: object) -> tuple[int, int]:
        """Return the masks of X and O."""
        if isinstance(board, list | str):
            self._read_part(board, self._shape(board), ("board",))
        else:
            self._fault(("board",), "wrong-type", f"board must be a list or a string, not {shown(board)}.")
        cells, faults = read_cells(self._contents)
        for cell, code, detail in faults:
            self._fault(("board",) if cell is None else self.paths[cell], code, detail)
        return _mask(cells, "X"), _mask(cells, "O")

    def _shape(self, board: str | list[object]) -> Shape:
        """Return the dimensions in which a board is written."""
        game = self._game
        flat, rows = (game.cells,), (game.layers * game.rows, game.columns)
        nested = (game.rows, game.columns) if game.layers == 1 else (game.layers, game.rows, game.columns)
        if isinstance(board, str):
            return nested
        if any(isinstance(item, list) for item in board):
            return rows if _are_rows(board, game) else nested
        has_strings = any(isinstance(item, str) and len(without_selectors(item)) > 1 for item in board)
        if not has_strings or len(board) == game.cells:
            return flat
        return nested if len(board) == game.layers else rows

    def _read_part(self, items: object, shape: Shape, path: Path, text: Path | None = None) -> None:
        """Read the cells below ``path``; ``text`` is the path of the string around them, where a pointer ends."""
        if not shape:
            self._contents.append(items)
            self.paths.append(text or path)
            return
        whole = "The board" if len(path) == 1 else f"{UNIT[len(shape)].capitalize()} {path[-1]} (from 0)"
        if isinstance(items, str):
            text = text or path
            items, shape = _split(items, shape)
        if not isinstance(items, list):
            needed = f"Expected a {UNIT[len(shape)]} of {shape[0]} {UNITS[len(shape)]}"
            self._fault(path, "wrong-type", f"{needed} instead of {shown(items)}.")
            return
        if len(items) != shape[0]:
            needed = f"{self._game.name} needs {shape[0]}."
            self._fault(text or path, "board-size", f"{whole} has {len(items)} {UNITS[len(shape)]}; {needed}")
        for index, item in zip(range(shape[0]), items, strict=False):
            self._read_part(item, shape[1:], (*path, index), text)

    def _fault(self, path: Path, code: str, detail: str) -> None:
        self.errors.append(Error(pointer(*path), code, detail))


def _are_rows(board: list[object], game: LineGame) -> bool:
    """Return whether lists are the rows of all layers, one after another, and not layers."""
    lists = [item for item in board if isinstance(item, list)]
    if len(board) != game.layers * game.rows or any(isinstance(cell, list) for row in lists for cell in row):
        return False
    return game.rows > 1 or all(len(row) == game.columns for row in lists)


def _mask(cells: str, mark: str) -> int:
    return sum([1 << cell for cell, held in enumerate(cells) if held == mark])


def _split(text: str, shape: Shape) -> tuple[list[str], Shape]:
    """Return the rows of a text and the shape that they should have; its cells if it is one row, or not split."""
    whole = without_selectors(re.sub(r"\r?\n\Z", "", text))
    rows = re.split(r"/|\r?\n", whole)
    if len(shape) == 1 or len(rows) == 1:
        return list(whole), (prod(shape),)
    return rows, (prod(shape[:-1]), shape[-1])


def _violation_error(violation: Violation, paths: Sequence[Path]) -> Error:
    if violation.about_player:
        return Error("/player", violation.code, violation.detail)
    where = "/board" if violation.cell is None else pointer(*paths[violation.cell])
    return Error(where, violation.code, violation.detail)
