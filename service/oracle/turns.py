"""Turns: of several threads that want the same thing, one works for it while the others wait for what it finds."""

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Lock
from typing import Generic, TypeVar

WAIT_SECONDS = 0.01
"""Between two looks at whether to wait on."""

Found = TypeVar("Found")


@dataclass
class Turn(Generic[Found]):
    """What those who want the same share: a lock, and what somebody before left for those who waited."""

    lock: Lock = field(default_factory=Lock)
    users: int = 0
    found: Found | None = None


class Turns(Generic[Found]):
    """A turn for every key that somebody holds or waits for, and none for the others."""

    def __init__(self) -> None:
        self._guard = Lock()
        self._turns: dict[Hashable, Turn[Found]] = {}

    def __len__(self) -> int:
        return len(self._turns)

    @contextmanager
    def turn(self, key: Hashable, give_up: Callable[[], bool]) -> Iterator[Turn[Found]]:
        """Holds the lock of ``key``, or goes on without it once ``give_up`` says not to wait any longer."""
        turn, held = self._join(key), False
        try:
            held = turn.lock.acquire(blocking=False)
            while not held and not give_up():
                held = turn.lock.acquire(timeout=WAIT_SECONDS)
            yield turn
        finally:
            if held:
                turn.lock.release()
            self._leave(key)

    def _join(self, key: Hashable) -> Turn[Found]:
        with self._guard:
            turn = self._turns.setdefault(key, Turn())
            turn.users += 1
            return turn

    def _leave(self, key: Hashable) -> None:
        with self._guard:
            turn = self._turns[key]
            turn.users -= 1
            if not turn.users:
                del self._turns[key]
