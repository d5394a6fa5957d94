"""The evaluation: the estimated value of a position for the player to move where the search ends.

Each player gets the value of the *open* lines, those without a mark of the opponent, that lack two or more cells. Being
the side to move has a value too.

Without gravity the lines of the player to move count more than the same lines of the opponent. A *fork*, an empty cell
on two own lines that lack two, counts most: a mark there makes two threats.

Under gravity it matters which cells a player gets. By *zugzwang* a player gets every second cell of each column: if the
other columns are filled up, the opponent has to mark the cell below. In Connect Four these are the cells of the odd
rows for the player who began, and those of the even rows for the other (Allis, 1988). So under gravity

* cells above a threat of the opponent are worth nothing, because that threat comes first;
* a *threat*, a cell that completes a line, counts if it is the lowest of its column, and more if the player gets it by
  zugzwang;
* two threats, one above the other, are worth more: the opponent can only block the lower one;
* a line counts more if each missing cell is *near*, which means playable or directly above a playable cell, and more if
  the player gets each by move or by zugzwang;
* the player who wins the endgame of ``zugzwang`` gets more.
"""

from collections.abc import Sequence

import cython

from service.kernel import bits
from service.kernel.board import Board
from service.kernel.estimate.weights import weights_of


class Evaluation:
    """Evaluates positions of one game, with its fitted weights unless others are given."""

    def __init__(self, board: Board, weights: Sequence[int] | None = None) -> None:
        self._board = board
        chosen = weights_of(board.cells, board.drop) if weights is None else weights
        if board.drop:
            self._to_move, self._zugzwang, self._threat, self._got_threat, self._double_threat = chosen[:5]
            self._two, self._three, self._near_two, self._near_three, self._got_two, self._got_three = chosen[5:]
        else:
            self._to_move, self._fork, self._two, self._three, self._four = chosen[:5]
            self._other_two, self._other_three, self._other_four = chosen[5:]

    def value(
        self, mine: bits.Mask, theirs: bits.Mask, own_wins: bits.Mask, opponent_wins: bits.Mask
    ) -> cython.longlong:
        """Return the estimated value of a position for the player to move.

        ``own_wins`` and ``opponent_wins`` are the empty cells by which each player would complete a line. In misère
        games the signs are reversed.
        """
        found: cython.longlong
        if self._board.drop:
            found = self._under_gravity(mine, theirs, own_wins, opponent_wins)
        else:
            found = self._without_gravity(mine, theirs)
        return -found if self._board.misere else found + self._to_move

    def of(self, mine: bits.Mask, theirs: bits.Mask) -> cython.longlong:
        """Return ``value`` for the masks of a position; find the cells that complete a line first."""
        free: bits.Mask = self._board.full ^ (mine | theirs)
        return self.value(mine, theirs, self._board.threats(mine, free), self._board.threats(theirs, free))

    def _without_gravity(self, mine: bits.Mask, theirs: bits.Mask) -> cython.longlong:
        if self._board.misere:  # a fork is no gain, and both sides count alike
            return self._lines(mine, theirs, self._other_two, self._other_three, self._other_four, 0) - self._lines(
                theirs, mine, self._other_two, self._other_three, self._other_four, 0
            )
        found: cython.longlong = self._lines(mine, theirs, self._two, self._three, self._four, self._fork)
        return found - self._lines(theirs, mine, self._other_two, self._other_three, self._other_four, 0)

    def _lines(
        self,
        marks: bits.Mask,
        against: bits.Mask,
        two_missing: cython.int,
        three_missing: cython.int,
        four_missing: cython.int,
        fork: cython.int,
    ) -> cython.longlong:
        """Return the value of a player's open lines, each by the number of its missing cells, and of a fork if any."""
        found: cython.longlong = 0
        seen: bits.Mask = 0
        forks: bits.Mask = 0
        cells: bits.Mask
        two: bits.Mask
        three: bits.Mask
        four: bits.Mask
        pattern: cython.int
        i: cython.int
        for pattern in range(self._board.patterns):
            two, three, four = lacking(self._board, marks, against, pattern)
            found += two_missing * bits.count(two) + three_missing * bits.count(three)
            found += four_missing * bits.count(four)
            if two and fork:
                for i in range(self._board.lengths[pattern]):
                    cells = two << self._board.offsets[i * self._board.patterns + pattern]
                    cells &= self._board.full ^ marks
                    forks |= seen & cells
                    seen |= cells
        return found + fork if forks else found

    def _under_gravity(
        self, mine: bits.Mask, theirs: bits.Mask, own_wins: bits.Mask, opponent_wins: bits.Mask
    ) -> cython.longlong:
        free: bits.Mask = self._board.full ^ (mine | theirs)
        playable: bits.Mask = self._board.playable(mine | theirs)
        near: bits.Mask = playable | (free & (playable >> self._board.drop))
        gets: bits.Mask = free & self._board.claimeven
        if not bits.count(free) & 1:
            gets ^= free
        found: cython.longlong = self._player(mine, theirs, own_wins, opponent_wins, near, gets, playable)
        found -= self._player(theirs, mine, opponent_wins, own_wins, near, free ^ gets, playable)
        return found + self._zugzwang * zugzwang(self._board, mine | theirs, own_wins, opponent_wins)

    def _player(
        self,
        marks: bits.Mask,
        against: bits.Mask,
        wins: bits.Mask,
        other_wins: bits.Mask,
        near: bits.Mask,
        gets: bits.Mask,
        playable: bits.Mask,
    ) -> cython.longlong:
        """Return the value of a player's threats and lines; by zugzwang the player ``gets`` these empty cells."""
        lost: bits.Mask = above(self._board, other_wins)
        found: cython.longlong = self._threats(wins & (self._board.full ^ lost), gets)
        reached: bits.Mask = marks | gets | playable
        two: bits.Mask
        three: bits.Mask
        _four: bits.Mask
        here: bits.Mask
        pattern: cython.int
        for pattern in range(self._board.patterns):
            two, three, _four = lacking(self._board, marks, against | lost, pattern)
            if two | three:
                found += self._two * bits.count(two) + self._three * bits.count(three)
                here = within(self._board, two | three, marks | near, pattern)
                found += self._near_two * bits.count(two & here) + self._near_three * bits.count(three & here)
                here = within(self._board, two | three, reached, pattern)
                found += self._got_two * bits.count(two & here) + self._got_three * bits.count(three & here)
        return found

    def _threats(self, wins: bits.Mask, gets: bits.Mask) -> cython.longlong:
        lowest: bits.Mask = wins & (self._board.full ^ above(self._board, wins))
        found: cython.longlong = self._threat * bits.count(lowest) + self._got_threat * bits.count(lowest & gets)
        return found + self._double_threat * bits.count(wins & (wins >> self._board.drop))


