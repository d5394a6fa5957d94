"""Numbers for positions: where each stands in a book, so that a book needs no keys but only scores, a byte each.

The marked cells make a *shape*, one for all that symmetries of the game turn into each other. Of the shapes of a
layer, those with the same number of marks, a book has a sorted list. On a shape of ``n`` marks the player to move owns
``n // 2``, and the ways to choose those have numbers without gaps (the combinatorial number system, Lehmer 1964).
So every position has a slot of its own and nothing can be taken for something else.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from math import comb

from service.kernel.rules import Rules

BYTE = 256
"""Values of a byte: so long is each of the tables that make up a symmetry."""

RANKS = tuple(tuple(comb(index, count) for count in range(65)) for index in range(65))


class Slots:
    """The shapes and numbers of a game whose ``rules`` are laid out with all its symmetries."""

    def __init__(self, rules: Rules) -> None:
        images, each = rules.images.tolist(), rules.stride // BYTE
        tables = [images[start : start + BYTE] for start in range(0, len(images), BYTE)]
        self._turns = [tables[turn * each : (turn + 1) * each] for turn in range(rules.symmetries)]

    def canonical(self, marked: int, mine: int) -> tuple[int, int]:
        """The shape of the ``marked`` cells, the lowest mask of all that symmetries make of it, and ``mine`` on it."""
        shape, turned = marked, None
        for turn in self._turns:
            image = _image(turn, marked)
            if image < shape:
                shape, turned = image, turn
        return shape, mine if turned is None else _image(turned, mine)


def _image(turn: Sequence[Sequence[int]], mask: int) -> int:
    """A mask after a symmetry, which is given as a table for each byte."""
    found = 0
    for table in turn:
        found |= table[mask & 255]
        mask >>= 8
    return found


def width(marks: int) -> int:
    """The number of slots on a shape of so many marks."""
    return comb(marks, marks // 2)


def rank(shape: int, mine: int) -> int:
    """The number of ``mine`` among all choices of so many cells of the shape."""
    found = count = 0
    while mine:
        low = mine & -mine
        count += 1
        found += RANKS[(shape & (low - 1)).bit_count()][count]
        mine ^= low
    return found


def positions(shape: int) -> Iterator[tuple[int, int]]:
    """What stands on each slot of a shape, in order: the masks of the player to move and of the other."""
    bits = [1 << cell for cell in range(shape.bit_length()) if shape >> cell & 1]
    for chosen in choices(len(bits)):
        mine = sum(bits[index] for index in chosen)
        yield mine, shape ^ mine


@lru_cache
def choices(marks: int) -> tuple[tuple[int, ...], ...]:
    """For each slot on a shape of so many marks, which of them the player to move owns."""
    return tuple(sorted(combinations(range(marks), marks // 2), key=lambda chosen: chosen[::-1]))
