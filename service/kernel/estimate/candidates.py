"""The moves that the estimator tries: the most promising first, each with its cost in plies.

Under gravity, and in misère games, every move costs one ply. Without gravity there are too many moves for that: the
cost depends on the rank of a move, and only the most promising cost one. Moves of equal priority share a rank, so that
symmetric positions have the same value.
"""

from array import array

import cython

from service.kernel import bits, ordering
from service.kernel.board import Board
from service.kernel.estimate import evaluation

LATE = cython.declare(cython.const_int, 8)
LAST = cython.declare(cython.const_int, 24)
"""The ranks, counted from 0, from which a move without gravity costs two plies (``LATE``) and three (``LAST``)."""

FORK = cython.declare(cython.const_int, 400)
OTHER_FORK = cython.declare(cython.const_int, 300)
THREAT = cython.declare(cython.const_int, 100)
OTHER_THREAT = cython.declare(cython.const_int, 80)
SUPPORT = cython.declare(cython.const_int, 20)
OTHER_SUPPORT = cython.declare(cython.const_int, 15)
"""Priorities of cells without gravity in which a mark makes two threats, one threat, or a line that lacks two cells.

The ``OTHER_`` priorities are for the same effects of a mark of the opponent. A move gets the greatest priority of
each kind that applies, and the number of lines through its cell.
"""


class Candidates:
    """Sorted moves as single bits in ``moves``, with the ``threats`` after each and their ``costs`` in plies.

    A position with ``marks`` marks uses the places from ``marks * MAX_MOVES`` on, as in MoveList.
    """

    def __init__(self, board: Board) -> None:
        self._board = board
        places = ordering.MAX_MOVES * board.cells
        self.moves = array("Q", bytes(8 * places))
        self.threats = array("Q", bytes(8 * places))
        self.costs = array("i", bytes(4 * places))
        self._priorities = array("i", bytes(4 * places))

    def sort(
        self,
        mine: bits.Mask,
        theirs: bits.Mask,
        opponent_wins: bits.Mask,
        moves: bits.Mask,
        begin: cython.int,
        tt_cell: cython.int,
    ) -> cython.int:
        """Write the moves into places from ``begin`` on, sorted; return the place after the last.

        The move to ``tt_cell``, from the table, comes first; the others follow by descending priority.
        """
        end: cython.int
        if self._board.drop or self._board.misere:
            end = self._list_by_threats(mine, theirs, opponent_wins, moves, begin)
        else:
            end = self._list_by_lines(mine, theirs, moves, begin)
            self._set_costs(begin, end)
        self._bring_forward(begin, end, tt_cell)
        return end

    def _list_by_threats(
        self, mine: bits.Mask, theirs: bits.Mask, opponent_wins: bits.Mask, moves: bits.Mask, begin: cython.int
    ) -> cython.int:
        occupied: bits.Mask = mine | theirs
        end: cython.int = begin
        move: bits.Mask
        threats: bits.Mask
        priority: cython.int
        while moves:
            move = moves & (0 - moves)
            moves ^= move
            threats = self._board.threats(mine | move, self._board.full ^ (occupied | move))
            priority = ordering.child_priority(self._board, occupied, opponent_wins, move, threats, 0, -1)
            self._insert(move, threats, priority, begin, end)
            end += 1
        return end

    def _list_by_lines(self, mine: bits.Mask, theirs: bits.Mask, moves: bits.Mask, begin: cython.int) -> cython.int:
        """List moves by the lines through them, in a position in which no player can win at once."""
        forks: bits.Mask
        pairs: bits.Mask
        triples: bits.Mask
        other_forks: bits.Mask
        other_pairs: bits.Mask
        other_triples: bits.Mask
        forks, pairs, triples = useful_cells(self._board, mine, theirs)
        other_forks, other_pairs, other_triples = useful_cells(self._board, theirs, mine)
        end: cython.int = begin
        move: bits.Mask
        threats: bits.Mask
        priority: cython.int
        while moves:
            move = moves & (0 - moves)
            moves ^= move
            threats = self._board.threats(mine | move, self._board.full ^ (mine | theirs | move)) if pairs & move else 0
            priority = self._board.weights[bits.cell(move)]
            priority += FORK if forks & move else THREAT if pairs & move else SUPPORT if triples & move else 0
            if other_forks & move:
                priority += OTHER_FORK
            elif other_pairs & move:
                priority += OTHER_THREAT
            elif other_triples & move:
                priority += OTHER_SUPPORT
            self._insert(move, threats, priority, begin, end)
            end += 1
        return end

    def _insert(
        self, move: bits.Mask, threats: bits.Mask, priority: cython.int, begin: cython.int, end: cython.int
    ) -> None:
        """Insert a move behind all moves of at least its priority, and shift the following ones."""
        place: cython.int = end
        while place > begin and self._priorities[place - 1] < priority:
            self._copy(place - 1, place)
            place -= 1
        self.moves[place] = move
        self.threats[place] = threats
        self.costs[place] = 1
        self._priorities[place] = priority

    def _set_costs(self, begin: cython.int, end: cython.int) -> None:
        place: cython.int
        better: cython.int = 0  # moves of higher priority
        for place in range(begin + 1, end):
            if self._priorities[place] < self._priorities[place - 1]:
                better = place - begin
            self.costs[place] = 1 + (better >= LATE) + (better >= LAST)

    def _bring_forward(self, begin: cython.int, end: cython.int, cell: cython.int) -> None:
        """Move the given cell's move to the front, if it is in the list."""
        place: cython.int = begin
        while place < end and bits.cell(self.moves[place]) != cell:
            place += 1
        if place == end:
            return
        move: bits.Mask = self.moves[place]
        threats: bits.Mask = self.threats[place]
        cost: cython.int = self.costs[place]
        while place > begin:
            self._copy(place - 1, place)
            place -= 1
        self.moves[begin] = move
        self.threats[begin] = threats
        self.costs[begin] = cost

    def _copy(self, place: cython.int, to: cython.int) -> None:
        self.moves[to] = self.moves[place]
        self.threats[to] = self.threats[place]
        self.costs[to] = self.costs[place]
        self._priorities[to] = self._priorities[place]


def useful_cells(board: Board, marks: bits.Mask, against: bits.Mask) -> tuple[bits.Mask, bits.Mask, bits.Mask]:
    """Return the empty cells on several open lines that lack two, on any such line, and on any that lacks three."""
    forks: bits.Mask = 0
    pairs: bits.Mask = 0
    triples: bits.Mask = 0
    cells: bits.Mask
    two: bits.Mask
    three: bits.Mask
    _four: bits.Mask
    pattern: cython.int
    i: cython.int
    for pattern in range(board.patterns):
        two, three, _four = evaluation.lacking(board, marks, against, pattern)
        if two | three:
            for i in range(board.lengths[pattern]):
                cells = (two << board.offsets[i * board.patterns + pattern]) & (board.full ^ marks)
                forks |= pairs & cells
                pairs |= cells
                triples |= three << board.offsets[i * board.patterns + pattern]
    return forks, pairs, triples & (board.full ^ marks)
