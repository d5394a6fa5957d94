"""The way of a request: limits, response cache, inline answers from complete tables, and Flask for the rest."""

import asyncio
import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from time import perf_counter
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from service.api.problems import INTERNAL, KINDS, Problem, problem_json
from service.api.read.http import JSON_TYPES
from service.api.read.reading import parse_body
from service.api.request_context import CONTEXT, AnswerNote, RequestContext
from service.api.responses import JSON, NEVER, PROBLEM, is_known, server_timing
from service.api.routes.best_move import MAX_TABLE_ANSWERS, TableAnswers
from service.api.routes.operations import OPERATORS, PROBES
from service.api.wire.requests import BestMoveRequest
from service.app import Service
from service.edge.admission.bodies import Bodies
from service.edge.admission.gate import NO_ROOM, Gate
from service.edge.admission.head import head_problem
from service.edge.common_headers import NO_PAGE, common_headers
from service.edge.flask_reply import FlaskReply
from service.edge.flask_threads import FlaskThreads
from service.edge.internal_client import InternalClient
from service.edge.message import STARTED, EdgeRequest, Receive, Scope, Send, joined, send_response
from service.edge.records import AccessLog, Counts
from service.edge.response_cache import MAX_REQUEST_BYTES, CachedResponse, ResponseCache
from service.logs import QueuedWriter
from service.mcp.endpoint import PATH as MCP
from service.mcp.endpoint import Endpoint, Head
from service.mcp.hosts import Hosts
from service.metrics import Metrics
from service.settings import Settings

if TYPE_CHECKING:
    from service.edge.admission.rate_limit import RateLimit

CLIENT_CLOSED_REQUEST = 499
"""The status in the log for a client that has left, as in nginx; it is never sent."""

INLINE_PATH = "/best-move"
"""The path of the answers that need no Flask."""

METRICS = "/metrics"

REFUSALS: Mapping[str, str] = MappingProxyType({"too-many-requests": "rate", "overloaded": "requests"})
"""The reasons of the edge's refusals in the metrics, by the kind of problem."""

CALLS_WAITING = 8
"""The maximum number of requests to ``/mcp`` in the queue, for each one in progress (one per thread).

Each costs the event loop milliseconds in the SDK, which delay all other requests.
"""

READS = frozenset({"GET", "HEAD"})

HEAD = frozenset({b"host", b"content-type", b"origin"})
"""The headers that ``/mcp`` checks before it reads a request."""

CONTENT_HEADERS = (b"content-type:", b"content-length:")
"""The headers that describe a body, and are not in a 304."""

POLICY_HEADER = joined([NO_PAGE])
"""The content policy of responses made by the edge."""

log = logging.getLogger("service")


@dataclass(frozen=True, slots=True)
class Made:
    """A response made by the edge, and the route for which it counts."""

    status: int
    media_type: str
    body: bytes
    route: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)


