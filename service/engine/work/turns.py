"""Turns of the threads that run Python for requests.

One thread of a process runs Python at a time. Each other runnable thread delays the event loop by a switch interval
whenever the loop has waited for the system. So only one request thread has the turn to run at a time. It holds the turn
until its request is answered or waits, or until the end of a step of long work.
"""

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock, local


class Turns:
    """A lock that is granted to threads in the order of their calls: the turn to run."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._is_taken = False
        self._queue: deque[Lock] = deque()
        self._mine = local()

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Wait for the turn, and hold it in the context, unless ``give_back`` is called before the end."""
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
        """Whether this thread holds the turn."""
        return getattr(self._mine, "held", False)

    @property
    def waiting(self) -> int:
        """The number of threads that wait for the turn."""
        return len(self._queue)

    def take(self) -> None:
        """Wait for the turn again, within a context of ``turn``, which gives it back at its end."""
        if self.is_mine:
            return
        granted = Lock()
        with self._lock:
            if self._is_taken:
                granted.acquire()
                self._queue.append(granted)
            self._is_taken = True
        with granted:  # released by the previous thread
            self._mine.held = True

    def give_back(self) -> None:
        """Give the turn to the next thread, before waiting or short work. Without the turn, do nothing."""
        if not self.is_mine:
            return
        self._mine.held = False
        with self._lock:
            if self._queue:
                self._queue.popleft().release()
            else:
                self._is_taken = False


TURNS = Turns()
"""The turns of this process."""
