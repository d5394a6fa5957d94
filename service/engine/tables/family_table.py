"""The complete table of a game of states: values of all its positions, and lines of best play."""

import json
import os
import struct
from collections.abc import Mapping
from hashlib import blake2b
from pathlib import Path

from service.engine.result import Outcome
from service.engine.tables.table_files import NewFile, read_file
from service.games.game import Game
from service.games.parameters import ParameterValue
from service.games.position import Position
from service.kernel.states.retrograde import Graph, entries, look_up
from service.kernel.stopping import Poll

MAGIC = b"\x89Table\r\n"
VERSION = 3
HEAD = struct.Struct("<8sI4x16s16sQQ")
"""Magic bytes, version, digest of the rules, checksum of the rest, number of states, size of the hash table.

Then follow the keys of the hash table, the values, and the rules as JSON.
"""

ENDLESS = 0
DRAWS = (ENDLESS, 255)
"""The values of draws: one that neither player can bring to an end, and one that ends."""

PLACES = 1.4
"""The size of the hash table per state."""

Value = tuple[Outcome, int | None]
"""The outcome for the player to move, and the plies to the end; None for a draw."""


class UnreachableError(ValueError):
    """No play leads to the position."""


class FamilyTable:
    """The values of all positions of a game, in shared memory if they come from a file."""

    def __init__(self, game: Game, data: memoryview) -> None:
        _, _, _, _, self.states, places = HEAD.unpack_from(data)
        self.game = game
        self.bytes = data.nbytes
        self._keys, self._values = _columns(data[HEAD.size :], places)

    def value(self, position: Position) -> Value | None:
        """Return the value of a position; None if no play leads to it."""
        found = self._entry(position)
        if found is None:
            return None
        return ("draw", None) if found in DRAWS else (("win", "loss")[found % 2], (found - 1) // 2)

    def is_endless(self, position: Position) -> bool:
        """Return whether the position is a draw that neither player can bring to an end."""
        return self._entry(position) == ENDLESS

    def _entry(self, position: Position) -> int | None:
        return look_up(self._keys, self._values, self.game.play.least_image(position.state))

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

    def line(self, position: Position, first: int | None = None) -> tuple[int, ...]:
        """Return best play, the lowest best move at every ply, to the end or until a position repeats.

        With a ``first`` move the line begins with that.
        """
        seen: set[Position] = set()
        line: list[int] = []
        while position.legal_moves and position not in seen:
            # Only a draw can be endless; a line that begins with a worse move may repeat its first position.
            if line or self.known_value(position)[0] == "draw":
                seen.add(position)
            line.append(self.best_moves(position)[0] if first is None or line else first)
            position = position.play(line[-1])
        return tuple(line)


def _order(value: Value) -> int:
    """Return a sort key of values: greater is better for the player to move."""
    outcome, plies = value
    return 0 if plies is None else 1000 - plies if outcome == "win" else plies - 1000


def build(game: Game, most: int, poll: Poll | None = None) -> bytearray:
    """Solve a game; return the file of its table. Raises what ``solved`` raises."""
    return table_file(game, solved(game, most, poll))


def solved(game: Game, most: int, poll: Poll | None = None) -> Graph:
    """Return the states of a game with their values.

    Raises TooLargeError beyond ``most`` states up to symmetry, TooLongError if a win takes too many plies, and Stopped
    if ``poll`` is true.
    """
    graph = Graph(game.play, most, poll)
    graph.solve()
    return graph


def table_file(game: Game, graph: Graph) -> bytearray:
    """Return the file of the table of a solved game."""
    places, rules = places_of(graph.states), _rules_of(game)
    data = bytearray(HEAD.size + 9 * places + len(rules))
    body = memoryview(data)[HEAD.size :]
    graph.tabulate(*_columns(body, places))
    body[9 * places :] = rules
    HEAD.pack_into(data, 0, MAGIC, VERSION, game.digest, _checksum(body), graph.states, places)
    return data


def places_of(states: int) -> int:
    """Return the size of the hash table for this number of states; some places stay empty."""
    return int(PLACES * states) + 1


def _columns(body: memoryview, places: int) -> tuple[memoryview, memoryview]:
    """Return the keys and the values in the part after the head."""
    return body[: 8 * places].cast("Q"), body[8 * places : 9 * places]


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
    """Return the table in the contents of a file; None unless all of it is valid for the game.

    So no file, by any writer, can make a look-up fail or loop.
    """
    if len(data) < HEAD.size:
        return None
    magic, version, digest, checksum, states, places = HEAD.unpack_from(data)
    body, rules = data[HEAD.size :], _rules_of(game)
    if (magic, version, digest) != (MAGIC, VERSION, game.digest):
        return None
    if places != places_of(states) or len(body) != 9 * places + len(rules) or body[9 * places :] != rules:
        return None
    if _checksum(body) != checksum or entries(_columns(body, places)[0]) != states:
        return None
    return FamilyTable(game, data)


def read_rules(path: Path) -> tuple[Mapping[str, ParameterValue], int] | None:
    """Return the rules of the game of a table, and its number of states; None if the file is no table."""
    with path.open("rb") as file:
        head = file.read(HEAD.size)
        if len(head) < HEAD.size or head[: len(MAGIC)] != MAGIC or HEAD.unpack(head)[1] != VERSION:
            return None
        *_, states, places = HEAD.unpack(head)
        file.seek(9 * places, os.SEEK_CUR)
        try:
            return json.loads(file.read()), states
        except ValueError:
            return None
