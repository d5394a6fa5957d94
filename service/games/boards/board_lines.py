"""The lines of the nine boards of ultimate tic-tac-toe, and what they are worth before the game ends.

A player has a chance to win each board. A line of boards is worth the product of its three chances. If the next mark
can be on a line, it counts more for the player to move and less for the opponent. These are the lines through the board
to play in, or all lines if the choice is free.
"""

from array import array
from itertools import permutations

import cython

from service.games.boards import small_boards
from service.games.boards.cells import Cells

BOARDS = cython.declare(cython.const_int, 9)
LINES = cython.declare(cython.const_int, 8)

# Rounded from a logistic regression on games of the engine against itself.
MINE = cython.declare(cython.const_int, 4)  # the weight of a line of the player to move,
MINE_HERE = cython.declare(cython.const_int, 3)  # and how much more it weighs if the next mark can be on it
THEIRS = cython.declare(cython.const_int, 5)  # the weight of a line of the opponent,
THEIRS_HERE = cython.declare(cython.const_int, 2)  # and how much less it weighs then
WEIGHT_BITS = cython.declare(cython.const_int, 7)  # keep the sum of all lines below 2^23


class BoardLines:
    """The lines of ``cells``, whose cells are boards here.

    ``chances`` are those of one player to win each board, from 0 to 255, with a 0 after the last board.
    """

    def __init__(self, cells: Cells) -> None:
        lines = [[cell for cell in range(BOARDS) if cells.lines[line] >> cell & 1] for line in range(cells.count)]
        self._lines = array("B", [cell for line in lines for cell in line])
        # The third board of the line through two others. If no line goes through both, it is the 0 after the last.
        self._thirds = array("B", [BOARDS]) * (BOARDS * BOARDS)
        for one, two, three in (boards for line in lines for boards in permutations(line)):
            self._thirds[BOARDS * one + two] = three

    def fewest(self, lacks: cython.p_int) -> cython.int:
        """Return the fewest marks that a player lacks for a line, from those that each board lacks."""
        line: cython.int
        found: cython.int = small_boards.NO_WAY
        for line in range(LINES):
            marks: cython.int = lacks[self._lines[3 * line]]
            marks += lacks[self._lines[3 * line + 1]] + lacks[self._lines[3 * line + 2]]
            found = min(found, marks)
        return found

    def sums(self, chances: cython.p_int, through: cython.p_int) -> cython.int:
        """Return the sum of all lines of a player; write the sum of the lines ``through`` each board."""
        board: cython.int
        line: cython.int
        found: cython.int = 0
        for board in range(BOARDS):
            through[board] = 0
        for line in range(LINES):
            one: cython.int = self._lines[3 * line]
            two: cython.int = self._lines[3 * line + 1]
            three: cython.int = self._lines[3 * line + 2]
            chance: cython.int = chances[one] * chances[two] * chances[three]
            through[one] += chance
            through[two] += chance
            through[three] += chance
            found += chance
        return found

    def slope(self, chances: cython.p_int, board: cython.int) -> cython.int:
        """Return by how much the sum of all lines changes with the chance of a board."""
        other: cython.int
        found: cython.int = 0
        for other in range(BOARDS):  # meets each line through the board twice
            found += chances[other] * chances[self._thirds[BOARDS * board + other]]
        return found >> 1

    def slope_here(self, chances: cython.p_int, slope: cython.int, board: cython.int, here: cython.int) -> cython.int:
        """Return by how much the lines through ``here`` change with the chance of a board, whose ``slope`` is known."""
        return slope if here == board else chances[here] * chances[self._thirds[BOARDS * board + here]]


def advantage(mine: cython.int, my_here: cython.int, theirs: cython.int, their_here: cython.int) -> cython.int:
    """Return the value of the sums of both players for the one to move; ``here`` is where the next mark can be."""
    return (MINE * mine + MINE_HERE * my_here - THEIRS * theirs + THEIRS_HERE * their_here) >> WEIGHT_BITS
