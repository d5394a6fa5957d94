"""Notakto: both players write X on one or more boards. A board with a line is dead.

The player who kills the last board loses. In Treblecross, on a single row of cells, that player wins.
"""

from collections.abc import Iterator, Mapping, Sequence
from math import comb
from typing import Unpack

from service.games.boards.geometry import Geometry
from service.games.boards.grid import Line
from service.games.boards.marks import (
    completed,
    first_line,
    mask_of,
    no_last_move,
    not_to_move,
    read_marks,
    shared,
    write_marks,
)
from service.games.game import Game, Violation
from service.games.notation.moves import MoveName
from service.games.parameters import Parameter, board_size
from service.games.rules.notakto import Notakto
from service.games.states import Named, StateGame
from service.kernel.states.family import State


class NotaktoGame(StateGame):
    """Notakto; ``rows`` and ``columns`` are those of one board. The boards stand below each other."""

    family = "notakto"
    marks = "X"
    title = "Notakto"
    about = "Both players write X, on one or several boards."
    move_form = (
        "the cell, such as 4 or `b2`; on several boards the board and the cell, such as `1.4`, or the `move` of "
        "answers, such as 13"
    )
    board_form = "`X` or `.` for each cell, with a slash between boards"
    PARAMETERS = (
        Parameter(name="boards", values=range(1, 9), default=1, about="The number of boards.", example=2),
        *board_size(3, 3, 3, defaults=(3, 3, 3)),
        Parameter(
            name="misere",
            values=bool,
            default=True,
            about="Whether the player who kills the last board loses. In Treblecross it is false.",
        ),
    )
    players = ("first", "second")

    def __init__(
        self,
        *,
        boards: int = 1,
        rows: int = 3,
        columns: int = 3,
        in_a_row: int = 3,
        misere: bool = True,
        **named: Unpack[Named],
    ) -> None:
        geometry = Geometry(rows, columns, in_a_row)
        one = geometry.boards(2)
        end = "loses" if misere else "wins"
        super().__init__(
            rules=f"Both players write X; a board with {in_a_row} in a row is dead; who kills the last board {end}.",
            rows=boards * rows,
            columns=columns,
            parameters={"boards": boards, "rows": rows, "columns": columns, "in_a_row": in_a_row, "misere": misere},
            play=Notakto(geometry.compiled(), boards, misere),
            states=comb(one + boards - 1, boards),
            **named,
        )
        self._boards = boards
        self._board_cells = geometry.cells
        self._lines = tuple(
            tuple(cell + board * geometry.cells for cell in line) for board in range(boards) for line in geometry.lines
        )

    def contents(self, state: State, turn: int) -> str:
        """Return the marks of all boards."""
        return write_marks(state[0] | state[1] << 32, 0, self.cells)

    def text(self, state: State, turn: int) -> str:
        """Return the boards, separated by slashes."""
        marks, size = self.contents(state, turn), self._board_cells
        return "/".join(marks[start : start + size] for start in range(0, self.cells, size))

    def read(self, text: str, turn: int | None) -> tuple[State, int]:
        """Read the marks; their number determines whose turn it is."""
        marks = read_marks(text, self.cells, "X.")
        second, first = divmod(mask_of(marks, "X"), 1 << 32)
        written = marks.count("X")
        return self.checked((first, second), written % 2, not_to_move(self.players, written, turn))

    def violations(self, state: State, turn: int) -> Iterator[Violation]:
        """Yield a violation if a board was played on after it was dead."""
        for board, lines in enumerate(self._lines_of_boards()):
            found = completed(lines, state[0] | state[1] << 32)
            if found and not shared(found):
                yield no_last_move("The board" if self._boards == 1 else f"Board {board}")

    def move_faults(self, state: State, turn: int, move: int) -> Iterator[Violation]:
        """Yield a violation if the cell is marked, and one if its board is dead."""
        yield from Game.move_faults(self, state, turn, move)
        board = move // self._board_cells
        if any(move_line[0] // self._board_cells == board for move_line in self.dead_lines(state)):
            yield Violation("illegal-move", "the board is dead" if self._boards == 1 else f"board {board} is dead")

    def move_name(self, move: int) -> MoveName:
        """Return the cell, after the number of its board if there are several."""
        board, cell = divmod(move, self._board_cells)
        return move if self._boards == 1 else f"{board}.{cell}"

    def move_fields(self, move: int) -> Mapping[str, MoveName | bool | None]:
        """Return the board."""
        return {} if self._boards == 1 else {"board_number": move // self._board_cells}

    def line(self, state: State) -> Line | None:
        """Return the first line of the last board."""
        return first_line(reversed(self._lines), state[0] | state[1] << 32)

    def dead_lines(self, state: State) -> Sequence[Line]:
        """Return the first line of each dead board."""
        found = (first_line(lines, state[0] | state[1] << 32) for lines in self._lines_of_boards())
        return [line for line in found if line is not None]

    def _lines_of_boards(self) -> Iterator[Sequence[Line]]:
        size = len(self._lines) // self._boards
        return (self._lines[start : start + size] for start in range(0, len(self._lines), size))
