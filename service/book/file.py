"""The file format of a book: a description in JSON, then plain numbers that are used as they are.

In order: eight magic bytes, a checksum of all that follows, the length of the JSON, the JSON, spaces up to a multiple
of eight bytes; then, in 64 bits each, the shapes of every layer and the masks of the lines; then, in a byte each, the
scores of every layer and the moves of the lines. Low bytes come first on every machine.
"""

import json
import mmap
import struct
import sys
from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import accumulate, pairwise
from pathlib import Path
from stat import S_ISREG
from typing import Any, Literal

from service.book.book import Book, Layer, Lines
from service.book.indexing import Symmetries, positions_per_shape
from service.games.catalogue import LINE_GAMES
from service.games.families.lines import LineGame

MAGIC = b"\x89Book\r\n\x1a"
"""Text never begins like this, and a converted line ending is detected."""

VERSION = 1
"""Increment it when the format or the meaning of its numbers changes."""

HEAD = struct.Struct("<8s16sI")
CHECKED = 24
"""The offset from which the checksum counts."""

WORD = 8

BYTE_ORDER: Literal["little"] = "little"


class InvalidBook(ValueError):
    """The file is no valid book; the message has the reason."""


@dataclass(frozen=True, slots=True)
class BookFile:
    """A book and the description in its file. ``source`` says where the scores come from."""

    book: Book
    game: LineGame
    source: str
    checksum: str

    @property
    def plies(self) -> int:
        """The marks of the positions of the last layer."""
        return self.book.plies

    @property
    def positions(self) -> int:
        """The number of scores; symmetric positions share one."""
        return sum(len(layer.scores) for layer in self.book.layers)

    @property
    def lines(self) -> int:
        """The number of positions of the last layer that have a line of best play."""
        return len(self.book.lines)


def write_book(path: Path, game: LineGame, book: Book, source: str) -> None:
    """Write a book atomically; the same book makes the same bytes."""
    about = json.dumps(_about(game, book, source), sort_keys=True).encode()
    about += b" " * (-(HEAD.size + len(about)) % WORD)
    body = b"".join((len(about).to_bytes(4, "little"), about, *_sections(book)))
    unfinished = path.with_name(path.name + ".new")
    unfinished.write_bytes(MAGIC + _checksum(body) + body)
    unfinished.replace(path)


def read_book(path: Path) -> BookFile:
    """Read a book into memory, so that later changes of its file have no effect. Raises InvalidBook with its name."""
    try:
        return _read(_content(path))
    except InvalidBook as error:
        raise InvalidBook(f"{path} {error}") from None
    except OSError as error:
        raise InvalidBook(f"{path} cannot be read: {error.strerror}.") from None
    except (KeyError, TypeError, ValueError) as error:
        raise InvalidBook(f"{path} is damaged: {error!r}.") from None


def _content(path: Path) -> memoryview:
    """Return the bytes of a file, in memory that forked processes share.

    A mapped file would be unsafe: overwriting it would change answers, truncating it would crash the process.
    """
    about = path.stat()
    if not S_ISREG(about.st_mode) or about.st_size < HEAD.size:
        raise InvalidBook("is not a book of Move Oracle.")
    content = memoryview(mmap.mmap(-1, about.st_size))
    with path.open("rb") as file:
        file.readinto(content)
    return content


def _read(data: memoryview) -> BookFile:
    magic, checksum, length = HEAD.unpack_from(data)
    if magic != MAGIC:
        raise InvalidBook("is not a book of Move Oracle.")
    if _checksum(data[CHECKED:]) != checksum:
        raise InvalidBook("is damaged or incomplete: its checksum is wrong.")
    about = json.loads(bytes(data[HEAD.size : HEAD.size + length]))
    if (about["version"], about["byte_order"]) != (VERSION, BYTE_ORDER):
        raise InvalidBook("was written for another version or kind of machine; build it again.")
    game = _game(about["game"])
    book = _book(data[HEAD.size + length :], about, Symmetries(game.lay_out()))
    return BookFile(book, game, about["source"], checksum.hex())


RULES = (
    *("id", "name", "rules", "rows", "columns", "layers", "in_a_row", "gravity", "misere", "wrap", "lines", "drop"),
    "symmetries",
)
"""The rules of a game that a book contains."""


def _about(game: LineGame, book: Book, source: str) -> Mapping[str, Any]:
    return {
        "version": VERSION,
        "byte_order": BYTE_ORDER,
        "game": {name: getattr(game, name) for name in RULES},
        "digest": game.digest.hex(),
        "shapes": [len(layer.shapes) for layer in book.layers],
        "lines": len(book.lines),
        "length": book.lines.length,
        "lined": book.pv_depth,
        "source": source,
    }


def _game(about: Mapping[str, Any]) -> LineGame:
    """Return the game of a book. Raises InvalidBook if the catalogue has other rules for its id."""
    lines, symmetries = (tuple(map(tuple, about[name])) for name in ("lines", "symmetries"))
    game = LineGame(**{**about, "lines": lines, "symmetries": symmetries})
    known = LINE_GAMES.get(game.id)
    if known is not None and known.digest != game.digest:
        raise InvalidBook(f"is for other rules of {game.id} than this version has; build it again.")
    return game


def _sections(book: Book) -> Iterator[memoryview]:
    for words in (*(layer.shapes for layer in book.layers), book.lines.masks):
        yield _in_order(words).cast("B")
    for numbers in (*(layer.scores for layer in book.layers), book.lines.moves):
        yield numbers.cast("B")


def _book(body: memoryview, about: Mapping[str, Any], symmetries: Symmetries) -> Book:
    shapes, lines, length = about["shapes"], about["lines"], about["length"]
    scores = [count * positions_per_shape(marks) for marks, count in enumerate(shapes)]
    parts = _cut(body, [*(WORD * count for count in (*shapes, 2 * lines)), *scores, lines * length])
    *words, masks = (_in_order(part.cast("Q")) for part in parts[: len(shapes) + 1])
    *numbers, moves = parts[len(shapes) + 1 :]
    layers = (Layer(*layer) for layer in zip(words, (part.cast("b") for part in numbers), strict=True))
    return Book(symmetries, tuple(layers), Lines(masks, moves, length), about["lined"])


def _in_order(words: memoryview) -> memoryview:
    """Convert words between the byte order of this machine and that of the file."""
    if sys.byteorder == BYTE_ORDER:
        return words
    swapped = array("Q", words)
    swapped.byteswap()
    return memoryview(swapped)


def _cut(body: memoryview, sizes: Sequence[int]) -> list[memoryview]:
    """Cut the body into parts of these sizes. Raises InvalidBook if the sizes do not add up to its length."""
    if sum(sizes) != len(body):
        raise InvalidBook("is damaged: its parts do not have the sizes in its header.")
    ends = list(accumulate(sizes, initial=0))
    return [body[start:end] for start, end in pairwise(ends)]


def _checksum(body: bytes | memoryview) -> bytes:
    return blake2b(body, digest_size=16).digest()
