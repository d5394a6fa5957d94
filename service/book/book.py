"""A book: the scores of all positions of few marks, and lines of best play, as plain numbers read from a file.

A look-up needs neither a search nor keys; see ``indexing`` for the index of a position and ``file`` for the format.
Scores are the kernel's, for the player to move.
"""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from service.book.indexing import Symmetries, positions_per_shape, rank

UNKNOWN = -128
"""The score stored for positions that cannot arise, and for unsolved ones."""

END = 255
"""The filler behind the moves of lines that are shorter than others."""


class Knowledge(Protocol):
    """Knowledge of positions that needs no search."""

    def score(self, mine: int, theirs: int) -> int | None:
        """Return the exact score of a position for the player to move; None if it is not known."""

    def line(self, mine: int, theirs: int) -> Sequence[int] | None:
        """Return best play to the end, the lowest of the best moves at every ply; None if it is not known."""

    def at_most(self, mine: int, theirs: int) -> int | None:
        """Return the greatest score that a strategy leaves the player to move; None if no strategy covers it."""


class Nothing:
    """The knowledge without a book: none."""

    def score(self, mine: int, theirs: int) -> int | None:  # noqa: ARG002
        """Return None."""
        return None

    def line(self, mine: int, theirs: int) -> Sequence[int] | None:  # noqa: ARG002
        """Return None."""
        return None

    def at_most(self, mine: int, theirs: int) -> int | None:  # noqa: ARG002
        """Return None."""
        return None


NOTHING = Nothing()


@dataclass(frozen=True, slots=True)
class Layer:
    """The positions of a number of marks: their shapes, ascending, and the scores of all positions on each."""

    shapes: memoryview
    scores: memoryview


@dataclass(frozen=True, slots=True)
class Lines:
    """Best play to the end from some positions: two ``masks`` for each, ascending, and ``length`` moves.

    The moves of a game that ends sooner are followed by ``END``.
    """

    masks: memoryview
    moves: memoryview
    length: int

    def __len__(self) -> int:
        return len(self.masks) // 2

    def position(self, index: int) -> tuple[int, int]:
        """Return the masks of a position, the player to move first."""
        return self.masks[2 * index], self.masks[2 * index + 1]

    def find(self, mine: int, theirs: int) -> Sequence[int] | None:
        """Return the moves from a position; None if it has no line here."""
        index = bisect_left(range(len(self)), (mine, theirs), key=self.position)
        if index == len(self) or self.position(index) != (mine, theirs):
            return None
        return [move for move in self.moves[index * self.length : (index + 1) * self.length] if move != END]


@dataclass(frozen=True, slots=True)
class Book:
    """The scores of a game in ``layers`` by number of marks, from the empty board on, and ``lines`` of best play.

    Layers and lines together hold the line of best play, to the end, of every position of up to ``pv_depth`` marks.
    """

    symmetries: Symmetries
    layers: Sequence[Layer]
    lines: Lines
    pv_depth: int

    @property
    def plies(self) -> int:
        """The number of marks on the boards of the last layer, up to which the book has scores."""
        return len(self.layers) - 1

    def score(self, mine: int, theirs: int) -> int | None:
        """Return the exact score of a position for the player to move, finished or not; None if it is not known."""
        marked = mine | theirs
        marks = marked.bit_count()
        if marks >= len(self.layers) or mine.bit_count() != marks // 2:
            return None
        layer = self.layers[marks]
        shape, own = self.symmetries.canonical(marked, mine)
        index = bisect_left(layer.shapes, shape)
        if index == len(layer.shapes) or layer.shapes[index] != shape:
            return None
        score = layer.scores[index * positions_per_shape(marks) + rank(shape, own)]
        return None if score == UNKNOWN else score

    def line(self, mine: int, theirs: int) -> Sequence[int] | None:
        """Return best play to the end from a position of the last layer; None if it is not known."""
        return self.lines.find(mine, theirs) if (mine | theirs).bit_count() == self.plies else None

    def at_most(self, mine: int, theirs: int) -> int | None:  # noqa: ARG002
        """Return None: a book of scores has no strategy."""
        return None
