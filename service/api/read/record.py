"""Moves in all accepted spellings: lists of moves, strings of names, and strings of columns under gravity.

A move is a number, counted from 0, or a name such as ``b3``. The number is that of a cell; under gravity that of a
column.
"""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from service.api.problems import Error, faulty, pointer, shortened
from service.api.wire.requests import COUNTED
from service.games.game import ONGOING, Game
from service.games.notation.moves import MoveName
from service.games.position import Position

MAX_LEGAL = 8
"""The maximum number of legal moves that an error names."""

DIGITS = "0123456789"

NAMES = re.compile(r"\([^()]*\)|(?:popping +)?(?:(?:cell|col|column) +)?[^\s,]+", re.IGNORECASE)
"""One name in a string of names."""

NAME = re.compile(r"((cell|col|column) +[0-9]+|([0-9]+:)?[a-z]+[0-9]*|\([0-9, ]+\))\.?", re.IGNORECASE | re.ASCII)
"""The name of a move that cannot be a string of columns."""

NAME_OR_DIGIT = re.compile(f"{NAME.pattern}|[0-9]", NAME.flags)
"""The name of a move or a digit, for games without strings of columns."""

TEXT = re.compile(COUNTED)

WAYS = ((0, 0), (0, 1), (1, 0), (1, 1))
"""The ways to read numbers in texts: counted from 0 or 1; and of a pair, with the row or the column first."""

READINGS = "counted from 0 or from 1"
PAIR_READINGS = f"with the row or the column first, {READINGS}"
"""The reason why pairs of numbers are ambiguous."""

TRY_DROPS = " Give a string of columns as drops."
"""The advice for a string of columns that was read as one large number."""

INVALID = frozenset(
    {
        *("conflicting-field", "not-a-choice", "wrong-type", "too-long", "no-column-string", "no-digit"),
        *("board-size", "unknown-mark", "wrong-index", "ambiguous", "unreadable-position"),
    }
)
"""Codes of faults that make a field invalid; every other code means that the position is impossible."""

Record = Sequence[MoveName] | str
"""Moves in order: numbers or names; or names in one string; or a string of columns, counted from 1."""

SomeGame = TypeVar("SomeGame", bound=Game)

Fault = tuple[str, str]
"""The code of an error and its detail."""


@dataclass(frozen=True)
class Written:
    """Moves as written: ``first`` is the number of the first cell or column.

    ``error`` returns the error of the move at an index. ``hint`` is the advice for a number that is too large.
    ``faults`` are those of the text as a whole.
    """

    moves: Sequence[MoveName]
    first: int
    error: Callable[[int, Fault], Error]
    hint: str = ""
    faults: Sequence[Error] = ()


def read_record(start: Position[SomeGame], moves: Record, field: str = "moves") -> tuple[list[int], Position[SomeGame]]:
    """Return the numbers of the moves, in order, and the position after them.

    Raises a Problem that names every fault by its place in the ``field`` of the request, counted from 0. After the
    first fault the turn is passed; a later move is named if it is not legal in that position either.
    """
    played, position, errors = play_record(start, written_moves(start.game, moves, field))
    refuse(errors)
    return played, position


def refuse(errors: Sequence[Error]) -> None:
    """Raise a Problem with the errors, if there are any."""
    if errors:
        is_invalid = any(error.code in INVALID for error in errors)
        raise faulty("invalid-request" if is_invalid else "impossible-position", errors)


def written_moves(game: Game, moves: Record, field: str = "moves", *, in_query: bool = False) -> Written:
    """Return the moves in a list or a string."""
    written = _written(game, moves, field, in_query=in_query)
    if len(written.moves) <= game.longest_record:
        return written
    error = Error(pointer(field), "too-long", f"{field} must have at most {game.longest_record} entries.")
    return Written((), 0, written.error, faults=[error])


def _written(game: Game, moves: Record, field: str, *, in_query: bool) -> Written:
    if not isinstance(moves, str):
        hint = TRY_DROPS if in_query and game.has_columns else ""
        listed = Written(moves, 0, lambda ply, fault: Error(pointer(field, ply), *fault), hint)
        return _resolved(game, listed) if str in map(type, moves) else listed

    def error(place: int, fault: Fault) -> Error:  # a pointer cannot point into a string
        return Error(pointer(field), fault[0], f"{field}[{place}]: {fault[1]}")

    names = NAMES.findall(moves)
    name = NAME if game.no_columns is None else NAME_OR_DIGIT
    are_names = not moves or (names and all(map(name.fullmatch, names)))
    if not game.reads_columns or (field != "drops" and are_names):
        return _resolved(game, Written(names, 0, error))
    faults = [*_column_faults(game, moves, field, error)]
    return Written((), 1, error, faults=faults) if faults else Written([int(digit) - 1 for digit in moves], 1, error)


