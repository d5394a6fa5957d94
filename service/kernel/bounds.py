"""Bounds on the score of a position that need no search: soonest ends, the potential, and claim-even.

``live`` masks are the cells of the lines without a mark of one player; see ``Board.live``.
"""

import cython

from service.kernel import bits
from service.kernel.board import Board

WIN_ESTIMATE = 1 << 24
"""The base value of a won position in a look-ahead, greater than any evaluation. The score of the win is added."""

INFINITY = 1000  # above all scores: a bound that excludes nothing
EXACT = cython.declare(cython.const_int, 0)
LOWER = cython.declare(cython.const_int, 1)
UPPER = cython.declare(cython.const_int, 2)
MAX_TRAPS = cython.declare(cython.const_int, 4)  # the maximum number of traps: all of their subsets are tried


def kind_of(value: cython.longlong, alpha: cython.longlong, beta: cython.longlong) -> cython.int:
    """Return the kind of a value that a search in this window has returned: ``EXACT``, ``LOWER`` or ``UPPER`` bound."""
    return LOWER if value >= beta else EXACT if value > alpha else UPPER


def decides(kind: cython.int, value: cython.longlong, alpha: cython.longlong, beta: cython.longlong) -> cython.bint:
    """Return whether a stored value of this kind makes a search in this window unnecessary."""
    return kind == EXACT or (kind == LOWER and value >= beta) or (kind == UPPER and value <= alpha)


def win_score(board: Board, marks: cython.int) -> cython.int:
    """Return the score of a win by the ``marks``-th mark; 0 if the board has no room for it."""
    return max(0, board.cells + 1 - marks)


def lost_score(board: Board, marks: cython.int) -> cython.int:
    """Return the score of a position in which every move loses at once.

    In misère games the next mark completes a line; else the opponent's next mark does.
    """
    return marks - board.cells if board.misere else marks + 1 - board.cells


def static_upper(
    board: Board,
    mine: bits.Mask,
    theirs: bits.Mask,
    marks: cython.int,
    alpha: cython.int,
    live: bits.Mask,
) -> cython.int:
    """Return an upper bound on the score of a position in which the player to move cannot win with the next mark.

    The soonest possible win limits the score: the player to move needs at least two more marks, or the opponent one
    more in misère games (mate distance pruning in chess). ``live`` is the mask of the cells of the lines by which the
    player to move can still win; without one there is no win. A low ``potential`` also excludes a win; it is only
    computed if a bound of 0 is at most ``alpha``.
    """
    upper: cython.int = win_score(board, marks + 2 if board.misere else marks + 3)
    if not live:
        return 0
    if (
        upper > 0
        and alpha >= 0
        and not board.misere
        and not board.drop
        and 2 * potential(board, mine, theirs) < bits.UNIT
    ):
        return 0
    return upper


def static_lower(
    board: Board,
    mine: bits.Mask,
    theirs: bits.Mask,
    marks: cython.int,
    beta: cython.int,
    live: bits.Mask,
) -> cython.int:
    """Return a lower bound on the score of a position in which some move does not lose at once.

    The soonest possible loss limits the score: the opponent needs at least two more marks, and so does the player to
    move in misère games. ``live`` is the mask of the cells of the lines by which the opponent can still win; without
    one there is no loss. A low ``potential`` also excludes a loss; it is only computed if a bound of 0 is at least
    ``beta``.
    """
    lower: cython.int = -win_score(board, marks + 3 if board.misere else marks + 4)
    if not live:
        return 0
    if lower < 0 and beta <= 0 and not board.misere and not board.drop and potential(board, theirs, mine) < bits.UNIT:
        return 0
    return lower


