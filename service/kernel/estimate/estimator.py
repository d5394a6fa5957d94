"""A search of limited depth with an evaluation at its end, for positions too far from their end to be proven.

The results are no proofs, so the estimator keeps them in a table of its own. It also reads proven bounds from the
transposition table. An entry is two words, the key and the data. The data, lowest bits first::

    32 bits  value, plus 2^31
    8 bits   depth
    2 bits   whether the value is exact, a lower or an upper bound
    7 bits   cell of the best move, plus 1
"""

import cython

from service.kernel import bits, bounds, ordering
from service.kernel.board import Board
from service.kernel.bounds import WIN_ESTIMATE
from service.kernel.estimate.candidates import Candidates
from service.kernel.estimate.evaluation import Evaluation
from service.kernel.limits import Limits
from service.kernel.memory import private_words
from service.kernel.table import Table

ESTIMATE_ENTRIES = 1 << 17
"""The entries of the table: 2 MB. Only used pages take memory."""

C_WIN_ESTIMATE = cython.declare(cython.longlong, WIN_ESTIMATE)
ESTIMATE_INDEX = cython.declare(cython.ulonglong, ESTIMATE_ENTRIES - 1)
VALUE_BITS = cython.declare(cython.const_ulonglong, (1 << 32) - 1)
BIAS = cython.declare(cython.const_longlong, 1 << 31)
PROBE_DEPTH = cython.declare(cython.const_int, 2)  # with fewer plies left a probe costs more than it saves


