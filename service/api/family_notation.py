"""Positions of families as people write them: a text of the family, rows, cells, or the moves that led to it."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType

from service.api.problems import Error, faulty, pointer, shortened
from service.api.signs import EMPTY_SIGNS, Fault, read_cells, without_selectors
from service.explain.family_names import cell_words
from service.families.game import FamilyGame, UnreadableError
from service.families.position import FamilyPosition, read_position

MOST_MOVES = 1024
"""The most moves of a game so far; games with loops have no end of their own."""

LONGEST_BOARD = 256
"""Characters of the longest text of a position."""

MAX_LEGAL = 8
"""Legal moves that an error names."""

MOST_GAMES = 16
"""Games whose other names of moves are kept."""

PLAIN = frozenset("XO.")
"""Contents of cells that need no reading."""

BETWEEN_ROWS = frozenset("/\r\n")
"""Characters of a board that are no cells."""

Moves = Sequence[int | str] | str
Cell = int | str | None


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
    written = split_names(moves) if isinstance(moves, str) else moves
    if len(written) > MOST_MOVES:
        raise _invalid(field, "too-long", f"{field} must have at most {MOST_MOVES} entries.")
    position, played = start, []
    for place, name in enumerate(written):
        at = pointer(field) if isinstance(moves, str) else pointer(field, place)
        move = _read_move(position, name, at)
        played.append(move)
        position = position.play(move)
    return played, position


def split_names(text: str) -> list[str]:
    """Return the names of moves in a text, with commas or spaces between them."""
    return re.findall(r"[^\s,]+", text)


def label(game: FamilyGame, move: int) -> str:
    """Return what a move is called in sentences and in the terminal: ``b2``, ``Xb2``, ``a1-b2``."""
    fields = game.move_fields(move)
    if not {"pop", "board"}.isdisjoint(fields):
        return str(game.move_name(move))
    cell = cell_words(game, game.cell_of(move))
    start = fields.get("from")
    return f"{fields.get('mark', '')}{cell}" if start is None else f"{cell_words(game, int(start))}-{cell}"


def move_named(game: FamilyGame, name: int | str) -> int | None:
    """Return the number of the move, legal or not, that a name in either case means; None if there is none."""
    written = str(name).strip().lower()
    move = game.moves_by_name.get(written)
    return _moves_by_other_names(game).get(written) if move is None else move


@lru_cache(MOST_GAMES)
def _moves_by_other_names(game: FamilyGame) -> Mapping[str, int]:
    """Return every move by the names that answers do not use, in lower case. No two moves share one."""
    return {name.lower(): move for move in range(game.play.moves) for name in _other_names(game, move)}


def _other_names(game: FamilyGame, move: int) -> Iterator[str]:
    yield label(game, move)
    fields, cell = game.move_fields(move), game.cell_of(move)
    if "board" in fields:
        yield str(cell)
    if "mark" in fields:
        yield f"{fields['mark']}@{cell_words(game, cell)}"
    if fields.get("from") is not None:
        yield f"{fields['from']}-{cell}"
        yield label(game, move).replace("-", ">")
        if game.rows > 1:  # 12 could be a point, or a move from 1 to 2
            yield label(game, move).replace("-", "")


def _read_player(game: FamilyGame, player: str) -> str:
    """Return the player of the game that is written so, in either case."""
    for known in game.players:
        if known.lower() == player.lower():
            return known
    raise _invalid("player", "not-a-choice", f"player must be {' or '.join(game.players)}.")


def _read_board(game: FamilyGame, board: object, player: str | None) -> FamilyPosition:
    cells = _cells(board)
    if cells is None:
        raise _invalid("board", "wrong-type", "board must be a text, a list of cells or a list of rows.")
    if len(cells) > LONGEST_BOARD:
        raise _invalid("board", "too-long", f"board must have at most {LONGEST_BOARD} characters.")
    text = _text(game, cells)
    try:
        return read_position(game, text, player)
    except UnreadableError as error:
        raise faulty("impossible-position", [Error(pointer("board"), "unreadable-position", str(error))]) from None


def _cells(board: object) -> list[Cell] | None:
    """Return the cells of a text or of a list, which may be nested once; what stands between rows is among them."""
    if isinstance(board, str):
        return [*without_selectors(board)]
    if not isinstance(board, list):
        return None
    parts = [cell for part in board for cell in (part if isinstance(part, list) else [part])]
    if not all(cell is None or isinstance(cell, str) or type(cell) is int for cell in parts):
        return None
    return [cell for part in parts for cell in (without_selectors(part) if part and isinstance(part, str) else [part])]


def _text(game: FamilyGame, cells: Sequence[Cell]) -> str:
    """Return cells as the family writes them. Raises a Problem for contents that mean nothing, or two things."""
    if game.family not in READERS:
        return "".join("." if cell in (None, "") else str(cell) for cell in cells)
    contents = [cell for cell in cells if cell not in BETWEEN_ROWS]
    if PLAIN.issuperset(contents):  # most boards, in a third of the time
        return "".join(map(str, contents))
    text, faults = READERS[game.family](contents)
    if faults and len(contents) == game.cells:  # with another number of cells, the family says so
        raise faulty("invalid-request", [Error(pointer("board"), fault.code, fault.detail) for fault in faults])
    return text


def _read_digits(contents: Sequence[Cell]) -> tuple[str, list[Fault]]:
    """Return a character for each cell, and the numbers that are no digits."""
    texts = ["." if cell in (None, 0, "0", *EMPTY_SIGNS) else str(cell) for cell in contents]
    write = "write a digit from 1 to 9, or null, 0 or . for an empty cell."
    faults = [
        Fault(cell, "unknown-mark", f"Cell {cell} contains {shortened(text)}; {write}")
        for cell, text in enumerate(texts)
        if len(text) > 1
    ]
    return "".join(text[0] for text in texts), faults


READERS: Mapping[str, Callable[[Sequence[Cell]], tuple[str, list[Fault]]]] = MappingProxyType(
    dict.fromkeys(("wild", "notakto", "order-and-chaos", "morris", "pop-out", "exactly"), read_cells)
    | {"numerical": _read_digits}
)
"""How the cells of a board are read, by family; ``vanishing`` does not write a board, but the order of its marks."""


def _read_move(position: FamilyPosition, name: int | str, at: str) -> int:
    """Return the number of a legal move by its name. Raises a Problem that says what is legal instead."""
    game = position.game
    move = move_named(game, name)
    if move is not None and move in position.legal_moves:
        return move
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
