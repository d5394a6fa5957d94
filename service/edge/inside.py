"""Questions that the answer to a request consists of, asked over the same road as those from outside."""

from collections.abc import Awaitable, Callable
from time import perf_counter
from typing import Any

from service.api.problems import Problem, problem_json
from service.api.request_context import CONTEXT, RequestContext
from service.edge.message import EdgeRequest, Message, Receive, Scope, Send
from service.mcp.routes import RouteRequest, RouteResponse

Answer = Callable[[EdgeRequest, Scope, Receive, Send], Awaitable[None]]
"""Answers a request; the limits that count clients are behind it."""

GONE = RouteResponse(
    503, problem_json(Problem("overloaded", "The client left before there was room for its question."))
)
"""The reply to a question whose asker has gone."""

FROM_OUTSIDE = ("asgi", "http_version", "scheme", "server", "client", "root_path")
"""What the scope of a question takes from that of its request."""


class Inside:
    """Asks the routes for a request, under its id. Their searches stop when the client of the request leaves."""

    def __init__(self, answer: Answer, outer: EdgeRequest, scope: Scope, receive: Receive) -> None:
        self._answer = answer
        self._outer = outer
        self._scope = scope
        self._receive = receive
        self.abandoned = False
        """Whether the client left before all was answered."""

    async def ask(self, question: RouteRequest) -> RouteResponse:
        """Return the response of a route."""
        headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(question.body))]
        scope: dict[str, Any] = {
            **{name: self._scope[name] for name in FROM_OUTSIDE if name in self._scope},
            CONTEXT: self._new_context(),
            "type": "http",
            "method": question.method,
            "path": question.path,
            "raw_path": question.path.encode(),
            "query_string": question.query.encode(),
            "headers": headers if question.body else [],
        }
        request = EdgeRequest(scope, perf_counter(), 0)
        request.body, request.client, request.id = question.body, self._outer.client, self._outer.id
        collected = _Collected()
        await self._answer(request, scope, self._watch, collected.send)
        return RouteResponse(collected.status, bytes(collected.body)) if collected.status else GONE

    def _new_context(self) -> RequestContext:
        """Return the context of a question, by which the server ends its search, and that of those before it."""
        context = RequestContext(stop=CONTEXT in self._scope and self._scope[CONTEXT].stop)
        self._scope[CONTEXT] = context
        return context

    async def _watch(self) -> Message:
        message = await self._receive()
        self.abandoned = self.abandoned or message["type"] == "http.disconnect"
        return message


class _Collected:
    """The whole of a response."""

    def __init__(self) -> None:
        self.status = 0
        self.body = bytearray()

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
        else:
            self.body += message.get("body", b"")
