"""Boards of two marks as texts, for states that are masks of cells in the order of the board."""

from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from operator import and_

from service.games.boards.grid import Line
from service.games.game import UnreadableError, Violation, counted


def write_marks(x: int, o: int, cells: int) -> str:
    """Return ``X``, ``O`` or ``.`` for each cell."""
    return "".join("X" if x >> cell & 1 else "O" if o >> cell & 1 else "." for cell in range(cells))


def read_marks(text: str, cells: int, signs: str = "XO.") -> str:
    """Return the signs of the cells in a text, with or without separated rows. Raises UnreadableError."""
    found = text.upper().replace("/", "").replace("\n", "").replace(" ", ".").replace("-", ".").replace("_", ".")
    faults = []
    if len(found) != cells:
        faults.append(Violation("board-size", f"The board has {counted(len(found), 'cell')}; the game needs {cells}."))
    written = ", ".join(signs[:-1])
    for cell, sign in enumerate(found):
        if sign not in signs:
            detail = f"Cell {cell} contains {sign}; write {written}, or . for an empty cell."
            faults.append(Violation("unknown-mark", detail, cell=cell))
    if faults:
        raise UnreadableError(faults)
    return found


def read_masks(text: str, cells: int) -> tuple[int, int]:
    """Return the masks of X and of O in a text, as ``read_marks`` reads it. Raises UnreadableError."""
    marks = read_marks(text, cells)
    return mask_of(marks, "X"), mask_of(marks, "O")


def mask_of(text: str, sign: str) -> int:
    """Return the mask of the cells with a sign."""
    return sum(1 << cell for cell, found in enumerate(text) if found == sign)


def mask_of_line(line: Line) -> int:
    """Return the mask of the cells of a line."""
    return sum(1 << cell for cell in line)


def first_line(lines: Iterable[Line], mask: int) -> Line | None:
    """Return the first line whose cells are all in a mask."""
    return next((line for line in lines if all(mask >> cell & 1 for cell in line)), None)


def completed(lines: Iterable[Line], mask: int) -> list[int]:
    """Return the masks of the lines whose cells are all in a mask."""
    return [line for line in map(mask_of_line, lines) if line & ~mask == 0]


def shared(lines: Sequence[int]) -> int:
    """Return the cells common to all lines: the last move is one of them if it completed all lines."""
    return reduce(and_, lines)


def not_to_move(players: tuple[str, str], marks: int, turn: int | None) -> Iterator[Violation]:
    """Yield a violation if the named player is not the one to move after this number of marks."""
    by_marks = marks % 2
    if turn is not None and turn != by_marks:
        right, wrong = players[by_marks], players[turn]
        detail = f"After {marks} marks {right} is to move, not {wrong}."
        yield Violation("player-not-to-move", detail, about_player=True)


def out_of_turn(x: int, o: int, turn: int | None) -> Iterator[Violation]:
    """Yield why X and O cannot have these numbers of marks, since X begins, and why the named player is not to move."""
    if x - o not in (0, 1):
        detail = f"X has {x} marks and O has {o}; X begins and players take turns, so X has as many as O or one more."
        yield Violation("mark-count", detail)
    elif turn is not None and turn != x - o:
        detail = f"With these marks {'XO'[x - o]} is to move, not {'XO'[turn]}."
        yield Violation("player-not-to-move", detail, about_player=True)


def turn_of(
    marks: tuple[int, int], most: int, lines: tuple[bool, bool], turn: int | None
) -> tuple[int, list[Violation]]:
    """Return the turn for these numbers of ``marks`` of X and O, each at most ``most``, and the violations.

    Once both have all their marks, it is the turn of the named player; without one, of the player without a line, since
    only the last mover can have one; without lines, of X. ``lines`` says whether X and O have a line.
    """
    x, o = marks
    if min(marks) < most:
        return int(x > o), [*out_of_turn(x, o, turn)]
    if turn is None or lines[0] == lines[1]:
        return turn or int(lines == (True, False)), []
    if not lines[turn]:
        return turn, []
    owner, other = ("XO", "OX")[turn]
    detail = f"{owner} has a line and so has moved last: {other} is to move, not {owner}."
    return 1 - turn, [Violation("player-not-to-move", detail, about_player=True)]


def line_faults(first: bool, second: bool, turn: int, *, last: bool) -> Iterator[Violation]:
    """Yield what is wrong with the lines of the player to move, ``first``, and of the last mover, ``second``.

    ``last``: a single move can have completed all lines of the last mover.
    """
    owner, other = ("XO", "OX")[turn]
    if first and second:
        yield Violation("two-winners", "X and O both have a line; the first of them has ended the game.")
    elif first:
        detail = f"{owner} has a line, which ended the game, but {other} has moved since."
        yield Violation("played-after-the-end", detail)
    if not last:
        yield no_last_move(other)


def no_last_move(owner: str) -> Violation:
    """Return the violation that no single move can have completed all lines of their owner."""
    return Violation("no-last-move", f"{owner} has lines that no single last move can complete together.")


def no_move_before(owner: str) -> Violation:
    """Return the violation that the last mover, the ``owner``, cannot have made a last move at all."""
    return Violation("no-last-move", f"No last move of {owner} leads to this board from one where the game goes on.")
