"""Flask in the threads of a worker."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

from service.api.request_context import RequestContext
from service.edge.admission.gate import Gate
from service.edge.flask_call import FlaskCall, environment
from service.edge.flask_reply import FlaskReply
from service.edge.message import Message, Receive, Scope, Send

START_SECONDS = 30.0
"""The maximum seconds for starting the threads."""

WAITING = 32
"""The maximum number of requests in the queue for each thread."""


class FlaskThreads:
    """Answers requests by the WSGI application ``flask`` in ``threads`` threads."""

    def __init__(self, flask: Any, threads: int) -> None:
        self._flask = flask
        self._threads = threads
        self._gate = Gate(threads, WAITING * threads)
        self._executor = ThreadPoolExecutor(threads, thread_name_prefix="flask")

    def start(self) -> None:
        """Start all threads. Raises RuntimeError if the system refuses to start one."""
        started = Barrier(self._threads + 1, timeout=START_SECONDS)
        try:
            for _ in range(self._threads):
                self._executor.submit(started.wait)
            started.wait()
        except RuntimeError:
            started.abort()
            raise

    async def live(self, receive: Receive, send: Send) -> None:
        """Wait for the start of the worker and for its end, and confirm both (the lifespan of ASGI)."""
        for event in ("startup", "shutdown"):
            await receive()
            await send({"type": f"lifespan.{event}.complete"})

    async def ask(self, path: str, body: bytes) -> bytes | None:
        """Return the body of the response to a request of the worker itself; drop a stream, and return None."""
        headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
        about = {"method": "POST", "path": path, "query_string": b"", "http_version": "1.1"}
        call = FlaskCall(self._flask, environment({**about, "headers": headers}, body, RequestContext()), _drop)
        whole = await call.run(self._executor)
        return None if whole is None else whole[1]

    async def answer(
        self, body: bytes, context: RequestContext, scope: Scope, receive: Receive, reply: FlaskReply
    ) -> bool:
        """Answer a request whose body was read; its search stops when the client leaves.

        Return False, without doing anything, if the queue is full.
        """
        watch = asyncio.ensure_future(_stop_when_gone(receive, context, reply))
        try:
            async with self._gate.place() as place:
                if place.granted and not reply.abandoned:
                    call = FlaskCall(self._flask, environment(scope, body, context), reply.send)
                    whole = await call.run(self._executor)
                    place.leave()  # now, because sending the answer may take much longer
                    await reply.finish(whole)
                return place.granted
        finally:
            watch.cancel()


async def _drop(_: Message) -> None:
    pass


async def _stop_when_gone(receive: Receive, context: RequestContext, reply: FlaskReply) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    reply.abandoned = not reply.complete
    context.stop = True
