"""The files in which workers keep their metrics, safe on a disk that fills up."""

import logging
import mmap
import os
from typing import BinaryIO

from prometheus_client import mmap_dict, values

log = logging.getLogger("service")

ENTRY_BYTES = 32
"""More than an entry of the library takes beside its key."""


class ReservedFile(mmap_dict.MmapedDict):
    """A worker's numbers in a file whose every page was allotted by the disk before it is written.

    The library's own files have holes, and the system ends a process outright (SIGBUS) that writes to
    one through a mapping when the disk is full. Where there is no room, the numbers go on in memory
    that nobody else sees: then the other workers do not add them up, but this one goes on answering.
    """

    def __init__(self, filename: str, read_mode: bool = False) -> None:  # noqa: FBT001, FBT002, the library's signature
        with open(filename, "a+b") as named:  # noqa: PTH123, as the library does
            size = max(mmap_dict._INITIAL_MMAP_SIZE, os.fstat(named.fileno()).st_size)  # noqa: SLF001, it has no setting
            with _with_room(named, size) as file:
                name = filename if file is named else f"/proc/self/fd/{file.fileno()}"
                super().__init__(name, read_mode)  # type: ignore[no-untyped-call]

    def _init_value(self, key: str) -> None:
        """Adds a number, called by the library."""
        while self._used + len(key.encode()) + ENTRY_BYTES > self._capacity:
            self._capacity *= 2
            self._f = _with_room(self._f, self._capacity)
            self._m = mmap.mmap(self._f.fileno(), self._capacity)
        super()._init_value(key)  # type: ignore[no-untyped-call]


def _with_room(file: BinaryIO, size: int) -> BinaryIO:
    """The file, with so many bytes allotted; or, if its disk is full, memory with the same content."""
    try:
        os.posix_fallocate(file.fileno(), 0, size)
    except OSError as error:
        log.warning("The metrics of this process are no longer shared: %s", error)
        memory = open(os.memfd_create("metrics"), "r+b")  # noqa: PTH123, SIM115, it has no path
        memory.write(_content(file))
        memory.flush()
        os.posix_fallocate(memory.fileno(), 0, size)
        return memory
    return file


def _content(file: BinaryIO) -> bytes:
    return os.pread(file.fileno(), os.fstat(file.fileno()).st_size, 0)


def use_reserved_files() -> None:
    """Lets the library keep its numbers so, on systems that can allot room."""
    if hasattr(os, "posix_fallocate") and hasattr(os, "memfd_create"):
        values.MmapedDict = ReservedFile  # type: ignore[attr-defined]  # it has no setting for this either
