"""What searches of one position that run at the same time tell each other.

Each announces the child that it searches, and the others leave that child for last, when its result may be in the
table: simplified ABDADA (Kerrigan, after Weill, 1996). A lost or false announcement only costs time.
"""

import cython

from service.kernel import bits

SHARED_MIN_EMPTY = cython.declare(cython.int, 20)  # positions with no more empty cells are not announced


class Signals:
    """The words in which cooperating searches announce positions; a search that works alone announces nothing.

    ``words`` is a power of two of 64-bit words, all 0 at first. The first one is kept for the signal to stop.
    """

    def __init__(self, cells: cython.int, words: bits.Words, cooperates: cython.bint) -> None:
        self.cooperates = cooperates
        self._cells = cells
        self._words = words
        self._index_mask = len(words) - 1

    def announce(self, mine: bits.Mask, theirs: bits.Mask, marks: cython.int) -> None:
        """Tell the others that this search is at a position."""
        if self._cells - marks > SHARED_MIN_EMPTY:
            self._words[self._index(mine, theirs)] = theirs

    def withdraw(self, mine: bits.Mask, theirs: bits.Mask, marks: cython.int) -> None:
        """Tell the others that this search has left a position."""
        if self._cells - marks > SHARED_MIN_EMPTY:
            self._words[self._index(mine, theirs)] = 0

    def is_announced(self, mine: bits.Mask, theirs: bits.Mask, marks: cython.int) -> cython.bint:
        """Return whether another search is at a position."""
        return self._cells - marks > SHARED_MIN_EMPTY and self._words[self._index(mine, theirs)] == theirs

    def _index(self, mine: bits.Mask, theirs: bits.Mask) -> bits.Word:
        """Return the index of the word in which a position is announced: any but the first one."""
        return (bits.mix(mine ^ bits.mix(theirs)) & self._index_mask) or 1
