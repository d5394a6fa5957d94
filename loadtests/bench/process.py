"""The cost of a request in process, beside a bare Flask view that returns constant bytes.

Each round is a process of its own, so that every position is asked for the first time.
"""

import asyncio
import gc
import os
from collections.abc import Callable, Sequence
from multiprocessing import get_context
from random import Random
from statistics import median
from time import process_time
from typing import Any
from unittest.mock import patch

from flask import Flask, Response
from werkzeug.test import EnvironBuilder

from loadtests.budgets import Verdicts
from loadtests.positions.questions import Answers, body_of
from loadtests.servers.processes import JSON
from loadtests.tables import ratio, show_table, show_title, times
from service.asgi import app

BATCH = 250
"""Requests that are timed together; a batch takes some tens of milliseconds."""

BARE, NEW, SEEN = "bare Flask view", "position never asked", "asked before"

Costs = dict[str, list[float]]
"""Microseconds of processor time for each request, one figure for each batch."""

Replies = list[tuple[int, bytes]]
"""Statuses and bodies."""

SCOPE = {
    "type": "http",
    "asgi": {"version": "3.0", "spec_version": "2.3"},
    "http_version": "1.1",
    "method": "POST",
    "scheme": "http",
    "path": "/best-move",
    "raw_path": b"/best-move",
    "query_string": b"",
    "root_path": "",
    "client": ("127.0.0.1", 50000),
    "server": ("127.0.0.1", 8000),
}
"""What an ASGI server hands to an application, but for state and headers."""

HEADERS = [(b"host", b"127.0.0.1:8000"), (b"accept", b"*/*"), (b"content-type", JSON.encode())]


def show(verdicts: Verdicts, answers: Answers, rounds: int) -> None:
    """Print the cost of the service and of the bare view."""
    show_title(
        "POST /best-move on 3x3 in process, microseconds of processor time for each request",
        f"{rounds} processes, {(len(answers) - 1) // BATCH} interleaved batches of {BATCH} requests in each; medians"
        " over all batches.",
    )
    costs: Costs = {BARE: [], NEW: [], SEEN: []}
    for seed in range(rounds):
        with patch.dict(os.environ, LOG_LEVEL="warning"), get_context("spawn").Pool(1) as pool:
            for name, figures in pool.apply(measure, (answers, seed)).items():
                costs[name] += figures
    rows = [("", "median", "lowest", "ratio", "budget")]
    for name, figures in costs.items():
        slower = ratio(figures, costs[BARE])
        verdict = verdicts.judge("process", slower) if name == NEW else ""
        rows.append((name, f"{median(figures):.1f}", f"{min(figures):.1f}", times(slower), verdict))
    show_table(rows)


def measure(answers: Answers, seed: int) -> Costs:
    """Ask about every board once, in batches, interleaved with batches of the bare view; then once again."""
    return asyncio.run(_measure(answers, Random(seed).sample(sorted(answers), len(answers))))


async def _measure(answers: Answers, boards: Sequence[str]) -> Costs:
    started, ends = asyncio.Event(), asyncio.Event()
    events = [{"type": "lifespan.startup"}]

    async def receive() -> dict[str, Any]:
        if not events:
            await ends.wait()
        return events.pop() if events else {"type": "lifespan.shutdown"}

    async def send(_message: object) -> None:
        started.set()

    lifespan = asyncio.create_task(app({"type": "lifespan", "asgi": {"version": "3.0"}}, receive, send))
    await started.wait()
    costs: Costs = {BARE: [], NEW: [], SEEN: []}
    constant, *boards = boards
    bare = _bare_view(answers[constant])
    _checked(await _ask_service([body_of(constant)]), [answers[constant]])
    for start in range(0, len(boards) - BATCH + 1, BATCH):
        batch = boards[start : start + BATCH]
        bodies, right = [*map(body_of, batch)], [answers[board] for board in batch]
        costs[BARE].append(_checked(_ask_bare(bare, bodies), [answers[constant]] * BATCH))
        costs[NEW].append(_checked(await _ask_service(bodies), right))
        costs[SEEN].append(_checked(await _ask_service(bodies), right))
    ends.set()
    await lifespan
    return costs


def _bare_view(constant: bytes) -> Flask:
    bare = Flask("bare")
    bare.post("/best-move")(lambda: Response(constant, mimetype="application/json"))
    return bare


def _ask_bare(bare: Flask, bodies: Sequence[bytes]) -> tuple[float, Replies]:
    """Post the bodies; return the seconds of processor time and the replies."""
    environs = [
        EnvironBuilder("/best-move", method="POST", data=body, content_type=JSON).get_environ() for body in bodies
    ]
    gc.collect()
    began = process_time()
    replies = [_call(bare, environ) for environ in environs]
    return process_time() - began, replies


def _call(bare: Flask, environ: dict[str, Any]) -> tuple[int, bytes]:
    statuses: list[str] = []

    def start(status: str, *_: object) -> Callable[[bytes], object]:
        statuses.append(status)
        return bytes  # writes nothing: Flask does not call it

    response = bare(environ, start)
    return int(statuses[0].split()[0]), b"".join(response)


async def _ask_service(bodies: Sequence[bytes]) -> tuple[float, Replies]:
    """Post the bodies to the service behind its edge, one after the other."""
    scopes = [{**SCOPE, "state": {}, "headers": [*HEADERS, (b"content-length", b"%d" % len(body))]} for body in bodies]
    gc.collect()
    began = process_time()
    replies = [await _ask(scope, body) for scope, body in zip(scopes, bodies, strict=True)]
    return process_time() - began, replies


async def _ask(scope: dict[str, Any], body: bytes) -> tuple[int, bytes]:
    messages: list[Any] = []
    requests = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> dict[str, Any]:
        return requests.pop() if requests else await asyncio.Future()

    async def send(message: object) -> None:
        messages.append(message)

    await app(scope, receive, send)
    return messages[0]["status"], b"".join(message.get("body", b"") for message in messages[1:])


def _checked(asked: tuple[float, Replies], right: Sequence[bytes]) -> float:
    """Return the cost of a request. Ends the run if an answer is wrong."""
    seconds, replies = asked
    if replies != [(200, body) for body in right]:
        raise SystemExit("An answer in process is wrong.")
    return seconds / len(replies) * 1e6
