"""Single-flight: of several threads that want the same result, one works for it while the others wait."""

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Lock
from typing import Generic, TypeVar

WAIT_SECONDS = 0.01
"""Between two looks at whether to wait on."""

Found = TypeVar("Found")


@dataclass
class Flight(Generic[Found]):
    """The lock of a key, the number of threads that hold it or wait, and what the last holder left for the others."""

    lock: Lock = field(default_factory=Lock)
    users: int = 0
    found: Found | None = None


class SingleFlight(Generic[Found]):
    """One flight for each key that a thread holds or waits for; none for other keys."""

    def __init__(self) -> None:
        self._guard = Lock()
        self._flights: dict[Hashable, Flight[Found]] = {}

    def __len__(self) -> int:
        return len(self._flights)

    @contextmanager
    def join(self, key: Hashable, give_up: Callable[[], bool]) -> Iterator[Flight[Found]]:
        """Hold the lock of ``key``, or go on without it once ``give_up`` says not to wait any longer."""
        flight, held = self._enter(key), False
        try:
            held = flight.lock.acquire(blocking=False)
            while not held and not give_up():
                held = flight.lock.acquire(timeout=WAIT_SECONDS)
            yield flight
        finally:
            if held:
                flight.lock.release()
            self._leave(key)

    def _enter(self, key: Hashable) -> Flight[Found]:
        with self._guard:
            flight = self._flights.setdefault(key, Flight())
            flight.users += 1
            return flight

    def _leave(self, key: Hashable) -> None:
        with self._guard:
            flight = self._flights[key]
            flight.users -= 1
            if not flight.users:
                del self._flights[key]
