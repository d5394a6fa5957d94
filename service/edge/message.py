"""A request as parsed by the edge, and the functions that send a response."""

import re
from collections.abc import Awaitable, Callable, Iterable, Mapping, MutableMapping
from random import getrandbits
from typing import Any

from service.edge.admission.head import joined_by_name

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
ASGIApp = Callable[[Scope, Receive, Send], Awaitable[None]]
Headers = list[tuple[bytes, bytes]]

STARTED = "move_oracle.started"
"""The key of the ASGI scope for the time of the request's first byte, on the clock of ``perf_counter``."""

SEND_WHOLE = "move_oracle.send_whole"
"""The key of the ASGI scope for a function that sends a whole response, if the protocol has one."""

SendWhole = Callable[[int, bytes, bytes], bool]
"""Sends a response with this status, these encoded headers and this body; returns whether that was possible."""

REQUEST_ID = re.compile(rb"[\x21-\x7e]{1,128}")
"""A client's request id that is fit for log and response."""


TRACEPARENT = re.compile(rb"[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}")
"""The place of a request in a trace (W3C Trace Context, 3.2): version, trace, parent and flags."""


class EdgeRequest:
    """A request: method, path, query, headers by name in lower case, body, client address and id."""

    __slots__ = ("body", "client", "headers", "id", "method", "path", "query", "started")

    def __init__(self, scope: Scope, started: float, trusted_proxies: int) -> None:
        self.method: str = scope["method"]
        self.path: str = scope["path"] or "/"
        self.query: bytes = scope["query_string"]
        self.headers = joined_by_name(scope)
        self.body = b""
        self.started = started
        self.client: str = (scope["client"] or ("",))[0]
        if trusted_proxies:
            self.client = _forwarded_for(self.headers, trusted_proxies) or self.client
        given = self.headers.get(b"x-request-id")
        self.id = given if given and REQUEST_ID.fullmatch(given) else b"%016x" % getrandbits(64)

    @property
    def traceparent(self) -> str | None:
        """The ``traceparent`` header if it is well-formed."""
        given = self.headers.get(b"traceparent")
        return given.decode() if given and TRACEPARENT.fullmatch(given) else None


def _forwarded_for(headers: Mapping[bytes, bytes], trusted_proxies: int) -> str:
    """Return the address in front of the trusted proxies, which append one address each; "" if none."""
    addresses = [part.strip() for part in headers.get(b"x-forwarded-for", b"").decode("latin-1").split(",")]
    return addresses[-trusted_proxies] if len(addresses) >= trusted_proxies else ""


async def send_response(scope: Scope, send: Send, status: int, headers: bytes, body: bytes) -> None:
    """Send a response, in one piece if possible."""
    send_whole: SendWhole | None = scope.get(SEND_WHOLE)
    if scope["method"] != "HEAD" and send_whole is not None and send_whole(status, headers, body):
        return
    await send({"type": "http.response.start", "status": status, "headers": split(headers)})
    await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else body})


def joined(headers: Iterable[tuple[bytes, bytes]]) -> bytes:
    """Return headers encoded for sending."""
    return b"".join([b"%b: %b\r\n" % header for header in headers])


def split(headers: bytes) -> Headers:
    """Return encoded headers as a list."""
    pairs = (line.split(b": ", 1) for line in headers.split(b"\r\n") if line)
    return [(name, value) for name, value in pairs]
