"""The lines that one player can still complete, each as its missing cells: the state of a maker-breaker game.

The *maker* wants to complete a line, the *breaker* to mark a cell of every line. Marks of the maker remove cells from
the lines, marks of the breaker remove whole lines. A line that contains another one is left out: completing or blocking
the larger one does the same to the smaller one. Nothing else of a position matters.

Lines are in *frames*, one for each ply of a line of play.
"""

from array import array

import cython

from service.kernel import bits
from service.kernel.board import Board


class LiveLines:
    """Frames of live lines, one after the other in the array ``lines``; each line is the mask of its missing cells.

    A frame has ``places`` places, one for each line of the game. ``counts`` has the number of lines in each frame.
    """

    def __init__(self, board: Board) -> None:
        self._board = board
        self.places = 0
        for pattern in range(board.patterns):
            self.places += bits.count(board.starts[pattern])
        self.frames = board.cells + 3
        self.lines = array("Q", bytes(8 * self.places * self.frames))
        self.counts = array("i", bytes(4 * self.frames))

    def load(self, frame: cython.int, marks: bits.Mask, against: bits.Mask) -> None:
        """Fill a frame with the lines that contain no cell of ``against``, each without the cells of ``marks``."""
        pattern: cython.int
        i: cython.int
        starts: bits.Mask
        start: bits.Mask
        line: bits.Mask
        self.counts[frame] = 0
        for pattern in range(self._board.patterns):
            starts = self._board.starts[pattern]
            while starts:
                start = starts & (0 - starts)
                starts ^= start
                line = 0
                for i in range(self._board.lengths[pattern]):
                    line |= start << self._board.offsets[i * self._board.patterns + pattern]
                if not line & against:
                    self._add(frame, line & (self._board.full ^ marks))

    def copy(self, frame: cython.int) -> None:
        """Copy a frame to the next one."""
        i: cython.int
        start: cython.int = frame * self.places
        for i in range(start, start + self.counts[frame]):
            self.lines[i + self.places] = self.lines[i]
        self.counts[frame + 1] = self.counts[frame]

    def make(self, frame: cython.int, cell: bits.Mask) -> None:
        """Mark a cell for the maker: remove it from the lines of a frame."""
        start: cython.int = frame * self.places
        end: cython.int = start + self.counts[frame]
        kept: cython.int = start
        i: cython.int
        line: bits.Mask
        # Lines through the cell move to the end of the frame and return one by one; each removes those that contain it.
        for i in range(start, end):
            line = self.lines[i]
            if line & cell:
                continue
            self.lines[i] = self.lines[kept]
            self.lines[kept] = line
            kept += 1
        self.counts[frame] = kept - start
        for i in range(kept, end):
            self._add(frame, self.lines[i] ^ cell)

    def block(self, frame: cython.int, cells: bits.Mask) -> None:
        """Mark cells for the breaker: remove the lines through them from a frame."""
        start: cython.int = frame * self.places
        kept: cython.int = start
        i: cython.int
        for i in range(start, start + self.counts[frame]):
            if not self.lines[i] & cells:
                self.lines[kept] = self.lines[i]
                kept += 1
        self.counts[frame] = kept - start

    def cells(self, frame: cython.int) -> bits.Mask:
        """Return the cells of all lines in a frame."""
        found: bits.Mask = 0
        i: cython.int
        start: cython.int = frame * self.places
        for i in range(start, start + self.counts[frame]):
            found |= self.lines[i]
        return found

    def threats(self, frame: cython.int) -> bits.Mask:
        """Return the cells in which the maker would complete a line."""
        found: bits.Mask = 0
        i: cython.int
        start: cython.int = frame * self.places
        for i in range(start, start + self.counts[frame]):
            if not self.lines[i] & (self.lines[i] - 1):
                found |= self.lines[i]
        return found

    def private(self, frame: cython.int) -> bits.Mask:
        """Return the cells that lie on one line only."""
        once: bits.Mask = 0
        twice: bits.Mask = 0
        i: cython.int
        start: cython.int = frame * self.places
        for i in range(start, start + self.counts[frame]):
            twice |= once & self.lines[i]
            once |= self.lines[i]
        return once & (self._board.full ^ twice)

    def remove_paired(self, frame: cython.int) -> bits.Mask:
        """Remove each line with two cells that lie on no other line; return two such cells of each removed line.

        The breaker answers a mark in one of the two with the other (Hales and Jewett, 1963). No other line has these
        cells, so the game has the same winner without these lines.
        """
        found: bits.Mask = 0
        own: bits.Mask
        private: bits.Mask
        before: cython.int = self.counts[frame] + 1
        start: cython.int = frame * self.places
        kept: cython.int
        i: cython.int
        while before != self.counts[frame]:
            before = self.counts[frame]
            private = self.private(frame)
            kept = start
            for i in range(start, start + before):
                own = self.lines[i] & private
                if own & (own - 1):
                    found |= own & (0 - own)
                    own &= own - 1
                    found |= own & (0 - own)
                else:
                    self.lines[kept] = self.lines[i]
                    kept += 1
            self.counts[frame] = kept - start
        return found

    def free_threat(self, frame: cython.int) -> bits.Mask:
        """Return a line of two cells if one of the two lies on no other line; 0 if there is no such line."""
        found: bits.Mask = 0
        private: bits.Mask = self.private(frame)
        rest: bits.Mask
        i: cython.int
        start: cython.int = frame * self.places
        for i in range(start, start + self.counts[frame]):
            rest = self.lines[i] & (self.lines[i] - 1)
            if rest and not rest & (rest - 1) and self.lines[i] & private:
                found = self.lines[i]
                break
        return found

    def common(self, frame: cython.int, cell: bits.Mask) -> bits.Mask:
        """Return the other cells that lie on every line through a cell."""
        found: bits.Mask = self._board.full ^ cell
        i: cython.int
        start: cython.int = frame * self.places
        for i in range(start, start + self.counts[frame]):
            if self.lines[i] & cell:
                found &= self.lines[i]
        return found

    def _add(self, frame: cython.int, line: bits.Mask) -> None:
        """Add a line, unless it contains another one; remove those that contain it.

        The line may overwrite a line that ``make`` has read already.
        """
        start: cython.int = frame * self.places
        kept: cython.int = start
        i: cython.int
        other: bits.Mask
        for i in range(start, start + self.counts[frame]):
            if not self.lines[i] & (self._board.full ^ line):
                return
        for i in range(start, start + self.counts[frame]):
            other = self.lines[i]
            if line & (self._board.full ^ other):
                self.lines[kept] = other
                kept += 1
        self.lines[kept] = line
        self.counts[frame] = kept + 1 - start
