"""Books for tests: small games of every kind, built in this process and written to a file."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

from service.book.book import Book
from service.book.build import Plan, build
from service.book.file import BookFile, read_book, write_book
from service.book.slots import positions
from service.book.work import Crew, Work, alone
from service.games.catalogue import CATALOGUE
from service.games.game import Game, hand_written
from tests.worlds import small

Thing = TypeVar("Thing")

LINES = hand_written(
    id="custom", name="a cross", rules="two lines and a square", cells=7, lines=[[0, 3, 6], [1, 3, 5], [0, 1, 2, 4]]
)

MISERE = small(3, 5, 3, gravity=True, misere=True)

SIZES = {
    CATALOGUE["connect-four-5x4"]: (8, 2),
    CATALOGUE["tic-tac-toe"]: (9, 0),
    CATALOGUE["misere-tic-tac-toe"]: (6, 3),
    CATALOGUE["wrapped-tic-tac-toe-4x4"]: (5, 1),
    CATALOGUE["tic-tac-toe-3d"]: (4, 2),
    CATALOGUE["tic-tac-toe-4x4"]: (4, 1),
    MISERE: (6, 6),
    small(8, 8, 3): (2, 1),
    LINES: (4, 4),
}
"""The plies of each book, and the marks of the positions that have whole lines."""


def unseen(label: str, things: Iterator[Thing], *, total: int, done: int = 0) -> Iterator[Thing]:  # noqa: ARG001
    """Nobody watches."""
    return things


def plan_of(game: Game) -> Plan:
    return Plan(game, *SIZES[game], from_database=False)


def build_at(path: Path, game: Game, crew: Crew = alone) -> BookFile:
    """The book of a game, as the command builds it."""
    plan = plan_of(game)
    work = Work(path.with_name(path.name + ".parts"), plan.data(), crew, unseen)
    write_book(path, game, build(plan, work), plan.source)
    work.remove()
    return read_book(path)


@cache
def book_of(game: Game) -> BookFile:
    """The book of a game; its file is gone already, but not what it held."""
    with TemporaryDirectory() as folder:
        return build_at(Path(folder) / "a.book", game)


def entries(book: Book) -> Iterator[tuple[int, int]]:
    """What stands on every slot of a book."""
    for layer in book.layers:
        for shape in layer.shapes:
            yield from positions(shape)
