"""Answers to language models: the official client at ``/mcp``, beside the plain route."""

import asyncio
import json
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from statistics import median, quantiles

import click
import httpx
from mcp import Client

from loadtests.budgets import ALLOWANCE, Verdicts
from loadtests.servers.memory import private_memory
from loadtests.servers.processes import Server, oracle
from loadtests.tables import show_machine, show_table, show_title

BOARDS = [f"{'.' * cell}X{'.' * (8 - cell)}" for cell in range(9)]
"""Positions of 3x3, asked one after the other."""

WARM = 50
"""Calls before those that are measured: the first one imports the SDK."""

Ask = Callable[[str], Awaitable[None]]


@click.command()
@click.option("--calls", type=int, default=1000, help="How many are measured in each row.")
@click.option("--parallel", type=int, default=16, help="How many are sent at the same time in the last rows.")
@click.option("--workers", type=int, default=2, help="Processes of the server.")
@ALLOWANCE
def command(calls: int, parallel: int, workers: int, allowance: float) -> None:
    """Measure answers about 3x3 to language models, beside those of the plain route."""
    show_machine()
    show_title(
        "Answers about 3x3 in milliseconds",
        f"{calls:,} calls each by one client process, which shares the machine with {workers} workers.",
    )
    verdicts = Verdicts(allowance)
    with oracle(workers=workers) as server:
        before = private_memory(server)
        measured = asyncio.run(_measure(server, calls, parallel))
        after = private_memory(server)
    show_table([("", "p50", "p99", "calls/s", "budget"), *_rows(measured, calls, verdicts)])
    grown = max(after[worker] - before[worker] for worker in before)
    print(f"\nA worker took {grown:.0f} MB more once models had asked it.")
    raise SystemExit(verdicts.show())


def _rows(measured: Mapping[str, tuple[list[float], float]], calls: int, verdicts: Verdicts) -> list[Sequence[str]]:
    rows: list[Sequence[str]] = []
    for name, (seconds, whole) in measured.items():
        milliseconds = [1000 * each for each in seconds]
        judged = verdicts.judge("mcp", median(milliseconds)) if name == "best_move" else ""
        p99 = quantiles(milliseconds, n=100)[-1]
        rows.append((name, f"{median(milliseconds):.2f}", f"{p99:.2f}", f"{calls / whole:,.0f}", judged))
    return rows


async def _measure(server: Server, calls: int, parallel: int) -> dict[str, tuple[list[float], float]]:
    """Return the seconds of each call, and of all together."""
    measured = {}
    async with httpx.AsyncClient(base_url=server.url, timeout=60) as plain:
        measured["POST /best-move"] = await _timed(_posting(plain), calls, 1)
        measured["POST /mcp, without a client"] = await _timed(_messaging(plain), calls, 1)
    for mode, name in (("auto", ""), ("legacy", ", with a handshake")):
        async with Client(f"{server.url}/mcp", mode=mode) as client:
            measured[f"best_move{name}"] = await _timed(_calling(client, "best_move"), calls, 1)
            if not name:
                measured["analyze_position"] = await _timed(_calling(client, "analyze_position"), calls, 1)
            measured[f"best_move{name}, {parallel} at once"] = await _timed(
                _calling(client, "best_move"), calls, parallel
            )
    return measured


def _posting(plain: httpx.AsyncClient) -> Ask:
    async def ask(board: str) -> None:
        (await plain.post("/best-move", json={"board": board})).raise_for_status()

    return ask


def _messaging(plain: httpx.AsyncClient) -> Ask:
    """Return a client that sends a call of a tool and no more."""
    headers = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2025-11-25"}

    async def ask(board: str) -> None:
        params = {"name": "best_move", "arguments": {"board": board}}
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
        answer = (await plain.post("/mcp", json=message, headers=headers)).json()
        if answer["result"].get("isError"):
            raise SystemExit(json.dumps(answer))

    return ask


def _calling(client: Client, tool: str) -> Ask:
    async def ask(board: str) -> None:
        result = await client.call_tool(tool, {"board": board})
        if result.is_error:
            raise SystemExit(f"{tool} was refused: {result.content}")

    return ask


async def _timed(ask: Ask, calls: int, parallel: int) -> tuple[list[float], float]:
    """Return the seconds of each of so many calls, and of all together."""
    for number in range(WARM):
        await ask(BOARDS[number % len(BOARDS)])
    seconds: list[float] = []
    numbers = iter(range(calls))

    async def ask_on() -> None:
        for number in numbers:
            started = time.perf_counter()
            await ask(BOARDS[number % len(BOARDS)])
            seconds.append(time.perf_counter() - started)

    started = time.perf_counter()
    await asyncio.gather(*[ask_on() for _ in range(parallel)])
    return seconds, time.perf_counter() - started
