"""The nodes of the search tree in memory: those of the current line, and their children."""

from array import array

import cython

from service.kernel import bits, bounds
from service.kernel.board import Board
from service.kernel.limits import Limits
from service.kernel.table import Table


class Nodes:
    """Nodes in *slots*: one array for each property, described in ``nodes.pxd``.

    Slot 0 is the root. Children of a node are in consecutive slots.
    """

    def __init__(self, board: Board, table: Table, limits: Limits, slots: cython.int) -> None:
        self._board = board
        self._table = table
        self._limits = limits
        words = [array("Q", bytes(8 * slots)) for _ in range(7)]
        self._mine, self._theirs, self._own_wins, self._opponent_wins, self._moves, self._keys, self._checks = words
        numbers = [array("i", bytes(4 * slots)) for _ in range(8)]
        self._marks, self._lower, self._upper, self._best, self._best_cell, *_ = numbers
        *_, self._move_cell, self._side, self._priority = numbers

    def _enter(
        self,
        slot: cython.int,
        mine: bits.Mask,
        theirs: bits.Mask,
        own_wins: bits.Mask,
        opponent_wins: bits.Mask,
        marks: cython.int,
    ) -> None:
        """Put a position into a slot, after its forced moves.

        While only one move does not lose at once, there is no choice: the move is played without making a node.
        ``_side`` becomes 1 if the player to move is the same afterwards, else -1. The bounds become exact if the game
        ends on the way, else infinite.
        """
        swap: bits.Mask
        side: cython.int = 1
        last: cython.int = self._board.cells - (1 if self._board.misere else 2)
        moves: bits.Mask = self._board.non_losing(mine | theirs, own_wins, opponent_wins)
        while moves and not moves & (moves - 1) and marks < last:
            swap = mine
            mine = theirs
            theirs = swap | moves
            own_wins = opponent_wins & (self._board.full ^ moves)
            opponent_wins = self._board.threats(theirs, self._board.full ^ (mine | theirs))
            marks += 1
            side = -side
            moves = self._board.non_losing(mine | theirs, own_wins, opponent_wins)
        self._mine[slot] = mine
        self._theirs[slot] = theirs
        self._own_wins[slot] = own_wins
        self._opponent_wins[slot] = opponent_wins
        self._marks[slot] = marks
        self._side[slot] = side
        self._moves[slot] = moves
        self._keys[slot] = 0
        self._lower[slot] = self._upper[slot] = 0 if moves else bounds.lost_score(self._board, marks)
        if moves and marks < last:
            self._lower[slot] = -bounds.INFINITY
            self._upper[slot] = bounds.INFINITY

    def _apply_static_bounds(self, slot: cython.int, alpha: cython.int, beta: cython.int) -> None:
        """Narrow the bounds of a slot without a search; give it a key if they stay open.

        A cell on no live line of either player is *dead*: marking it is a pass. So the key ignores who has marked dead
        cells, and without gravity only one of the moves to dead cells is kept. Under gravity an empty dead cell still
        counts, because of the cells above it.
        """
        mine: bits.Mask = self._mine[slot]
        theirs: bits.Mask = self._theirs[slot]
        marks: cython.int = self._marks[slot]
        gravity: cython.bint = self._board.drop != 0
        misere: cython.bint = self._board.misere
        if gravity and not misere:
            self._upper[slot] = bounds.claimeven_bound(
                self._board, mine, theirs, self._opponent_wins[slot], marks, alpha
            )
            if self._upper[slot] <= alpha:
                return
        live: bits.Mask = self._board.live(theirs)
        live_theirs: bits.Mask = self._board.live(mine)
        most: cython.int = bounds.static_upper(self._board, mine, theirs, marks, alpha, live_theirs if misere else live)
        least: cython.int = bounds.static_lower(self._board, mine, theirs, marks, beta, live if misere else live_theirs)
        self._upper[slot] = upper = min(most, self._upper[slot])
        self._lower[slot] = lower = min(least, upper)
        if lower < upper and lower < beta and alpha < upper:
            dead: bits.Mask = self._board.full ^ (live | live_theirs)
            if gravity:
                dead &= mine | theirs
            else:
                idle: bits.Mask = self._moves[slot] & dead
                self._moves[slot] ^= idle & (idle - 1)
            self._keys[slot], self._checks[slot] = self._table.key_of(mine | dead, theirs | dead, marks)

    def _apply_tt_bounds(self, slot: cython.int) -> cython.int:
        """Narrow the bounds of a slot by its entry in the table; return the cell of the best move, -1 if unknown.

        All bounds are proven. If two of them contradict each other, one is false: clear the bucket and end the search.
        """
        key: bits.Word = self._keys[slot]
        lower, upper, cell = self._table.probe(key, self._checks[slot], self._marks[slot])
        self._lower[slot] = max(self._lower[slot], lower)
        self._upper[slot] = min(self._upper[slot], upper)
        if self._lower[slot] > self._upper[slot]:
            self._table.clear(key, self._marks[slot])
            self._limits.contradict()
        return cell
