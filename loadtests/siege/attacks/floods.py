"""Many requests at once, each of which is expensive."""

import json
from random import Random
from urllib.parse import urlencode

from loadtests.siege.attacks.target import Target, call, get, post

PUZZLE = {"rows": 8, "columns": 8, "in_a_row": 5, "wrap": "true", "goal": "hold", "plies": 2, "nodes": 10_000_000}
"""A puzzle that is never found: all nodes are spent on drawing candidates."""

HARD = {"game": {"rows": 6, "columns": 8, "in_a_row": 4, "gravity": True}, "moves": "1", "limit": {"time_ms": 30_000}}

EQUAL = 600
"""Clients that ask the same at once."""

LEAVE_SECONDS = 0.5

MANY_SLASHES = 15_000


async def puzzles(target: Target) -> None:
    """Ask for puzzles that are never found, 24 at once."""
    await target.crowd(24, lambda seed: target.ask(get(f"/puzzles?{urlencode(PUZZLE)}&seed={seed}")))


async def equal(target: Target) -> None:
    """Ask for the same hard search, 600 at once."""
    await target.together(EQUAL, lambda _: target.ask(post("/best-move", HARD)))


async def equal_tools(target: Target) -> None:
    """Call a tool of /mcp for the same hard search, 600 at once."""
    await target.together(
        EQUAL, lambda number: target.ask(call("tools/call", number, name="best_move", arguments=HARD))
    )


async def resources(target: Target) -> None:
    """List and read the resources of /mcp, 40 at once."""

    async def read(number: int) -> None:
        reply = await target.ask(call("resources/list", number))
        if reply is not None and reply.status == 200:
            listed = json.loads(reply.body)["result"]["resources"]
            await target.ask(call("resources/read", number, uri=listed[number % len(listed)]["uri"]))

    await target.crowd(40, read)


async def pictures(target: Target) -> None:
    """Ask for pictures of random positions, 300 at once."""

    async def draw(number: int) -> None:
        moves = ",".join(map(str, Random(number).sample(range(64), 9)))
        await target.ask(get(f"/position.png?game=qubic&moves={moves}"))

    await target.crowd(300, draw)


async def slashes(target: Target) -> None:
    """Ask under long paths of slashes, a different one each time."""

    async def ask(number: int) -> None:
        await target.ask(get(f"{'/' * MANY_SLASHES}best-move?moves=1&seed={number}"))

    await target.crowd(16, ask)


async def mixed(target: Target) -> None:
    """Ask for analyses, reviews, proofs, streams and pictures of many games, and leave before the answer."""

    async def leave(number: int) -> None:
        rng = Random(number)
        rows, columns = rng.randint(4, 8), rng.randint(4, 8)
        game = {"rows": rows, "columns": columns, "in_a_row": rng.randint(3, 4), "misere": rng.random() < 0.3}
        moves = rng.sample(range(rows * columns), 5)
        limit = {"time_ms": 10_000}
        document = {"game": game, "moves": moves, "limit": limit}
        requests = (
            post("/best-move", document),
            post("/analysis", document),
            post("/analysis/stream", document),
            post("/analysis/stream", document, "Accept: text/event-stream"),
            post("/review", document),
            post("/proof", document),
            call("tools/call", number, name="analyze_position", arguments=document),
        )
        await target.ask(rng.choice(requests), leave_after=rng.random() * LEAVE_SECONDS)

    await target.crowd(32, leave)


async def own_games(target: Target) -> None:
    """Ask about games with 1,024 lines of their own, a different one each time."""

    async def ask(number: int) -> None:
        rng = Random(number)
        lines = [sorted(rng.sample(range(64), rng.randint(4, 8))) for _ in range(1024)]
        document = {"game": {"cells": 64, "lines": lines}, "moves": rng.sample(range(64), 6), "limit": {"nodes": 500}}
        await target.ask(post("/best-move", document))

    await target.crowd(8, ask)
