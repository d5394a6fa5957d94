"""Where books are found: the files and directories of the setting ``BOOKS``."""

import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from service.book.file import BookFile, InvalidBook, read_book

SUFFIX = ".book"

NONE = "none"

HOME = Path(sys.prefix) / "share" / "move-oracle"
"""The default directory of books, within the Python environment: the service reads it, builds write to it."""

Books = Mapping[bytes, BookFile]
"""Books by the digest of their game's rules."""


def read_books(places: str) -> Books:
    """Read the books in ``places``: files, and directories of ``.book`` files, with a colon between several.

    An empty text means ``HOME``, which may hold none and need not exist; ``none`` means no books. Raises InvalidBook
    with the reason, also for a directory without books: somebody who names one expects some.
    """
    books: dict[bytes, BookFile] = {}
    try:
        paths = list(_paths(places))
    except OSError as error:
        raise InvalidBook(f"{error.filename} cannot be read: {error.strerror}.") from None
    for path in paths:
        found = read_book(path)
        if found.game.digest in books:
            raise InvalidBook(f"{path} is a second book of {found.game.id}; remove one of the two.")
        books[found.game.digest] = found
    return books


def _paths(places: str) -> Iterator[Path]:
    if places == NONE:
        return
    for place in map(Path, filter(None, places.split(os.pathsep)) if places else [HOME]):
        if place.is_dir():
            books = sorted(path for path in place.iterdir() if path.name.endswith(SUFFIX))
            if places and not books:
                raise InvalidBook(f"{place} contains no book: no file name ends in {SUFFIX}.")
            yield from books
        elif places:
            yield place
