"""A book from its beginning to its end: the last layer, those below it, and the lines of best play."""

from array import array
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from itertools import islice
from typing import Any

from service import __version__
from service.book import bitbully
from service.book.book import Book, Lines
from service.book.layers import Layers, make_layer
from service.book.tasks import LINES, LOOKED_UP, SEARCHED, leaf_tasks, line_tasks
from service.book.variation import principal_variation
from service.book.work import Work
from service.games.catalogue import CONNECT_FOUR
from service.games.game import Game
from service.kernel.layout import lay_out
from service.kernel.memory import private_memory
from service.kernel.search import Search

Masks = tuple[int, int]

MOST_BEGINNINGS = 25_000
"""Positions with whole lines, unless somebody asks for more."""


@dataclass(frozen=True)
class Plan:
    """What is to be built: all positions of up to ``plies`` marks, and whole lines for those of up to ``lined``.

    ``from_database``: the last layer comes from the database for Connect Four, or follows from what that knows.
    """

    game: Game
    plies: int
    lined: int
    from_database: bool

    @property
    def solved(self) -> int:
        """The marks of the layer from which the others follow."""
        return bitbully.MARKS if self.from_database else self.plies

    @property
    def source(self) -> str:
        """Where the scores come from."""
        return bitbully.credit() if self.from_database else f"the kernel of Move Oracle {__version__}"

    def data(self) -> Mapping[str, Any]:
        """All that the results of its tasks depend on."""
        symmetries = [list(symmetry) for symmetry in self.game.symmetries]
        about = {"digest": self.game.digest.hex(), "symmetries": symmetries, "source": self.source}
        return about | {"plies": self.plies, "lined": self.lined, "pieces": [LOOKED_UP, SEARCHED, LINES]}


def make_plan(game: Game, plies: int, lined: int | None = None) -> Plan:
    """The plan for a book; it takes the database where that is installed and of use.

    Unless ``lined`` says otherwise, lines begin at positions of so many marks that there are not too many of them.
    """
    of_use = game.digest == CONNECT_FOUR.digest and plies <= bitbully.MARKS
    plies = min(plies, game.cells)
    lined = _usual_lined(game) if lined is None else lined
    return Plan(game, plies, min(lined, plies), of_use and find_spec(bitbully.PACKAGE) is not None)


def _usual_lined(game: Game) -> int:
    """The marks up to which there are few positions to begin a line at: 6 in Connect Four."""
    search = Search(lay_out(game), private_memory(1))
    few = islice(_beginnings(search, game.cells), MOST_BEGINNINGS + 1)
    counts = Counter((mine | theirs).bit_count() for mine, theirs in few)
    return max(counts) - (counts.total() > MOST_BEGINNINGS)


def build(plan: Plan, work: Work) -> Book:
    """The book of a plan. The same plan makes the same book, whoever does the tasks, and however often it began."""
    makers = Layers(plan.game)
    shapes = makers.shapes(plan.solved)
    tasks = leaf_tasks(plan.game, shapes[-1], from_database=plan.from_database)
    layers = [make_layer(shapes[-1], b"".join(work.results("leaves", tasks)))]
    for below in work.watch("layers", reversed(shapes[:-1]), total=len(shapes) - 1):
        layers.insert(0, makers.below(below, layers[0]))
    layers = layers[: plan.plies + 1]
    length = plan.game.cells - plan.plies
    book = Book(makers.slots, layers, make_lines({}, length), plan.lined)
    ends = _ends(plan, book)
    results = b"".join(work.results("lines", line_tasks(plan.game, ends, length)))
    moves = {end[:2]: results[place * length :][:length] for place, end in enumerate(ends)}
    return Book(makers.slots, layers, make_lines(moves, length), plan.lined)


def make_lines(moves: Mapping[Masks, bytes], length: int) -> Lines:
    """The lines with these moves, each filled up to the same length."""
    masks = array("Q", [mask for position in sorted(moves) for mask in position])
    return Lines(memoryview(masks), memoryview(b"".join(moves[position] for position in sorted(moves))), length)


def _ends(plan: Plan, book: Book) -> list[tuple[int, int, int]]:
    """Where the lines of positions with few marks leave the layers: the masks and the score, ascending."""
    search = Search(lay_out(plan.game), private_memory(1))
    ends = _Ends(book)
    for mine, theirs in _beginnings(search, plan.lined):
        score = book.score(mine, theirs)
        if score is not None:
            deque(principal_variation(search, ends, mine, theirs, score), maxlen=0)
    return sorted(ends.found)


@dataclass
class _Ends:
    """A book that knows no lines, but remembers which were asked for."""

    book: Book
    found: set[tuple[int, int, int]] = field(default_factory=set)

    def score(self, mine: int, theirs: int) -> int | None:
        """What the book knows."""
        return self.book.score(mine, theirs)

    def line(self, mine: int, theirs: int) -> Sequence[int] | None:
        """None, or nothing where the layers end."""
        if (mine | theirs).bit_count() < len(self.book.layers) - 1:
            return None
        score = self.book.score(mine, theirs)
        if score is not None:
            self.found.add((mine, theirs, score))
        return ()


def _beginnings(search: Search, marks: int) -> Iterator[Masks]:
    """Every unfinished position of up to so many marks that play can reach."""
    found: Iterable[Masks] = [(0, 0)]
    for _ in range(marks + 1):
        found = [masks for masks in found if search.ended(*masks) is None]
        yield from found
        found = {(theirs, mine | 1 << move) for mine, theirs in found for move in search.moves(mine, theirs)}
