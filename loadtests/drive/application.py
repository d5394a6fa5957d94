"""The application that the server runs, behind its edge, called in this process."""

import asyncio
from collections.abc import Callable, Iterator, MutableMapping, Sequence
from contextlib import contextmanager
from time import process_time
from typing import Any

from loadtests.servers.processes import JSON
from service.asgi import app

Reply = tuple[int, bytes]
"""Status and body."""

Batch = tuple[float, list[Reply]]
"""Seconds of processor time, and the replies."""

Ask = Callable[[Sequence[bytes]], Batch]
"""Posts bodies to an application."""

Message = MutableMapping[str, Any]

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


@contextmanager
def service_batch() -> Iterator[Ask]:
    """Start the service under the settings of the environment, and yield what posts bodies to it."""
    with asyncio.Runner() as runner:
        lifespan = runner.run(_start())
        yield lambda bodies: runner.run(_batch(bodies))
        lifespan.cancel()  # until now the name keeps it from being collected


async def _start() -> asyncio.Task[None]:
    """Send the start of the lifespan protocol; return the task that is open."""
    started = asyncio.Event()
    events = [{"type": "lifespan.startup"}]

    async def receive() -> dict[str, Any]:
        return events.pop() if events else await asyncio.Future()

    async def send(_message: Message) -> None:
        started.set()

    lifespan = asyncio.create_task(app({"type": "lifespan", "asgi": {"version": "3.0"}}, receive, send))
    await started.wait()
    return lifespan


async def _batch(bodies: Sequence[bytes]) -> Batch:
    """Post bodies one after the other."""
    scopes = [{**SCOPE, "state": {}, "headers": [*HEADERS, (b"content-length", b"%d" % len(body))]} for body in bodies]
    began = process_time()
    replies = [await _ask(scope, body) for scope, body in zip(scopes, bodies, strict=True)]
    return process_time() - began, replies


async def _ask(scope: dict[str, Any], body: bytes) -> Reply:
    messages: list[Message] = []
    requests = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> dict[str, Any]:
        return requests.pop() if requests else await asyncio.Future()

    async def send(message: Message) -> None:
        messages.append(message)

    await app(scope, receive, send)
    return messages[0]["status"], b"".join(message.get("body", b"") for message in messages[1:])
