"""The look-ahead of weaker players: a search in which every move costs one ply, then an estimate by live lines."""

import cython

from service.kernel import bits, bounds, ordering
from service.kernel.board import Board
from service.kernel.limits import Limits
from service.kernel.ordering import MoveList

PROVEN = 1 << 60
"""The base value of a won position in a look-ahead, greater than any estimate. The score of the win is added."""

C_PROVEN = cython.declare(cython.longlong, PROVEN)


class LookAhead:
    """Plain alpha-beta of fixed depth, without a transposition table."""

    def __init__(self, board: Board, move_list: MoveList, limits: Limits) -> None:
        self._board = board
        self._list = move_list
        self._limits = limits

    def value(
        self,
        mine: bits.Mask,
        theirs: bits.Mask,
        marks: cython.int,
        depth: cython.int,
        alpha: cython.longlong,
        beta: cython.longlong,
    ) -> cython.longlong:
        """Return the value for the player to move, who cannot win at once; outside of the window, a bound on it."""
        if self._limits.count_node():
            return 0
        moves: bits.Mask = self._board.non_losing_moves(mine, theirs)
        if not moves:
            return bounds.lost_score(self._board, marks) - C_PROVEN
        if marks + (1 if self._board.misere else 2) >= self._board.cells:
            return 0
        if depth == 0:
            return self._estimate(mine, theirs)
        best: cython.longlong = -2 * C_PROVEN
        value: cython.longlong
        place: cython.int = marks * ordering.MAX_MOVES
        end: cython.int = self._list.sort(mine, theirs, moves, place)
        while place < end and best < beta:
            value = -self.value(theirs, mine | self._list.moves[place], marks + 1, depth - 1, -beta, -max(alpha, best))
            if self._limits.stopped:
                return 0
            best = max(best, value)
            place += 1
        return best

    def _estimate(self, mine: bits.Mask, theirs: bits.Mask) -> cython.longlong:
        """Return the difference of the players' potentials: each mark on a live line doubles the value of the line."""
        good: cython.longlong = bounds.potential(self._board, mine, theirs)
        bad: cython.longlong = bounds.potential(self._board, theirs, mine)
        return bad - good if self._board.misere else good - bad
