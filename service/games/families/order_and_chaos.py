"""Order and Chaos: both write X or O, as they like; Order wants a line of equal marks, Chaos a full board without one.

Order wins by any line, whoever completes it. States and moves are those of wild tic-tac-toe.
"""

from typing import Unpack

import cython

from service.games.boards.cells import Cells
from service.games.boards.geometry import Geometry
from service.games.families.wild import EitherMark, Wild, boards_of_either_mark
from service.games.parameters import Parameter, board_size
from service.games.states import Named
from service.kernel import bits
from service.kernel.states import family


class OrderAndChaos(Wild):
    """The number of marks tells whose turn it is."""

    def __init__(self, cells: Cells, chaos_first: bool) -> None:
        super().__init__(cells, misere=False)
        self._chaos_first = chaos_first

    def result(self, first: cython.ulonglong, second: cython.ulonglong) -> cython.int:
        """Judge a line, then a full board, for Order or for Chaos."""
        order_to_move: cython.bint = bits.count(first | second) % 2 == self._chaos_first
        if self._cells.has_line(first) or self._cells.has_line(second):
            return family.WON if order_to_move else family.LOST
        if first | second != self._cells.full:
            return family.ONGOING
        return family.LOST if order_to_move else family.WON

    def hope(self, first: cython.ulonglong, second: cython.ulonglong, to_move: cython.bint) -> cython.int:
        """Count the plies to a line for Order; Chaos wins on a full board, and at once if no line is left."""
        order_to_move: cython.bint = bits.count(first | second) % 2 == self._chaos_first
        if order_to_move != to_move:
            return 1
        plies: cython.int = self.missing(first, second)
        return max(-1, self.remaining(first, second) + 1 - plies)

    def promise(self, first: cython.ulonglong, second: cython.ulonglong) -> cython.int:
        """Add up what the open lines are worth to Order."""
        worth: cython.int = self._cells.worth(first, second) + self._cells.worth(second, first)
        return worth if bits.count(first | second) % 2 == self._chaos_first else -worth


class OrderAndChaosGame(EitherMark):
    """Order and Chaos; ``first`` says who begins."""

    family = "order-and-chaos"
    title = "Order and Chaos"
    about = "Order wants a line of equal marks, Chaos a full board without one."
    PARAMETERS = (
        *board_size(4, 4, 4),
        Parameter(
            name="first",
            values=("order", "chaos"),
            default="order",
            about="The player who begins.",
            choices="FirstSide",
        ),
    )
    players = ("Order", "Chaos")

    def __init__(
        self,
        *,
        rows: int,
        columns: int,
        in_a_row: int,
        first: str = "order",
        **named: Unpack[Named],
    ) -> None:
        geometry = Geometry(rows, columns, in_a_row)
        super().__init__(
            rules=f"Both players write X or O, as they like; Order wins if there are ever {in_a_row} alike in a row, "
            "Chaos if the board is full without that.",
            rows=rows,
            columns=columns,
            parameters={"rows": rows, "columns": columns, "in_a_row": in_a_row, "first": first},
            play=OrderAndChaos(geometry.compiled(), first == "chaos"),
            states=boards_of_either_mark(geometry),
            **named,
        )
        if first == "chaos":
            self.players = ("Chaos", "Order")
        self._lines = geometry.lines
