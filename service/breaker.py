"""A circuit breaker: after a few failures in a row it rejects calls for a while, then allows one trial."""

from collections.abc import Callable
from threading import Lock
from time import monotonic


class Breaker:
    """Closed at first; opens for ``seconds`` after ``most`` failures in a row, and again after each failed trial.

    Threads can share it. While it is open, it allows one trial every ``seconds``; a success closes it.
    """

    def __init__(self, most: int, seconds: float, clock: Callable[[], float] = monotonic) -> None:
        self._most, self._seconds, self._clock = most, seconds, clock
        self._failures = 0
        self._next_try = 0.0
        self._lock = Lock()

    @property
    def is_open(self) -> bool:
        """Whether the breaker is open: too many calls have failed since the last success."""
        return self._failures >= self._most

    def allows(self) -> bool:
        """Return whether a call is allowed now."""
        with self._lock:
            if self._failures < self._most:
                return True
            now = self._clock()
            if now < self._next_try:
                return False
            self._next_try = now + self._seconds  # the other threads wait for this trial
            return True

    def succeeded(self) -> bool:
        """Record a success; return whether it has closed the breaker."""
        with self._lock:
            was_open = self._failures >= self._most
            self._failures = 0
            return was_open

    def failed(self) -> bool:
        """Record a failure; return whether it has opened the breaker."""
        with self._lock:
            self._failures += 1
            if self._failures >= self._most:
                self._next_try = self._clock() + self._seconds
            return self._failures == self._most
