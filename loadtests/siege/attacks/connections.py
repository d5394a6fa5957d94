"""Connections that are held: silent, slow, and unread."""

import asyncio

from loadtests.siege.attacks.target import Target, Wire, get, post

SLOW_SECONDS = 0.5
"""Between two bytes of a slow request."""

ASK = post("/best-move", {"board": "X...O...."})

LATE_SECONDS = 0.2
"""Between the head of an honest request and its body."""

LATEST_SECONDS = 5
"""After which an honest client gives up."""

MOST_CUT = 0.25
"""The part of the honest requests that may be cut off: until its head comes, a new connection is like a silent one."""

STREAM = {"game": "five-in-a-row-6x6", "moves": [0], "limit": {"time_ms": 60_000}}


async def silent(target: Target) -> None:
    """Hold 300 silent and 150 slow connections, and see whether requests that arrive in two parts are answered."""
    async with asyncio.TaskGroup() as group:
        group.create_task(target.stay(300, Wire.wait))
        group.create_task(target.stay(150, _send_slowly))
        group.create_task(target.crowd(4, lambda _: _ask_in_two_parts(target)))
    honest, cut = target.outcomes["200"], target.outcomes["cut off"]
    if cut > MOST_CUT * (honest + cut):
        target.wrong.append(f"of {honest + cut} requests whose body came after {LATE_SECONDS} s {cut} were cut off")


async def streams(target: Target) -> None:
    """Ask for streams of searches of a minute, 40 at once, and never read them."""

    async def ask(wire: Wire) -> None:
        await wire.send(post("/analysis/stream", STREAM))
        await wire.read_nothing()

    await target.stay(40, ask)


async def unread_pages(target: Target) -> None:
    """Ask for the contract again and again on 40 connections, and never read it."""

    async def ask(wire: Wire) -> None:
        await wire.send(get("/openapi.json") * 400)
        await wire.read_nothing()

    await target.stay(40, ask)


async def _send_slowly(wire: Wire) -> None:
    for byte in ASK[:-1]:
        await wire.send(bytes([byte]))
        await asyncio.sleep(SLOW_SECONDS)
    await wire.wait()


async def _ask_in_two_parts(target: Target) -> None:
    head, body = ASK.split(b"\r\n\r\n")
    try:
        async with asyncio.timeout(LATEST_SECONDS), target.connection() as wire:
            await wire.send(head + b"\r\n\r\n")
            await asyncio.sleep(LATE_SECONDS)
            await wire.send(body)
            await wire.reply()
    except (OSError, asyncio.IncompleteReadError):
        target.outcomes["cut off"] += 1
