"""Position indexing: the index of a position follows from its marks, so a book stores scores without keys.

The marked cells form a *shape*; symmetries of the game map several shapes onto one canonical shape. A book lists the
canonical shapes of each layer (all positions with the same number of marks) in ascending order. On a shape of ``n``
marks the player to move owns ``n // 2``, and the combinatorial number system (Lehmer 1964) ranks the ways to choose
those without gaps. No two positions share an index.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from math import comb

from service.kernel.rules import Rules

BYTE_VALUES = 256
"""The length of each table of a symmetry: one for each byte of a mask."""

BINOMIALS = tuple(tuple(comb(n, k) for k in range(65)) for n in range(65))


class Symmetries:
    """The symmetries of a game, from its laid-out ``rules``."""

    def __init__(self, rules: Rules) -> None:
        images, bytes_per_mask = rules.images.tolist(), rules.stride // BYTE_VALUES
        tables = [images[start : start + BYTE_VALUES] for start in range(0, len(images), BYTE_VALUES)]
        self._symmetries = [
            tables[number * bytes_per_mask : (number + 1) * bytes_per_mask] for number in range(rules.symmetries)
        ]

    def canonical(self, marked: int, mine: int) -> tuple[int, int]:
        """Return the lowest image of the ``marked`` cells under all symmetries, and the image of ``mine`` on it."""
        shape, best = marked, None
        for symmetry in self._symmetries:
            image = _image(symmetry, marked)
            if image < shape:
                shape, best = image, symmetry
        return shape, mine if best is None else _image(best, mine)


def _image(symmetry: Sequence[Sequence[int]], mask: int) -> int:
    """Return the image of a mask under a symmetry."""
    image = 0
    for table in symmetry:
        image |= table[mask & 255]
        mask >>= 8
    return image


def positions_per_shape(marks: int) -> int:
    """Return the number of positions on a shape of ``marks`` marks."""
    return comb(marks, marks // 2)


def rank(shape: int, mine: int) -> int:
    """Return the rank of ``mine`` among all choices of as many cells of the shape."""
    total = count = 0
    while mine:
        low = mine & -mine
        count += 1
        total += BINOMIALS[(shape & (low - 1)).bit_count()][count]
        mine ^= low
    return total


def positions(shape: int) -> Iterator[tuple[int, int]]:
    """Yield the positions on a shape in the order of their ranks: the masks of the player to move and of the other."""
    bits = [1 << cell for cell in range(shape.bit_length()) if shape >> cell & 1]
    for chosen in choices(len(bits)):
        mine = sum(bits[index] for index in chosen)
        yield mine, shape ^ mine


@lru_cache
def choices(marks: int) -> tuple[tuple[int, ...], ...]:
    """Return, for each rank on a shape of ``marks`` marks, the marks that the player to move owns."""
    return tuple(sorted(combinations(range(marks), marks // 2), key=lambda chosen: chosen[::-1]))
