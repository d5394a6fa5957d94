"""Threat-space search: wins by threats with only one reply each.

The attacker marks a cell, the *gain*, so that a line lacks only one more cell; the defender has to mark that cell. This
continues until the attacker threatens to complete lines in two cells, and the defender can only mark one. The defender
never has a choice, so the search goes many plies deep (Allis, van den Herik and Huntjens, 1993). It applies neither to
gravity nor to misère play.
"""

import cython

from service.kernel import bits
from service.kernel.board import Board
from service.kernel.limits import Limits
from service.kernel.memory import private_words

FAILURES = 1 << 16
FAILURES_MASK = cython.declare(cython.ulonglong, FAILURES - 1)


class ThreatSearch:
    """Searches of one game for winning sequences of threats.

    After a win, ``zone`` contains the cells that it depends on: if the defender had marked any one empty cell outside
    of it, with the attacker still to move, the same threats would win. So a defence has to be made inside. The zone has
    the gains and the replies, and both cells of each of the defender's lines that lack two at any time: a mark there
    would make a threat, which the attacker had to answer. ``move`` is the first gain, as a single bit.
    """

    def __init__(self, board: Board, limits: Limits) -> None:
        self._board = board
        self._limits = limits
        self._failures = private_words(2 * FAILURES)
        self._left = 0
        self.zone = 0
        self.move = 0

    def plies(self, mine: bits.Mask, theirs: bits.Mask, budget: cython.int) -> cython.int:
        """Return the plies in which the player to move wins by threats; 0 if no win is found in ``budget`` positions.

        The plies are an upper bound: there may be a faster win.
        """
        self._left = budget
        self.zone = 0
        return self._plies(mine, theirs, self._board.threats(theirs, self._board.full ^ (mine | theirs)))

    def _plies(self, mine: bits.Mask, theirs: bits.Mask, their_threats: bits.Mask) -> cython.int:
        """Return the plies of a win by threats, given the cells in which the defender would complete a line."""
        self._left -= 1
        if self._left < 0 or self._limits.count_node():
            return 0
        empty: bits.Mask = self._board.full ^ (mine | theirs)
        wins: bits.Mask = self._board.threats(mine, empty)
        if wins:
            self.move = wins & (0 - wins)
            self.zone |= self.move
            return 1
        if their_threats & (their_threats - 1) or self._has_failed(mine, theirs):
            return 0
        gains: bits.Mask
        double_gains: bits.Mask
        gains, double_gains = self._board.gains(mine, theirs)
        if their_threats:
            gains &= their_threats
        found: cython.int = self._try(mine, theirs, gains & double_gains)
        if not found:
            found = self._try(mine, theirs, gains & (self._board.full ^ double_gains))
        if found:
            self._add_defences(mine, theirs, empty)
        elif self._left >= 0 and not self._limits.stopped:
            self._remember_failure(mine, theirs)
        return found

    def _try(self, mine: bits.Mask, theirs: bits.Mask, gains: bits.Mask) -> cython.int:
        """Return the plies in which one of these gains wins; 0 if none does."""
        empty: bits.Mask = self._board.full ^ (mine | theirs)
        gain: bits.Mask
        wins: bits.Mask
        plies: cython.int
        while gains:
            gain = gains & (0 - gains)
            gains ^= gain
            wins = self._board.threats(mine | gain, empty ^ gain)
            if wins & (wins - 1):
                self.zone |= gain | wins
                self.move = gain
                return 3
            plies = self._plies(mine | gain, theirs | wins, self._board.threats(theirs | wins, empty ^ (gain | wins)))
            if plies:
                self.zone |= gain | wins
                self.move = gain
                return plies + 2
            if self._left < 0 or self._limits.stopped:
                return 0
        return 0

    def _add_defences(self, mine: bits.Mask, theirs: bits.Mask, empty: bits.Mask) -> None:
        """Add to the zone the cells in which the defender would make a threat now."""
        cells: bits.Mask
        cells, _ = self._board.gains(theirs, mine)
        self.zone |= cells & empty

    def _has_failed(self, mine: bits.Mask, theirs: bits.Mask) -> cython.bint:
        place: bits.Word = self._place(mine, theirs)
        return self._failures[place] == mine and self._failures[place + 1] == theirs

    def _remember_failure(self, mine: bits.Mask, theirs: bits.Mask) -> None:
        place: bits.Word = self._place(mine, theirs)
        self._failures[place] = mine
        self._failures[place + 1] = theirs

    def _place(self, mine: bits.Mask, theirs: bits.Mask) -> bits.Word:
        key: bits.Word = bits.mix(mine) ^ bits.mix_otherwise(theirs)
        place: bits.Word = 2 * (key & FAILURES_MASK)
        return place
