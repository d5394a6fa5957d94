"""Lines and symmetries of up to 64 cells, for compiled rules."""

from array import array
from collections.abc import Iterable, Sequence
from itertools import chain

import cython

from service.kernel import bits
from service.kernel.states import family
from service.kernel.states.family import Family


class Cells:
    """Cells with lines over them and the symmetries that keep the lines; the identity is the first of these.

    ``lines`` are masks, ``ends`` those of the cells that make each line longer, so that it does not count; none if
    longer lines count too. ``tables`` has for each symmetry 256 masks for each byte of a mask: the images of its cells.
    """

    def __init__(
        self,
        cells: int,
        lines: Iterable[Sequence[int]],
        symmetries: Iterable[Sequence[int]],
        ends: Iterable[Sequence[int]] | None = None,
    ) -> None:
        identity = tuple(range(cells))
        images = list(dict.fromkeys((identity, *map(tuple, symmetries))))
        masks = [sum(1 << cell for cell in line) for line in lines]
        longer = [0] * len(masks) if ends is None else [sum(1 << cell for cell in both) for both in ends]
        self.cells = cells
        self.full = (1 << cells) - 1
        self.images = len(images)
        self.count = len(masks)
        self.lines, self.ends = array("Q", masks), array("Q", longer)
        self._bytes = len(range(0, cells, 8))
        self.tables = array("Q", chain.from_iterable(map(byte_tables, images)))

    def has_line(self, mask: cython.ulonglong) -> cython.bint:
        """Return whether all cells of a line that counts are in the mask."""
        i: cython.int
        for i in range(self.count):  # noqa: SIM110, a loop in C
            if self.lines[i] & ~mask == 0 and not self.ends[i] & mask:
                return True
        return False

    def is_open(self, i: cython.int, own: cython.ulonglong, blocked: cython.ulonglong) -> cython.bint:
        """Return whether a line can still be completed."""
        return not (self.lines[i] & blocked or self.ends[i] & own)

    def missing(self, own: cython.ulonglong, blocked: cython.ulonglong) -> cython.int:
        """Return the smallest number of missing cells over all open lines; ``NEVER`` if there is none."""
        i: cython.int
        least: cython.int = family.NEVER
        for i in range(self.count):
            if self.is_open(i, own, blocked):
                lacking: cython.int = bits.count(self.lines[i] & ~own)
                least = min(least, lacking)
        return least

    def value(self, own: cython.ulonglong, blocked: cython.ulonglong) -> cython.int:
        """Return the value of all open lines: each mark on a line multiplies its value by four."""
        i: cython.int
        value: cython.int = 0
        for i in range(self.count):
            if self.is_open(i, own, blocked):
                value += 1 << 2 * bits.count(self.lines[i] & own)
        return value

    def image(self, mask: cython.ulonglong, symmetry: cython.int) -> cython.ulonglong:
        """Return the image of a mask under a symmetry."""
        found: cython.ulonglong = 0
        table: cython.int = 256 * self._bytes * symmetry
        while mask:
            found |= self.tables[table + (mask & 255)]
            mask >>= 8
            table += 256
        return found


class CellFamily(Family):
    """Rules of a board of cells. A state is two masks, unless the family says otherwise."""

    def __init__(self, cells: Cells, moves: int, images: int) -> None:
        super().__init__(moves, images)
        self._cells = cells

    def image(self, first: cython.ulonglong, second: cython.ulonglong, symmetry: cython.int) -> bits.Pair:
        """Move the cells of both masks."""
        return bits.Pair(first=self._cells.image(first, symmetry), second=self._cells.image(second, symmetry))


def byte_tables(symmetry: Sequence[int]) -> list[int]:
    """Return 256 masks for each byte of a mask: the images of its cells under a symmetry."""
    targets = [1 << cell for cell in symmetry] + [0] * 7
    table: list[int] = []
    for byte in range(0, len(symmetry), 8):
        images = [0] * 256
        for value in range(1, 256):
            low = value & -value
            images[value] = images[value ^ low] | targets[byte + low.bit_length() - 1]
        table += images
    return table
