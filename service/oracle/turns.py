"""Turns: of several threads that want the same thing, one works for it while the others wait for what it finds."""

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from threading import Lock

WAIT_SECONDS = 0.01
"""Between two looks at whether to wait on."""


class Turns:
    """A lock for every key that somebody holds or waits for, and none for the others."""

    def __init__(self) -> None:
        self._guard = Lock()
        self._locks: dict[Hashable, tuple[Lock, int]] = {}

    def __len__(self) -> int:
        return len(self._locks)

    @contextmanager
    def turn(self, key: Hashable, give_up: Callable[[], bool]) -> Iterator[None]:
        """Holds the lock of ``key``, or goes on without it once ``give_up`` says not to wait any longer."""
        lock = self._join(key)
        held = lock.acquire(blocking=False)
        while not held and not give_up():
            held = lock.acquire(timeout=WAIT_SECONDS)
        try:
            yield
        finally:
            if held:
                lock.release()
            self._leave(key)

    def _join(self, key: Hashable) -> Lock:
        with self._guard:
            lock, users = self._locks.get(key) or (Lock(), 0)
            self._locks[key] = lock, users + 1
            return lock

    def _leave(self, key: Hashable) -> None:
        with self._guard:
            lock, users = self._locks[key]
            self._locks[key] = lock, users - 1
            if users == 1:
                del self._locks[key]
