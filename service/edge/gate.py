"""How many requests are worked on at once, and how many wait for that."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from service.api.problems import Problem

NO_ROOM = Problem("overloaded", "Too many requests wait at once; try again in 1 s.", headers={"Retry-After": "1"})
"""The problem of a request that found no place in the queue."""


class Gate:
    """Lets ``places`` requests through at once; up to ``waiting`` more wait in the order in which they came.

    Each request that is worked on, and each that waits, makes the answers to all others later.
    """

    def __init__(self, places: int, waiting: int) -> None:
        self._places = asyncio.Semaphore(places)
        self._room = places + waiting

    @asynccontextmanager
    async def place(self) -> AsyncIterator[bool]:
        """Wait for a place and keep it while the context lasts; yield False at once where too many wait."""
        if not self._room:
            yield False
            return
        self._room -= 1
        try:
            async with self._places:
                yield True
        finally:
            self._room += 1
