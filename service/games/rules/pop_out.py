"""Pop-out Connect Four. A state is the mask of the player to move and that of the other.

Columns stand one after another with the bottom lowest. A move is a column, or the number of columns and the column that
is popped.
"""

import cython

from service.games.boards.cells import CellFamily, Cells
from service.kernel import bits
from service.kernel.states import family


class PopOut(CellFamily):
    """``both`` is the result for the player to move after a pop that completed lines of both players."""

    def __init__(self, cells: Cells, rows: int, both: int) -> None:
        super().__init__(cells, 2 * (cells.cells // rows), cells.images)
        self._columns = cells.cells // rows
        self._rows = rows
        self._both = both
        self._column = (1 << rows) - 1
        self._bottom = sum(1 << rows * column for column in range(self._columns))

    def play(self, first: cython.ulonglong, second: cython.ulonglong, move: cython.int) -> bits.Pair:
        """Drop a disc into a column that is not full, or pop one's own."""
        bottom: cython.int = self._rows * (move % self._columns)
        column: cython.ulonglong = self._column << bottom
        occupied: cython.ulonglong = first | second
        one: cython.ulonglong = cython.cast(cython.ulonglong, 1) << bottom
        if move < self._columns:
            if occupied & column == column:
                return bits.Pair(first=family.ILLEGAL, second=family.ILLEGAL)
            return bits.Pair(first=second, second=first | (occupied & column) + one)
        if not first & one:
            return bits.Pair(first=family.ILLEGAL, second=family.ILLEGAL)
        return bits.Pair(first=self._popped(second, column), second=self._popped(first, column))

    def result(self, first: cython.ulonglong, second: cython.ulonglong) -> cython.int:
        """Return the result by the lines of both players: a pop can complete lines of the other player too."""
        mine: cython.bint = self._cells.has_line(first)
        if self._cells.has_line(second):
            return self._both if mine else family.LOST
        if mine:
            return family.WON
        return family.ONGOING if first | second != self._cells.full or first & self._bottom else family.DRAWN

    def _popped(self, mask: cython.ulonglong, column: cython.ulonglong) -> cython.ulonglong:
        """Return the mask after a column has fallen by one."""
        return mask & ~column | (mask & column) >> 1 & column
