"""Boards of two marks as texts, for families whose states are masks of cells in the order of the board."""

from collections.abc import Iterable

from service.families.game import UnreadableError
from service.games.game import Line


def write_marks(x: int, o: int, cells: int) -> str:
    """Return ``X``, ``O`` or ``.`` for each cell."""
    return "".join("X" if x >> cell & 1 else "O" if o >> cell & 1 else "." for cell in range(cells))


def read_marks(text: str, cells: int, signs: str = "XO.") -> str:
    """Return the signs of the cells in a text, in which rows may be set apart. Raises UnreadableError."""
    found = text.upper().replace("/", "").replace("\n", "").replace(" ", ".").replace("-", ".").replace("_", ".")
    if len(found) != cells:
        raise UnreadableError(f"The board has {len(found)} cells; the game needs {cells}.")
    for cell, sign in enumerate(found):
        if sign not in signs:
            written = ", ".join(signs[:-1])
            raise UnreadableError(f"Cell {cell} contains {sign}; write {written}, or . for an empty cell.")
    return found


def mask_of(text: str, sign: str) -> int:
    """Return the mask of the cells that hold a sign."""
    return sum(1 << cell for cell, found in enumerate(text) if found == sign)


def first_line(lines: Iterable[Line], mask: int) -> Line | None:
    """Return the first of the lines of which all cells are in a mask."""
    return next((line for line in lines if all(mask >> cell & 1 for cell in line)), None)


def turn_of(game_players: tuple[str, str], marks: int, turn: int | None) -> int:
    """Return whose turn it is after so many marks. Raises UnreadableError if someone else was named."""
    by_marks = marks % 2
    if turn is not None and turn != by_marks:
        right, wrong = game_players[by_marks], game_players[turn]
        raise UnreadableError(f"After {marks} marks {right} is to move, not {wrong}.")
    return by_marks


def turn_after(lines: tuple[bool, bool], turn: int | None) -> int:
    """Return whose turn it is where the number of marks does not tell it: X's if nothing is said.

    ``lines``: whether X and O have a line, which only the player who moved last can have. Raises UnreadableError.
    """
    if all(lines):
        raise UnreadableError("X and O both have a line; the first of them has ended the game.")
    if turn is not None and lines[turn]:
        owner, other = ("XO", "OX")[turn]
        raise UnreadableError(f"{owner} has a line and so has moved last: {other} is to move, not {owner}.")
    return turn if turn is not None else int(lines[0])


def mine_and_theirs(text: str, turn: int | None) -> tuple[tuple[int, int], int]:
    """Return the masks of the player to move and of the other, and whose turn it is. Raises UnreadableError.

    X begins, and the number of marks tells whose turn it is.
    """
    x, o = mask_of(text, "X"), mask_of(text, "O")
    behind = x.bit_count() - o.bit_count()
    if behind not in (0, 1):
        raise UnreadableError(
            f"X has {x.bit_count()} marks and O has {o.bit_count()}; X begins and players take turns, "
            "so X has as many as O or one more."
        )
    if turn is not None and turn != behind:
        raise UnreadableError(f"With these marks {'XO'[behind]} is to move, not {'XO'[turn]}.")
    return ((o, x) if behind else (x, o)), behind
