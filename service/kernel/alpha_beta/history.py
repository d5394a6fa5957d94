"""The history of cut-offs: moves that have cut off elsewhere are tried early."""

from array import array

import cython

from service.kernel.board import Board

PLIES_BITS = cython.declare(cython.const_int, 3)
"""Positions of eight plies share their history. Most cut-offs are near the end of the game, and an order learned there
misleads near its beginning, where a wrong order costs most."""

FRACTION_BITS = cython.declare(cython.const_int, 16)

MOVE_LIMIT = cython.declare(cython.const_int, 10 << 16)
MOVE_BITS = cython.declare(cython.const_int, 8)
REPLY_LIMIT = cython.declare(cython.const_int, 8 << 16)
REPLY_BITS = cython.declare(cython.const_int, 3)
"""The greatest value of a move and of a reply, in fractions of a point of ``child_priority``, and their memory.

Each count moves a value by one part in ``2 ** bits`` of its distance to the limit, or to the negative of it. So a move
remembers its last 256 counts or so, a reply its last eight.
"""


class History:
    """How often each move has cut off recently, and each reply to a move, by player and plies.

    This is the history heuristic (Schaeffer, 1983), once for moves alone and once for pairs of a move and its reply. It
    is kept under gravity, outside of misère. In other games it costs nodes, so no move gains anything.
    """

    def __init__(self, board: Board) -> None:
        self._kept = board.drop != 0 and not board.misere
        self._cells = board.cells
        parts = 2 * (1 + (board.cells >> PLIES_BITS)) if self._kept else 0
        self._moves = array("i", bytes(4 * parts * board.cells))
        self._replies = array("i", bytes(4 * parts * board.cells * board.cells))

    def bonus(self, marks: cython.int, last: cython.int, cell: cython.int) -> cython.int:
        """Return what a move gains in priority, in a position of ``marks`` marks.

        ``last`` is the cell of the move before; if forced moves led to the position, of the move before them.
        """
        if not self._kept:
            return 0
        part: cython.int = self._part(marks)
        return (
            self._moves[part * self._cells + cell] + self._replies[(part * self._cells + last) * self._cells + cell]
        ) >> FRACTION_BITS

    def count(self, marks: cython.int, last: cython.int, cell: cython.int, has_cut_off: cython.bint) -> None:
        """Count a move that has cut off, or that was tried in vain before the one that has."""
        if not self._kept:
            return
        part: cython.int = self._part(marks)
        sign: cython.int = 1 if has_cut_off else -1
        move: cython.int = part * self._cells + cell
        reply: cython.int = (part * self._cells + last) * self._cells + cell
        self._moves[move] += (sign * MOVE_LIMIT - self._moves[move]) >> MOVE_BITS
        self._replies[reply] += (sign * REPLY_LIMIT - self._replies[reply]) >> REPLY_BITS

    def _part(self, marks: cython.int) -> cython.int:
        """Return the number of the player to move and of the plies."""
        return 2 * (marks >> PLIES_BITS) + (marks & 1)
