"""Pop-out Connect Four: a move drops a disc into a column, or removes one's own disc at the bottom of a column.

The discs above a removed one fall.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import Unpack

from service.games.boards.geometry import Geometry
from service.games.boards.grid import Line
from service.games.boards.marks import first_line, mask_of, not_to_move, read_marks, write_marks
from service.games.game import Violation
from service.games.notation.moves import MoveName
from service.games.parameters import Parameter, board_size
from service.games.rules.pop_out import PopOut
from service.games.states import Named, StateGame
from service.kernel.states.family import START, State

BOTH: Mapping[str, int] = MappingProxyType({"mover-wins": 1, "draw": 2, "opponent-wins": 3})
"""The winner after a pop that completes lines of both players, as the result for the next player to move."""


class PopOutGame(StateGame):
    """Pop-out Connect Four on a board of any size."""

    family = "pop-out"
    title = "Pop-out Connect Four"
    about = "A player drops a disc, or takes one of their own out at the bottom."
    move_form = "`d3` drops a disc into column 3, `p3` takes one out of it"
    PARAMETERS = (
        *board_size(4, 4, 4, defaults=(None, None, 4)),
        Parameter(
            name="both",
            values=tuple(BOTH),
            default="mover-wins",
            about="The winner after a pop that completes lines of both players.",
            choices="BothLines",
        ),
    )
    relative = True
    upright = True
    loops = True

    def __init__(
        self,
        *,
        rows: int,
        columns: int,
        in_a_row: int = 4,
        both: str = "mover-wins",
        **named: Unpack[Named],
    ) -> None:
        geometry = Geometry(rows, columns, in_a_row, gravity=True)
        stacks = 2 ** (rows + 1) - 1  # contents of a column
        super().__init__(
            rules=f"Players drop a disc into a column or take one of their own out at its bottom; {in_a_row} in a row "
            "win.",
            rows=rows,
            columns=columns,
            parameters={"rows": rows, "columns": columns, "in_a_row": in_a_row, "both": both},
            play=PopOut(geometry.compiled(self._place(rows, columns)), rows, BOTH[both]),
            states=(stacks**columns + stacks ** -(-columns // 2)) // 2,
            **named,
        )
        self._to_place = self._place(rows, columns)
        self._lines = geometry.lines
        self._first_to_win = 0 if both == "opponent-wins" else 1  # index of the word that wins if both have a line

    @staticmethod
    def _place(rows: int, columns: int) -> Callable[[int], int]:
        """Return the function from a cell of the board to its place in a column of the rules."""
        return lambda cell: cell % columns * rows + rows - 1 - cell // columns

    def contents(self, state: State, turn: int) -> str:
        """Return the discs, row by row from the top."""
        return write_marks(self._board(state[turn]), self._board(state[1 - turn]), self.cells)

    def read(self, text: str, turn: int | None) -> tuple[State, int]:
        """Read the discs; X is to move if their number is even."""
        marks = read_marks(text, self.cells)
        discs = self.cells - marks.count(".")
        x, o = (self._packed(mask_of(marks, sign)) for sign in "XO")
        faults = [*self._floating(marks), *not_to_move(self.players, discs, turn)]
        return self.checked((o, x) if discs % 2 else (x, o), discs % 2, faults)

    def violations(self, state: State, turn: int) -> Iterator[Violation]:
        """Yield a violation if no move of an unfinished game leads to the state."""
        if state != START and all(self.result(before) for before in self._before(state)):
            detail = f"No last move of {self.players[1 - turn]} leads to this board from one where the game goes on."
            yield Violation("no-last-move", detail)

    def _before(self, state: State) -> Iterator[State]:
        """Yield the states from which a move of the last mover leads here, finished ones included."""
        theirs, mine = state
        for column in range(self.columns):
            bottom = column * self.rows
            stack = (1 << self.rows) - 1 << bottom
            discs = (mine | theirs) & stack
            top = 1 << discs.bit_length() - 1 if discs else 0
            if mine & top:
                yield mine & ~top, theirs
            if not discs >> bottom + self.rows - 1:
                lifted = [mask & ~stack | (mask & stack) << 1 for mask in state]
                yield lifted[1] | 1 << bottom, lifted[0]

    def _floating(self, marks: str) -> Iterator[Violation]:
        for cell in range(self.cells - self.columns):
            if marks[cell] != "." and marks[cell + self.columns] == ".":
                yield Violation("floating-mark", f"The disc in cell {cell} floats above an empty cell.", cell=cell)

    def move_faults(self, state: State, turn: int, move: int) -> Iterator[Violation]:
        """Yield a violation if the column of a drop is full, or the disc of a pop is not the player's own."""
        board, column = self.contents(state, turn), move % self.columns
        if move < self.columns:
            if board[column] != ".":
                yield Violation("full-column", f"column {column} is full")
        elif board[self.cell_of(move)] != self.players[turn]:
            yield Violation("illegal-move", f"the lowest disc of column {column} is not one of {self.players[turn]}")

    def move_name(self, move: int) -> MoveName:
        """Return d for a drop or p for a pop, and the column."""
        return f"{'dp'[move // self.columns]}{move % self.columns}"

    def label(self, move: int) -> str:
        """Return the name of a move in tables, with its column counted from 1: ``drop1``, ``pop1``."""
        return f"{'drop' if move < self.columns else 'pop'}{self.column_of(self.cell_of(move)) + 1}"

    @cached_property
    def names(self) -> Sequence[str]:
        """The names of all moves: ``column 1``, ``popping column 1``."""
        columns = [f"column {column + 1}" for column in range(self.columns)]
        return [*columns, *(f"popping {column}" for column in columns)]

    def cell_of(self, move: int) -> int:
        """Return the lowest cell of the column."""
        return self.cells - self.columns + move % self.columns

    def move_fields(self, move: int) -> Mapping[str, MoveName | bool | None]:
        """Return whether the move is a pop."""
        return {"pop": move >= self.columns}

    def line(self, state: State) -> Line | None:
        """Return the first line of the player who has won."""
        owner = self._first_to_win
        return first_line(self._lines, self._board(state[owner])) or first_line(
            self._lines, self._board(state[1 - owner])
        )

    def _board(self, mask: int) -> int:
        return sum(1 << cell for cell in range(self.cells) if mask >> self._to_place(cell) & 1)

    def _packed(self, mask: int) -> int:
        return sum(1 << self._to_place(cell) for cell in range(self.cells) if mask >> cell & 1)
