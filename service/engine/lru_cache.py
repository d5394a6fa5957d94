"""A least-recently-used cache with a fixed capacity."""

from collections import OrderedDict
from collections.abc import Hashable
from contextlib import suppress
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class LRUCache(Generic[Key, Value]):
    """A cache of at most ``capacity`` values; adding one more drops the one that was not asked for longest.

    Threads may share it: each step is atomic, and the worst that two threads can do at once is to drop one value too
    early.
    """

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self._kept: OrderedDict[Key, Value] = OrderedDict()

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, key: Key) -> Value | None:
        """Return the value of the key; None if there is none."""
        value = self._kept.get(key)
        if value is not None:
            try:  # where suppress would cost more than all the rest
                self._kept.move_to_end(key)
            except KeyError:  # another thread dropped it at the same moment
                return value
        return value

    def keep(self, key: Key, value: Value) -> None:
        """Set the value of the key."""
        self._kept[key] = value
        if len(self._kept) > self._capacity:
            with suppress(KeyError):
                self._kept.popitem(last=False)
