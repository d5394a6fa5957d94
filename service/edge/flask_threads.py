"""Flask in the threads of a worker."""

import asyncio
from functools import partial
from io import BytesIO
from threading import Barrier
from typing import Any

from a2wsgi import WSGIMiddleware
from a2wsgi.wsgi import WSGIResponder
from werkzeug.wsgi import ClosingIterator

from service.api.request_context import CONTEXT, RequestContext
from service.edge.admission.gate import Gate
from service.edge.flask_reply import FlaskReply
from service.edge.message import Message, Receive, Scope, Send

BODY = "move_oracle.body"
"""The key of the ASGI scope for the bytes of the body, which was read already."""

START_SECONDS = 30.0
"""The maximum seconds for starting the threads."""

LEAVE = "move_oracle.leave"
"""The key of the ASGI scope for the function to call when the thread has finished."""

WAITING = 32
"""The maximum number of requests in the queue for each thread."""


class FlaskThreads:
    """Answers requests by a Flask application in ``threads`` threads."""

    def __init__(self, flask: Any, threads: int) -> None:
        self._threads = threads
        self._gate = Gate(threads, WAITING * threads)
        self._middleware = WSGIMiddleware(_with_context(flask), workers=threads)

    def start(self) -> None:
        """Start all threads. Raises RuntimeError if the system refuses to start one."""
        started = Barrier(self._threads + 1, timeout=START_SECONDS)
        try:
            for _ in range(self._threads):
                self._middleware.executor.submit(started.wait)
            started.wait()
        except RuntimeError:
            started.abort()
            raise

    async def ask(self, path: str, body: bytes) -> None:
        """Answer a request of the worker itself, and drop the response."""
        scope: Scope = {
            "type": "http",
            "http_version": "1.1",
            "method": "POST",
            "scheme": "http",
            "path": path,
            "raw_path": path.encode(),
            "query_string": b"",
            "headers": [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))],
            BODY: body,
            CONTEXT: RequestContext(),
            LEAVE: lambda: None,
        }
        await self._respond(scope, _drop)

    async def live(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Wait for the end of the worker."""
        await self._middleware(scope, receive, send)  # type: ignore[arg-type]  # a2wsgi has types of its own

    async def answer(
        self, body: bytes, context: RequestContext, scope: Scope, receive: Receive, reply: FlaskReply
    ) -> bool:
        """Answer a request whose body was read; its search stops when the client leaves.

        Return False, without doing anything, if the queue is full.
        """
        # a2wsgi reads "_" in the name of a header as "-".
        headers = [header for header in scope["headers"] if b"_" not in header[0]]
        watch = asyncio.ensure_future(_stop_when_gone(receive, context, reply))
        try:
            async with self._gate.place() as place:
                if place.granted and not reply.abandoned:
                    # The thread frees the place: sending the answer may take much longer.
                    leave = partial(asyncio.get_running_loop().call_soon_threadsafe, place.leave)
                    await self._respond({**scope, "headers": headers, BODY: body, LEAVE: leave}, reply.send)
                return place.granted
        finally:
            watch.cancel()

    async def _respond(self, scope: Scope, send: Send) -> None:
        middleware = self._middleware
        respond: Any = _Responder(middleware.app, middleware.executor, middleware.send_queue_size)
        await respond(scope, None, send)


class _Responder(WSGIResponder):
    """Hands a response with a length to the event loop as a whole; the parts of a stream follow one by one.

    With a2wsgi alone, the thread would wait for the loop after each part, which takes longer than most answers.
    """

    _parts: list[Message] | None = None

    def send(self, message: Any) -> None:
        """Send a part of the response from the thread."""
        begins = message["type"] == "http.response.start"
        if begins and any(name == b"content-length" for name, _ in message["headers"]):
            self._parts = []
        if self._parts is None:
            super().send(message)
            return
        self._parts.append(message)
        if not begins and not message.get("more_body"):
            self.loop.call_soon_threadsafe(self._send_whole, self._parts)

    def _send_whole(self, parts: list[Message]) -> None:
        start, *bodies = parts
        self.send_queue.put_nowait(start)
        self.send_queue.put_nowait({"type": "http.response.body", "body": b"".join([each["body"] for each in bodies])})


def _with_context(flask: Any) -> Any:
    """Return the WSGI application with the body and the ``RequestContext`` of the ASGI scope in its environment."""

    def app(environ: dict[str, Any], start_response: Any) -> Any:
        scope = environ["asgi.scope"]
        environ[CONTEXT] = scope[CONTEXT]
        environ["wsgi.input"] = BytesIO(scope[BODY])
        environ["wsgi.input_terminated"] = True  # the whole body is here, so a chunked one needs no length
        return ClosingIterator(flask(environ, start_response), scope[LEAVE])

    return app


async def _drop(_: Message) -> None:
    pass


async def _stop_when_gone(receive: Receive, context: RequestContext, reply: FlaskReply) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    reply.abandoned = not reply.complete
    context.stop = True
