"""The file of a book: what it is about, as JSON, and behind that plain numbers that are used as they are.

In order: eight bytes by which a book is known, a checksum of all that follows, the length of the JSON, the JSON, spaces
up to a multiple of eight bytes; then, in 64 bits each, the shapes of every layer and the masks of the lines; then, in
a byte each, the scores of every layer and the moves of the lines.
"""

import json
import mmap
import struct
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from hashlib import blake2b
from itertools import accumulate, pairwise
from pathlib import Path
from stat import S_ISREG
from typing import Any

from service.book.book import Book, Layer, Lines
from service.book.slots import Slots, width
from service.games.catalogue import CATALOGUE
from service.games.game import Game
from service.kernel.layout import lay_out

MAGIC = b"\x89Book\r\n\x1a"
"""Told apart from text, and spoiled by whatever changes the ends of lines."""

VERSION = 1
"""To be raised when books are written differently, or when their numbers mean something else."""

HEAD = struct.Struct("<8s16sI")
CHECKED = 24
"""Where that begins of which the checksum is."""

WORD = 8


class InvalidBook(ValueError):
    """A file that cannot be used as a book; says why."""


@dataclass(frozen=True, slots=True)
class BookFile:
    """A book and what its file says of it. ``source`` says where the scores come from."""

    book: Book
    game: Game
    source: str
    checksum: str

    @property
    def plies(self) -> int:
        """The most marks of a position that it knows."""
        return len(self.book.layers) - 1

    @property
    def positions(self) -> int:
        """The slots of all layers; positions that symmetries turn into each other have one."""
        return sum(len(layer.scores) for layer in self.book.layers)

    @property
    def lines(self) -> int:
        """The positions of the last layer whose line of best play it knows."""
        return len(self.book.lines.masks) // 2


def write_book(path: Path, game: Game, book: Book, source: str) -> None:
    """Writes a book. The same book makes the same file; until it is complete it has another name."""
    about = json.dumps(_about(game, book, source), sort_keys=True).encode()
    about += b" " * (-(HEAD.size + len(about)) % WORD)
    body = b"".join((len(about).to_bytes(4, "little"), about, *_sections(book)))
    unfinished = path.with_name(path.name + ".new")
    unfinished.write_bytes(MAGIC + _checksum(body) + body)
    unfinished.replace(path)


def read_book(path: Path) -> BookFile:
    """The book in a file, which is not needed any more. Raises InvalidBook, which names the file, and OSError."""
    try:
        return _read(_held(path))
    except InvalidBook as error:
        raise InvalidBook(f"{path}: {error}") from None
    except (KeyError, TypeError, ValueError) as error:
        raise InvalidBook(f"{path}: it is damaged: {error!r}.") from None


def _held(path: Path) -> memoryview:
    """What a file holds, in memory that processes forked from this one share.

    The file itself is not mapped: written over, it would change answers; cut off, it would end the process.
    """
    about = path.stat()
    if not S_ISREG(about.st_mode) or about.st_size < HEAD.size:
        raise InvalidBook("it is no book of Move Oracle.")
    memory = mmap.mmap(-1, about.st_size)
    with path.open("rb") as file:
        file.readinto(memory)
    return memoryview(memory).toreadonly()


def _read(data: memoryview) -> BookFile:
    magic, checksum, length = HEAD.unpack_from(data)
    if magic != MAGIC:
        raise InvalidBook("it is no book of Move Oracle.")
    if _checksum(data[CHECKED:]) != checksum:
        raise InvalidBook("it is damaged or not complete: its checksum is wrong.")
    about = json.loads(bytes(data[HEAD.size : HEAD.size + length]))
    if (about["version"], about["byte_order"]) != (VERSION, sys.byteorder):
        raise InvalidBook("it was written for another version or kind of machine; build it anew.")
    game = _game(about["game"])
    book = _book(data[HEAD.size + length :], about, Slots(lay_out(game)))
    return BookFile(book, game, about["source"], checksum.hex())


def _about(game: Game, book: Book, source: str) -> Mapping[str, Any]:
    return {
        "version": VERSION,
        "byte_order": sys.byteorder,
        "game": {field.name: getattr(game, field.name) for field in fields(Game) if field.name != "value"},
        "digest": game.digest.hex(),
        "shapes": [len(layer.shapes) for layer in book.layers],
        "lines": len(book.lines.masks) // 2,
        "length": book.lines.length,
        "lined": book.lined,
        "source": source,
    }


def _game(about: Mapping[str, Any]) -> Game:
    """The game of a book. Raises InvalidBook if the rules of that name are others here."""
    lines, symmetries = (tuple(map(tuple, about[name])) for name in ("lines", "symmetries"))
    game = Game(**{**about, "lines": lines, "symmetries": symmetries})
    known = CATALOGUE.get(game.id)
    if known is not None and known.digest != game.digest:
        raise InvalidBook(f"its game is called {game.id}, but has other rules than that game here.")
    return game


def _sections(book: Book) -> Iterator[memoryview]:
    for words in (*(layer.shapes for layer in book.layers), book.lines.masks):
        yield words.cast("B")
    for numbers in (*(layer.scores for layer in book.layers), book.lines.moves):
        yield numbers.cast("B")


def _book(body: memoryview, about: Mapping[str, Any], slots: Slots) -> Book:
    shapes, lines, length = about["shapes"], about["lines"], about["length"]
    scores = [count * width(marks) for marks, count in enumerate(shapes)]
    parts = _cut(body, [*(WORD * count for count in (*shapes, 2 * lines)), *scores, lines * length])
    *words, masks = (part.cast("Q") for part in parts[: len(shapes) + 1])
    *numbers, moves = parts[len(shapes) + 1 :]
    layers = (Layer(*layer) for layer in zip(words, (part.cast("b") for part in numbers), strict=True))
    return Book(slots, tuple(layers), Lines(masks, moves, length), about["lined"])


def _cut(body: memoryview, sizes: Sequence[int]) -> list[memoryview]:
    """The parts of these sizes. Raises InvalidBook if they are not all there is."""
    if sum(sizes) != len(body):
        raise InvalidBook("its parts have not the sizes that it says.")
    ends = list(accumulate(sizes, initial=0))
    return [body[start:end] for start, end in pairwise(ends)]


def _checksum(body: bytes | memoryview) -> bytes:
    return blake2b(body, digest_size=16).digest()
