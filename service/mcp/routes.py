"""Requests of tools to the routes of the service, the same as those of any client."""

import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, NamedTuple
from urllib.parse import urlencode

from service.api.problems import Problem


class RouteRequest(NamedTuple):
    """A request to a route."""

    method: str
    path: str
    query: str = ""
    body: bytes = b""


class RouteResponse(NamedTuple):
    """The response of a route."""

    status: int
    body: bytes


Ask = Callable[[RouteRequest], Awaitable[RouteResponse]]
"""Returns the response of a route; each transport has its own function."""

Arguments = Mapping[str, Any]
"""The arguments of a tool: the fields of a JSON body."""

GROUPS = ("game", "limit")
"""Objects whose fields are parameters of their own in a query."""


class RouteRefusal(Exception):
    """A route has answered with a problem document."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        super().__init__(document["detail"])
        self.document = document


def posted(path: str, arguments: Arguments) -> RouteRequest:
    """Return a POST request. Raises a Problem for arguments that are nested too deeply."""
    try:
        return RouteRequest("POST", path, body=json.dumps(arguments, separators=(",", ":")).encode())
    except RecursionError:
        raise Problem("malformed-request", "The arguments are nested too deeply.") from None


def fetched(path: str, arguments: Arguments) -> RouteRequest:
    """Return a GET request, with the fields of ``game`` and ``limit`` as parameters."""
    fields: dict[str, Any] = {}
    for name, value in arguments.items():
        fields |= value if name in GROUPS and isinstance(value, dict) else {name: value}
    texts = {name: _text(value) for name, value in fields.items() if value is not None}
    return RouteRequest("GET", path, query=urlencode(texts, errors="replace"))


def _text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)


async def read(ask: Ask, request: RouteRequest) -> Any:
    """Return the data of the answer to a request. Raises RouteRefusal if it is a problem document."""
    reply = await ask(request)
    data = json.loads(reply.body)
    if reply.status >= 400:  # noqa: PLR2004, the statuses of refusals begin there
        raise RouteRefusal(data)
    return data
