"""Positions of families as people write them: a text of the family, rows, cells, or the moves that led to it."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType

from service.api.problems import Error, faulty, pointer, shortened
from service.api.requests import LONGEST_BOARD, MOST_MOVES
from service.api.signs import EMPTY_SIGNS, Fault, read_cells, without_selectors
from service.explain.names import cell_name
from service.games.game import Game, UnreadableError, Violation
from service.games.position import Position, read_position

MAX_LEGAL = 8
"""Legal moves that an error names."""

MOST_GAMES = 16
"""Games whose other names of moves are kept."""

PLAIN = frozenset("XO.")
"""Contents of cells that need no reading."""

DIGITS = frozenset("123456789.")
"""Contents of the cells of a board of digits."""

COLUMN = re.compile(r"[dp][0-9]+", re.IGNORECASE)
"""The name of a move in a column, if the board has it."""

INVALID = frozenset(
    {
        *("conflicting-field", "not-a-choice", "wrong-type", "too-long"),
        *("board-size", "unknown-mark", "wrong-index", "ambiguous", "unreadable-position"),
    }
)
"""Codes of faults that make a field invalid; with all others the position is impossible."""

BETWEEN_ROWS = frozenset("/\r\n")
"""Characters of a board that are no cells."""

Moves = Sequence[int | str] | str
Cell = int | str | None


def read_family_position(
    game: Game, board: object = None, moves: Moves | None = None, player: str | None = None
) -> Position:
    """Return the position that a request gives; without board and moves, the initial one.

    Raises a Problem that names every fault.
    """
    errors = []
    if board is not None and moves is not None:
        errors.append(Error(pointer("moves"), "conflicting-field", "Give the board or the moves, not both."))
    named = None if player is None else _player_named(game, player)
    if player is not None and named is None:
        errors.append(Error(pointer("player"), "not-a-choice", f"player must be {' or '.join(game.players)}."))
    if board is not None:
        position, found = _read_board(game, board, named)
    else:
        _, position, found = _play(Position(game), moves or (), "moves")
        if named not in (None, position.player):
            detail = f"{position.player} is to move, not {named}."
            found.append(Error(pointer("player"), "player-not-to-move", detail))
    _refuse([*errors, *found])
    return position


def play_moves(start: Position, moves: Moves, field: str = "moves") -> tuple[list[int], Position]:
    """Return the numbers of the moves, in order, and the position after them.

    Raises a Problem that names every fault, in the ``field`` of the request. After the first one the turn is passed,
    and of the moves that follow those are named that are not legal then either.
    """
    played, position, errors = _play(start, moves, field)
    _refuse(errors)
    return played, position


def _refuse(errors: Sequence[Error]) -> None:
    """Raise the Problem with the errors, if there are any."""
    if errors:
        is_invalid = any(error.code in INVALID for error in errors)
        raise faulty("invalid-request" if is_invalid else "impossible-position", errors)


def _play(start: Position, moves: Moves, field: str) -> tuple[list[int], Position, list[Error]]:
    """Return the numbers of the legal moves, the position after all moves, and every fault of the others."""
    written = split_names(moves) if isinstance(moves, str) else moves
    if len(written) > MOST_MOVES:
        error = Error(pointer(field), "too-long", f"{field} must have at most {MOST_MOVES} entries.")
        return [], start, [error]
    position, played, errors = start, list[int](), list[Error]()
    for place, name in enumerate(written):
        move = move_named(position.game, name)
        if not errors and move in position.legal_moves:
            played.append(move)
            position = position.play(move)
            continue
        faults = [*_move_faults(position, name, move, is_first=not errors)]
        if (
            faults
            and faults[0].code == "played-after-the-end"
            and any(error.code == faults[0].code for error in errors)
        ):
            continue  # said of the first one already
        at, prefix = (pointer(field), f"{field}[{place}]: ") if isinstance(moves, str) else (pointer(field, place), "")
        errors += [Error(at, fault.code, f"{prefix}{fault.detail}") for fault in faults]
        position = position.passed() if faults or move is None else position.play_anyway(move)
    return played, position, errors


def split_names(text: str) -> list[str]:
    """Return the names of moves in a text, with commas or spaces between them."""
    return re.findall(r"[^\s,]+", text)


def label(game: Game, move: int) -> str:
    """Return what a move is called in sentences and in the terminal: ``b2``, ``Xb2``, ``a1-b2``."""
    fields = game.move_fields(move)
    if "pop" in fields:
        return str(game.move_name(move))
    cell = cell_name(game, game.cell_of(move))
    start = fields.get("from")
    return f"{fields.get('mark', '')}{cell}" if start is None else f"{cell_name(game, int(start))}-{cell}"


def move_named(game: Game, name: int | str) -> int | None:
    """Return the number of the move, legal or not, that a name in either case means; None if there is none."""
    written = str(name).strip().lower()
    move = game.moves_by_name.get(written)
    return _moves_by_other_names(game).get(written) if move is None else move


@lru_cache(MOST_GAMES)
def _moves_by_other_names(game: Game) -> Mapping[str, int]:
    """Return every move by the names that answers do not use, in lower case. No two moves share one."""
    return {name.lower(): move for move in range(game.play.moves) for name in _other_names(game, move)}


def _other_names(game: Game, move: int) -> Iterator[str]:
    yield label(game, move)
    fields, cell = game.move_fields(move), game.cell_of(move)
    if "board_number" in fields:
        yield str(cell)
    if "mark" in fields:
        yield f"{fields['mark']}@{cell_name(game, cell)}"
    if fields.get("from") is not None:
        yield f"{fields['from']}-{cell}"
        yield label(game, move).replace("-", ">")
        if game.rows > 1:  # 12 could be a point, or a move from 1 to 2
            yield label(game, move).replace("-", "")


def _player_named(game: Game, player: str) -> str | None:
    """Return the player of the game that is written so, in either case."""
    return next((known for known in game.players if known.lower() == player.lower()), None)


def _read_board(game: Game, board: object, player: str | None) -> tuple[Position, list[Error]]:
    """Return the position on a board, and every fault of it; the initial position if there are some."""
    start, cells = Position(game), _cells(board)
    if cells is None:
        detail = "board must be a text, a list of cells or a list of rows."
        return start, [Error(pointer("board"), "wrong-type", detail)]
    if len(cells) > LONGEST_BOARD:
        detail = f"board must have at most {LONGEST_BOARD} characters."
        return start, [Error(pointer("board"), "too-long", detail)]
    text, faults = _text(game, cells)
    if faults:
        return start, [Error(pointer("board"), fault.code, fault.detail) for fault in faults]
    try:
        return read_position(game, text, player), []
    except UnreadableError as error:
        return start, [
            Error(pointer("player" if violation.about_player else "board"), violation.code, violation.detail)
            for violation in error.violations
        ]


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


def _text(game: Game, cells: Sequence[Cell]) -> tuple[str, list[Fault]]:
    """Return cells as the family writes them, and the contents that mean nothing, or two things."""
    if game.family not in READERS:
        return "".join("." if cell in (None, "") else str(cell) for cell in cells), []
    contents = [cell for cell in cells if cell not in BETWEEN_ROWS]
    if PLAIN.issuperset(contents):  # most boards, in a third of the time
        return "".join(map(str, contents)), []
    text, faults = READERS[game.family](contents)
    if len(contents) == game.cells:
        return text, faults
    # What a number means depends on its place, which is not known then.
    size = Fault(None, "board-size", f"The board has {len(contents)} cells; the game needs {game.cells}.")
    return text, [size, *(fault for fault in faults if fault.code == "unknown-mark")]


def _read_digits(contents: Sequence[Cell]) -> tuple[str, list[Fault]]:
    """Return a character for each cell, and the contents that are no digits."""
    texts = ["." if cell in (None, 0, "0", *EMPTY_SIGNS) else str(cell) for cell in contents]
    write = "write a digit from 1 to 9, or null, 0 or . for an empty cell."
    faults = [
        Fault(cell, "unknown-mark", f"Cell {cell} contains {shortened(text)}; {write}")
        for cell, text in enumerate(texts)
        if text not in DIGITS
    ]
    return "".join(text[0] for text in texts), faults


READERS: Mapping[str, Callable[[Sequence[Cell]], tuple[str, list[Fault]]]] = MappingProxyType(
    dict.fromkeys(("wild", "notakto", "order-and-chaos", "morris", "pop-out", "exactly"), read_cells)
    | {"numerical": _read_digits}
)
"""How the cells of a board are read, by family; ``vanishing`` does not write a board, but the order of its marks."""


def _move_faults(position: Position, name: int | str, move: int | None, *, is_first: bool) -> Iterator[Violation]:
    """Yield every reason why a move is not legal.

    The first fault of a record is followed by what is legal instead; later the position is not the one meant.
    """
    shown = shortened(str(name))
    # Later a player may only seem to have no move, because the turn was passed.
    is_over = not position.legal_moves if is_first else position.winning_line is not None
    legal = f"; legal moves are {_legal(position)}." if is_first and not is_over else "."
    if move is None:
        code, sentence = _no_such_move(position.game, shown)
        yield Violation(code, f"{sentence}{legal}")
    elif is_over:
        yield Violation("played-after-the-end", f"The game was over before the move {shown}.")
    else:
        for fault in position.game.move_faults(position.words, position.turn, move):
            yield Violation(fault.code, f"{shown} is not legal: {fault.detail}{legal}")
            legal = "."


def _legal(position: Position) -> str:
    names = ", ".join(str(position.game.move_name(move)) for move in position.legal_moves[:MAX_LEGAL])
    return f"{names} and others" if len(position.legal_moves) > MAX_LEGAL else names


def _no_such_move(game: Game, name: str) -> tuple[str, str]:
    """Return the code of a name that no move has, and what to say of it."""
    if name.isdigit() and "0" in game.moves_by_name:
        return "no-such-cell", f"There is no cell {name}; the game has cells 0 to {game.cells - 1}"
    if game.upright and COLUMN.fullmatch(name):
        return "no-such-column", f"There is no column {name[1:]}; the game has columns 0 to {game.columns - 1}"
    return "no-such-move", f"There is no move {name}"
