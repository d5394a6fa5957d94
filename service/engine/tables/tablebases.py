"""The tables of the games of all families: each is made when it is first asked for, and kept for the next time."""

import threading
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path

from service.engine.tables.family_table import FamilyTable, build, read_table
from service.engine.tables.table_folder import TableFolder, is_table, table_path
from service.engine.tables.table_maker import MadeTable, TableMaker
from service.engine.work.slots import UNWATCHED, Tally
from service.games.game import Game
from service.kernel.states.retrograde import TooLargeError
from service.kernel.stopping import Poll

MOST_STATES = 20_000_000
"""The most positions up to symmetry of a game that gets a table: 250 MB of them, and up to 3.2 GB to make it."""

QUICK_STATES = 200_000
"""A game of up to so many is solved in less than a second or two; others wait while a larger one is solved."""

MOST_QUEUED = 4
"""The most large games that wait until one is solved."""


class Tablebases:
    """The tables of a process, those of a ``folder`` shared with others.

    Without a folder, and where it cannot be written, each process makes its own. Tables in the folder ``built`` were
    made beforehand; there, a game may have more than ``most`` states.
    A process keeps tables of up to ``most`` states in all, with those of the game that is being solved: those that
    were asked for last. A ``TableMaker`` makes them; ``queued`` and ``refused`` are for it.
    """

    def __init__(
        self,
        folder: TableFolder | None = None,
        most: int = MOST_STATES,
        *,
        built: Path | None = None,
        queued: int = MOST_QUEUED,
        refused: Tally = UNWATCHED.refused,
    ) -> None:
        self.most = most
        self._folder = folder
        self._built = built
        self._lock = threading.Lock()
        self._tables: OrderedDict[bytes, FamilyTable] = OrderedDict()
        self._maker = TableMaker(self._make, self._is_quick, queued=queued, refused=refused)

    def has_table(self, game: Game) -> bool:
        """Return whether the game has a table: it is small enough for one, or one was built ahead."""
        return game.states <= self.most or self._is_built(game)

    @property
    def kept_states(self) -> int:
        """The states of the tables that are kept."""
        with self._lock:
            return sum(table.states for table in self._tables.values())

    def find(self, game: Game, wait: Callable[[MadeTable], FamilyTable | None]) -> FamilyTable | None:
        """Return the table of a game. One that is being made is waited for; then return what ``wait`` returns.

        Raises TooLargeError if the game has too many states, Overloaded if too many tables are to be made.
        """
        table = self._kept(game)
        if table is not None:
            return table
        if not self.has_table(game):
            raise TooLargeError(self.most)
        with self._maker.wanted(game) as made:
            return wait(made)

    def _kept(self, game: Game) -> FamilyTable | None:
        with self._lock:
            table = self._tables.get(game.digest)
            if table is not None:
                self._tables.move_to_end(game.digest)
        return table

    def _make(self, game: Game, poll: Poll) -> FamilyTable | None:
        """Return the table of a game, made or read; None while another process makes it."""
        table = self._kept(game) or self._read(game) or self._build(game, poll)
        if table is not None:
            self._make_room(table.states)
            with self._lock:
                self._tables[game.digest] = table
        return table

    def _build(self, game: Game, poll: Poll) -> FamilyTable | None:
        def build_here() -> bytearray:
            self._make_room(game.states)
            return build(game, self.most, poll)

        if self._folder is None:
            return FamilyTable(game, memoryview(build_here()))
        return self._folder.make(game, build_here)

    def _make_room(self, needed: int) -> None:
        """Drop the tables that were not asked for longest, until there is room for so many states."""
        excess = self.kept_states + needed - self.most
        with self._lock:
            while excess > 0 and self._tables:
                _, dropped = self._tables.popitem(last=False)
                excess -= dropped.states

    def _is_quick(self, game: Game) -> bool:
        """Return whether the table takes little time: the game is small, or there is a file."""
        in_folder = self._folder is not None and self._folder.has(game)
        return game.states <= QUICK_STATES or in_folder or self._is_built(game)

    def _is_built(self, game: Game) -> bool:
        return self._built is not None and is_table(self._built, game)

    def _read(self, game: Game) -> FamilyTable | None:
        built = read_table(game, table_path(self._built, game)) if self._built else None
        return built or (self._folder.read(game) if self._folder else None)
