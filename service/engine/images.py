"""Symmetric images of positions, by look-up tables."""

from collections.abc import Iterator

from service.games.boards.grid import Symmetry
from service.games.families.lines import LineGame
from service.kernel.rules import Rules

BYTE = 256
"""The number of values of a byte: the entries of the kernel's table for one byte of a mask and one symmetry."""


class Images:
    """Applies the symmetries of a game, without the identity, to masks."""

    def __init__(self, game: LineGame, rules: Rules) -> None:
        identity = tuple(range(game.cells))
        self.symmetries: tuple[Symmetry, ...] = tuple(each for each in game.symmetries if each != identity)
        self._rules = rules
        self._bytes = range(0, game.cells, 8)

    def of(self, own: int, other: int) -> Iterator[tuple[int, tuple[int, int]]]:
        """Yield the number of each symmetry and the image of a position."""
        for number in range(len(self.symmetries)):
            yield number, (self._image(own, number), self._image(other, number))

    def _image(self, marks: int, number: int) -> int:
        base, found = number * self._rules.stride, 0
        for place, shift in enumerate(self._bytes):
            found |= self._rules.images[base + place * BYTE + (marks >> shift & BYTE - 1)]
        return found
