"""Requests sent on without waiting for the answers."""

import asyncio

from loadtests.siege.attacks.target import Target, Wire, get, post

PIECE = get("/x") * 4000
MOST_BYTES = 64 << 20
"""Sent on one connection at most."""

BURST_BYTES = 400_000

SLOW = post("/best-move", {"game": "qubic", "moves": [0, 21, 5], "limit": {"time_ms": 5000}})


async def one(target: Target) -> None:
    """Send tiny requests on one connection as fast as they are taken, and read what comes."""

    async def send_on(wire: Wire) -> None:
        reading = asyncio.create_task(wire.replies())
        try:
            for _ in range(MOST_BYTES // len(PIECE)):
                await wire.send(PIECE)
            await wire.wait()
        finally:
            reading.cancel()

    await target.stay(1, send_on)


async def many(target: Target) -> None:
    """Send 400 KB of tiny requests behind a search on each of 40 connections."""
    tiny = get("/x")

    async def send_behind(wire: Wire) -> None:
        await wire.send(SLOW + tiny * (BURST_BYTES // len(tiny)))
        await wire.replies()

    await target.stay(40, send_behind)