class Edge:
    """An ASGI application in front of Flask.

    A request is parsed once: Flask gets the result in the ``RequestContext``.
    """

    def __init__(  # noqa: PLR0913, the parts are put together in one place
        self,
        flask: Any,
        tables: TableAnswers,
        *,
        metrics: Metrics,
        access_log: AccessLog | None,
        rate_limit: "RateLimit | None",
        max_body_bytes: int,
        threads: int,
        trusted_proxies: int,
        cors_origin: str,
        mcp: Endpoint,
    ) -> None:
        self._flask = FlaskThreads(flask, threads)
        self._tables = tables
        self._responses = ResponseCache()
        self._counts = Counts(metrics)
        self._refusals = metrics.refusals
        self._access_log = access_log
        self._rate_limit = rate_limit
        self._bodies = Bodies(max_body_bytes)
        self._trusted_proxies = trusted_proxies
        self._common_headers = common_headers(cors_origin)
        self._joined_headers = joined(self._common_headers)
        # ``*`` does not cover the paths of operators: no page that an operator visits may read them.
        self._operators_headers = common_headers("none") if cors_origin == "*" else self._common_headers
        self._mcp = mcp
        self._calls = Gate(threads, CALLS_WAITING * threads)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request. If the service fails, send a problem document, or break off an answer that has begun."""
        if scope["type"] != "http":
            await self._live(receive, send)
            return
        request = EdgeRequest(scope, scope.get(STARTED) or perf_counter(), self._trusted_proxies)
        try:
            problem = head_problem(request.headers, scope["http_version"]) or await self._bodies.read(request, receive)
            if problem is None and self._rate_limit is not None:
                problem = await self._rate_limit.refusal(request)
            if problem is not None:
                await self._send_problem(request, problem, scope, send)
            elif request.path == MCP:
                await self._answer_mcp(request, scope, receive, send)
            else:
                await self._answer(request, scope, receive, send)
        except ConnectionAbortedError:
            self._count(request, CLIENT_CLOSED_REQUEST, 0)
        except Exception:
            log.exception("Unhandled error")
            await self._send_problem(request, INTERNAL, scope, send)

    async def _live(self, receive: Receive, send: Send) -> None:
        """Start the threads with the worker, so that no request fails if the system refuses one; wait for its end.

        Before any client's request a batch is answered. A worker copies a page of its master's memory when it first
        uses an object in it, and its first request would wait up to 10 ms for that.
        """
        try:
            await asyncio.to_thread(self._start)
        except RuntimeError as error:
            await receive()
            await send({"type": "lifespan.startup.failed", "message": f"The threads of the worker: {error}"})
        else:
            await self._flask.ask("/best-moves", self._tables.batch())
            await self._flask.live(receive, send)
        self.flush()

    def _start(self) -> None:
        self._flask.start()
        if self._access_log is not None:
            self._access_log.start()

    async def _answer(self, request: EdgeRequest, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request to a route of Flask: from the cache, inline from a complete table, or by Flask."""
        key = self._responses.key(request)
        cached = self._responses.get(key)
        if cached is not None:
            await self._send(request, cached, cached.note, scope, send)
            return
        if request.path in PROBES and request.method in READS:
            await self._send_made(request, Made(200, JSON, PROBES[request.path], request.path), scope, send)
            return
        if request.path == METRICS:
            self._counts.flush()
        context: RequestContext = scope.setdefault(CONTEXT, RequestContext())
        answered = None if key is None else self._inline_answer(request, context)
        if answered is not None:
            response, note = answered
            await self._send(request, response, note, scope, send)
            if note.reproducible:
                self._responses.keep(key, response)
            return
        reply = await self._ask_flask(request, context, scope, receive, send)
        kept = reply.kept(context)
        if kept is not None:
            self._responses.keep(key, kept)

    async def _answer_mcp(self, request: EdgeRequest, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer an MCP request, whose tools send requests to the routes."""
        large = len(request.body) > self._bodies.max_bytes
        problem = self._bodies.too_large() if large else self._mcp.refusal(_head(request))
        if problem is not None:
            await self._send_problem(request, problem, scope, send, MCP)
            return
        async with self._calls.place() as place:
            if place.granted:
                await self._call(request, scope, receive, send)
            else:
                await self._send_problem(request, NO_ROOM, scope, send, MCP)

    async def _call(self, request: EdgeRequest, scope: Scope, receive: Receive, send: Send) -> None:
        """Let the SDK answer an MCP request."""
        reply = FlaskReply(request, scope, send, self._common_headers)
        internal = InternalClient(self._answer, request, scope, receive)
        try:
            await self._mcp.answer(scope, request.body, internal.ask, reply.send)
        finally:
            self._count(request, CLIENT_CLOSED_REQUEST if internal.abandoned else reply.status, reply.sent, MCP)

    def flush(self) -> None:
        """Write the pending counts and log lines at the end of the worker."""
        self._counts.flush()
        if self._access_log is not None:
            self._access_log.flush()

    def _inline_answer(self, request: EdgeRequest, context: RequestContext) -> tuple[CachedResponse, AnswerNote] | None:
        """Return the answer to a position in a complete table; None for any other request."""
        if request.path != INLINE_PATH or request.method != "POST" or len(request.body) > MAX_REQUEST_BYTES:
            return None
        if b"content-encoding" in request.headers:
            return None
        if not JSON_TYPES.fullmatch(request.headers.get(b"content-type", b"").decode("latin-1")):
            return None
        try:
            context.reading = parse_body(BestMoveRequest, request.body)
            answered = self._tables.answer(context.reading)
        except Problem as problem:
            context.reading = problem
            return None
        if answered is None:
            return None
        return _inline_response(answered.body, answered.note), answered.note

    async def _ask_flask(
        self, request: EdgeRequest, context: RequestContext, scope: Scope, receive: Receive, send: Send
    ) -> FlaskReply:
        """Let Flask answer in a thread; stop the search when the client leaves."""
        scope["path"] = request.path
        common = self._operators_headers if request.path in OPERATORS else self._common_headers
        reply = FlaskReply(request, scope, send, common)
        granted = True
        try:
            granted = await self._flask.answer(request.body, context, scope, receive, reply)
        finally:
            status = CLIENT_CLOSED_REQUEST if reply.abandoned else reply.status
            if granted and status:
                self._count(request, status, reply.sent, context.route, context.notes)
        if not granted:
            await self._send_problem(request, NO_ROOM, scope, send)
        return reply

    async def _send(
        self, request: EdgeRequest, response: CachedResponse, note: AnswerNote, scope: Scope, send: Send
    ) -> None:
        """Send an answer that needs no Flask; a 304 if the client has it already."""
        timing = server_timing(note.source, 0, perf_counter() - request.started)
        own = b"server-timing: %b\r\nx-request-id: %b\r\n" % (timing.encode(), request.id)
        status, headers, body = 200, response.headers, response.body
        if response.etag and is_known(response.etag, request.headers.get(b"if-none-match", b"").decode("latin-1")):
            status, headers, body = 304, _without_content(headers), b""
        await send_response(scope, send, status, headers + own + self._joined_headers, body)
        self._count(request, status, len(body), response.route, {note: 1})

    async def _send_problem(
        self, request: EdgeRequest, problem: Problem, scope: Scope, send: Send, route: str | None = None
    ) -> None:
        status, body = KINDS[problem.kind].status, problem_json(problem)
        if problem.kind in REFUSALS:
            self._refusals.labels(REFUSALS[problem.kind]).inc()
        await self._send_made(request, Made(status, PROBLEM, body, route, problem.headers), scope, send)

    async def _send_made(self, request: EdgeRequest, made: Made, scope: Scope, send: Send) -> None:
        length = len(made.body)
        about = {"content-type": made.media_type, "content-length": length, "cache-control": NEVER, **made.headers}
        headers = "".join(f"{name.lower()}: {value}\r\n" for name, value in about.items()).encode()
        own = b"x-request-id: %b\r\n%b" % (request.id, POLICY_HEADER)
        await send_response(scope, send, made.status, headers + own + self._joined_headers, made.body)
        self._count(request, made.status, 0 if request.method == "HEAD" else length, made.route)

    def _count(
        self,
        request: EdgeRequest,
        status: int,
        sent: int,
        route: str | None = None,
        notes: Mapping[AnswerNote, int] | None = None,
    ) -> None:
        seconds = perf_counter() - request.started
        self._counts.add(request.method, route, status, seconds, notes)
        if self._access_log is not None:
            self._access_log.add(request, route, status, sent, seconds, notes=notes)


def create_edge(service: Service, settings: Settings) -> Edge:
    """Return the ASGI application in front of a service."""
    rate_limit = None
    if settings.rate_limit:
        from service.edge.admission.rate_limit import RateLimit  # noqa: PLC0415, megabytes that most do not need

        rate_limit = RateLimit(settings.rate_limit, settings.rate_limit_storage)
    return Edge(
        service.flask,
        service.tables,
        metrics=service.metrics,
        access_log=AccessLog(QueuedWriter()) if settings.log_level in ("debug", "info") else None,
        rate_limit=rate_limit,
        max_body_bytes=settings.max_body_bytes,
        threads=settings.threads,
        trusted_proxies=settings.trusted_proxies,
        cors_origin=settings.cors_origin,
        mcp=Endpoint(Hosts(settings.mcp_hosts, settings.cors_origin), switched_on=settings.mcp == "on"),
    )


def _head(request: EdgeRequest) -> Head:
    """Return the headers that ``/mcp`` checks before it reads a request."""
    values = {name: value.decode("latin-1") for name, value in request.headers.items() if name in HEAD}
    return Head(request.method, values.get(b"host", ""), values.get(b"content-type", ""), values.get(b"origin"))


@lru_cache(MAX_TABLE_ANSWERS)
def _inline_response(body: bytes, note: AnswerNote) -> CachedResponse:
    about = f"content-type: {JSON}\r\ncontent-length: {len(body)}\r\ncache-control: {NEVER}\r\n".encode()
    return CachedResponse.of(about + POLICY_HEADER, body, note, INLINE_PATH)


def _without_content(headers: bytes) -> bytes:
    """Return the headers of a 304, made from those of the 200."""
    return b"".join(line for line in headers.splitlines(keepends=True) if not line.startswith(CONTENT_HEADERS))
