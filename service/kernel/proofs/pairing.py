"""A static test whether the breaker holds: pairs of cells for some lines, the potential for the others.

The *potential* is the sum of ``UNIT`` halved for each missing cell, over all lines. Below ``UNIT`` with the breaker to
move, the breaker holds by marking the cell that lowers it most (Erdős and Selfridge, 1973). With the maker to move, the
breaker holds if the maker's best mark leaves the potential below ``UNIT``.

A *pair* is two cells, and the breaker gets one of them: whenever the maker marks one, the breaker marks the other
(Hales and Jewett, 1963). That blocks all lines through both cells. A line through only one of them has to be blocked
elsewhere, so it counts as if the maker had the cell, with twice the weight. Let ``both`` be the weight of the lines
through both cells, and ``one`` and ``other`` the weights of the lines through each. Then the pair lowers the potential
by ``3 * both - one - other``. Pairs are chosen one by one, as long as the best pair lowers the potential. If pairs
alone leave no line, they are a pairing strategy.
"""

from array import array

import cython

from service.kernel import bits
from service.kernel.proofs.live_lines import LiveLines

LEAST_WEIGHT_BITS = cython.declare(cython.const_int, 48)  # lines that lack more cells get the least weight, rounded up


class Pairing:
    """The static test of the lines in a frame.

    After ``holds``, ``potential`` is the least potential after any number of pairs. If the breaker holds, ``zone``
    contains the cells that the proof needs: all others could be the maker's.
    """

    def __init__(self, live_lines: LiveLines) -> None:
        self._live_lines = live_lines
        self._lines = array("Q", bytes(8 * live_lines.places))
        self._weights = array("q", bytes(8 * bits.MAX_CELLS))
        self._pair_weights = array("q", bytes(8 * bits.MAX_CELLS * bits.MAX_CELLS))
        self._count = 0
        self._total = 0
        self.potential = 0
        self.zone = 0

    def holds(self, frame: cython.int, maker_first: cython.bint) -> cython.bint:
        """Return whether pairs and potential prove that the breaker holds; False proves nothing."""
        pairs: bits.Mask = 0
        pair: bits.Mask
        value: cython.longlong
        self._load(frame)
        self.potential = bits.UNIT * 1024
        while True:
            value = self._total
            if maker_first:
                value += self._greatest()
            self.potential = min(self.potential, value)
            if value < bits.UNIT:
                self.zone = pairs | self._cells()
                return True
            pair = self._best_pair()
            if not pair:
                return False
            pairs |= pair
            self._reserve(pair)

    def _load(self, frame: cython.int) -> None:
        i: cython.int
        place: cython.int
        one: bits.Mask
        other: bits.Mask
        count: cython.int = self._live_lines.counts[frame]
        start: cython.int = frame * self._live_lines.places
        for i in range(count):
            self._lines[i] = self._live_lines.lines[start + i]
        self._count = count
        self._total = 0
        one = self._cells()
        while one:
            place = bits.cell(one & (0 - one))
            self._weights[place] = 0
            other = one & (one - 1)
            while other:
                self._pair_weights[bits.MAX_CELLS * place + bits.cell(other & (0 - other))] = 0
                other &= other - 1
            one &= one - 1
        for i in range(count):
            self._weigh(self._lines[i], 1)

    def _weigh(self, line: bits.Mask, sign: cython.longlong) -> None:
        """Add ``sign`` times the weight of a line to the total, to its cells and to its pairs of cells."""
        weight: cython.longlong = sign * (bits.UNIT >> min(bits.count(line), LEAST_WEIGHT_BITS))
        place: cython.int
        other: bits.Mask
        self._total += weight
        while line:
            place = bits.cell(line & (0 - line))
            self._weights[place] += weight
            line &= line - 1
            other = line
            while other:
                self._pair_weights[bits.MAX_CELLS * place + bits.cell(other & (0 - other))] += weight
                other &= other - 1

    def _cells(self) -> bits.Mask:
        found: bits.Mask = 0
        i: cython.int
        for i in range(self._count):
            found |= self._lines[i]
        return found

    def _greatest(self) -> cython.longlong:
        """Return the weight of the heaviest cell: the increase of the potential by the maker's best mark."""
        found: cython.longlong = 0
        cells: bits.Mask = self._cells()
        while cells:
            found = max(found, self._weights[bits.cell(cells & (0 - cells))])
            cells &= cells - 1
        return found

    def _best_pair(self) -> bits.Mask:
        """Return the pair of cells that lowers the potential most; 0 if none lowers it."""
        best: cython.longlong = 0
        gain: cython.longlong
        found: bits.Mask = 0
        one: bits.Mask
        other: bits.Mask
        i: cython.int
        place: cython.int
        second: cython.int
        for i in range(self._count):
            one = self._lines[i]
            while one:
                place = bits.cell(one & (0 - one))
                other = one & (one - 1)
                while other:
                    second = bits.cell(other & (0 - other))
                    gain = 3 * self._pair_weights[bits.MAX_CELLS * place + second]
                    gain -= self._weights[place] + self._weights[second]
                    if gain > best:
                        best = gain
                        found = (one & (0 - one)) | (other & (0 - other))
                    other &= other - 1
                one &= one - 1
        return found

    def _reserve(self, pair: bits.Mask) -> None:
        """Remove the lines through both cells of a pair, and remove the cells from the other lines."""
        i: cython.int
        kept: cython.int = 0
        line: bits.Mask
        for i in range(self._count):
            line = self._lines[i]
            if line & pair:
                self._weigh(line, -1)
                if line & pair == pair:
                    continue
                line ^= line & pair
                self._weigh(line, 1)
            self._lines[kept] = line
            kept += 1
        self._count = kept
