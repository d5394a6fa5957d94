"""A memory of so many things and no more."""

from collections.abc import Hashable
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class Bounded(Generic[Key, Value]):
    """Keeps at most ``most`` values; what was not asked for longest makes room first.

    There are two generations. Once the young one has grown to half of all, the old one is forgotten and
    the young one takes its place; what is asked for there becomes young again. So everything costs
    the same however much is kept, which no dictionary does that loses its first key again and again.
    Threads may share it: the worst that two can do at once is to forget something too early.
    """

    def __init__(self, most: int) -> None:
        self._half = max(1, most // 2)
        self._young: dict[Key, Value] = {}
        self._old: dict[Key, Value] = {}

    def __len__(self) -> int:
        return len(self._young) + len(self._old.keys() - self._young.keys())

    def get(self, key: Key) -> Value | None:
        """What is kept under the key; None if nothing is."""
        value = self._young.get(key)
        if value is None:
            value = self._old.get(key)
            if value is not None:
                self.keep(key, value)
        return value

    def keep(self, key: Key, value: Value) -> None:
        """Keeps the value under the key."""
        if len(self._young) >= self._half and key not in self._young:
            self._old, self._young = self._young, {}
        self._young[key] = value
