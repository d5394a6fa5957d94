"""The folder of the shared tables, given by the setting ``TABLEBASES`` or in the cache folder of the user."""

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
    """The folder cannot hold tables; the message has the reason."""


class TableFolder:
    """The files of tables in a folder. All workers read them; each file is made by one worker.

    If the files exceed ``most_bytes``, the least recently used ones are removed. Leftovers of killed workers are also
    removed. A missing folder is made. Raises UnusableFolder unless the folder belongs to this user and only this user
    can write to it, because others could forge answers.
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
        """Return the table of a game, and mark its file as used; None if there is no valid file."""
        path = table_path(self._path, game)
        data = read_file(path, flags=FLAGS, owner=os.geteuid())
        table = None if data is None else table_in(game, data)
        if table is not None:
            with suppress(OSError):
                os.utime(path, follow_symlinks=False)
        return table

    def make(self, game: Game, build: Callable[[], bytearray]) -> FamilyTable | None:
        """Return the table of a game, built and written; None while another process builds it.

        ``build`` returns the contents of the file. If the file cannot be written, the table stays in the memory of this
        process. Raises the exceptions of ``build``.
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
        """Remove the least recently used files until the others and the file to keep fit into the limit."""
        if self._most_bytes is None:
            return
        self._remove_left_behind()
        files = dict(self._files())
        excess = sum(status.st_size for status in files.values()) - self._most_bytes
        for path in sorted(files, key=lambda path: files[path].st_mtime_ns):
            if excess > 0 and path.suffix == SUFFIX and path != kept:
                with suppress(OSError):
                    path.unlink(missing_ok=True)  # processes that have mapped it keep it
                    excess -= files[path].st_size

    def bytes(self) -> int:
        """Return the bytes of all files in the folder; 0 if it cannot be read."""
        with suppress(OSError):
            return sum(status.st_size for _, status in self._files())
        return 0

    def _files(self) -> Iterator[tuple[Path, os.stat_result]]:
        """Yield the files in the folder, also those in progress; other workers may remove some meanwhile."""
        for path in self._path.iterdir():
            with suppress(FileNotFoundError):
                yield path, path.lstat()


def make_private(path: Path) -> None:
    """Make a folder to which only this user can write, unless it exists.

    Raises UnusableFolder if the folder cannot be made or written, or if another user owns it or can write to it.
    """
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
    """Return the path of a game's table in a folder."""
    return folder / f"{game.digest.hex()}{SUFFIX}"


def is_table(folder: Path, game: Game) -> bool:
    """Return whether there is a file for a game; False if that cannot be determined."""
    try:
        return table_path(folder, game).is_file()
    except OSError:
        return False


def table_folder(place: str) -> Path | None:
    """Return the folder that a setting names: None for ``none``, the cache folder of the user for an empty text.

    If that cache folder cannot be used, return None; then no tables are shared.
    """
    if place == NONE:
        return None
    return Path(place) if place else cache_folder()


def cache_folder() -> Path | None:
    """Return the folder in the cache of the user, made if necessary; None if it cannot be used."""
    try:
        cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
        folder = Path(cache) / NAME
        make_private(folder)
    except (OSError, RuntimeError):  # the user may have no home
        return None
    return folder


def temporary_folder() -> Path | None:
    """Return a new folder for all workers of a server; None if the disk cannot be written."""
    try:
        return Path(tempfile.mkdtemp(prefix=f"{NAME}-tables-"))
    except OSError:
        return None
