"""The tables of games of states: each is made for the first request that needs it, and kept."""

import threading
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path

from service.engine.tables.family_table import FamilyTable, build, read_table
from service.engine.tables.table_folder import TableFolder, is_table, table_path
from service.engine.tables.table_maker import MadeTable, TableMaker
from service.engine.work.slots import UNWATCHED, Tally
from service.games.game import Game
from service.kernel.states.graph import TooLargeError
from service.kernel.stopping import Poll

MOST_STATES = 20_000_000
"""The maximum number of positions, up to symmetry, of a game with a table: 40 to 120 MB.

Making it takes up to 3.2 GB.
"""

QUICK_STATES = 200_000
"""The maximum number of states of a quick table (1 to 2 s), which is made even while a larger one is in progress."""

MOST_QUEUED = 4
"""The maximum number of large games in the queue."""


class Tablebases:
    """The tables of a process. The tables in ``folder`` are shared with other processes.

    Without a folder, or if it cannot be written, each process makes its own tables. Tables in the folder ``built`` were
    made beforehand; their games may have more than ``most`` states. A process keeps the most recently used tables, with
    up to ``most`` states together, including the game that is being solved. A ``TableMaker`` makes the tables, each
    with this number of ``threads``; ``queued`` and ``refused`` are its arguments.
    """

    def __init__(  # noqa: PLR0913, the settings of a process
        self,
        folder: TableFolder | None = None,
        most: int = MOST_STATES,
        *,
        built: Path | None = None,
        threads: int = 1,
        queued: int = MOST_QUEUED,
        refused: Tally = UNWATCHED.refused,
    ) -> None:
        self.most = most
        self._folder = folder
        self._built = built
        self._threads = threads
        self._lock = threading.Lock()
        self._tables: OrderedDict[bytes, FamilyTable] = OrderedDict()
        self._maker = TableMaker(self._make, self._is_quick, queued=queued, refused=refused)

    def has_table(self, game: Game) -> bool:
        """Return whether the game has a table: it is small enough, or a table was built beforehand."""
        return game.states <= self.most or self._is_built(game)

    @property
    def kept_states(self) -> int:
        """The number of states in the kept tables."""
        with self._lock:
            return sum(table.states for table in self._tables.values())

    def find(self, game: Game, wait: Callable[[MadeTable], FamilyTable | None]) -> FamilyTable | None:
        """Return the table of a game, at once if this process keeps it, else as the result of ``wait``.

        Raises TooLargeError if the game has too many states, Overloaded if too many tables are in the queue.
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
            return build(game, self.most, poll, self._threads)

        if self._folder is None:
            return FamilyTable(game, memoryview(build_here()))
        return self._folder.make(game, build_here)

    def _make_room(self, needed: int) -> None:
        """Drop the least recently used tables until there is room for ``needed`` states."""
        excess = self.kept_states + needed - self.most
        with self._lock:
            while excess > 0 and self._tables:
                _, dropped = self._tables.popitem(last=False)
                excess -= dropped.states

    def _is_quick(self, game: Game) -> bool:
        """Return whether the table is soon available: the game is small, or the table has a file."""
        in_folder = self._folder is not None and self._folder.has(game)
        return game.states <= QUICK_STATES or in_folder or self._is_built(game)

    def _is_built(self, game: Game) -> bool:
        return self._built is not None and is_table(self._built, game)

    def _read(self, game: Game) -> FamilyTable | None:
        built = read_table(game, table_path(self._built, game)) if self._built else None
        return built or (self._folder.read(game) if self._folder else None)
