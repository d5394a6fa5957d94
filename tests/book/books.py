"""Books for tests: small games of every kind, built in this process and written to a file."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Executor, ThreadPoolExecutor
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

from service.book.book import Book
from service.book.builder.build import Plan, build
from service.book.builder.checkpoints import Checkpoints
from service.book.file import BookFile, read_book, write_book
from service.book.indexing import positions
from service.games.catalogue import LINE_GAMES
from service.games.families.lines import LineGame, hand_written
from tests.worlds import small

Item = TypeVar("Item")

LINES = hand_written(
    id="custom", name="a cross", rules="two lines and a square", cells=7, lines=[[0, 3, 6], [1, 3, 5], [0, 1, 2, 4]]
)

MISERE = small(3, 5, 3, gravity=True, misere=True)

SIZES = {
    LINE_GAMES["connect-four-5x4"]: (8, 2),
    LINE_GAMES["tic-tac-toe"]: (9, 0),
    LINE_GAMES["misere-tic-tac-toe"]: (6, 3),
    LINE_GAMES["wrapped-tic-tac-toe-4x4"]: (5, 1),
    LINE_GAMES["tic-tac-toe-3d"]: (4, 2),
    LINE_GAMES["tic-tac-toe-4x4"]: (4, 1),
    MISERE: (6, 6),
    small(8, 8, 3): (2, 1),
    LINES: (4, 4),
}
"""The plies of each book, and the marks of the positions that have whole lines."""


def no_progress(label: str, items: Iterable[Item], total: int) -> Iterator[Item]:  # noqa: ARG001, as ShowProgress wants
    """Yield the items without showing anything."""
    yield from items


def plan_of(game: LineGame) -> Plan:
    return Plan(game, *SIZES[game], from_database=False)


def build_at(path: Path, game: LineGame, executor: Executor | None = None) -> BookFile:
    """Build the book of a game as the command does, by default in a thread of this process."""
    plan = plan_of(game)
    with executor or ThreadPoolExecutor(1) as opened:
        checkpoints = Checkpoints(path.with_name(path.name + ".parts"), plan.data(), opened, no_progress)
        write_book(path, game, build(plan, checkpoints), plan.source)
    checkpoints.remove()
    return read_book(path)


def built(path: Path, plan: Mapping[str, object], build_in: Callable[[Checkpoints], Item]) -> Item:
    """Return what is built in a thread of this process, with checkpoints beside a file, as the command does."""
    with ThreadPoolExecutor(1) as executor:
        checkpoints = Checkpoints(path.with_name(path.name + ".parts"), plan, executor, no_progress)
        found = build_in(checkpoints)
    checkpoints.remove()
    return found


@cache
def book_of(game: LineGame) -> BookFile:
    """Build the book of a game; its file is gone already, but not what it held."""
    with TemporaryDirectory() as folder:
        return build_at(Path(folder) / "a.book", game)


def write_at(path: Path, game: LineGame) -> None:
    """Write the book of a game, which is built once."""
    found = book_of(game)
    write_book(path, game, found.book, found.source)


def entries(book: Book) -> Iterator[tuple[int, int]]:
    """Yield the positions that a book has an entry for."""
    for layer in book.layers:
        for shape in layer.shapes:
            yield from positions(shape)
