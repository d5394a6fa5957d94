"""A request to Flask: its environment, and its response, which a thread makes and the event loop sends."""

import asyncio
import sys
from concurrent.futures import Executor
from io import BytesIO
from typing import Any

from service.api.request_context import CONTEXT, RequestContext
from service.edge.message import Message, Scope, Send

Environment = dict[str, Any]
"""A request as WSGI describes it (PEP 3333)."""

OWN_NAMES = frozenset({"CONTENT_LENGTH", "CONTENT_TYPE"})
"""The headers that have their own names in the environment."""


def environment(scope: Scope, body: bytes, context: RequestContext) -> Environment:
    """Return the environment of a request whose body was read, with its ``RequestContext``.

    Headers with "_" in their names are left out: they would get the names of others with "-".
    """
    server, port = scope.get("server") or ("localhost", 80)
    client, _ = scope.get("client") or ("", 0)
    return {
        **{_variable(name): value.decode("latin-1") for name, value in scope["headers"] if b"_" not in name},
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": scope["path"].encode().decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_NAME": server,
        "SERVER_PORT": str(port or 0),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "REMOTE_ADDR": client,
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope.get("scheme", "http"),
        "wsgi.input": BytesIO(body),
        "wsgi.input_terminated": True,  # the whole body is here, so a chunked one needs no length
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
        CONTEXT: context,
    }


def _variable(header: bytes) -> str:
    name = header.decode("latin-1").upper().replace("-", "_")
    return name if name in OWN_NAMES else f"HTTP_{name}"


Whole = tuple[Message, bytes]
"""A response with a length: the message with its head, and its body."""


class FlaskCall:
    """A request to the WSGI application ``flask`` on the way to its response.

    The thread hands a response with a length to the event loop as a whole. It sends the parts of a stream one by one,
    no faster than the client takes them.
    """

    def __init__(self, flask: Any, asked: Environment, send: Send) -> None:
        self._flask = flask
        self._asked = asked
        self._send = send
        self._loop = asyncio.get_running_loop()
        self._start: Message = {}

    async def run(self, executor: Executor) -> Whole | None:
        """Run Flask in a thread; return a whole response. Of a stream all is sent then but its end."""
        return await self._loop.run_in_executor(executor, self._run)

    # In the thread.

    def _run(self) -> Whole | None:
        parts = self._flask(self._asked, self._begin)
        try:
            if any(name == b"content-length" for name, _ in self._start["headers"]):
                return self._start, b"".join(parts)
            self._send_now(self._start)
            for part in parts:
                self._send_now({"type": "http.response.body", "body": part, "more_body": True})
        finally:
            getattr(parts, "close", lambda: None)()  # what WSGI asks for, of iterables that have it
        return None

    def _begin(self, status: str, headers: list[tuple[str, str]], exc_info: object = None) -> None:
        """Note the head of the response, as ``start_response`` of WSGI. Flask does not use what that returns."""
        del exc_info
        encoded = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers]
        self._start = {"type": "http.response.start", "status": int(status[:3]), "headers": encoded}

    def _send_now(self, message: Message) -> None:
        asyncio.run_coroutine_threadsafe(self._send(message), self._loop).result()  # type: ignore[arg-type]
