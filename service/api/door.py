"""The door: what happens to every request and response, whatever route it takes.

WSGI middleware and not hooks of Flask: it also covers what fails before or after them, and it
costs a few microseconds where hooks cost tens.
"""

import re
import secrets
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from time import perf_counter
from typing import Any

from werkzeug.wsgi import ClosingIterator

from service.metrics import Metrics

REQUEST_ID = "move_oracle.request_id"
"""Key of the WSGI environment under which the log finds the request's id."""

ROUTE = "move_oracle.route"
"""Key under which the application leaves the rule of the route that it took."""

STARTED = "move_oracle.started"
"""Key under which the log finds when the request came in, on the clock of ``perf_counter``."""

ANSWER = "move_oracle.answer"
"""Key under which a handler leaves an ``AnswerNote`` about the position that it answered."""

BATCH = "move_oracle.batch"
"""Key under which a handler that answered many positions leaves how many there were with each ``AnswerNote``."""

STREAM = "move_oracle.stream"
"""Key under which a handler says that its answer is known only when its last line is out."""

NO_ROUTE = "(none)"
METHODS = frozenset({"GET", "HEAD", "POST", "OPTIONS"})
GIVEN_ID = re.compile(r"[\x21-\x7e]{1,128}")

EXPOSED = "ETag, Retry-After, Server-Timing, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-ID"
"""The headers that pages of other origins may read, beside those that they may always."""

GUARDS = (("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"))
"""Headers of every response: its type is not guessed, and where a link on it leads is not told from where."""

POLICY = "Content-Security-Policy"

STRICT = ((POLICY, "default-src 'none'; frame-ancestors 'none'"),)
"""What a response may do that no browser need show as a page: nothing. The pages have policies of their own."""

Environ = dict[str, Any]
Headers = list[tuple[str, str]]
Write = Callable[[bytes], object]
StartResponse = Callable[..., Write]
WSGIApp = Callable[[Environ, StartResponse], Iterable[bytes]]


@dataclass(frozen=True, slots=True)
class AnswerNote:
    """What the door counts of an answer. ``reproducible``: the same request always has this very answer.

    ``nodes`` is how many positions were searched for it.
    """

    game: str
    source: str
    outcome: str
    reproducible: bool
    nodes: int

    def from_cache(self) -> "AnswerNote":
        """The note on the same answer, given once more from memory."""
        return make_note(self.game, "cache", self.outcome, reproducible=self.reproducible, nodes=0)


@lru_cache
def make_note(game: str, source: str, outcome: str, *, reproducible: bool, nodes: int) -> AnswerNote:
    """A note; one for all the answers that it holds for, as thousands of them are remembered."""
    return AnswerNote(game, source, outcome, reproducible, nodes)


class Door:
    """Wraps an application: gives each request an id, adds the headers that all responses carry, and counts."""

    def __init__(self, app: WSGIApp, metrics: Metrics, *, cors_origin: str) -> None:
        self._app = app
        self._metrics = metrics
        self._headers = [*GUARDS, *_cors(cors_origin)]

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        """Answers one request (PEP 3333)."""
        environ[STARTED] = started = perf_counter()
        environ[REQUEST_ID] = request_id = _request_id(environ)
        environ["PATH_INFO"] = environ["PATH_INFO"] or "/"  # GET http://host has no path; Flask would redirect, in HTML

        def start(status: str, headers: Headers, exc_info: object = None) -> Write:
            if STREAM not in environ:
                self._count(environ, status, perf_counter() - started)
            policy = () if any(name == POLICY for name, _ in headers) else STRICT
            return start_response(status, [*headers, *policy, ("X-Request-ID", request_id), *self._headers], exc_info)

        response = self._app(environ, start)
        if STREAM not in environ:
            return response
        return ClosingIterator(response, lambda: self._count(environ, "200", perf_counter() - started))

    def _count(self, environ: Environ, status: str, seconds: float) -> None:
        method = environ["REQUEST_METHOD"]
        labels = (method if method in METHODS else "other", environ.get(ROUTE, NO_ROUTE), status[:3])
        self._metrics.request_seconds.labels(*labels).observe(seconds)
        note: AnswerNote | None = environ.get(ANSWER)
        notes: Mapping[AnswerNote, int] = environ.get(BATCH, {}) if note is None else {note: 1}
        for note, count in notes.items():
            self._metrics.answers.labels(note.game, note.source, note.outcome).inc(count)
            if note.nodes:
                self._metrics.nodes.labels(note.game).inc(note.nodes * count)


def _request_id(environ: Environ) -> str:
    """The id that the client sent, if it is fit to be logged and returned; else a new one."""
    given: str = environ.get("HTTP_X_REQUEST_ID", "")
    return given if GIVEN_ID.fullmatch(given) else secrets.token_hex(8)


def _cors(origin: str) -> Headers:
    """The headers that let pages of ``origin`` read every answer; ``none`` for none."""
    if origin == "none":
        return []
    return [("Access-Control-Allow-Origin", origin), ("Access-Control-Expose-Headers", EXPOSED)]