def _resolved(game: Game, written: Written) -> Written:
    """Replace the numbers in texts by move numbers, if all of them together have exactly one reading."""
    texts = {place: text for place, text in enumerate(written.moves) if isinstance(text, str) and TEXT.fullmatch(text)}
    if not texts:
        return written
    numbers = [[*map(int, re.findall("[0-9]+", text))] for text in texts.values()]
    ways = {way: [game.counted_move(each, *way) for each in numbers] for way in WAYS}
    whole = {tuple(found): first for (first, _), found in ways.items() if None not in found}
    has_numbers = any(isinstance(move, int) for move in written.moves)
    if len(whole) == 1 and not (has_numbers and 1 in whole.values()):
        meant = dict(zip(texts, *whole, strict=True))
        return replace(written, moves=[meant.get(place, move) for place, move in enumerate(written.moves)])
    faults = []
    for (place, text), readings in zip(texts.items(), zip(*ways.values(), strict=True), strict=True):
        several = [*dict.fromkeys(game.names[number] for number in readings if number is not None)]
        if several:
            why = PAIR_READINGS if "(" in text else READINGS
            why = why if len(several) > 1 else "but then other moves count from another number"
            write = " or ".join(map(json.dumps, several))
            detail = f"{json.dumps(text)} can mean {' or '.join(several)}, {why}. Write {write}."
            faults.append(written.error(place, ("ambiguous", detail)))
    return replace(written, moves=(), faults=faults) if faults else written


def _column_faults(game: Game, text: str, field: str, error: Callable[[int, Fault], Error]) -> Iterator[Error]:
    """Yield why a text is no string of columns: the game has no columns, or a character is no digit."""
    if game.no_columns is not None:
        yield Error(pointer(field), "no-column-string", game.no_columns)
        return
    columns = f"{game.name} has columns 1 to {game.columns}."
    for place, character in enumerate(text):
        if character not in DIGITS:
            yield error(place, ("no-digit", f"{json.dumps(character)} is not a digit; {columns}"))


def play_record(start: Position[SomeGame], written: Written) -> tuple[list[int], Position[SomeGame], list[Error]]:
    """Return the numbers of the legal moves, the position after all moves, and the faults of the other moves."""
    played, position = ([], start) if written.faults else _play_legal(start, written.moves)
    errors, was_over = [*written.faults], False
    for place, name in enumerate(written.moves[len(played) :], len(played)):
        move = position.game.find(position.state, name)
        if was_over or _is_over(position, is_first=not errors):
            if not was_over:
                errors.append(written.error(place, ("played-after-the-end", "The game was over before this move.")))
            elif move is None:
                errors.append(written.error(place, _no_such_move(position, name, written, "")))
            was_over = True
            continue
        faults = [*_faults(position, name, move, written, is_first=not errors)]
        if move is None or faults:
            errors += [written.error(place, fault) for fault in faults]
            position = position.passed()
            continue
        position = position.play_anyway(move)
        played.append(move)
    return played, position, errors


def _play_legal(start: Position[SomeGame], names: Sequence[MoveName]) -> tuple[list[int], Position[SomeGame]]:
    """Play moves until one is not legal or the game is over; return their numbers, and the position after them."""
    game, state, turn, played = start.game, start.state, start.turn, list[int]()
    for name in names:
        move = game.find(state, name)
        if move is None or game.result(state) != ONGOING or any(game.move_faults(state, turn, move)):
            break
        state, turn = game.after(state, move), 1 - turn
        played.append(move)
    return played, replace(start, state=state, turn=turn)


def _is_over(position: Position, *, is_first: bool) -> bool:
    """Return whether the game is over before a move. After a fault turns are passed, so being stuck does not end it."""
    if position.result == ONGOING:
        return False
    return is_first or position.winning_line is not None or "." not in position.contents


def _faults(
    position: Position, name: MoveName, move: int | None, written: Written, *, is_first: bool
) -> Iterator[Fault]:
    """Yield every reason why a move is not legal; at the first fault of a record, name the legal moves."""
    if move is None:
        yield _no_such_move(position, name, written, _legal(position) if is_first else "")
        return
    game, shown = position.game, _shown(name, written)
    for number, fault in enumerate(game.move_faults(position.state, position.turn, move)):
        legal = _legal(position) if is_first and not number else ""
        yield fault.code, f"{game.not_legal(shown, fault)}{legal}."


def _no_such_move(position: Position, name: MoveName, written: Written, legal: str) -> Fault:
    shown = _shown(name, written)
    code, detail = position.game.no_such_move(
        name, json.dumps(shown) if isinstance(name, str) else shown, written.first
    )
    return code, f"{detail}{legal}.{'' if isinstance(name, str) else written.hint}"


def _shown(name: MoveName, written: Written) -> str:
    """Return a move as an error shows it, cut to fit into a sentence."""
    return shortened(name if isinstance(name, str) else str(name + written.first))


def _legal(position: Position) -> str:
    """Return the end of a sentence with the legal moves; empty where every empty cell is a legal move."""
    if position.game.cells_tell_all:
        return ""
    names = ", ".join(str(position.game.move_name(move)) for move in position.legal_moves[:MAX_LEGAL])
    return f"; legal moves are {names}{' and others' if len(position.legal_moves) > MAX_LEGAL else ''}"
