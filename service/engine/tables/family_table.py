"""The complete table of a game of states: values of all its positions, and lines of best play."""

import json
import os
import struct
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from hashlib import blake2b
from pathlib import Path

from service.engine.result import Outcome
from service.engine.tables.table_files import NewFile, read_file
from service.games.game import Game
from service.games.parameters import ParameterValue
from service.games.position import Position
from service.kernel.states.graph import Graph
from service.kernel.states.packed_table import PackedTable, pack
from service.kernel.states.retrograde import Retrograde
from service.kernel.stopping import Poll

MAGIC = b"\x89Table\r\n"
VERSION = 5
HEAD = struct.Struct("<8sI4x16s16sQQ")
"""Magic bytes, version, digest of the rules, checksum of the rest, number of states, number of words.

Then follow the words of the packed table, and the rules as JSON.
"""

ENDLESS = 0
DRAWS = (ENDLESS, 1)
"""The values of draws: one that neither player can bring to an end, and one that ends."""

Value = tuple[Outcome, int | None]
"""The outcome for the player to move, and the plies to the end; None for a draw."""


class UnreachableError(ValueError):
    """No play leads to the position."""


class FamilyTable:
    """The values of all positions of a game. Processes share the memory of a table that comes from a large file.

    Raises ValueError if the states of the table are not in order.
    """

    def __init__(self, game: Game, data: memoryview) -> None:
        _, _, _, _, self.states, words = HEAD.unpack_from(data)
        self.game = game
        self.bytes = data.nbytes
        self._values = PackedTable(data[HEAD.size : HEAD.size + 8 * words].cast("Q"), self.states)

    def value(self, position: Position) -> Value | None:
        """Return the value of a position; None if no play leads to it."""
        found = self._entry(position)
        if found is None:
            return None
        return ("draw", None) if found in DRAWS else (("loss", "win")[found % 2], found // 2 - 1)

    def is_endless(self, position: Position) -> bool:
        """Return whether the position is a draw that neither player can bring to an end."""
        return self._entry(position) == ENDLESS

    def _entry(self, position: Position) -> int | None:
        return self._values.find(self.game.play.least_image(position.state))

    def __contains__(self, position: Position) -> bool:
        return self.value(position) is not None

    def known_value(self, position: Position) -> Value:
        """Return the value of a position. Raises UnreachableError if no play leads to it."""
        found = self.value(position)
        if found is None:
            raise UnreachableError
        return found

    def best_moves(self, position: Position) -> tuple[int, ...]:
        """Return all best moves, ascending; none when the game is over."""
        orders = {move: _order(self.known_value(position.play(move))) for move in position.legal_moves}
        best = min(orders.values(), default=0)
        return tuple(move for move, order in orders.items() if order == best)

    def best_move(self, position: Position) -> int:
        """Return the lowest best move of an unfinished position."""
        return self.best_moves(position)[0]

    def line(self, position: Position, first: int | None = None) -> tuple[int, ...]:
        """Return the line of best play, with the lowest best move at every ply, to the end or until a position repeats.

        A ``first`` move, if given, begins the line.
        """
        seen: set[Position] = set()
        line: list[int] = []
        while position.legal_moves and position not in seen:
            # Only a draw can be endless; a line that begins with a worse move may repeat its first position.
            if line or self.known_value(position)[0] == "draw":
                seen.add(position)
            line.append(self.best_move(position) if first is None or line else first)
            position = position.play(line[-1])
        return tuple(line)


def _order(value: Value) -> int:
    """Return a sort key of values: greater is better for the player to move."""
    outcome, plies = value
    return 0 if plies is None else 1000 - plies if outcome == "win" else plies - 1000


def build(game: Game, most: int, poll: Poll | None = None, threads: int = 1) -> bytearray:
    """Solve a game; return the contents of the file of its table. Raises the exceptions of ``solved``."""
    return table_file(game, solved(game, most, poll, threads))


def solved(game: Game, most: int, poll: Poll | None = None, threads: int = 1) -> Retrograde:
    """Return the states of a game with their values, found by this thread, or by several at once.

    Raises TooLargeError beyond ``most`` states up to symmetry, TooLongError if a win takes too many plies, and Stopped
    if ``poll`` is true.
    """
    with ThreadPoolExecutor(threads, "tables") if threads > 1 else nullcontext() as pool:
        return Retrograde(Graph(game.play, most, poll, pool))


def table_file(game: Game, found: Retrograde) -> bytearray:
    """Return the contents of the file of a solved game's table."""
    words = pack(*found.tabulate())
    data = bytearray().join((bytes(HEAD.size), words, _rules_of(game)))
    checksum = _checksum(memoryview(data)[HEAD.size :])
    HEAD.pack_into(data, 0, MAGIC, VERSION, game.digest, checksum, found.graph.states, len(words))
    return data


def _rules_of(game: Game) -> bytes:
    return json.dumps({"family": game.family, **game.parameters}).encode()


def _checksum(body: memoryview) -> bytes:
    return blake2b(body, digest_size=16).digest()


def write_table(path: Path, data: bytes | bytearray) -> None:
    """Write the file of a table atomically. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with NewFile(path) as file:
        file.write(data)


def read_table(game: Game, path: Path) -> FamilyTable | None:
    """Return the table of a game; None if the file is missing, damaged or of another version."""
    data = read_file(path)
    return None if data is None else table_in(game, data)


def table_in(game: Game, data: memoryview) -> FamilyTable | None:
    """Return the table in the contents of a file; None unless all of them are valid for the game.

    These checks exclude files, from any writer, with which a look-up would fail.
    """
    if len(data) < HEAD.size:
        return None
    magic, version, digest, checksum, _, words = HEAD.unpack_from(data)
    body, rules = data[HEAD.size :], _rules_of(game)
    if (magic, version, digest) != (MAGIC, VERSION, game.digest):
        return None
    if len(body) != 8 * words + len(rules) or body[-len(rules) :] != rules or _checksum(body) != checksum:
        return None
    try:
        return FamilyTable(game, data)
    except ValueError:
        return None


def read_rules(path: Path) -> tuple[Mapping[str, ParameterValue], int] | None:
    """Return the rules of the game of a table, and its number of states; None if the file is no table."""
    with path.open("rb") as file:
        head = file.read(HEAD.size)
        if len(head) < HEAD.size or head[: len(MAGIC)] != MAGIC or HEAD.unpack(head)[1] != VERSION:
            return None
        *_, states, words = HEAD.unpack(head)
        file.seek(8 * words, os.SEEK_CUR)
        try:
            return json.loads(file.read()), states
        except ValueError:
            return None
