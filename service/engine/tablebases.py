"""The tables of the games of all families: each is made when it is first asked for, and kept for the next time."""

import fcntl
import threading
from concurrent.futures import Future
from concurrent.futures import TimeoutError as Late
from pathlib import Path

from service.engine.family_table import FamilyTable, build, read_table, write_table
from service.families.game import FamilyGame

MOST_STATES = 20_000_000
"""The most positions up to symmetry of a game that gets a table: 250 MB of them, and as much again to make it."""


class Tablebases:
    """The tables of a process. In a ``folder`` they are files that all workers map into their memory.

    A file is made by one worker; those that need it too wait for it. Without a folder, or where it cannot be written,
    each worker makes its own.
    """

    def __init__(self, folder: Path | None = None, most: int = MOST_STATES) -> None:
        self.most = most
        self._folder = folder
        self._lock = threading.Lock()
        self._tables: dict[bytes, Future[FamilyTable]] = {}

    def get(self, game: FamilyGame, wait: float | None = None) -> FamilyTable | None:
        """Return the table of a game, None if it is not made within ``wait`` seconds; the work goes on then.

        Raises TooLargeError if the game has too many positions.
        """
        with self._lock:
            future = self._tables.get(game.digest)
            if future is None:
                future = self._tables[game.digest] = Future()
                threading.Thread(target=self._make, args=(game, future), daemon=True).start()
        try:
            return future.result(wait)
        except Late:
            return None

    def _make(self, game: FamilyGame, future: "Future[FamilyTable]") -> None:
        try:
            future.set_result(self._read_or_build(game))
        except BaseException as error:  # noqa: BLE001, whoever waits for the table gets it
            future.set_exception(error)

    def _read_or_build(self, game: FamilyGame) -> FamilyTable:
        if self._folder is None:
            return FamilyTable(game, memoryview(build(game, self.most)))
        path = self._folder / f"{game.digest.hex()}.table"
        found = read_table(game, path)
        if found is not None:
            return found
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            with path.with_suffix(".lock").open("w") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX)
                if read_table(game, path) is None:
                    write_table(path, build(game, self.most))
                found = read_table(game, path)
        except OSError:
            found = None
        return found or FamilyTable(game, memoryview(build(game, self.most)))
