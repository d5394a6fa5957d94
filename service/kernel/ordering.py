"""Move ordering: it does not change the score, but a cut-off comes sooner if the best move comes first.

With perfect ordering, alpha-beta visits about the square root of the leaves (Knuth and Moore, 1975). Moves are sorted
by the threats that they make, then by the lines through their cell. In misère games the order is reversed.
"""

from array import array

import cython

from service.kernel import bits
from service.kernel.board import Board

MAX_MOVES = 64  # the maximum number of moves of a position


class MoveList:
    """Sorted moves, as single bits in the array ``moves``, for searches that do not keep children in ``Nodes``.

    A position with ``marks`` marks uses the places from ``marks * MAX_MOVES`` on, so that a whole line of play fits.
    """

    def __init__(self, board: Board) -> None:
        self._board = board
        places = MAX_MOVES * board.cells
        self.moves = array("Q", bytes(8 * places))
        self._priorities = array("i", bytes(4 * places))

    def sort(self, mine: bits.Mask, theirs: bits.Mask, moves: bits.Mask, start: cython.int) -> cython.int:
        """Write the moves into places from ``start`` on, the most promising first; return the place after the last."""
        move: bits.Mask
        priority: cython.int
        place: cython.int
        end: cython.int = start
        while moves:
            move = moves & (0 - moves)
            moves ^= move
            priority = self._priority(mine, theirs, move)
            place = end
            while place > start and self._priorities[place - 1] < priority:
                self._priorities[place] = self._priorities[place - 1]
                self.moves[place] = self.moves[place - 1]
                place -= 1
            self._priorities[place] = priority
            self.moves[place] = move
            end += 1
        return end

    def _priority(self, mine: bits.Mask, theirs: bits.Mask, move: bits.Mask) -> cython.int:
        empty: bits.Mask = self._board.full ^ (mine | theirs | move)
        cell: cython.int = bits.cell(move)
        made: cython.int = bits.count(self._board.threats(mine | move, empty))
        if self._board.misere:
            return 64 * (64 - made) - self._board.weights[cell]
        return 64 * made + self._board.weights[cell]


def child_priority(
    board: Board,
    occupied: bits.Mask,
    opponent_wins: bits.Mask,
    move: bits.Mask,
    threats: bits.Mask,
    replies: bits.Mask,
    tt_cell: cython.int,
) -> cython.int:
    """Return the priority of a move, given as a single bit; moves of greater priority are tried first.

    ``threats`` are the cells in which the mover could complete a line afterwards, ``opponent_wins`` those in which the
    opponent could now. ``replies`` are the opponent's moves that do not lose at once. ``tt_cell`` is the best move of
    the transposition table, or -1.

    Without gravity the best move of the transposition table comes first. Under gravity it gains nothing. A move gains
    most by threats that can be completed next, and loses priority for each reply.
    """
    cell: cython.int = bits.cell(move)
    rank: cython.int
    if board.misere or not board.drop:
        rank = board.weights[cell] + 64 * bits.count(threats)
        if board.misere:
            rank = -rank
        return rank + (1 << 20 if cell == tt_cell else 0)
    # A threat above one of the opponent's is never completed: either player who fills the cell below it loses.
    useful: bits.Mask = threats & (board.full ^ (opponent_wins >> board.drop))
    next_cells: bits.Mask = board.playable(occupied | move) >> board.drop
    rank = 2 * board.weights[cell] + 10 * bits.count(useful) + 120 * bits.count(useful & next_cells)
    return rank - 10 * bits.count(replies)
