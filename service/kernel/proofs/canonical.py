"""Canonical positions of boards with many symmetries, computed from a few of the symmetries.

Of two masks, the lower one contains the first cell in which they differ. So the lowest image has a mark on the first
cell to which any symmetry maps any mark. Only the symmetries that map a mark to that cell are tried: on 4x4x4, 12 of
192 for each mark on a corner or in the centre.
"""

from array import array
from collections.abc import Sequence

import cython

from service.kernel import bits


class Canonical:
    """Finds canonical positions: the lowest image under all ``automorphisms``, compared by mine, then by theirs.

    ``automorphisms`` are permutations of the ``cells`` cells, one after the other. After ``of``, ``symmetry`` is the
    number of a permutation that maps the position to its canonical position; 0 is the identity.
    """

    def __init__(self, cells: int, automorphisms: Sequence[int]) -> None:
        identity = list(range(cells))
        others = [list(automorphisms[start : start + cells]) for start in range(0, len(automorphisms), cells)]
        images = [identity, *(image for image in others if image != identity)]
        lowest = [min(image[cell] for image in images) for cell in identity]
        leading = [[number for number, image in enumerate(images) if image[cell] == lowest[cell]] for cell in identity]
        # For each symmetry: the images of all cells. For each cell: the symmetries that map it to its lowest image.
        self._images = array("i", [place for image in images for place in (image + [0] * 64)[:64]])
        self._lowest = array("i", lowest)
        self._leading = array("i", [number for numbers in leading for number in numbers])
        starts, total = [0], 0
        for numbers in leading:
            total += len(numbers)
            starts.append(total)
        self._starts = array("i", starts)
        self.symmetry = 0

    def of(self, mine: bits.Mask, theirs: bits.Mask) -> tuple[bits.Mask, bits.Mask]:
        """Return the canonical position of a position."""
        lead: bits.Mask = mine or theirs
        first: cython.int = self._first_cell(lead)
        best: bits.Mask = 0
        best_theirs: bits.Mask = 0
        image: bits.Mask
        image_theirs: bits.Mask
        mark: bits.Mask
        cell: cython.int
        place: cython.int
        self.symmetry = 0
        while lead:
            mark = lead & (0 - lead)
            lead ^= mark
            cell = bits.cell(mark)
            if self._lowest[cell] == first:
                for place in range(self._starts[cell], self._starts[cell + 1]):
                    image = self._image(mine, self._leading[place])
                    if is_lower(best, image):
                        continue
                    image_theirs = self._image(theirs, self._leading[place])
                    if image != best or not best_theirs or is_lower(image_theirs, best_theirs):
                        best = image
                        best_theirs = image_theirs
                        self.symmetry = self._leading[place]
        return best, best_theirs

    def undo(self, bit: bits.Mask, symmetry: cython.int) -> bits.Mask:
        """Return the mask of the cell that a symmetry maps to the cell of ``bit``."""
        cell: cython.int = 0
        while self._images[bits.MAX_CELLS * symmetry + cell] != bits.cell(bit):
            cell += 1
        found: bits.Mask = cython.cast(cython.ulonglong, 1) << cell
        return found

    def _first_cell(self, marks: bits.Mask) -> cython.int:
        """Return the first cell to which a symmetry maps any of the marks."""
        first: cython.int = bits.MAX_CELLS
        mark: bits.Mask
        while marks:
            mark = marks & (0 - marks)
            marks ^= mark
            first = min(first, self._lowest[bits.cell(mark)])
        return first

    def _image(self, marks: bits.Mask, symmetry: cython.int) -> bits.Mask:
        found: bits.Mask = 0
        mark: bits.Mask
        one: bits.Mask = 1
        while marks:
            mark = marks & (0 - marks)
            marks ^= mark
            found |= one << self._images[bits.MAX_CELLS * symmetry + bits.cell(mark)]
        return found


def is_lower(one: bits.Mask, other: bits.Mask) -> cython.bint:
    """Return whether ``one`` contains the first cell in which it differs from ``other``; False if they are equal."""
    difference: bits.Mask = one ^ other
    return one & difference & (0 - difference) != 0
