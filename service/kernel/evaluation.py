"""The evaluation: what a position seems to be worth to the player to move where the search ends.

Each player has the worth of the *open* lines, those without a mark of the opponent, of which two or three cells are
missing. A *threat* is a cell that completes a line. To be the side to move is worth something too. A hundred multiply
the odds of a win by about e.

Under gravity it matters which cells a player gets. By *zugzwang* a player gets every second cell of each column: if the
other columns are filled up, the opponent has to mark the cell below. In Connect Four these are the cells of the odd
rows for the player who began, and those of the even rows for the other (Allis, 1988). So under gravity

* a line counts two and a half times if each missing cell can be marked at once or is got by zugzwang;
* a threat that is got by zugzwang counts twice;
* a threat above one of the opponent's is worth nothing, for that one comes first;
* two threats, one above the other, are worth more: the opponent can only block the lower one;
* whoever wins the endgame of ``zugzwang`` gets more.

The numbers began as a logistic regression on positions of Connect Four whose outcomes are known. Each was then changed
as long as that kept the outcome of more openings.
"""

import cython

from service.kernel import bits
from service.kernel.board import Board
from service.kernel.rules import MAX_LINE

STRIDE = cython.declare(cython.int, MAX_LINE)
THREE_MISSING = cython.declare(cython.int, 4)
TWO_MISSING = cython.declare(cython.int, 10)
THREAT = cython.declare(cython.int, 70)
DOUBLE_THREAT = cython.declare(cython.int, 120)
ZUGZWANG = cython.declare(cython.int, 40)
TO_MOVE = cython.declare(cython.int, 60)


def evaluate(
    board: Board, mine: bits.Mask, theirs: bits.Mask, own_wins: bits.Mask, opponent_wins: bits.Mask
) -> cython.int:
    """Return what the position seems to be worth to the player to move.

    ``own_wins`` and ``opponent_wins`` are the empty cells by which each player would complete a line. Where a line
    loses, the signs are changed.
    """
    free: bits.Mask = board.full ^ (mine | theirs)
    found: cython.int
    if not board.drop:
        found = open_lines(board, mine, theirs, free) - open_lines(board, theirs, mine, free)
        return -found if board.misere else found + TO_MOVE
    playable: bits.Mask = board.playable(mine | theirs)
    gets: bits.Mask = free & board.claimeven
    if not bits.count(free) & 1:
        gets ^= free
    found = worth(board, mine, theirs, own_wins, opponent_wins, gets | playable)
    found -= worth(board, theirs, mine, opponent_wins, own_wins, (free ^ gets) | playable)
    if board.misere:
        return -found
    return found + ZUGZWANG * zugzwang(board, mine | theirs, own_wins, opponent_wins) + TO_MOVE


def worth(
    board: Board, marks: bits.Mask, against: bits.Mask, wins: bits.Mask, other_wins: bits.Mask, gets: bits.Mask
) -> cython.int:
    """Return the worth of a player's lines and threats under gravity, who ``gets`` these of the empty cells."""
    useful: bits.Mask = wins & (board.full ^ above(board, other_wins))
    threats: cython.int = bits.count(useful) + bits.count(useful & gets)
    doubles: cython.int = bits.count(useful & (useful >> board.drop))
    return open_lines(board, marks, against, gets) + THREAT * threats + DOUBLE_THREAT * doubles


def open_lines(board: Board, marks: bits.Mask, against: bits.Mask, gets: bits.Mask) -> cython.int:
    """Return the worth of the lines without a mark of ``against`` of which two or three cells are missing.

    Those of which the player ``gets`` all missing cells count two and a half times.
    """
    found: cython.int = 0
    reached: bits.Mask = marks | gets
    lines: bits.Mask  # the starts of the open lines
    got: bits.Mask  # of those of which the player gets all missing cells
    missing: bits.Mask  # and of those that lack this cell; at least one, two, three and four cells so far
    one: bits.Mask
    two: bits.Mask
    three: bits.Mask
    four: bits.Mask
    base: cython.int = 0
    pattern: cython.int
    i: cython.int
    for pattern in range(board.patterns):
        lines = board.starts[pattern]
        for i in range(board.lengths[pattern]):
            lines &= ~(against >> board.offsets[base + i])
        if lines:
            one = two = three = four = 0
            got = lines
            for i in range(board.lengths[pattern]):
                missing = lines & ~(marks >> board.offsets[base + i])
                four |= three & missing
                three |= two & missing
                two |= one & missing
                one |= missing
                got &= reached >> board.offsets[base + i]
            two ^= three
            three ^= four
            found += TWO_MISSING * (2 * bits.count(two) + 3 * bits.count(two & got))
            found += THREE_MISSING * (2 * bits.count(three) + 3 * bits.count(three & got))
        base += STRIDE
    return found


def zugzwang(board: Board, occupied: bits.Mask, own_wins: bits.Mask, opponent_wins: bits.Mask) -> cython.int:
    """Return 1 if the opponent of the player to move will have to mark a cell below a threat, -1 if the player will.

    Both fill the columns up to the first cell below a threat of either. Whoever is to move then loses if all of these
    are below threats of the other. Else, and if there are no threats, it is not decided: 0.
    """
    free: bits.Mask = board.full ^ occupied
    bad: bits.Mask = (opponent_wins << board.drop) & free
    bad_for_opponent: bits.Mask = (own_wins << board.drop) & free
    contested: bits.Mask = bad | bad_for_opponent
    if not contested:
        return 0
    higher: bits.Mask = above(board, contested)
    first: bits.Mask = contested & (board.full ^ higher)
    if bits.count(free & (board.full ^ (contested | higher))) & 1:
        return 0 if first & (board.full ^ bad_for_opponent) else 1
    return 0 if first & (board.full ^ bad) else -1


def above(board: Board, cells: bits.Mask) -> bits.Mask:
    """Return all cells that stand above some of these."""
    found: bits.Mask = 0
    cells >>= board.drop
    while cells:
        found |= cells
        cells >>= board.drop
    return found
