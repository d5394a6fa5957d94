"""A real gunicorn with two workers: many calls at once, a worker that dies, a client that leaves."""

import asyncio
import os
import signal
import socket
import struct
from collections.abc import Iterator
from math import ceil

import pytest
from mcp import Client
from mcp_types import TextContent

from tests.mcp.clients import at, call, run
from tests.server.searches import FOREVER, PATIENT, wait_for
from tests.support import Server, wait_until
from tests.wire import request

pytestmark = pytest.mark.verify

CALLS, PARALLEL = 400, 16

QUESTIONS = {
    ("best_move", "XX.OO...."): "Best for X is c1, a proven win in 1 ply. Completes the top row.",
    ("explain_move", "X........"): "b2 draws for O: The only move that draws. Holds the draw. No move is better.",
    ("best_move", "XXXX....."): "X has 4 marks and O has 0; players take turns, so the numbers differ by at most one.",
}
"""Calls by their tool and board, and what is said."""


@pytest.fixture(scope="module")
def patient() -> Iterator[Server]:
    with Server(workers=2, **PATIENT) as server:
        yield server


Said = set[tuple[tuple[str, str], str]]
"""What is said to each of the questions."""


async def ask_often(client: Client, calls: int) -> Said:
    """What is said to so many calls, one after the other."""
    said = set()
    for number in range(calls):
        question = [*QUESTIONS][number % len(QUESTIONS)]
        result = await client.call_tool(question[0], {"board": question[1]})
        assert isinstance(result.content[0], TextContent)
        said.add((question, result.content[0].text))
    return said


async def ask_at_once(client: Client, calls: int) -> Said:
    """What is said to that many calls altogether, several of them at the same time."""
    each = ceil(calls / PARALLEL)
    return set().union(*await asyncio.gather(*[ask_often(client, each) for _ in range(PARALLEL)]))


def test_many_calls_sixteen_at_once_with_a_worker_killed_in_between(patient: Server) -> None:
    async def ask(client: Client) -> list[Said]:
        said = [await ask_at_once(client, CALLS // 2)]
        before = patient.workers()
        os.kill(before[-1], signal.SIGKILL)
        await asyncio.to_thread(wait_until, lambda: len(patient.workers()) > len(before))
        return [*said, await ask_at_once(client, CALLS // 2)]

    assert run(at(patient.url), ask) == [{*QUESTIONS.items()}] * 2
    answered = [line for line in patient.log() if line.get("route") == "/mcp"]
    assert len(answered) >= CALLS
    assert {line["status"] for line in answered} == {200}


def test_a_search_ends_when_its_client_leaves_who_is_logged_as_gone(patient: Server) -> None:
    sent = call("review_game", game="qubic", moves=[1, 16, 0, 17], limit=FOREVER)
    headers = {**sent["headers"], "Content-Type": "application/json"}
    with socket.create_connection(("127.0.0.1", patient.port)) as client:
        client.sendall(request("POST", "/mcp", headers, sent["data"]))
        wait_for(patient, running=1)
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    wait_for(patient, running=0)
    wait_until(lambda: ("/mcp", 499) in [(line.get("route"), line.get("status")) for line in patient.log()])
