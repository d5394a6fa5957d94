"""``/mcp``: streamable HTTP without sessions, answered with JSON.

Requests are independent, so any worker can answer each, and none stores state of a client.
"""

import asyncio
import gc
from collections.abc import Awaitable, Callable, MutableMapping
from importlib.util import find_spec
from typing import Any, NamedTuple

from service.api.problems import Problem, shortened
from service.api.responses import JSON
from service.mcp.hosts import LONGEST, Hosts
from service.mcp.routes import Ask

PATH = "/mcp"

METHODS = "OPTIONS, POST"

ALLOWED_HEADERS = (
    "Content-Type, Accept, X-Request-ID, Mcp-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id, Last-Event-ID"
)
"""The headers that pages of other origins may send."""

NOT_INSTALLED = "This installation has no MCP; pip install 'move-oracle[mcp]', then restart the service."
SWITCHED_OFF = "MCP is switched off; the operator can unset MCP=off."

ASK = "move_oracle.ask"
"""The key of the ASGI scope for the function by which the tools of a request ask the routes."""

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]


class Head(NamedTuple):
    """The parts of a request that are checked before it is read: method, host, content type and origin, if any."""

    method: str
    host: str
    content_type: str
    origin: str | None


class Endpoint:
    """Answers the requests to ``/mcp``. The SDK is imported for the first one: that takes 30 MB."""

    def __init__(self, hosts: Hosts, *, switched_on: bool) -> None:
        self._hosts = hosts
        self._missing = _why_not(switched_on=switched_on)
        self._loading: asyncio.Future[Any] | None = None

    def refusal(self, head: Head) -> Problem | None:
        """Return the problem of a request to refuse; None for any other."""
        if self._missing:
            return Problem("not-found", self._missing)
        return self._hosts.refusal(head.host, head.origin) or _misfit(head)

    async def answer(self, scope: Scope, body: bytes, ask: Ask, send: Send) -> None:
        """Answer a request with this body; its tools ask the routes by ``ask``."""
        if scope["method"] == "OPTIONS":
            await _answer_preflight(send)
            return
        if self._loading is None or _has_failed(self._loading):
            self._loading = asyncio.ensure_future(asyncio.to_thread(_load))
        manager = await asyncio.shield(self._loading)
        serving = manager()
        async with serving.run():
            await serving.handle_request({**scope, ASK: ask}, _BufferedBody(body).receive, send)


def _has_failed(loading: asyncio.Future[Any]) -> bool:
    return loading.done() and (loading.cancelled() or loading.exception() is not None)


def _why_not(*, switched_on: bool) -> str | None:
    """Return the reason why ``/mcp`` is not available; None if it is."""
    if not switched_on:
        return SWITCHED_OFF
    return None if find_spec("mcp") else NOT_INSTALLED


def _misfit(head: Head) -> Problem | None:
    """Return the problem of a request that is not MCP over HTTP."""
    if head.method not in METHODS.split(", "):
        detail = f"{PATH} does not support {shortened(head.method)}; clients of MCP send POST."
        return Problem("method-not-allowed", detail, headers={"Allow": METHODS})
    if head.method == "POST" and head.content_type.partition(";")[0].strip().lower() != JSON:
        shown = shortened(head.content_type, LONGEST) or "missing"
        return Problem("unsupported-media-type", f"The content type is {shown}; send a message of MCP as {JSON}.")
    return None


def _load() -> Callable[[], Any]:
    """Import the SDK, exempt from garbage collection; return a function that makes the manager of a request."""
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager  # noqa: PLC0415, see Endpoint

    from service.mcp.server import create_server  # noqa: PLC0415

    def asking(context: Any) -> Ask:
        ask: Ask = context.request.scope[ASK]
        return ask

    server = create_server(asking)

    def manager() -> Any:
        return StreamableHTTPSessionManager(server, json_response=True, stateless=True)

    asyncio.run(_begin(manager))
    gc.collect()
    gc.freeze()  # otherwise each full collection would visit 60,000 objects of the SDK and block all requests for 50 ms
    return manager


async def _begin(manager: Callable[[], Any]) -> None:
    """Let a manager do the imports of its start in this thread."""
    async with manager().run():
        pass


async def _answer_preflight(send: Send) -> None:
    headers = {
        "allow": METHODS,
        "access-control-allow-methods": METHODS,
        "access-control-allow-headers": ALLOWED_HEADERS,
        "access-control-max-age": "86400",
    }
    named = [(name.encode(), value.encode()) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": 204, "headers": named})
    await send({"type": "http.response.body", "body": b""})


class _BufferedBody:
    """A body that was read already; the SDK need not notice a disconnect."""

    def __init__(self, body: bytes) -> None:
        self._body: bytes | None = body

    async def receive(self) -> MutableMapping[str, Any]:
        body, self._body = self._body, None
        if body is None:
            await asyncio.get_running_loop().create_future()
        return {"type": "http.request", "body": body, "more_body": False}
