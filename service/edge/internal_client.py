"""Requests to the routes from inside, made while a request is answered, on the same road as those of clients."""

from collections.abc import Awaitable, Callable
from time import perf_counter
from typing import Any

from service.api.problems import Problem, problem_json
from service.api.request_context import CONTEXT, RequestContext
from service.edge.message import EdgeRequest, Message, Receive, Scope, Send
from service.mcp.routes import RouteRequest, RouteResponse

Answer = Callable[[EdgeRequest, Scope, Receive, Send], Awaitable[None]]
"""Answers a request; the rate limit is not applied."""

GONE = RouteResponse(
    503, problem_json(Problem("overloaded", "The client left before there was room for its question."))
)
"""The response to an internal request whose client has gone."""

FROM_OUTSIDE = ("asgi", "http_version", "scheme", "server", "client", "root_path")
"""The fields of the scope that an internal request shares with the request of the client."""


class InternalClient:
    """Sends requests to the routes on behalf of a client's request, under its id.

    Their searches stop when the client leaves.
    """

    def __init__(self, answer: Answer, outer: EdgeRequest, scope: Scope, receive: Receive) -> None:
        self._answer = answer
        self._outer = outer
        self._scope = scope
        self._receive = receive
        self.abandoned = False
        """Whether the client left before all requests were answered."""

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
        """Return the context of an internal request; stopping the client's request stops it and all earlier ones."""
        context = RequestContext(stop=CONTEXT in self._scope and self._scope[CONTEXT].stop)
        self._scope[CONTEXT] = context
        return context

    async def _watch(self) -> Message:
        message = await self._receive()
        self.abandoned = self.abandoned or message["type"] == "http.disconnect"
        return message


class _Collected:
    """The parts of a response, collected."""

    def __init__(self) -> None:
        self.status = 0
        self.body = bytearray()

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
        else:
            self.body += message.get("body", b"")
