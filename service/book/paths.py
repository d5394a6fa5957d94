"""Where books are: in the package and its environment, or at the places of the setting ``BOOKS``."""

import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from service.book.file import InvalidBook
from service.book.strategy_file import AnyBookFile, open_book

SUFFIX = ".book"

NONE = "none"

PACKAGED = Path(__file__).with_name("data")
"""The folder of the packaged books, with the licences of their data."""

HOME = Path(sys.prefix) / "share" / "move-oracle"
"""The folder of this environment's own books, to which builds write. It need not exist."""

Books = Mapping[bytes, AnyBookFile]
"""Books by the digest of their game's rules."""


def read_books(places: str) -> Books:
    """Read the books in ``places``: files, and directories of ``.book`` files, separated by colons.

    An empty text means the books of the package and those in ``HOME``; of two books of a game, the one in ``HOME`` is
    used. ``none`` means no books. Raises InvalidBook with the reason, also if ``places`` has two books of a game, or a
    directory without books.
    """
    try:
        if places == NONE:
            return {}
        if not places:
            return {**_read(_books_in(PACKAGED)), **_read(_books_in(HOME))}
        return _read(_paths(places))
    except OSError as error:
        raise InvalidBook(f"{error.filename} cannot be read: {error.strerror}.") from None


def _read(paths: Iterable[Path]) -> dict[bytes, AnyBookFile]:
    books: dict[bytes, AnyBookFile] = {}
    for path in paths:
        found = open_book(path)
        if found.game.digest in books:
            raise InvalidBook(f"{path} is a second book of {found.game.id}; remove one of the two.")
        books[found.game.digest] = found
    return books


def _paths(places: str) -> Iterator[Path]:
    for place in map(Path, filter(None, places.split(os.pathsep))):
        if not place.is_dir():
            yield place
            continue
        books = _books_in(place)
        if not books:
            raise InvalidBook(f"{place} contains no book: no file name ends in {SUFFIX}.")
        yield from books


def _books_in(folder: Path) -> list[Path]:
    """Return the books in a folder; none if it does not exist."""
    return sorted(path for path in folder.iterdir() if path.name.endswith(SUFFIX)) if folder.is_dir() else []
