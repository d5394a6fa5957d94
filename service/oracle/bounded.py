"""A memory of so many things and no more."""

from collections import OrderedDict
from collections.abc import Hashable
from contextlib import suppress
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class Bounded(Generic[Key, Value]):
    """Keeps at most ``most`` values; the one that was not asked for longest makes room.

    Threads may share it: each step is atomic, and the worst that two threads can do at once is to
    forget one value too early.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: OrderedDict[Key, Value] = OrderedDict()

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, key: Key) -> Value | None:
        """What is kept under the key; None if nothing is."""
        value = self._kept.get(key)
        if value is not None:
            try:  # where suppress would cost more than all the rest
                self._kept.move_to_end(key)
            except KeyError:  # another thread made room at the same moment
                return value
        return value

    def keep(self, key: Key, value: Value) -> None:
        """Keeps the value under the key."""
        self._kept[key] = value
        if len(self._kept) > self._most:
            with suppress(KeyError):
                self._kept.popitem(last=False)