def potential(board: Board, marks: bits.Mask, against: bits.Mask) -> bits.Word:
    """Return a player's potential: the sum, over the player's live lines, of ``UNIT`` halved for each missing cell.

    The player owns ``marks``, the opponent ``against``; a line is live without a mark of the opponent. In multiples of
    ``UNIT``, the potential is the expected number of the player's lines if coin tosses filled the board. If it is below
    1 with the opponent to move, or below 1/2 with the player to move, the opponent can block every line by always
    marking the cell that lowers it most (Erdős and Selfridge, 1973).
    """
    total: bits.Word = 0
    free: bits.Mask = board.full ^ against
    live: bits.Mask
    layer: bits.Mask
    carry: bits.Mask
    had: bits.Mask
    pattern: cython.int
    i: cython.int
    digit: cython.int
    missing: cython.int
    width: cython.int
    digits = cython.declare(cython.ulonglong[7])  # for up to MAX_CELLS marks on a line
    for pattern in range(board.patterns):
        live = board.starts[pattern]
        for i in range(board.lengths[pattern]):
            live &= free >> board.offsets[i * board.patterns + pattern]
        if live:
            # digits[d] holds bit d of the number of marks on each line: a column of binary adders.
            width = 0
            while board.lengths[pattern] >> width:
                digits[width] = 0
                width += 1
            for i in range(board.lengths[pattern]):
                carry = marks >> board.offsets[i * board.patterns + pattern] & live
                digit = 0
                while carry:
                    had = digits[digit]
                    digits[digit] = had ^ carry
                    carry &= had
                    digit += 1
            for i in range(board.lengths[pattern]):
                layer = live
                digit = 0
                while layer and digit < width:
                    layer &= digits[digit] if i >> digit & 1 else ~digits[digit]
                    digit += 1
                # Terms below the last bit are rounded up, which keeps the bound valid.
                missing = min(board.lengths[pattern] - i, 48)
                total += cython.cast(cython.ulonglong, bits.count(layer)) * (bits.UNIT >> missing)
    return total


def claimeven_bound(
    board: Board,
    mine: bits.Mask,
    theirs: bits.Mask,
    opponent_wins: bits.Mask,
    marks: cython.int,
    alpha: cython.int,
) -> cython.int:
    """Return an upper bound under gravity: the score if the opponent always answers in the same column.

    Claim-even (Allis, 1988): if every column has an even number of empty cells, the opponent can answer every move in
    the same column, and so gets every second cell of it, the top one included. The player to move gets the other cells,
    and cannot win if they complete no line with the player's marks.

    A *trap* is an empty cell in which the opponent would complete a line, above another empty cell. The player to move
    loses by marking that lower cell. The opponent never marks it, so only the cells below it count for the parity of
    the column. When the rest of the board is full, the player to move is in zugzwang and has to mark it. Each set of
    traps, the empty set included, is one strategy of the opponent; the bound is the least of theirs.
    """
    traps: bits.Mask = opponent_wins & ((board.full ^ (mine | theirs)) >> board.drop)
    while bits.count(traps) > MAX_TRAPS:
        traps &= traps - 1
    upper: cython.int = INFINITY
    chosen: bits.Mask = traps
    while True:
        upper = min(upper, claimeven_with_traps(board, mine, theirs, chosen, marks))
        if not chosen or upper <= alpha:
            return upper
        chosen = (chosen - 1) & traps


def claimeven_with_traps(
    board: Board, mine: bits.Mask, theirs: bits.Mask, traps: bits.Mask, marks: cython.int
) -> cython.int:
    """Return the bound of the claim-even strategy with these traps; ``INFINITY`` if the strategy may fail.

    It also fails with two traps in one column. The free cells of a column below the cell under its trap form pairs from
    the top: after the lower cell of a pair is marked, the opponent marks the upper one. A cell left over at the bottom
    is a *single*. The opponent answers a mark on a single with a mark on another one, so their number must be even, and
    the player to move never gets both.
    """
    above: bits.Mask = 0
    below: bits.Mask = 0
    upper_ones: bits.Mask = board.claimeven
    if traps:
        above = board.filled_up(traps)
        if traps & above >> board.drop:
            return INFINITY
        below = traps << board.drop & board.full
        upper_ones ^= board.filled_down(traps & (board.full ^ board.claimeven))
    free: bits.Mask = board.full ^ (mine | theirs | above | below)
    reach: bits.Mask = mine | below
    singles: bits.Mask = board.playable(mine | theirs) & free & upper_ones
    if bits.count(singles) & 1:
        return INFINITY
    reach |= free & (board.full ^ upper_ones)
    if board.has_line_with_one_of(reach, singles):
        return INFINITY
    if traps:
        return -win_score(board, marks + bits.count(free) + 2)
    # Without a trap the board is filled, the last cell by the opponent.
    return -1 if board.has_line(theirs | (free & upper_ones & (board.full ^ singles))) else 0
