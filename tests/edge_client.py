"""The edge in this process, asked as Flask's test client asks an application."""

import asyncio
from collections.abc import Iterable
from dataclasses import replace
from typing import Any
from urllib.parse import unquote

from werkzeug.datastructures import Headers
from werkzeug.test import Client, EnvironBuilder, TestResponse
from werkzeug.wrappers import Request

from service.app import create_service
from service.edge.app import Edge, create_edge
from service.settings import Settings

FOREVER = "public, max-age=31536000, immutable"
"""How what never changes may be kept by caches."""


def assert_kept(client: Client, url: str, how: str = FOREVER) -> TestResponse:
    """Return the answer to a GET; fails unless caches may keep it like this, and get 304 if they ask again."""
    response = client.get(url)
    assert (response.status_code, response.headers["Cache-Control"]) == (200, how), url
    again = client.get(url, headers={"If-None-Match": response.headers["ETag"]})
    assert (again.status_code, again.data, again.headers["ETag"]) == (304, b"", response.headers["ETag"]), url
    assert again.headers["Cache-Control"] == how
    return response


class EdgeClient(Client):
    """Sends requests through an edge of its own, one after the other."""

    def __init__(self, settings: Settings) -> None:
        self.service = create_service(settings)
        super().__init__(self.service.flask)
        self.edge: Edge = create_edge(self.service, replace(settings, log_level="warning"))
        self._loop = asyncio.new_event_loop()

    def open(self, *args: Any, **kwargs: Any) -> TestResponse:
        """Return the response to a request, which is described as for Flask's test client."""
        asked = EnvironBuilder(*args, **kwargs).get_request()
        named = {"method": asked.method, "path": asked.path, "query_string": asked.query_string}
        return self._exchange(asked.headers, asked.get_data(), client=(asked.remote_addr or "127.0.0.1", 1), **named)

    def send(
        self, method: str, target: str, headers: Iterable[tuple[str, str]] = (), body: bytes = b"", **scope: str
    ) -> TestResponse:
        """Return the response to a request with exactly these headers, in this order."""
        path, _, query = target.partition("?")
        return self._exchange(headers, body, method=method, path=unquote(path), query_string=query.encode(), **scope)

    def _exchange(self, headers: Iterable[tuple[str, str]], body: bytes, **scope: Any) -> TestResponse:
        fixed = {"type": "http", "http_version": "1.1", "server": ("localhost", 80), "client": ("127.0.0.1", 1)}
        pairs = [(name.lower().encode(), value.encode("latin-1")) for name, value in headers]
        bodies, sent = [body], list[dict[str, Any]]()

        async def receive() -> dict[str, Any]:
            if not bodies:
                await asyncio.get_running_loop().create_future()  # the client stays
            return {"type": "http.request", "body": bodies.pop(), "more_body": False}

        async def send(message: dict[str, Any]) -> None:
            sent.append(message)

        self._loop.run_until_complete(self.edge({**fixed, "headers": pairs, **scope}, receive, send))  # type: ignore[arg-type]
        start, *parts = sent
        told = Headers([(name.decode(), value.decode("latin-1")) for name, value in start["headers"]])
        return TestResponse(
            [b"".join(part.get("body", b"") for part in parts)], str(start["status"]), told, Request({})
        )
