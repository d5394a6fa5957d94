"""A book: the scores of all positions of few marks, and lines of best play, as plain numbers read from a file.

Look-ups need neither a search nor keys; see ``book_slots`` for where a position stands and ``book_file`` for the file.
Scores are the kernel's, for the player to move.
"""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from service.book.slots import Slots, rank, width

UNKNOWN = -128
"""What stands on slots of positions that cannot arise, or that nobody has solved."""

END = 255
"""What follows the moves of a line that is shorter than others."""


class Knowledge(Protocol):
    """What may be known of positions before any search."""

    def score(self, mine: int, theirs: int) -> int | None:
        """The exact score of a position for the player to move; None if it is not known."""

    def line(self, mine: int, theirs: int) -> Sequence[int] | None:
        """The moves of best play to the end, the lowest of the best at every ply; None if they are not known."""


class Nothing:
    """What is known where there is no book."""

    def score(self, mine: int, theirs: int) -> int | None:  # noqa: ARG002
        """None."""
        return None

    def line(self, mine: int, theirs: int) -> Sequence[int] | None:  # noqa: ARG002
        """None."""
        return None


NOTHING = Nothing()


@dataclass(frozen=True, slots=True)
class Layer:
    """The positions of a number of marks: their shapes, ascending, and the scores of all slots of each."""

    shapes: memoryview
    scores: memoryview


@dataclass(frozen=True, slots=True)
class Lines:
    """Best play to the end from some positions: two ``masks`` for each, ascending, and ``length`` moves.

    Those of a game that ends sooner are followed by ``END``.
    """

    masks: memoryview
    moves: memoryview
    length: int

    def find(self, mine: int, theirs: int) -> Sequence[int] | None:
        """The moves from a position; None if it is not among these."""
        places, masks = range(len(self.masks) // 2), self.masks
        place = bisect_left(places, (mine, theirs), key=lambda place: (masks[2 * place], masks[2 * place + 1]))
        if place == len(places) or (masks[2 * place], masks[2 * place + 1]) != (mine, theirs):
            return None
        return [move for move in self.moves[place * self.length : (place + 1) * self.length] if move != END]


@dataclass(frozen=True, slots=True)
class Book:
    """What is known of a game: the ``layers`` by number of marks, from the empty board on, and ``lines``.

    Every position of up to ``lined`` marks has its whole line of best play in the layers and the lines.
    """

    slots: Slots
    layers: Sequence[Layer]
    lines: Lines
    lined: int

    def score(self, mine: int, theirs: int) -> int | None:
        """The exact score of a position for the player to move, also of a finished one; None if it is not known."""
        marked = mine | theirs
        marks = marked.bit_count()
        if marks >= len(self.layers) or mine.bit_count() != marks // 2:
            return None
        layer = self.layers[marks]
        shape, turned = self.slots.canonical(marked, mine)
        place = bisect_left(layer.shapes, shape)
        if place == len(layer.shapes) or layer.shapes[place] != shape:
            return None
        found = layer.scores[place * width(marks) + rank(shape, turned)]
        return None if found == UNKNOWN else found

    def line(self, mine: int, theirs: int) -> Sequence[int] | None:
        """The moves of best play to the end from a position of the last layer; None if they are not known."""
        return self.lines.find(mine, theirs) if (mine | theirs).bit_count() == len(self.layers) - 1 else None
