"""How many requests are worked on at once, and how many wait for that."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from service.api.problems import Problem

NO_ROOM = Problem("overloaded", "Too many requests wait at once; try again in 1 s.", headers={"Retry-After": "1"})
"""The problem of a request that found no place in the queue."""


class Place:
    """A place in front of a gate, and what makes it free; not ``granted`` where too many requests wait."""

    def __init__(self, free: Callable[[], None] | None = None) -> None:
        self.granted = free is not None
        self._free = free

    def leave(self) -> None:
        """Make the place free for another request, if it is not yet."""
        free, self._free = self._free, None
        if free is not None:
            free()


class Gate:
    """Lets ``places`` requests through at once; up to ``waiting`` more wait in the order in which they came.

    Each request that is worked on, and each that waits, makes the answers to all others later.
    """

    def __init__(self, places: int, waiting: int) -> None:
        self._places = asyncio.Semaphore(places)
        self._room = places + waiting

    @asynccontextmanager
    async def place(self) -> AsyncIterator[Place]:
        """Wait for a place and keep it while the context lasts, unless it is left before; none where too many wait."""
        if not self._room:
            yield Place()
            return
        self._room -= 1
        try:
            await self._places.acquire()
        except BaseException:
            self._room += 1
            raise
        place = Place(self._leave)
        try:
            yield place
        finally:
            place.leave()

    def _leave(self) -> None:
        self._places.release()
        self._room += 1
