"""Positions as people write them: boards flat, nested or as text, and games so far."""

import json
import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from service.api.problems import Error, faulty, pointer, shortened
from service.api.record import read_moves
from service.api.requests import BestMoveQuery, PositionRequest
from service.games.game import Game
from service.games.position import Player, Position
from service.games.setup import Setup, Violation

X_MARKS = frozenset({"X", "x"})
O_MARKS = frozenset({"O", "o"})
EMPTY = frozenset({"", " ", ".", "-", "_", "+"})

PLAIN: Mapping[str | None, str] = MappingProxyType(
    {None: "."} | dict.fromkeys(X_MARKS, "X") | dict.fromkeys(O_MARKS, "O") | dict.fromkeys(EMPTY, ".")
)
"""What a cell holds that is written in one of these ways."""

HOW_TO_WRITE = (
    'write X or O for a mark, and null, "", " ", ".", "-", "_", "+" or the cell\'s own index for an empty cell'
)

UNIT = {1: "row", 2: "layer"}
UNITS = {1: "cells", 2: "rows", 3: "layers"}
"""What a list is that has so many dimensions, and what it holds."""

Path = tuple[str | int, ...]


def read_position(request: PositionRequest, game: Game) -> Position:
    """Return the position that a request describes. Raises a Problem that names every fault."""
    drops = request.drops if isinstance(request, BestMoveQuery) else None
    ways = {"board": request.board, "moves": request.moves, "drops": drops}
    given = [name for name, way in ways.items() if way is not None]
    if not given:
        raise faulty("invalid-request", [Error("/board", "required", "Give board, or moves from the empty board.")])
    if len(given) > 1:
        detail = f"Give {' or '.join(given)}, not both."
        raise faulty("invalid-request", [Error(pointer(given[-1]), "conflicting-field", detail)])
    if request.board is not None:
        return read_board(game, request.board, request.player)
    return read_moves(game, ways[given[0]], request.player, given[0])


def read_board(game: Game, board: object, player: Player | None) -> Position:
    """Return the position that a board shows.

    The board is a flat list, nested rows (layers of rows in three dimensions) or a string, in which
    rows may be split by ``/`` or a newline. Raises a Problem that names every fault.
    """
    masks = _read_plain(board, game.cells)
    if masks is not None:
        setup = Setup(game, *masks, player)
        if not setup.violations():
            return setup.position()
    reading = _Reading(game)
    reading.read(board)
    if reading.errors:
        raise faulty("invalid-request", reading.errors)
    setup = Setup(game, reading.x, reading.o, player)
    violations = setup.violations()
    if violations:
        raise faulty("impossible-position", [_violation_error(v, reading.paths) for v in violations])
    return setup.position()


def _read_plain(board: object, cells: int) -> tuple[int, int] | None:
    """Return the masks of a flat board, quickly; None for any other board and for a faulty one: see ``_Reading``."""
    if not isinstance(board, list | str) or len(board) != cells:
        return None
    x, o = 0, 0
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
    return x, o


class _Reading:
    """A board on its way from JSON to masks: what was read so far and what was wrong with it."""

    def __init__(self, game: Game) -> None:
        self.x = 0
        self.o = 0
        self.paths: list[Path] = []
        self.errors: list[Error] = []
        self._game = game

    def read(self, board: object) -> None:
        game = self._game
        if isinstance(board, str):
            self._read_text(board)
        elif not isinstance(board, list):
            self._fault(("board",), "wrong-type", f"board must be a list or a string, not {_shown(board)}.")
        elif any(isinstance(item, list) for item in board):
            shape = (game.rows, game.columns) if game.layers == 1 else (game.layers, game.rows, game.columns)
            self._read_list(board, shape, ("board",))
        else:
            self._read_list(board, (game.cells,), ("board",))

    def _read_text(self, board: str) -> None:
        game = self._game
        rows = re.split(r"/|\r?\n", re.sub(r"\r?\n\Z", "", board))
        if len(rows) == 1:
            self._read_list(list(board), (game.cells,), ("board",), in_text=True)
        else:
            self._read_list(
                [list(row) for row in rows], (game.layers * game.rows, game.columns), ("board",), in_text=True
            )

    def _read_list(self, items: object, shape: Sequence[int], path: Path, *, in_text: bool = False) -> None:
        """Read the cells below ``path``; ``in_text`` they are characters, which a pointer cannot reach."""
        if not shape:
            self._read_cell(items, path, in_text=in_text)
            return
        if not isinstance(items, list):
            self._fault(
                path,
                "wrong-type",
                f"Expected a {UNIT[len(shape)]} of {shape[0]} {UNITS[len(shape)]} instead of {_shown(items)}.",
            )
            return
        if len(items) != shape[0]:
            self._fault(path[:1] if in_text else path, "board-size", self._size_detail(len(items), shape, path))
        for index, item in zip(range(shape[0]), items, strict=False):
            self._read_list(item, shape[1:], (*path, index), in_text=in_text)

    def _size_detail(self, size: int, shape: Sequence[int], path: Path) -> str:
        unit = UNITS[len(shape)]
        whole = "The board" if len(path) == 1 else f"{'Layer' if len(shape) > 1 else 'Row'} {path[-1]} (from 0)"
        return f"{whole} has {size} {unit}; {self._game.name} needs {shape[0]}."

    def _read_cell(self, content: object, path: Path, *, in_text: bool) -> None:
        cell = len(self.paths)
        self.paths.append(path[:1] if in_text else path)
        if isinstance(content, str) and content in X_MARKS:
            self.x |= 1 << cell
        elif isinstance(content, str) and content in O_MARKS:
            self.o |= 1 << cell
        elif not _is_empty(content, cell):
            self._fault(self.paths[cell], *_why_not_a_cell(content, cell))

    def _fault(self, path: Path, code: str, detail: str) -> None:
        self.errors.append(Error(pointer(*path), code, detail))


def _is_empty(content: object, cell: int) -> bool:
    if isinstance(content, str):
        return content in EMPTY
    return content is None or (_is_number(content) and content == cell)


def _is_number(content: object) -> bool:
    return isinstance(content, int | float) and not isinstance(content, bool)


def _why_not_a_cell(content: object, cell: int) -> tuple[str, str]:
    if _is_number(content):
        return (
            "wrong-index",
            f"Cell {cell} contains {_shown(content)}; the only number allowed is {cell}, its index, if it is empty.",
        )
    return "unknown-mark", f"Cell {cell} contains {_shown(content)}; {HOW_TO_WRITE}."


def _shown(value: object) -> str:
    """Return the value as JSON, cut to fit into a sentence; only the kind of a list or an object."""
    if isinstance(value, list | dict):
        return "a list" if isinstance(value, list) else "an object"
    return shortened(json.dumps(value))


def _violation_error(violation: Violation, paths: Sequence[Path]) -> Error:
    if violation.about_player:
        return Error("/player", violation.code, violation.detail)
    where = "/board" if violation.cell is None else pointer(*paths[violation.cell])
    return Error(where, violation.code, violation.detail)
