"""Numerical tic-tac-toe: one player writes odd digits, the other even ones; a full line with sum 15 decides.

Each digit is used once; lines count digits of both players.
"""

from collections.abc import Iterator, Mapping
from typing import Unpack

from service.games.boards.geometry import Geometry
from service.games.boards.grid import Line
from service.games.boards.marks import mask_of_line, no_last_move, not_to_move, read_marks, shared
from service.games.game import Game, UnreadableError, Violation
from service.games.notation.moves import MoveName
from service.games.parameters import MISERE
from service.games.rules.numerical import Numerical
from service.games.states import Named, StateGame
from service.kernel.states.family import START, State

TARGET = 15

PARITY = ("13579", "2468")
"""The digits of each player."""


class NumericalGame(StateGame):
    """Numerical tic-tac-toe on 3x3."""

    family = "numerical"
    marks = "123456789"
    title = "Numerical tic-tac-toe"
    about = "Odd digits against even ones; a full line with the sum 15 decides."
    move_form = "the digit and the cell, such as `5@4`, `5@b2` or `5b2`"
    board_form = "a digit or `.` for each cell; 0 is an empty cell"
    PARAMETERS = (MISERE,)
    players = ("odd", "even")

    def __init__(self, *, misere: bool = False, **named: Unpack[Named]) -> None:
        geometry = Geometry(3, 3, 3)
        end = "loses" if misere else "wins"
        super().__init__(
            rules="One player writes 1, 3, 5, 7, 9, the other 2, 4, 6, 8, each digit once; "
            f"the first to fill a line with the sum 15 {end}.",
            rows=3,
            columns=3,
            parameters={"misere": misere},
            play=Numerical(geometry.compiled(), TARGET, misere),
            states=600_000,
            **named,
        )
        self._lines = geometry.lines

    def contents(self, state: State, turn: int) -> str:
        """Return the digits."""
        found = ["."] * self.cells
        for digit in range(9):
            cell = state[digit % 2] >> 4 * (digit // 2) & 15
            if cell:
                found[cell - 1] = str(digit + 1)
        return "".join(found)

    def read(self, text: str, turn: int | None) -> tuple[State, int]:
        """Read the digits; their number determines whose turn it is."""
        digits = read_marks(text, self.cells, "123456789.")
        written = self.cells - digits.count(".")
        faults = [*_repeated(digits), *_parity(digits), *not_to_move(self.players, written, turn)]
        if faults:  # a state cannot hold a repeated digit
            raise UnreadableError([*faults, *self._impossible_last_move(digits, 1 - written % 2)])
        state = START
        for cell, digit in enumerate(digits):
            if digit != ".":
                state = _with_digit(state, int(digit) - 1, cell)
        return self.checked(state, written % 2)

    def violations(self, state: State, turn: int) -> Iterator[Violation]:
        """Yield a violation if the last move cannot have completed all lines with the sum."""
        return self._impossible_last_move(self.contents(state, turn), 1 - turn)

    def _impossible_last_move(self, digits: str, mover: int) -> Iterator[Violation]:
        lines = self._full_lines(digits)
        if not lines:
            return
        last = shared([*map(mask_of_line, lines)])
        if not last:
            yield no_last_move("The board")
        elif not any(last >> cell & 1 and digit in PARITY[mover] for cell, digit in enumerate(digits)):
            detail = f"A line has the sum {TARGET}, which ended the game, but {self.players[mover]} has moved since."
            yield Violation("played-after-the-end", detail)

    def move_faults(self, state: State, turn: int, move: int) -> Iterator[Violation]:
        """Yield a violation if the cell is taken, the digit is used, or the digit belongs to the other player."""
        yield from Game.move_faults(self, state, turn, move)
        digit = str(move // self.cells + 1)
        if digit in self.contents(state, turn):
            yield Violation("repeated-digit", f"the digit {digit} is used already")
        if digit not in PARITY[turn]:
            yield Violation("wrong-digit", f"the digit {digit} is not one of {self.players[turn]}")

    def after_any(self, state: State, move: int) -> State:
        """Return the state with one more digit, of either player."""
        return _with_digit(state, move // self.cells, move % self.cells)

    def move_name(self, move: int) -> MoveName:
        """Return the digit and the cell."""
        return f"{move // self.cells + 1}@{move % self.cells}"

    def cell_of(self, move: int) -> int:
        """Return the cell."""
        return move % self.cells

    def move_fields(self, move: int) -> Mapping[str, MoveName | bool | None]:
        """Return the digit."""
        return {"mark": str(move // self.cells + 1)}

    def line(self, state: State) -> Line | None:
        """Return the first full line with the sum."""
        return next(iter(self._full_lines(self.contents(state, 0))), None)

    def _full_lines(self, contents: str) -> list[Line]:
        """Return the full lines with the sum."""
        digits = [int(digit) if digit != "." else 99 for digit in contents]
        return [line for line in self._lines if sum(digits[cell] for cell in line) == TARGET]


def _with_digit(state: State, digit: int, cell: int) -> State:
    """Return a state with a digit, counted from 0, in an empty cell."""
    placed = (cell + 1) << 4 * (digit // 2)
    return (state[0], state[1] | placed) if digit % 2 else (state[0] | placed, state[1])


def _repeated(digits: str) -> Iterator[Violation]:
    """Yield a violation for each repeated digit."""
    for digit in "123456789":
        if digits.count(digit) > 1:
            detail = f"The digit {digit} stands in more than one cell; each is used once."
            yield Violation("repeated-digit", detail)


def _parity(digits: str) -> Iterator[Violation]:
    """Yield a violation unless there are as many odd digits as even ones, or one more."""
    odd, even = (sum(digit in own for digit in digits) for own in PARITY)
    if odd - even not in (0, 1):
        detail = (
            f"There are {odd} odd digits and {even} even ones; odd begins and players take turns, "
            "so there are as many of them or one more."
        )
        yield Violation("mark-count", detail)
