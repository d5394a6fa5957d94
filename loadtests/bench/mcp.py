"""Answers to language models: the official client at ``/mcp``, beside the plain route."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from statistics import median, quantiles

import click
import httpx
from mcp import Client

from loadtests.budgets import ALLOWANCE, Verdicts
from loadtests.servers.processes import Server, oracle
from loadtests.tables import Row, show_machine, show_table, show_title

BOARDS = [f"{'.' * cell}X{'.' * (8 - cell)}" for cell in range(9)]
"""Positions of 3x3, asked one after the other."""

WORKERS, PARALLEL = 2, 16
"""Processes of the server, and the calls at the same time in the last row."""

WARM = 50
"""Calls before those that are measured: the first one imports the SDK."""

Ask = Callable[[str], Awaitable[None]]


@click.command()
@click.option("--calls", type=int, default=1000, help="How many are measured in each row.")
@ALLOWANCE
def command(calls: int, allowance: float) -> None:
    """Measure answers about 3x3 to language models, beside those of the plain route."""
    show_machine()
    show_title(
        "Answers about 3x3 in milliseconds",
        f"{calls:,} calls each by one client process, which shares the machine with {WORKERS} workers.",
    )
    verdicts = Verdicts(allowance)
    with oracle(workers=WORKERS) as server:
        before = server.private_memory()
        rows = asyncio.run(_measure(server, calls, verdicts))
        after = server.private_memory()
    show_table([("", "p50", "p99", "calls/s", "budget"), *rows])
    grown = max(after[worker] - before[worker] for worker in before)
    print(f"\nA worker took {grown:.0f} MB more once models had asked it.")
    raise SystemExit(verdicts.show())


async def _measure(server: Server, calls: int, verdicts: Verdicts) -> list[Row]:
    """Return a row for the plain route and for each tool, and one for calls at the same time."""
    url = f"{server.url}/mcp"
    async with (
        httpx.AsyncClient(base_url=server.url, timeout=60) as plain,
        Client(url, mode="auto") as client,
        Client(url, mode="legacy") as legacy,
    ):

        async def post(board: str) -> None:
            (await plain.post("/best-move", json={"board": board})).raise_for_status()

        best_move = _calling(client, "best_move")
        asked: dict[str, tuple[Ask, int]] = {
            "POST /best-move": (post, 1),
            "best_move": (best_move, 1),
            "best_move after a handshake": (_calling(legacy, "best_move"), 1),
            "analyze_position": (_calling(client, "analyze_position"), 1),
            f"best_move, {PARALLEL} at once": (best_move, PARALLEL),
        }
        rows: list[Row] = []
        for name, (ask, parallel) in asked.items():
            ms, rate = await _timed(ask, calls, parallel)
            verdict = verdicts.judge("mcp", median(ms)) if name == "best_move" else ""
            rows.append((name, f"{median(ms):.2f}", f"{quantiles(ms, n=100)[-1]:.2f}", f"{rate:,.0f}", verdict))
        return rows


def _calling(client: Client, tool: str) -> Ask:
    async def ask(board: str) -> None:
        result = await client.call_tool(tool, {"board": board})
        if result.is_error:
            raise SystemExit(f"{tool} was refused: {result.content}")

    return ask


async def _timed(ask: Ask, calls: int, parallel: int) -> tuple[list[float], float]:
    """Return the milliseconds of each of so many calls, and calls a second."""
    for number in range(WARM):
        await ask(BOARDS[number % len(BOARDS)])
    ms: list[float] = []
    numbers = iter(range(calls))

    async def ask_on() -> None:
        for number in numbers:
            started = time.perf_counter()
            await ask(BOARDS[number % len(BOARDS)])
            ms.append(1000 * (time.perf_counter() - started))

    started = time.perf_counter()
    await asyncio.gather(*[ask_on() for _ in range(parallel)])
    return ms, calls / (time.perf_counter() - started)
