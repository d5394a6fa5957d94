"""A memory of so many things and no more."""

from collections.abc import Hashable
from contextlib import suppress
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class Bounded(Generic[Key, Value]):
    """Keeps at most ``most`` values; the oldest makes room.

    Threads may share it: each step on the dictionary is atomic, and the worst that two threads can do
    at once is to drop one old value more than needed.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: dict[Key, Value] = {}
        self.get = self._kept.get

    def __len__(self) -> int:
        return len(self._kept)

    def keep(self, key: Key, value: Value) -> None:
        """Keeps the value under the key."""
        if len(self._kept) >= self._most:
            with suppress(StopIteration, KeyError, RuntimeError):  # another thread made room at the same moment
                del self._kept[next(iter(self._kept))]
        self._kept[key] = value
