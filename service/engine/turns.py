"""Requests take turns to run Python.

Only one thread of a process runs Python at a time. Each other thread that wants to lets the event loop wait for as long
as it may run, every time that the event loop has waited for the system. So of the threads that answer requests only one
wants to, until its request is answered, waits for something, or needs a search slot: those have a bound of their own.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock, local


class Turns:
    """One turn, which threads take one after the other."""

    def __init__(self) -> None:
        self._free = Lock()
        self._mine = local()

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Wait for the turn, and keep it while the context lasts unless it is given back before."""
        if self.is_mine:
            yield
            return
        self._free.acquire()
        self._mine.held = True
        try:
            yield
        finally:
            self.give_back()

    @property
    def is_mine(self) -> bool:
        """Whether this thread has the turn."""
        return getattr(self._mine, "held", False)

    def give_back(self) -> None:
        """Let others have the turn: what follows waits, or has a bound of its own. Without the turn, do nothing."""
        if self.is_mine:
            self._mine.held = False
            self._free.release()


TURNS = Turns()
"""Those of this process."""
