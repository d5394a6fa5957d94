"""Positions in all accepted spellings: flat boards, nested boards, texts, and moves from the start."""

import re
from collections.abc import Iterator, Mapping, Sequence
from math import prod
from types import MappingProxyType
from typing import Any, TypeVar

from service.api.problems import Error, pointer
from service.api.read.drawing import cells_of_drawing, undecorated
from service.api.read.record import Record, play_record, refuse, written_moves
from service.api.read.signs import read_cells, shown, without_selectors
from service.api.wire.boards import LONGEST_BOARD
from service.games.game import Game, UnreadableError, Violation, counted
from service.games.position import Position
from service.kernel.states.family import START

PLAIN: Mapping[str | None, str] = MappingProxyType(
    {None: "."} | dict.fromkeys("Xx", "X") | dict.fromkeys("Oo", "O") | dict.fromkeys(("", *" .-_+"), ".")
)
"""The contents of a cell by its most common spellings."""

SIGNS = str.maketrans({sign: mark for sign, mark in PLAIN.items() if sign})
"""The translation of a board text in these spellings."""

UNIT = {1: "row", 2: "layer"}
UNITS = {1: "cells", 2: "rows", 3: "layers"}
"""What a list of this many dimensions holds."""

ROWS = ({str}, {list})
"""The types of rows that the quick reader takes: all strings, or all lists."""

REST = ";"
"""The separator between the cells and the rest of a position."""

MARKS = frozenset({"XO"})
"""The pairs of marks that the quick reader takes."""

SomeGame = TypeVar("SomeGame", bound=Game)

Path = tuple[str | int, ...]
Shape = tuple[int, ...]


def read_position(  # noqa: PLR0913, there are as many ways to give a position
    game: SomeGame,
    board: object = None,
    moves: Record | None = None,
    player: str | None = None,
    drops: str | None = None,
    *,
    in_query: bool = False,
) -> Position[SomeGame]:
    """Return the position that a request gives: the initial one without a board and moves.

    ``drops`` is a string of columns from a query. Raises a Problem that names every fault.
    """
    turn = None if player is None else _turn(game, player)
    faults = []
    if (board is not None) + (moves is not None) + (drops is not None) > 1:
        ways = {"board": board, "moves": moves, "drops": drops}
        given = [name for name, way in ways.items() if way is not None]
        detail = f"Give {' or '.join(given)}, not both."
        faults.append(Error(pointer(given[-1]), "conflicting-field", detail))
    if player is not None and turn is None:
        faults.append(Error(pointer("player"), "not-a-choice", f"player must be {' or '.join(game.players)}."))
    if board is not None:
        position, found = _read_board(game, board, turn)
    else:
        field, record = ("drops", drops) if moves is None and drops is not None else ("moves", moves)
        position, found = _play(game, record or (), turn, field, in_query=in_query)
    refuse([*faults, *found])
    return position


def _turn(game: Game, player: str) -> int | None:
    """Return the number of a player by its name, in either case; None if the game has no such player."""
    players = game.players
    if player in players:
        return players.index(player)
    return next((turn for turn, known in enumerate(players) if known.lower() == player.lower()), None)


def _play(
    game: SomeGame, moves: Record, turn: int | None, field: str, *, in_query: bool
) -> tuple[Position[SomeGame], list[Error]]:
    """Return the position after the moves, and each of their faults; ``turn`` is the stated player to move, or None."""
    written = written_moves(game, moves, field, in_query=in_query)
    began = (turn + len(written.moves)) % 2 if turn is not None and game.either_begins else 0
    _, position, faults = play_record(Position(game, turn=began), written)
    if turn is not None and turn != position.turn:
        detail = f"{position.player} is to move, not {game.players[turn]}."
        faults.append(Error(pointer("player"), "player-not-to-move", detail))
    return position, faults