def lacking(
    board: Board, marks: bits.Mask, against: bits.Mask, pattern: cython.int
) -> tuple[bits.Mask, bits.Mask, bits.Mask]:
    """Return the starts of a pattern's open lines that lack two, three and four cells, the last with a mark."""
    lines: bits.Mask = board.starts[pattern]
    missing: bits.Mask  # starts of lines that lack this cell; that lack at least one, two, three, four and five so far
    one: bits.Mask = 0
    two: bits.Mask = 0
    three: bits.Mask = 0
    four: bits.Mask = 0
    five: bits.Mask = 0
    marked: bits.Mask = 0
    i: cython.int
    for i in range(board.lengths[pattern]):
        lines &= ~(against >> board.offsets[i * board.patterns + pattern])
    if not lines:
        return 0, 0, 0
    for i in range(board.lengths[pattern]):
        missing = lines & ~(marks >> board.offsets[i * board.patterns + pattern])
        marked |= lines ^ missing
        five |= four & missing
        four |= three & missing
        three |= two & missing
        two |= one & missing
        one |= missing
    return two ^ three, three ^ four, (four ^ five) & marked


def within(board: Board, lines: bits.Mask, cells: bits.Mask, pattern: cython.int) -> bits.Mask:
    """Return the starts in ``lines`` at which the line of a pattern lies completely within ``cells``."""
    i: cython.int
    for i in range(board.lengths[pattern]):
        lines &= cells >> board.offsets[i * board.patterns + pattern]
    return lines


def zugzwang(board: Board, occupied: bits.Mask, own_wins: bits.Mask, opponent_wins: bits.Mask) -> cython.int:
    """Return 1 if the opponent of the player to move will have to mark a cell below a threat, -1 if the player will.

    Both players fill each column up to its first cell below a threat of either player. The player who then has to move
    loses if every such cell is below a threat of the other player. Otherwise, or without threats, return 0.
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
    """Return all cells above any of ``cells``."""
    found: bits.Mask = 0
    cells >>= board.drop
    while cells:
        found |= cells
        cells >>= board.drop
    return found
