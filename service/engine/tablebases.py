"""The tables of the games of all families: each is made when it is first asked for, and kept for the next time."""

import fcntl
import threading
from collections import OrderedDict
from concurrent.futures import Future
from contextlib import AbstractContextManager, nullcontext, suppress
from pathlib import Path

from service.engine.family_table import FamilyTable, build, read_table, write_table
from service.families.game import FamilyGame
from service.kernel.retrograde import TooLargeError

MOST_STATES = 20_000_000
"""The most positions up to symmetry of a game that gets a table: 250 MB of them, and up to 3.2 GB to make it."""


QUICK_STATES = 200_000
"""A game of up to so many is solved in less than a second or two; larger ones are solved one at a time."""

SUFFIX = ".table"

MadeTable = Future[FamilyTable | None]
"""A table that is being made or is made; never None."""


class Tablebases:
    """The tables of a process. In a ``folder`` they are files that all workers map into their memory.

    A file is made by one worker; those that need it too wait for it. Without a folder, or where it cannot be written,
    each worker makes its own. Beyond ``most_bytes`` the files that were used longest ago are removed. Tables in the
    folder ``built`` were made beforehand; there, a game may have more than ``most`` states.
    A process keeps tables of up to ``most`` states in all, those that were asked for last.
    """

    def __init__(
        self,
        folder: Path | None = None,
        most: int = MOST_STATES,
        *,
        most_bytes: int | None = None,
        built: Path | None = None,
    ) -> None:
        self.most = most
        self._most_bytes = most_bytes
        self._folder = folder
        self._built = built
        self._lock = threading.Lock()
        self._making_large = threading.Lock()
        self._tables: OrderedDict[bytes, MadeTable] = OrderedDict()

    def has_table(self, game: FamilyGame) -> bool:
        """Return whether the game has a table: it is small enough for one, or one was built ahead."""
        return game.states <= self.most or self._is_built(game)

    def begin(self, game: FamilyGame) -> MadeTable:
        """Return the table of a game, which a thread begins to make if it is not there.

        Raises TooLargeError if the game has too many states.
        """
        if not self.has_table(game):
            raise TooLargeError(self.most)
        with self._lock:
            made = self._tables.get(game.digest)
            if made is None:
                made = self._tables[game.digest] = Future()
                threading.Thread(target=self._make, args=(game, made), daemon=True).start()
            self._tables.move_to_end(game.digest)
        return made

    def _make(self, game: FamilyGame, made: MadeTable) -> None:
        alone: AbstractContextManager[object] = self._making_large if game.states > QUICK_STATES else nullcontext()
        try:
            table = self._read(game)
            if table is None:
                with alone:
                    table = self._build(game)
        except BaseException as error:  # noqa: BLE001, whoever waits for the table gets it
            with self._lock:
                del self._tables[game.digest]
            made.set_exception(error)
        else:
            self._make_room(table.states)
            made.set_result(table)

    def _make_room(self, needed: int) -> None:
        """Drop the tables that were not asked for longest, until there is room for so many states."""
        with self._lock:
            sizes = {digest: _states(made) for digest, made in self._tables.items()}
            excess = sum(sizes.values()) + needed - self.most
            for digest, states in sizes.items():
                if excess > 0 and states:
                    del self._tables[digest]
                    excess -= states

    def _is_built(self, game: FamilyGame) -> bool:
        return self._built is not None and table_path(self._built, game).is_file()

    def _read(self, game: FamilyGame) -> FamilyTable | None:
        """Return the table in a file, which is then one of those used last; None if there is none."""
        built = read_table(game, table_path(self._built, game)) if self._built else None
        if built is not None or self._folder is None:
            return built
        path = table_path(self._folder, game)
        found = read_table(game, path)
        if found is not None:
            with suppress(OSError):
                path.touch()
        return found

    def _build(self, game: FamilyGame) -> FamilyTable:
        if self._folder is None:
            return FamilyTable(game, memoryview(build(game, self.most)))
        path = table_path(self._folder, game)
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            with path.with_suffix(".lock").open("w") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX)
                if read_table(game, path) is None:
                    write_table(path, build(game, self.most))
                    self._remove_old(path)
                found = read_table(game, path)
        except OSError:
            found = None
        return found or FamilyTable(game, memoryview(build(game, self.most)))

    def _remove_old(self, kept: Path) -> None:
        """Remove the files that were used longest ago, until the others and the one to be kept are few enough."""
        if self._most_bytes is None:
            return
        sizes = {path: path.stat() for path in kept.parent.glob(f"*{SUFFIX}")}
        excess = sum(status.st_size for status in sizes.values()) - self._most_bytes
        for path in sorted(sizes, key=lambda path: sizes[path].st_mtime_ns):
            if excess > 0 and path != kept:
                path.unlink(missing_ok=True)  # those who have mapped it keep it
                excess -= sizes[path].st_size


def table_path(folder: Path, game: FamilyGame) -> Path:
    """Return where the table of a game is in a folder."""
    return folder / f"{game.digest.hex()}{SUFFIX}"


def _states(made: MadeTable) -> int:
    """Return the number of states in a table; 0 while it is being made."""
    table = made.result() if made.done() else None
    return 0 if table is None else table.states