def _read_board(game: SomeGame, board: object, turn: int | None) -> tuple[Position[SomeGame], list[Error]]:
    """Return the position on a board, and every fault of it; the initial position if there are faults.

    The board is a flat list, nested rows (layers of rows in three dimensions) or a string, in which ``/`` or a newline
    separates rows; or it is drawn, see ``drawing``. A string can also stand for a row or a layer of a list. Where a
    game does not write its positions cell by cell, the board is a text in its own notation. What else a position has
    follows the cells after a ``;``, in a list as its last item.
    """
    board, rest = _without_rest(board, game)
    text, reading = _read_plain(board, game), None
    if text is None:
        reading = _Reading(game)
        text = reading.read(board) if game.marks else reading.text(board)
        has_wrong_size = any(error.code == "board-size" for error in reading.errors)
        if has_wrong_size and (cells := cells_of_drawing(board, game)) is not None:
            reading = _Reading(game)
            text = reading.read_drawing(cells)
        if reading.errors:
            return Position(game), reading.errors
    try:
        state, turn = game.read(text + rest, turn)
    except UnreadableError as error:
        if reading is None:  # the board text alone says where each cell is
            reading = _Reading(game)
            reading.read(board)
        return Position(game), [_violation_error(violation, reading.paths) for violation in error.violations]
    return Position(game, state, turn, reached=state == START), []


def _without_rest(board: Any, game: Game) -> tuple[Any, str]:
    """Return the cells of a board, and what follows them in the notation of the game."""
    if not game.has_rest or not board:
        return board, ""
    if isinstance(board, str):
        cells, mark, rest = board.partition(REST)
        return cells, mark + rest
    last = board[-1] if isinstance(board, list) else None
    return (board[:-1], last) if isinstance(last, str) and last.startswith(REST) else (board, "")


def _read_plain(board: object, game: Game) -> str | None:
    """Return the cells of a flat board or of rows, quickly; None for a faulty or rare board: see ``_Reading``."""
    if not isinstance(board, list | str) or game.marks not in MARKS:
        return None
    if len(board) != (cells := game.cells):
        board = _joined(board, game)
        if len(board) != cells:
            return None
    if isinstance(board, str):
        return board.translate(SIGNS) if PLAIN.keys() >= {*board} else None
    try:
        marks = [
            PLAIN[None if content == cell and type(content) is int else content] for cell, content in enumerate(board)
        ]
        text = "".join(marks)
        # Without X and O, numbers may be marks.
        return text if "X" in text or "O" in text or PLAIN.keys() >= {*board} else None
    except (KeyError, TypeError):  # other signs or numbers, or lists as cells
        return None


def _joined(board: str | list[Any], game: Game) -> str | list[Any]:
    """Return the cells of rows if all have the right size; any other board as it is."""
    rows = board if isinstance(board, list) else board.split("/" if "/" in board else "\n")
    kinds = set(map(type, rows))
    if len(rows) != game.rows * game.layers or kinds not in ROWS or set(map(len, rows)) != {game.columns}:
        return board
    return "".join(rows) if kinds == {str} else [cell for row in rows for cell in row]


