"""The work that goes into a book, in pieces that any process can do: what comes back hangs on the piece alone."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Protocol, TypeVar

from service.book.bitbully import database
from service.book.book import END, NOTHING
from service.book.layers import Layers
from service.book.slots import width
from service.book.variation import principal_variation
from service.games.game import Game
from service.kernel.layout import lay_out
from service.kernel.memory import shared_memory
from service.kernel.search import Search

MEMORY_MB = 128
"""What each process has for its searches."""

LOOKED_UP, SEARCHED, LINES = 1 << 15, 1 << 7, 4
"""How much a task does: slots that are looked up elsewhere or searched for, and lines."""

Thing = TypeVar("Thing")


class Task(Protocol):
    """A piece of work."""

    @property
    def size(self) -> int:
        """The bytes of what comes back."""

    def run(self) -> bytes:
        """Does it."""


@dataclass(frozen=True)
class LeafTask:
    """The scores of all slots of some shapes, from the kernel, or for Connect Four from a database of others."""

    game: Game
    shapes: tuple[int, ...]
    from_database: bool

    @property
    def size(self) -> int:
        """A byte for each slot."""
        return sum(width(shape.bit_count()) for shape in self.shapes)

    def run(self) -> bytes:
        """The scores, slot after slot."""
        score = database().score if self.from_database else _search(self.game).score
        return Layers(self.game).leaves(self.shapes, score)


@dataclass(frozen=True)
class LineTask:
    """The lines of best play from some positions, each the masks of both players and the score."""

    game: Game
    positions: tuple[tuple[int, int, int], ...]
    length: int

    @property
    def size(self) -> int:
        """A byte for each move."""
        return len(self.positions) * self.length

    def run(self) -> bytes:
        """The lines, filled up to the same length."""
        search = _search(self.game)
        lines = (bytes(principal_variation(search, NOTHING, *position)) for position in self.positions)
        return b"".join(line.ljust(self.length, bytes((END,))) for line in lines)


def leaf_tasks(game: Game, shapes: Sequence[int], *, from_database: bool) -> list[LeafTask]:
    """The tasks for a layer: about as many slots each, of which a look-up takes microseconds and a search seconds."""
    slots = LOOKED_UP if from_database else SEARCHED
    count = max(1, slots // width(shapes[0].bit_count()))
    return [LeafTask(game, part, from_database) for part in _parts(shapes, count)]


def line_tasks(game: Game, positions: Sequence[tuple[int, int, int]], length: int) -> list[LineTask]:
    """The tasks for the lines from some positions."""
    return [LineTask(game, part, length) for part in _parts(positions, LINES)]


def _parts(things: Sequence[Thing], size: int) -> Iterable[tuple[Thing, ...]]:
    return (tuple(things[start : start + size]) for start in range(0, len(things), size))


def _search(game: Game) -> Search:
    return Search(lay_out(game), _memory())


@cache
def _memory() -> memoryview:
    return shared_memory(MEMORY_MB)