class Estimator:
    """Alpha-beta of limited depth. Forced moves cost no depth, other moves the plies that ``Candidates`` gives them.

    Without proven bounds, the value of a position at a depth does not depend on the order of moves, and is the same for
    symmetric positions. Therefore an entry is only valid for its own depth; at another depth it gives the first move.
    ``marks`` is the number of marks; ``own_wins`` and ``opponent_wins`` are the empty cells by which each player would
    complete a line. A result satisfies the invariant of ``Search.bound``; it has no meaning after a stop.
    """

    def __init__(self, board: Board, table: Table, limits: Limits) -> None:
        self._board = board
        self._table = table
        self._limits = limits
        self._words = private_words(2 * ESTIMATE_ENTRIES)
        self._candidates = Candidates(board)
        self._evaluation = Evaluation(board)

    def value(  # noqa: PLR0911, each cut-off is a return
        self,
        mine: bits.Mask,
        theirs: bits.Mask,
        own_wins: bits.Mask,
        opponent_wins: bits.Mask,
        marks: cython.int,
        depth: cython.int,
        alpha: cython.longlong,
        beta: cython.longlong,
    ) -> cython.longlong:
        """Return a bound on the value for the player to move, who cannot win at once."""
        if self._limits.count_node():
            return 0
        moves: bits.Mask = self._board.non_losing(mine | theirs, own_wins, opponent_wins)
        if not moves:
            return bounds.lost_score(self._board, marks) - C_WIN_ESTIMATE
        if marks + (1 if self._board.misere else 2) >= self._board.cells:
            return 0
        if not moves & (moves - 1):
            return self._forced(mine, theirs, opponent_wins, marks, depth, alpha, beta, moves)
        if depth <= 0:
            return self._evaluation.value(mine, theirs, own_wins, opponent_wins)
        if depth < PROBE_DEPTH or not self._board.drop or self._board.misere:
            return self._remembered(mine, theirs, opponent_wins, marks, depth, alpha, beta, moves)
        return self._within_proven(mine, theirs, opponent_wins, marks, depth, alpha, beta, moves)

    def _within_proven(
        self,
        mine: bits.Mask,
        theirs: bits.Mask,
        opponent_wins: bits.Mask,
        marks: cython.int,
        depth: cython.int,
        alpha: cython.longlong,
        beta: cython.longlong,
        moves: bits.Mask,
    ) -> cython.longlong:
        """Return a bound within the proven bounds of the position, which are probed in the transposition table.

        Without gravity a probe costs more than it saves, so it is left out. As in ``Nodes``, the key ignores which
        player has marked dead cells.
        """
        dead: bits.Mask = mine | theirs
        dead &= self._board.full ^ (self._board.live(theirs) | self._board.live(mine))
        key, check = self._table.key_of(mine | dead, theirs | dead, marks)
        lower: cython.int
        upper: cython.int
        lower, upper, _cell = self._table.probe(key, check, marks)
        if lower > 0:
            return C_WIN_ESTIMATE + lower
        if upper < 0:
            return upper - C_WIN_ESTIMATE
        least: cython.longlong = 0 if lower == 0 else -2 * C_WIN_ESTIMATE
        most: cython.longlong = 0 if upper == 0 else 2 * C_WIN_ESTIMATE
        if least >= beta or least == most:
            return least
        if most <= alpha:
            return most
        found: cython.longlong = self._remembered(mine, theirs, opponent_wins, marks, depth, alpha, beta, moves)
        return min(max(found, least), most)

    def _forced(
        self,
        mine: bits.Mask,
        theirs: bits.Mask,
        opponent_wins: bits.Mask,
        marks: cython.int,
        depth: cython.int,
        alpha: cython.longlong,
        beta: cython.longlong,
        move: bits.Mask,
    ) -> cython.longlong:
        """Return a bound after the only move that does not lose at once."""
        empty: bits.Mask = self._board.full ^ (mine | theirs | move)
        threats: bits.Mask = self._board.threats(mine | move, empty)
        return -self.value(theirs, mine | move, opponent_wins & empty, threats, marks + 1, depth, -beta, -alpha)

    def _remembered(
        self,
        mine: bits.Mask,
        theirs: bits.Mask,
        opponent_wins: bits.Mask,
        marks: cython.int,
        depth: cython.int,
        alpha: cython.longlong,
        beta: cython.longlong,
        moves: bits.Mask,
    ) -> cython.longlong:
        """Return a bound from the table, or compute and store one."""
        key: bits.Word = bits.mix(mine) ^ bits.mix_otherwise(theirs)
        place: bits.Word = 2 * (key & ESTIMATE_INDEX)
        held: bits.Word = self._words[place + 1] if self._words[place] == key else 0
        if held and cython.cast(cython.int, held >> 32 & 255) == depth:
            value: cython.longlong = cython.cast(cython.longlong, held & VALUE_BITS) - BIAS
            kind: cython.int = cython.cast(cython.int, held >> 40 & 3)
            if bounds.decides(kind, value, alpha, beta):
                return value
        tt_cell: cython.int = cython.cast(cython.int, held >> 42 & 127) - 1
        begin: cython.int = marks * ordering.MAX_MOVES
        end: cython.int = self._candidates.sort(mine, theirs, opponent_wins, moves, begin, tt_cell)
        best: cython.longlong
        cell: cython.int
        best, cell = self._best_of(mine, theirs, opponent_wins, marks, depth, alpha, beta, end)
        if self._limits.stopped:
            return 0
        kind = bounds.kind_of(best, alpha, beta)
        held = cython.cast(cython.ulonglong, best + BIAS) | cython.cast(cython.ulonglong, depth) << 32
        held |= cython.cast(cython.ulonglong, kind) << 40 | cython.cast(cython.ulonglong, cell + 1) << 42
        self._words[place] = key
        self._words[place + 1] = held
        return best

    def _best_of(
        self,
        mine: bits.Mask,
        theirs: bits.Mask,
        opponent_wins: bits.Mask,
        marks: cython.int,
        depth: cython.int,
        alpha: cython.longlong,
        beta: cython.longlong,
        end: cython.int,
    ) -> tuple[cython.longlong, cython.int]:
        """Return a bound on the value of the best sorted move, and its cell; ``end`` is the place after the last move.

        The first move gets the whole window. Each other one gets a null window, and is searched again if it is better:
        principal variation search (Marsland and Campbell, 1982).
        """
        best: cython.longlong = -2 * C_WIN_ESTIMATE
        cell: cython.int = -1
        value: cython.longlong
        begin: cython.int = marks * ordering.MAX_MOVES
        i: cython.int = begin
        while i < end and best < beta:
            if i == begin:
                value = self._move_value(mine, theirs, opponent_wins, marks, depth, alpha, beta, i)
            else:
                value = self._move_value(mine, theirs, opponent_wins, marks, depth, alpha, alpha + 1, i)
                if alpha < value < beta and alpha + 1 < beta and not self._limits.stopped:
                    value = self._move_value(mine, theirs, opponent_wins, marks, depth, alpha, beta, i)
            if self._limits.stopped:
                break
            if value > best:
                best = value
                cell = bits.cell(self._candidates.moves[i])
                alpha = max(alpha, value)
            i += 1
        return best, cell

    def _move_value(
        self,
        mine: bits.Mask,
        theirs: bits.Mask,
        opponent_wins: bits.Mask,
        marks: cython.int,
        depth: cython.int,
        alpha: cython.longlong,
        beta: cython.longlong,
        i: cython.int,
    ) -> cython.longlong:
        """Return a bound on the value of the sorted move in place ``i``, for the player who makes it."""
        after: bits.Mask = mine | self._candidates.moves[i]
        wins: bits.Mask = opponent_wins & (self._board.full ^ after)
        cost: cython.int = self._candidates.costs[i]
        return -self.value(theirs, after, wins, self._candidates.threats[i], marks + 1, depth - cost, -beta, -alpha)
