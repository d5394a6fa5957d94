"""Files of tables: read or mapped, and written atomically by one process at a time."""

import fcntl
import mmap
import os
import stat
from pathlib import Path
from types import TracebackType
from typing import Self

TEMPORARY = ".tmp"
"""The suffix of a file that is being written. Its writer holds a lock on it; a file without a lock is a leftover."""

FLAGS = os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
FILE_MODE = 0o600

SMALL_BYTES = 1 << 17
"""The size in bytes above which files are mapped, so that processes share their memory.

If a mapped file is truncated, its readers die (SIGBUS).
"""


class NewFile:
    """A file that appears at its ``path`` atomically. Until then it has a temporary name, and is locked.

    Of several processes that make the same file, one gets the lock. Raises BlockingIOError for the others, and another
    OSError if no file can be written.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._temporary = path.with_name(f"{path.name}{TEMPORARY}")
        self._file = _locked(self._temporary, os.O_CREAT)
        self._written = False

    def __enter__(self) -> Self:
        return self

    def write(self, data: bytes | bytearray) -> None:
        """Write the whole file, then rename it to its path. Raises OSError."""
        os.ftruncate(self._file, 0)
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(self._file, rest) :]
        self._temporary.replace(self._path)
        self._written = True

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Remove the file unless it is complete; release the lock."""
        try:
            if not self._written:
                self._temporary.unlink(missing_ok=True)
        finally:
            os.close(self._file)


def remove_if_left_behind(temporary: Path) -> bool:
    """Remove a temporary file if it has no writer; return whether the file is gone. Raises OSError."""
    try:
        file = _locked(temporary, 0)
    except FileNotFoundError:
        return True
    except BlockingIOError:
        return False
    try:
        temporary.unlink(missing_ok=True)
    finally:
        os.close(file)
    return True


def _locked(path: Path, flags: int) -> int:
    """Return an open file, locked. Raises BlockingIOError if another process holds the lock."""
    while True:
        file = os.open(path, os.O_RDWR | FLAGS | flags, FILE_MODE)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if _is_at(path, file):
                return file
        except OSError:
            os.close(file)
            raise
        os.close(file)  # the previous holder of the lock has just renamed or removed the file


def _is_at(path: Path, file: int) -> bool:
    try:
        return os.path.samestat(os.fstat(file), path.lstat())
    except FileNotFoundError:
        return False


def read_file(path: Path, *, flags: int = os.O_CLOEXEC | os.O_NONBLOCK, owner: int | None = None) -> memoryview | None:
    """Return the contents of a regular file, which the user ``owner`` must own if given; None if it cannot be read."""
    try:
        file = os.open(path, os.O_RDONLY | flags)
    except OSError:
        return None
    try:
        status = os.fstat(file)
        if not stat.S_ISREG(status.st_mode) or owner not in (None, status.st_uid):
            return None
        return _contents(file, status.st_size)
    except (OSError, ValueError):  # an empty file cannot be mapped
        return None
    finally:
        os.close(file)


def _contents(file: int, size: int) -> memoryview:
    if size > SMALL_BYTES:
        return memoryview(mmap.mmap(file, size, access=mmap.ACCESS_READ))
    return memoryview(os.read(file, size))
