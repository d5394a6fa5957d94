"""The tasks of a build, which run in any process: a result depends on its task alone."""

from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from typing import TypeVar

from service.book.book import END, NOTHING
from service.book.builder.bitbully import database
from service.book.builder.checkpoints import Checkpoints, Task
from service.book.builder.layers import LayerBuilder
from service.book.indexing import positions_per_shape
from service.book.strategy import Masks
from service.book.variation import principal_variation
from service.games.families.lines import LineGame
from service.kernel.alpha_beta.search import Search
from service.kernel.memory import shared_memory

MEMORY_MB = 128
"""The megabytes of the transposition table of each process."""

LOOKED_UP, SEARCHED, LINES = 1 << 15, 1 << 7, 4
"""The number of positions of a task (a look-up takes microseconds, a search seconds), and of lines."""

EXAMINED = 8
"""The number of positions of a task of a strategy, unless there are few."""

ScoredMasks = tuple[int, int, int]
"""The masks of a position, the player to move first, and its score."""

Item = TypeVar("Item")


def score_tasks(game: LineGame, shapes: Sequence[int], *, from_database: bool) -> list[Task]:
    """Return the tasks for the scores on the shapes of one layer."""
    positions = LOOKED_UP if from_database else SEARCHED
    count = max(1, positions // positions_per_shape(shapes[0].bit_count()))
    return [partial(solve_scores, game, part, from_database=from_database) for part in _parts(shapes, count)]


def line_tasks(game: LineGame, positions: Sequence[ScoredMasks], length: int) -> list[Task]:
    """Return the tasks that find the lines of best play from these positions."""
    return [partial(solve_lines, game, part, length) for part in _parts(positions, LINES)]


def examined(
    examine: Callable[[Sequence[Masks]], bytes], positions: Sequence[Masks], checkpoints: Checkpoints
) -> bytes:
    """Return the results of ``examine`` for positions with the same number of marks, one after the other."""
    size = 1 if len(positions) < EXAMINED * EXAMINED else EXAMINED
    marks = sum(map(int.bit_count, positions[0]))
    return b"".join(checkpoints.results(f"{marks} marks", [partial(examine, part) for part in _parts(positions, size)]))


def solve_scores(game: LineGame, shapes: Sequence[int], *, from_database: bool) -> bytes:
    """Return the scores on some shapes, a byte each, from the kernel or the database for Connect Four."""
    score = database().score if from_database else make_search(game).score
    return LayerBuilder(game).solve(shapes, score)


def solve_lines(game: LineGame, positions: Sequence[ScoredMasks], length: int) -> bytes:
    """Return the lines of best play from some positions, a byte for each move, all filled up to the same length."""
    search = make_search(game)
    lines = (bytes(principal_variation(search, NOTHING, *position)) for position in positions)
    return b"".join(line.ljust(length, bytes((END,))) for line in lines)


def _parts(items: Sequence[Item], size: int) -> Iterator[Sequence[Item]]:
    return (items[start : start + size] for start in range(0, len(items), size))


def make_search(game: LineGame) -> Search:
    """Return a search of a game that uses the transposition table of this process."""
    return Search(game.lay_out(), _memory())


@cache
def _memory() -> memoryview:
    return shared_memory(MEMORY_MB)