class _Reading:
    """A board that is being read: the cells read so far, the path of each, and the faults found."""

    def __init__(self, game: Game) -> None:
        self.paths: list[Path] = []
        self.errors: list[Error] = []
        self._game = game
        self._contents: list[object] = []

    def text(self, board: object) -> str:
        """Return the text of a position that is not written cell by cell, from a string or its parts in lists."""
        board = undecorated(board) if isinstance(board, str) else board
        parts = [*_parts(board)] if isinstance(board, list | str) else [board]
        if not all(part is None or isinstance(part, str) or type(part) is int for part in parts):
            self._fault(("board",), "wrong-type", "board must be a text, a list of cells or a list of rows.")
            return ""
        text = "".join("." if part in (None, "") else without_selectors(str(part)) for part in parts)
        if len(text) > LONGEST_BOARD:
            self._fault(("board",), "too-long", f"board must have at most {LONGEST_BOARD} characters.")
        return text

    def read(self, board: object) -> str:
        """Return the contents of the cells, one character for each."""
        if isinstance(board, list | str):
            self._read_part(board, self._shape(board), ("board",))
        else:
            self._fault(("board",), "wrong-type", f"board must be a list or a string, not {shown(board)}.")
        return self._cells()

    def read_drawing(self, cells: Sequence[object]) -> str:
        """Return the contents of the cells of a drawn board, one character for each."""
        self._read_part([*cells], (len(cells),), ("board",), ("board",))
        return self._cells()

    def _cells(self) -> str:
        cells, faults = read_cells(self._contents, self._game.marks)
        for cell, code, detail in faults:
            self._fault(("board",) if cell is None else self.paths[cell], code, detail)
        return cells

    def _shape(self, board: str | list[object]) -> Shape:
        """Return the dimensions of the board as it is written."""
        game, layers = self._game, _layers(self._game)
        flat, rows = (game.cells,), (game.cells // game.columns, game.columns)
        nested = rows if layers == 1 else (layers, rows[0] // layers, game.columns)
        apart = (layers, game.cells // layers)
        if isinstance(board, str):
            return nested
        if any(isinstance(item, list) for item in board):
            return rows if _are_rows(board, game) else apart if _are_flat(board, game) else nested
        has_strings = any(isinstance(item, str) and len(without_selectors(item)) > 1 for item in board)
        if not has_strings or len(board) == game.cells:
            return flat
        return nested if len(board) == layers else rows

    def _read_part(self, items: object, shape: Shape, path: Path, text: Path | None = None) -> None:
        """Read the cells below ``path``; ``text`` is the path of the string around them, where their pointers end."""
        if not shape:
            self._contents.append(items)
            self.paths.append(text or path)
            return
        whole = "The board" if len(path) == 1 else f"{UNIT[len(shape)].capitalize()} {path[-1]} (from 0)"
        if isinstance(items, str):
            text = text or path
            items, shape = _split(items, shape, self._game.boards)
        if not isinstance(items, list):
            needed = f"Expected a {UNIT[len(shape)]} of {shape[0]} {UNITS[len(shape)]}"
            self._fault(path, "wrong-type", f"{needed} instead of {shown(items)}.")
            return
        if len(items) != shape[0]:
            needed = f"{self._game.name} needs {shape[0]}."
            found = counted(len(items), UNITS[len(shape)].removesuffix("s"))
            self._fault(text or path, "board-size", f"{whole} has {found}; {needed}")
        for index, item in zip(range(shape[0]), items, strict=False):
            self._read_part(item, shape[1:], (*path, index), text)

    def _fault(self, path: Path, code: str, detail: str) -> None:
        self.errors.append(Error(pointer(*path), code, detail))


def _are_rows(board: list[object], game: Game) -> bool:
    """Return whether lists are the rows of all layers, one after another, and not layers."""
    lists = [item for item in board if isinstance(item, list)]
    if len(board) != game.cells // game.columns or any(isinstance(cell, list) for row in lists for cell in row):
        return False
    return game.rows > 1 or all(len(row) == game.columns for row in lists)


def _are_flat(board: list[object], game: Game) -> bool:
    """Return whether lists are the cells of layers or boards, without rows."""
    cells = game.cells // _layers(game)
    return all(isinstance(item, list) and len(item) == cells and list not in map(type, item) for item in board)


def _layers(game: Game) -> int:
    """Return the number of layers or of boards of a game: no game has several of both."""
    return game.layers * game.boards


def _parts(board: str | list[object]) -> Iterator[object]:
    """Yield the parts of a list, which may be nested once; a string is one part."""
    for part in [board] if isinstance(board, str) else board:
        yield from part if isinstance(part, list) else [part]


def _split(text: str, shape: Shape, boards: int) -> tuple[list[str], Shape]:
    """Return the rows of a text and the shape that they should have; if it is a single row, return its cells."""
    whole = without_selectors(re.sub(r"\r?\n\Z", "", text))
    rows = re.split(r"/|\r?\n", whole)
    if len(shape) == 1 or len(rows) == 1:
        return list(whole), (prod(shape),)
    *outer, inner, columns = shape
    if outer and len(rows) == boards:
        return rows, (boards, inner * columns)
    return rows, (prod(outer) * inner, columns)


def _violation_error(violation: Violation, paths: Sequence[Path]) -> Error:
    if violation.about_player:
        return Error("/player", violation.code, violation.detail)
    where = "/board" if violation.cell is None else pointer(*paths[violation.cell])
    return Error(where, violation.code, violation.detail)
