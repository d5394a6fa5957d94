"""Requests take turns to run Python.

Only one thread of a process runs Python at a time. Each other thread that wants to lets the event loop wait for as long
as it may run, every time that the event loop has waited for the system. So of the threads that answer requests only one
wants to: until its request is answered, or waits for something, or after each step of long work.
"""

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock, local


class Turns:
    """One turn, which threads have in the order in which they asked for it."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._is_taken = False
        self._queue: deque[Lock] = deque()
        self._mine = local()

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Wait for the turn, and keep it while the context lasts unless it is given back before."""
        if self.is_mine:
            yield
            return
        self.take()
        try:
            yield
        finally:
            self.give_back()

    @property
    def is_mine(self) -> bool:
        """Whether this thread has the turn."""
        return getattr(self._mine, "held", False)

    @property
    def waiting(self) -> int:
        """How many threads wait for the turn."""
        return len(self._queue)

    def take(self) -> None:
        """Wait for the turn, within a context of ``turn``, which gives it back at its end."""
        if self.is_mine:
            return
        granted = Lock()
        with self._lock:
            if self._is_taken:
                granted.acquire()
                self._queue.append(granted)
            self._is_taken = True
        with granted:  # its release by the thread before
            self._mine.held = True

    def give_back(self) -> None:
        """Let the next have the turn: what follows waits, or is little. Without the turn, do nothing."""
        if not self.is_mine:
            return
        self._mine.held = False
        with self._lock:
            if self._queue:
                self._queue.popleft().release()
            else:
                self._is_taken = False


TURNS = Turns()
"""Those of this process."""
