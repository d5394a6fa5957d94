"""The build of a book: the last layer, those below it, and the lines of best play."""

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from importlib.util import find_spec
from itertools import islice
from typing import Any

from service import __version__
from service.book.book import Book, Lines
from service.book.builder import bitbully
from service.book.builder.checkpoints import Checkpoints
from service.book.builder.layers import LayerBuilder, make_layer
from service.book.builder.tasks import LINES, LOOKED_UP, SEARCHED, ScoredMasks, line_tasks, score_tasks
from service.book.variation import principal_variation
from service.games.catalogue import CONNECT_FOUR
from service.games.families.lines import LineGame
from service.kernel.alpha_beta.search import Search
from service.kernel.memory import private_memory

Masks = tuple[int, int]

MAX_STARTS = 25_000
"""The default maximum number of positions with a whole line."""


@dataclass(frozen=True)
class Plan:
    """What to build: the scores of positions of up to ``plies`` marks, and lines of those of up to ``pv_depth``.

    ``from_database``: the last layer comes from the database for Connect Four, or is derived from it.
    """

    game: LineGame
    plies: int
    pv_depth: int
    from_database: bool

    @property
    def solved(self) -> int:
        """The number of marks of the solved layer, from which the others are derived."""
        return bitbully.MARKS if self.from_database else self.plies

    @property
    def source(self) -> str:
        """The source of the scores."""
        return bitbully.credit() if self.from_database else f"the kernel of Move Oracle {__version__}"

    def data(self) -> Mapping[str, Any]:
        """Return everything that the results of the tasks depend on."""
        symmetries = [list(symmetry) for symmetry in self.game.symmetries]
        about = {"digest": self.game.digest.hex(), "symmetries": symmetries, "source": self.source}
        return about | {"plies": self.plies, "pv_depth": self.pv_depth, "sizes": [LOOKED_UP, SEARCHED, LINES]}


def make_plan(game: LineGame, plies: int, pv_depth: int | None = None) -> Plan:
    """Return the plan of a book; it uses the database if that is installed and covers the game.

    By default ``pv_depth`` is the greatest number of marks at which at most ``MAX_STARTS`` lines begin.
    """
    usable = game.digest == CONNECT_FOUR.digest and plies <= bitbully.MARKS
    plies = min(plies, game.cells)
    pv_depth = _default_pv_depth(game) if pv_depth is None else pv_depth
    return Plan(game, plies, min(pv_depth, plies), usable and find_spec(bitbully.PACKAGE) is not None)


def _default_pv_depth(game: LineGame) -> int:
    search = Search(game.lay_out(), private_memory(1))
    starts = islice(_starts(search, game.cells), MAX_STARTS + 1)
    counts = Counter((mine | theirs).bit_count() for mine, theirs in starts)
    return max(counts) - (counts.total() > MAX_STARTS)


def build(plan: Plan, checkpoints: Checkpoints) -> Book:
    """Build the book of a plan; its bytes depend on the plan alone, not on the executor."""
    builder = LayerBuilder(plan.game)
    *lower, last = builder.shapes(plan.solved)
    tasks = score_tasks(plan.game, last, from_database=plan.from_database)
    layers = [make_layer(last, b"".join(checkpoints.results("leaves", tasks)))]
    for shapes in checkpoints.show_progress("layers", reversed(lower), len(lower)):
        layers.insert(0, builder.below(shapes, layers[0]))
    length = plan.game.cells - plan.plies
    no_lines = Lines(memoryview(array("Q")), memoryview(b""), length)
    book = Book(builder.symmetries, layers[: plan.plies + 1], no_lines, plan.pv_depth)
    ends = _ends(plan.game, book)
    moves = b"".join(checkpoints.results("lines", line_tasks(plan.game, ends, length)))
    masks = array("Q", [mask for mine, theirs, _ in ends for mask in (mine, theirs)])
    return replace(book, lines=Lines(memoryview(masks), memoryview(moves), length))


def _ends(game: LineGame, book: Book) -> list[ScoredMasks]:
    """Return the positions of the last layer that lie on the lines of best play from the starts, ascending."""
    search = Search(game.lay_out(), private_memory(1))
    ends = set[ScoredMasks]()
    for mine, theirs in _starts(search, book.pv_depth):
        score = book.score(mine, theirs)
        if score is None:
            continue
        plies = book.plies - (mine | theirs).bit_count()
        for move in islice(principal_variation(search, book, mine, theirs, score), plies):
            mine, theirs, score = theirs, mine | 1 << move, -score  # noqa: PLW2901, follow the line
        if search.ended(mine, theirs) is None:
            ends.add((mine, theirs, score))
    return sorted(ends)


def _starts(search: Search, marks: int) -> Iterator[Masks]:
    """Yield every unfinished position that play can reach within ``marks`` marks."""
    found: Iterable[Masks] = [(0, 0)]
    for _ in range(marks + 1):
        found = [masks for masks in found if search.ended(*masks) is None]
        yield from found
        found = {(theirs, mine | 1 << move) for mine, theirs in found for move in search.moves(mine, theirs)}
