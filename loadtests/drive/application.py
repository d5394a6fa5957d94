"""The application that the server runs, called in this process: ASGI behind the edge if there is one, else WSGI."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from time import process_time
from typing import Any

from werkzeug.test import EnvironBuilder

from loadtests.servers.processes import JSON

Reply = tuple[int, bytes]
Batch = tuple[float, list[Reply]]
"""Seconds of processor time, and the status and body of each reply."""

Ask = Callable[[Sequence[bytes]], Batch]
"""Posts bodies to an application."""

WSGIApp = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]
ASGIApp = Callable[..., Awaitable[None]]
PATH = "/best-move"


@contextmanager
def service_batch() -> Iterator[Ask]:
    """Start the service under the settings of the environment, and yield what posts bodies to it."""
    if find_spec("service.asgi"):
        app = import_module("service.asgi").app
        with asyncio.Runner() as runner:
            lifespan = runner.run(_start(app))
            yield lambda bodies: runner.run(_asgi_batch(app, bodies))
            lifespan.cancel()  # until now the name keeps it from being collected
    else:
        yield partial(wsgi_batch, import_module("service.wsgi").app)


def wsgi_batch(app: WSGIApp, bodies: Sequence[bytes]) -> Batch:
    """Post bodies to a WSGI application, in environments made beforehand."""
    builders = [EnvironBuilder(PATH, method="POST", data=body, content_type=JSON) for body in bodies]
    environs = [builder.get_environ() for builder in builders]
    began = process_time()
    replies = [_call(app, environ) for environ in environs]
    return process_time() - began, replies


def _call(app: WSGIApp, environ: dict[str, Any]) -> Reply:
    statuses: list[str] = []
    response = app(environ, lambda status, _headers, _exc_info=None: statuses.append(status))
    body = b"".join(response)
    if hasattr(response, "close"):
        response.close()
    return int(statuses[-1].split()[0]), body


async def _start(app: ASGIApp) -> asyncio.Future[None]:
    """Send the start of the lifespan protocol, for applications that need it, and return the task that is open."""
    started = asyncio.Event()
    events = iter([{"type": "lifespan.startup"}])

    async def receive() -> dict[str, Any]:
        for event in events:
            return event
        return await asyncio.Future()

    async def send(_message: dict[str, Any]) -> None:
        started.set()

    lifespan = asyncio.ensure_future(app({"type": "lifespan", "asgi": {"version": "3.0"}}, receive, send))
    waiting = asyncio.ensure_future(started.wait())
    await asyncio.wait([lifespan, waiting], return_when=asyncio.FIRST_COMPLETED)
    waiting.cancel()
    return lifespan


async def _asgi_batch(app: ASGIApp, bodies: Sequence[bytes]) -> Batch:
    """Post bodies to an ASGI application, one after the other."""
    scopes = [_scope(body) for body in bodies]
    began = process_time()
    replies = [await _ask(app, scope, body) for scope, body in zip(scopes, bodies, strict=True)]
    return process_time() - began, replies


async def _ask(app: ASGIApp, scope: dict[str, Any], body: bytes) -> Reply:
    messages: list[dict[str, Any]] = []
    requests = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> dict[str, Any]:
        return requests.pop() if requests else await asyncio.Future()

    async def send(message: dict[str, Any]) -> None:
        messages.append(message)

    await app(scope, receive, send)
    return messages[0]["status"], b"".join(message.get("body", b"") for message in messages[1:])


def _scope(body: bytes) -> dict[str, Any]:
    """Return what an ASGI server hands to an application."""
    headers = {b"host": b"127.0.0.1:8000", b"accept": b"*/*", b"content-type": JSON.encode()}
    return {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": "POST",
        "scheme": "http",
        "path": PATH,
        "raw_path": PATH.encode(),
        "query_string": b"",
        "root_path": "",
        "headers": [*headers.items(), (b"content-length", str(len(body)).encode())],
        "client": ("127.0.0.1", 50000),
        "server": ("127.0.0.1", 8000),
        "state": {},
    }
