"""Requests that are answered at once: in a few steps, in front of Flask, and without a thread."""

from collections.abc import Callable, Iterable
from io import BytesIO
from time import perf_counter

from service.api.answering import Answered
from service.api.caching import NEVER, server_timing
from service.api.door import ANSWER, ROUTE, Environ, StartResponse, WSGIApp
from service.api.media import JSON
from service.api.reading import JSON_TYPES

AT_ONCE = "move_oracle.at_once"
"""Key of the WSGI environment under which a server says that it wants an answer at once, or TakesLonger."""


class TakesLonger(Exception):
    """The request cannot be answered at once; nothing was done for it yet."""


class Quick:
    """Wraps an application: answers bodies that are posted to ``path`` itself, if there is an ``answer`` and it can.

    What it answers, the application would answer alike, only slower. The application is never called
    for a request that wants an answer at once.
    """

    def __init__(self, app: WSGIApp, path: str, answer: Callable[[bytes], Answered | None] | None) -> None:
        self._app = app
        self._path = path
        self._answer = answer

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        """Answers one request (PEP 3333). Raises TakesLonger if it was wanted at once and cannot be had so."""
        started = perf_counter()
        answered = self._answer(environ["wsgi.input"].getvalue()) if self._answer and self._is_whole(environ) else None
        if answered is None:
            if AT_ONCE in environ:
                raise TakesLonger
            return self._app(environ, start_response)
        environ[ROUTE], environ[ANSWER] = self._path, answered.note
        headers = [
            ("Content-Type", JSON),
            ("Content-Length", str(len(answered.body))),
            ("Cache-Control", NEVER),
            ("Server-Timing", server_timing(answered.note.source, 0, perf_counter() - started)),
        ]
        start_response("200 OK", headers)
        return [answered.body]

    def _is_whole(self, environ: Environ) -> bool:
        """Whether a request posts JSON to the path, and all of it is here."""
        body = environ["wsgi.input"]
        return (
            environ["PATH_INFO"] == self._path
            and environ["REQUEST_METHOD"] == "POST"
            and isinstance(body, BytesIO)
            and environ.get("CONTENT_LENGTH") == str(body.getbuffer().nbytes)
            and JSON_TYPES.fullmatch(environ.get("CONTENT_TYPE", "")) is not None
        )
