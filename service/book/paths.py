"""The books of a service: which there are, and for which games."""

import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from service.book.file import BookFile, InvalidBook, read_book

SUFFIX = ".book"

NONE = "none"

HOME = Path(sys.prefix) / "share" / "move-oracle"
"""Where books are looked for if nobody says where, and where they are put: beside the program, in its environment."""

Books = Mapping[bytes, BookFile]
"""Books by the digest of their game's rules."""


def read_books(places: str) -> Books:
    """The books in ``places``: files, and directories of files that end in ``.book``, with a colon between several.

    Empty for ``HOME``, which may hold none and need not be there; ``none`` for no books. Raises InvalidBook, which says
    what is wrong: a directory without books too, for whoever names one expects some.
    """
    books: dict[bytes, BookFile] = {}
    for path in _found(places):
        found = _read(path)
        if found.game.digest in books:
            raise InvalidBook(f"{path}: there is another book of the same game, {found.game.id}; keep one of them.")
        books[found.game.digest] = found
    return books


def _found(places: str) -> list[Path]:
    try:
        return list(_paths(places))
    except OSError as error:
        raise InvalidBook(f"{error.filename}: it cannot be read: {error.strerror}.") from None


def _paths(places: str) -> Iterator[Path]:
    if places == NONE:
        return
    for place in map(Path, filter(None, places.split(os.pathsep)) if places else [HOME]):
        if place.is_dir():
            books = sorted(path for path in place.iterdir() if path.name.endswith(SUFFIX))
            if places and not books:
                raise InvalidBook(f"{place}: there is no book in it, no file whose name ends in {SUFFIX}.")
            yield from books
        elif places:
            yield place


def _read(path: Path) -> BookFile:
    try:
        return read_book(path)
    except OSError as error:
        raise InvalidBook(f"{path}: it cannot be read: {error.strerror}.") from None
