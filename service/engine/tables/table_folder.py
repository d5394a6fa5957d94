"""The folder of the tables that workers share: that of the setting ``TABLEBASES``, or the cache of the user."""

import os
import stat
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from service.engine.tables.family_table import FamilyTable, table_in
from service.engine.tables.table_files import FLAGS, TEMPORARY, NewFile, read_file, remove_if_left_behind
from service.games.game import Game

NONE = "none"

NAME = "move-oracle"

SUFFIX = ".table"


class UnusableFolder(OSError):
    """A folder cannot hold tables; says why."""


class TableFolder:
    """Files of tables that all workers map into their memory, each made by one of them.

    Beyond ``most_bytes`` those that were used longest ago are removed, and whatever a killed worker has left.
    The folder is made if it is missing. Raises UnusableFolder unless it belongs to this user and no other user can
    write there, since that allows to forge answers.
    """

    def __init__(self, path: Path, most_bytes: int | None = None) -> None:
        self._path = path
        self._most_bytes = most_bytes
        make_private(path)
        self._remove_left_behind()

    def has(self, game: Game) -> bool:
        """Return whether there is a file for a game."""
        return is_table(self._path, game)

    def read(self, game: Game) -> FamilyTable | None:
        """Return the table of a game, which is then one of those used last; None if there is none."""
        path = table_path(self._path, game)
        data = read_file(path, flags=FLAGS, owner=os.geteuid())
        table = None if data is None else table_in(game, data)
        if table is not None:
            with suppress(OSError):
                os.utime(path, follow_symlinks=False)
        return table

    def make(self, game: Game, build: Callable[[], bytearray]) -> FamilyTable | None:
        """Return the table of a game, built and written; None while another process does that.

        Where it cannot be written, the table is in the memory of this process. Raises what ``build`` raises.
        """
        path = table_path(self._path, game)
        try:
            file = NewFile(path)
        except BlockingIOError:
            return None
        except OSError:
            return FamilyTable(game, memoryview(build()))
        with file:
            return self.read(game) or self._write(game, file, build())

    def _write(self, game: Game, file: NewFile, data: bytearray) -> FamilyTable:
        try:
            file.write(data)
        except OSError:  # the disk may be full
            return FamilyTable(game, memoryview(data))
        with suppress(OSError):
            self._remove_old(table_path(self._path, game))
        return self.read(game) or FamilyTable(game, memoryview(data))

    def _remove_left_behind(self) -> None:
        for path in self._path.glob(f"*{TEMPORARY}"):
            with suppress(OSError):
                remove_if_left_behind(path)

    def _remove_old(self, kept: Path) -> None:
        """Remove the files that were used longest ago, until the others and the one to be kept are few enough."""
        if self._most_bytes is None:
            return
        self._remove_left_behind()
        files = dict(self._files())
        excess = sum(status.st_size for status in files.values()) - self._most_bytes
        for path in sorted(files, key=lambda path: files[path].st_mtime_ns):
            if excess > 0 and path.suffix == SUFFIX and path != kept:
                with suppress(OSError):
                    path.unlink(missing_ok=True)  # those who have mapped it keep it
                    excess -= files[path].st_size

    def bytes(self) -> int:
        """Return the bytes of all files in the folder; 0 if it cannot be read any more."""
        with suppress(OSError):
            return sum(status.st_size for _, status in self._files())
        return 0

    def _files(self) -> Iterator[tuple[Path, os.stat_result]]:
        """Yield the files in the folder, also those that are being written; other workers may remove some meanwhile."""
        for path in self._path.iterdir():
            with suppress(FileNotFoundError):
                yield path, path.lstat()


def make_private(path: Path) -> None:
    """Make a folder, if it is missing, in which only this user can write. Raises UnusableFolder if others can."""
    try:
        path.mkdir(parents=True, exist_ok=True, mode=0o700)
        status = path.stat()
    except OSError as error:
        raise UnusableFolder(f"{path} cannot be made: {error.strerror}") from None
    if status.st_uid != os.geteuid():
        raise UnusableFolder(f"{path} belongs to another user")
    if status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise UnusableFolder(f"{path} can be written by other users")
    if not os.access(path, os.W_OK | os.X_OK):
        raise UnusableFolder(f"{path} cannot be written")


def table_path(folder: Path, game: Game) -> Path:
    """Return where the table of a game is in a folder."""
    return folder / f"{game.digest.hex()}{SUFFIX}"


def is_table(folder: Path, game: Game) -> bool:
    """Return whether there is a file for a game; not where that cannot be found out."""
    try:
        return table_path(folder, game).is_file()
    except OSError:
        return False


def table_folder(place: str) -> Path | None:
    """Return the folder that ``place`` means: none for ``none``, the cache of the user for an empty text.

    None too where that cache cannot be used: then nothing is shared.
    """
    if place == NONE:
        return None
    return Path(place) if place else cache_folder()


def cache_folder() -> Path | None:
    """Return the folder in the cache of the user, which is made if need be; None if it cannot be used."""
    try:
        cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
        folder = Path(cache) / NAME
        make_private(folder)
    except (OSError, RuntimeError):  # there may be no home
        return None
    return folder


def temporary_folder() -> Path | None:
    """Return a new folder, for all workers of a server; None where nothing can be written."""
    try:
        return Path(tempfile.mkdtemp(prefix=f"{NAME}-tables-"))
    except OSError:
        return None
