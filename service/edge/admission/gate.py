"""Limits of concurrent requests and of the queue in front of them."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from service.api.problems import Problem

NO_ROOM = Problem("overloaded", "Too many requests wait at once; try again in 1 s.", headers={"Retry-After": "1"})
"""The problem of a request that finds the queue full."""


class Place:
    """A place at a gate, and the function that frees it; not ``granted`` if the queue is full."""

    def __init__(self, free: Callable[[], None] | None = None) -> None:
        self.granted = free is not None
        self._free = free

    def leave(self) -> None:
        """Free the place for another request, unless it is free already."""
        free, self._free = self._free, None
        if free is not None:
            free()


class Gate:
    """Lets ``places`` requests through at once; up to ``waiting`` more wait in order of arrival.

    Every request in progress or in the queue delays all others.
    """

    def __init__(self, places: int, waiting: int) -> None:
        self._places = asyncio.Semaphore(places)
        self._room = places + waiting

    @asynccontextmanager
    async def place(self) -> AsyncIterator[Place]:
        """Wait for a place, and hold it in the context or until ``leave``; it is not granted if the queue is full."""
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
