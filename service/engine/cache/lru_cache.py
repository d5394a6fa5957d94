"""A least-recently-used cache with a fixed capacity."""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from threading import Lock
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class LRUCache(Generic[Key, Value]):
    """A cache of values with a total weight of at most ``capacity``; each weighs 1 by default.

    The least recently used are dropped; the newest is always kept. Threads can share it.
    """

    def __init__(self, capacity: int, weigh: Callable[[Value], int] = lambda _: 1) -> None:
        self._capacity = capacity
        self._weigh = weigh
        self._weight = 0
        self._lock = Lock()
        self._kept: OrderedDict[Key, Value] = OrderedDict()

    def __len__(self) -> int:
        return len(self._kept)

    def __iter__(self) -> Iterator[Key]:
        """Iterate over the keys of this moment, the least recently used first."""
        return iter([*self._kept])

    def get(self, key: Key) -> Value | None:
        """Return the value of the key; None if there is none."""
        value = self._kept.get(key)
        if value is not None:
            try:  # suppress would cost more than the look-up itself
                self._kept.move_to_end(key)
            except KeyError:  # another thread dropped it at the same moment
                return value
        return value

    def keep(self, key: Key, value: Value) -> None:
        """Set the value of the key."""
        with self._lock:
            replaced = self._kept.pop(key, None)
            self._kept[key] = value
            self._weight += self._weigh(value) - (0 if replaced is None else self._weigh(replaced))
            while self._weight > self._capacity and len(self._kept) > 1:
                self._weight -= self._weigh(self._kept.popitem(last=False)[1])
