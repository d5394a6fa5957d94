"""The gate: how many heavy searches run at once on this machine, and who waits until they may."""

import fcntl
import mmap
import os
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil
from threading import Lock
from time import monotonic
from typing import IO, Protocol

RETRY_SECONDS = range(1, 11)
"""The least and the most that anybody is told to wait: how long a search really takes is not known before its end."""


class Overloaded(Exception):
    """There is no room for another heavy search; after so many ``seconds`` there should be."""

    def __init__(self, seconds: int) -> None:
        super().__init__(f"no room for another search; try again in {seconds} s")
        self.seconds = seconds


class Tally(Protocol):
    """A number that others watch."""

    def inc(self, amount: float = 1) -> None:
        """Adds to it."""


class _Unwatched:
    def inc(self, amount: float = 1) -> None:
        pass


@dataclass(frozen=True, slots=True)
class Tallies:
    """How many searches of this process run now, how many wait now, and how many were refused in all."""

    running: Tally
    waiting: Tally
    refused: Tally


UNWATCHED = Tallies(_Unwatched(), _Unwatched(), _Unwatched())


class Gate:
    """``running`` places for heavy searches, and a queue of ``waiting`` places in front of them.

    All processes forked from the one that made it, before anybody was in it, share the places. A place is a
    lock on one byte of an anonymous file; the system takes it back from a process that dies, however it dies.
    Such a lock belongs to a process, so each keeps for itself which places its own threads hold. Nobody else
    may have that file: the first to close it would lose all the locks of its process.

    Who comes takes the last place of the queue, and moves up place by place as the one ahead becomes free,
    so nobody overtakes. In one process at most ``seats`` requests may have a place or wait for somebody,
    for each takes a thread. At most ``helpers`` more threads may help each search, in places that nobody else wants.
    """

    def __init__(
        self, running: int, waiting: int, *, seats: int = 1 << 30, helpers: int = 0, tallies: Tallies = UNWATCHED
    ) -> None:
        self.helpers = helpers
        self._running = running
        self._last = running + waiting - 1
        self._free_seats = seats
        self._tallies = tallies
        self._file = _anonymous_file()
        self._held: set[int] = set()
        self._guard = Lock()
        self._ends = memoryview(mmap.mmap(-1, 8 * running)).cast("d")

    def take_seat(self) -> None:
        """Takes a seat in this process. Raises Overloaded where none is left."""
        with self._guard:
            if self._free_seats:
                self._free_seats -= 1
                return
        raise self.refusal()

    def leave_seat(self) -> None:
        """Gives a seat back."""
        with self._guard:
            self._free_seats += 1

    def refusal(self) -> Overloaded:
        """What to raise where there is no room, which is counted; it knows when the next running search should end."""
        self._tallies.refused.inc()
        seconds = ceil(min(self._ends) - monotonic())
        return Overloaded(min(max(seconds, RETRY_SECONDS[0]), RETRY_SECONDS[-1]))

    def lend(self, seconds: float) -> int | None:
        """A running place for a thread that helps a search; None where none is free, or somebody waits for one.

        Without a queue none is lent: nobody could tell the helper that the place is wanted.
        """
        if self._last < self._running or self.is_wanted():
            return None
        place = next(filter(self._take, range(self._running)), None)
        if place is not None:
            self._ends[place] = monotonic() + seconds
            self._tell(None, place)
        return place

    def is_wanted(self) -> bool:
        """Whether somebody waits for a running place."""
        if self._take(self._running):
            self._release(self._running)
            return False
        return True

    def is_running(self, place: int | None) -> bool:
        """Whether who has this place may search."""
        return place is not None and place < self._running

    def advance(self, place: int | None, seconds: float) -> int | None:
        """The place of somebody who had ``place``, None for no place yet, once they have moved up as far as is free.

        Where that is a running one, they mean to search for so many seconds at most.
        """
        had = place
        while (ahead := next(filter(self._take, self._ahead_of(place)), None)) is not None:
            self._release(place)
            place = ahead
        if place != had:
            self._tell(had, place)
            if self.is_running(place):
                self._ends[place or 0] = monotonic() + seconds
        return place

    def is_full(self) -> bool:
        """Whether every place is taken. If not, who has the last of the queue is just moving up."""
        for place in range(self._last + 1):
            if self._take(place):
                self._release(place)
                return False
        return True

    def leave(self, place: int | None) -> None:
        """Gives a place back."""
        self._release(place)
        self._tell(place, None)

    def _ahead_of(self, place: int | None) -> Iterable[int]:
        """The places to one of which one may go from ``place``: running ones stand first, then the queue."""
        if place is None and self._last >= self._running:
            return (self._last,)
        if place is None or place == self._running:
            return range(self._running)
        return (place - 1,) if place > self._running else ()

    def _take(self, place: int) -> bool:
        with self._guard:
            if place in self._held:
                return False
            try:
                fcntl.lockf(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, place)
            except (BlockingIOError, PermissionError):  # another process has it
                return False
            self._held.add(place)
            return True

    def _release(self, place: int | None) -> None:
        if place is not None:
            with self._guard:
                fcntl.lockf(self._file, fcntl.LOCK_UN, 1, place)
                self._held.remove(place)

    def _tell(self, before: int | None, after: int | None) -> None:
        for place, change in ((before, -1), (after, 1)):
            if place is not None:
                (self._tallies.running if self.is_running(place) else self._tallies.waiting).inc(change)


def _anonymous_file() -> IO[bytes]:
    """A file without a name, which lives as long as a process has it."""
    if hasattr(os, "memfd_create"):
        return open(os.memfd_create("move-oracle-gate"), "r+b", buffering=0)  # noqa: PTH123, it has no path
    return tempfile.TemporaryFile(buffering=0)
