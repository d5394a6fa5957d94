"""Connect Four after twelve moves, from the package ``bitbully-databases`` of Markus Thill (MIT licence).

Its file holds five bytes for each unfinished position that the next move does not win, one of each mirrored pair, in
ascending order: a code of four bytes, read as a signed number, and the distance to the end. The code goes from column
to column, each from the bottom: ``10`` is a mark of the player to move, ``11`` one of the other, ``0`` the end of the
column; a last ``0`` fills it up. A distance of ``n`` plies is ``100 - n`` if the player to move wins, its negative if
that player loses; 0 is a draw.
"""

import sys
from array import array
from bisect import bisect_left
from functools import cache
from importlib.metadata import version
from importlib.resources import files

from service.games.catalogue import CONNECT_FOUR

PACKAGE = "bitbully_databases"
MARKS = 12
RECORD_BYTES = 5
DISTANCE_BASE = 100
"""The minuend of a distance: ``n`` plies are stored as ``100 - n``."""

ROWS, COLUMNS = CONNECT_FOUR.rows, CONNECT_FOUR.columns
CELLS = tuple(tuple(1 << row * COLUMNS + column for row in reversed(range(ROWS))) for column in range(COLUMNS))
"""The cells of each column as masks, from the bottom."""


def credit() -> str:
    """Return the source of the scores, as the licence requires."""
    return f"{PACKAGE.replace('_', '-')} {version(PACKAGE)} by Markus Thill (MIT licence), positions of {MARKS} marks"


@cache
def database() -> "Database":
    """Return the database of the installed package. Raises ModuleNotFoundError if it is not installed."""
    return Database((files(PACKAGE) / "assets" / "book_12ply_distances.dat").read_bytes())


class Database:
    """The distances in a file of the package."""

    def __init__(self, data: bytes) -> None:
        codes = bytearray(len(data) // RECORD_BYTES * 4)
        for byte in range(4):
            codes[byte::4] = data[byte::RECORD_BYTES]
        self._codes = array("i", bytes(codes))
        if sys.byteorder == "little":
            self._codes.byteswap()
        self._distances = memoryview(data[4::RECORD_BYTES]).cast("b")

    def __len__(self) -> int:
        return len(self._codes)

    def score(self, mine: int, theirs: int) -> int | None:
        """Return the kernel's score of a position; None if it cannot arise or needs no search."""
        distance = self._distance(mine, theirs, 1)
        return self._distance(mine, theirs, -1) if distance is None else distance

    def _distance(self, mine: int, theirs: int, step: int) -> int | None:
        code = _code(mine, theirs, step)
        index = bisect_left(self._codes, code)
        if index == len(self._codes) or self._codes[index] != code:
            return None
        distance = self._distances[index]
        plies = DISTANCE_BASE - abs(distance)
        return (CONNECT_FOUR.cells + 1 - MARKS - plies) * ((distance > 0) - (distance < 0))


def _code(mine: int, theirs: int, step: int) -> int:
    """Return the code of a position, with the columns from the left, or with a step of -1 from the right."""
    code = 0
    for column in CELLS[::step]:
        for cell in column:
            if mine & cell:
                code = code << 2 | 2
            elif theirs & cell:
                code = code << 2 | 3
            else:
                break
        code <<= 1
    code <<= 1
    return code - (1 << 32) if code >> 31 else code
