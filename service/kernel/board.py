"""The board as masks: legal moves, threats, live lines, symmetric images.

A position is two masks: ``mine``, the cells of the player to move, and ``theirs``, those of the opponent. ``marks`` is
any set of marked cells.
"""

import cython

from service.kernel import bits, patterns
from service.kernel.rules import Rules


class Board:
    """The immutable geometry of one game: cells, gravity, patterns of lines, and symmetries."""

    def __init__(self, rules: Rules) -> None:
        self.cells = rules.cells
        self.drop = rules.drop
        self.misere = rules.misere
        self.full = (1 << rules.cells) - 1
        self.bottom_row = rules.bottom_row
        self.claimeven = rules.claimeven
        self.weights = rules.weights
        self.symmetries = rules.symmetries
        self.patterns = len(rules.starts)
        self.lengths = rules.lengths
        self.offsets = rules.offsets
        self.starts = rules.starts
        self._lines = patterns.from_arrays(self.starts, self.offsets, self.lengths)
        self._images = rules.images if rules.symmetries else rules.starts
        self._stride = rules.stride
        self.inverses = rules.inverses if rules.symmetries else rules.lengths

    # Moves.

    def playable(self, occupied: bits.Mask) -> bits.Mask:
        """Return the playable cells: empty, and under gravity above a mark or at the bottom."""
        return (self.full ^ occupied) & (self.bottom_row | (occupied >> self.drop))

    def non_losing(self, occupied: bits.Mask, own_wins: bits.Mask, opponent_wins: bits.Mask) -> bits.Mask:
        """Return the mask of moves that do not lose at once; 0 if every move loses.

        A move loses at once if the opponent can complete a line next, or in misère games if it completes a line itself.
        ``own_wins`` and ``opponent_wins`` are the empty cells by which each player would complete a line.
        """
        playable: bits.Mask = self.playable(occupied)
        if self.misere:
            return playable & (self.full ^ own_wins)
        forced: bits.Mask = opponent_wins & playable
        if forced & (forced - 1):
            return 0
        moves: bits.Mask = forced or playable
        if self.drop:
            # A mark below a threat of the opponent lets the opponent complete it.
            moves &= self.full ^ ((opponent_wins << self.drop) & self.full)
        return moves

    def non_losing_moves(self, mine: bits.Mask, theirs: bits.Mask) -> bits.Mask:
        """Return the mask of moves that do not lose at once, as ``non_losing`` does, from the marks of both players."""
        empty: bits.Mask = self.full ^ (mine | theirs)
        own_wins: bits.Mask = self.threats(mine, empty) if self.misere else 0
        opponent_wins: bits.Mask = 0 if self.misere else self.threats(theirs, empty)
        return self.non_losing(mine | theirs, own_wins, opponent_wins)

    def filled_up(self, marks: bits.Mask) -> bits.Mask:
        """Return the cells of ``marks`` and all above them. Only under gravity."""
        shift: cython.int = self.drop
        while shift < self.cells:
            marks |= marks >> shift
            shift *= 2
        return marks

    def filled_down(self, marks: bits.Mask) -> bits.Mask:
        """Return the cells of ``marks`` and all below them. Only under gravity."""
        shift: cython.int = self.drop
        while shift < self.cells:
            marks |= (marks << shift) & self.full
            shift *= 2
        return marks

    # Lines.

    def threats(self, marks: bits.Mask, empty: bits.Mask) -> bits.Mask:
        """Return the empty cells that would complete a line of ``marks``."""
        return patterns.completing(self._lines, marks) & empty

    def gains(self, marks: bits.Mask, against: bits.Mask) -> tuple[bits.Mask, bits.Mask]:
        """Return the empty cells on live lines of ``marks`` that lack two cells, and those on several such lines."""
        empty: bits.Mask = self.full ^ (marks | against)
        lacking: patterns.Lacking = patterns.lacking_two(self._lines, marks, against)
        return lacking.once & empty, lacking.several & empty

    def live(self, against: bits.Mask) -> bits.Mask:
        """Return the cells of all lines without a mark of ``against``."""
        return patterns.within(self._lines, self.full ^ against)

    def has_line(self, marks: bits.Mask) -> cython.bint:
        """Return whether ``marks`` contain a whole line."""
        return patterns.has_line(self._lines, marks)

    def has_line_with_one_of(self, marks: bits.Mask, pair: bits.Mask) -> cython.bint:
        """Return whether ``marks`` and one cell of ``pair`` may contain a line.

        If ``pair`` has more than two cells, all of them are added at once, so the result may be True without need.
        """
        one: bits.Mask = pair & (0 - pair)
        other: bits.Mask = pair ^ one
        if other & (other - 1):
            return self.has_line(marks | pair)
        return self.has_line(marks | one) or (other != 0 and self.has_line(marks | other))

    # Symmetries.

    def canonical(self, mine: bits.Mask, theirs: bits.Mask) -> tuple[bits.Mask, bits.Mask]:
        """Return the canonical position: the least symmetric image, compared by ``mine``, then by ``theirs``."""
        symmetry: cython.int
        image: bits.Mask
        image_theirs: bits.Mask
        least: bits.Mask = mine
        least_theirs: bits.Mask = theirs
        for symmetry in range(self.symmetries):
            image = self.image(mine, symmetry)
            if image <= least:
                image_theirs = self.image(theirs, symmetry)
                if image < least or image_theirs < least_theirs:
                    least = image
                    least_theirs = image_theirs
        return least, least_theirs

    def image(self, marks: bits.Mask, symmetry: cython.int) -> bits.Mask:
        """Return the image of a mask under a symmetry, computed byte by byte."""
        found: bits.Mask = 0
        base: cython.int = symmetry * self._stride
        while marks:
            found |= self._images[base + cython.cast(cython.int, marks & 255)]
            marks >>= 8
            base += 256
        return found
