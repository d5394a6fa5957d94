"""Responses remembered by the text of their request, in front of the application.

An answer is a pure function of its request, so a request that comes again, to the letter, can be
answered without reading it. Handlers say through the environment which responses may be kept: those
in which no chance and no time limit had a part.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from io import BytesIO
from time import perf_counter

from service.api.caching import is_known
from service.api.door import ANSWER, ROUTE, AnswerNote, Environ, Headers, StartResponse, Write, WSGIApp
from service.api.media import NDJSON
from service.engine.lru_cache import LRUCache

Key = tuple[str, str, str, str, bytes]
"""What a response depends on: method, path, query, content type and body."""


@dataclass(frozen=True, slots=True)
class _Kept:
    """A response without its ``Server-Timing``, which tells of one request alone.

    ``unchanged`` are the headers for a client that has the body of this ``etag`` already.
    """

    headers: Headers
    unchanged: Headers
    body: bytes
    etag: str
    note: AnswerNote
    route: str


class Memo:
    """Wraps an application: keeps at most ``entries`` responses.

    The texts of their requests have at most ``longest`` bytes, their own bodies at most ``largest``.
    """

    def __init__(self, app: WSGIApp, *, entries: int, longest: int, largest: int) -> None:
        self._app = app
        self._longest = longest
        self._largest = largest
        self._kept: LRUCache[Key, _Kept] = LRUCache(entries)

    def __len__(self) -> int:
        return len(self._kept)

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        """Answers one request (PEP 3333), from memory where it can."""
        started = perf_counter()
        key = self._key(environ)
        if key is None:
            return self._app(environ, start_response)
        kept = self._kept.get(key)
        if kept is None:
            return self._answer_and_keep(key, environ, start_response)
        return _replay(kept, environ, start_response, started)

    def _key(self, environ: Environ) -> Key | None:
        """What the response to a request hangs on; None for requests that are not worth remembering."""
        method, query = environ["REQUEST_METHOD"], environ.get("QUERY_STRING", "")
        if NDJSON in environ.get("HTTP_ACCEPT", "").lower():
            return None
        if method == "GET" and len(query) <= self._longest:
            return method, environ["PATH_INFO"], query, "", b""
        length = environ.get("CONTENT_LENGTH", "")
        if method != "POST" or not length.isdecimal() or int(length) > self._longest:
            return None
        body = environ["wsgi.input"].read(int(length))
        environ["wsgi.input"] = BytesIO(body)
        if len(body) < int(length):  # the client has gone, or sent less than it said
            return None
        return method, environ["PATH_INFO"], query, environ.get("CONTENT_TYPE", ""), body

    def _answer_and_keep(self, key: Key, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        sent: list[tuple[str, Headers]] = []

        def start(status: str, headers: Headers, exc_info: object = None) -> Write:
            sent.append((status, headers))
            return start_response(status, headers, exc_info)

        response = self._app(environ, start)
        note: AnswerNote | None = environ.get(ANSWER)
        status, headers = sent[-1]
        if note is None or not note.reproducible or not status.startswith("200"):
            return response
        body = b"".join(response)
        if hasattr(response, "close"):
            response.close()
        if len(body) <= self._largest:
            self._kept.keep(key, _remembered(headers, body, note, environ[ROUTE]))
        return [body]


def _remembered(headers: Headers, body: bytes, note: AnswerNote, route: str) -> _Kept:
    lasting = [(name, value) for name, value in headers if name != "Server-Timing"]
    etag = dict(headers).get("ETag", "")
    unchanged = [(name, value) for name, value in lasting if not name.startswith("Content-")] if etag else []
    return _Kept(lasting, unchanged, body, etag, note.from_cache(), route)


def _replay(kept: _Kept, environ: Environ, start_response: StartResponse, started: float) -> Iterable[bytes]:
    environ[ROUTE] = kept.route
    environ[ANSWER] = kept.note
    if kept.etag and is_known(kept.etag, environ.get("HTTP_IF_NONE_MATCH", "")):
        start_response("304 NOT MODIFIED", [*kept.unchanged])
        return []
    start_response("200 OK", [*kept.headers, ("Server-Timing", f"cache;dur={(perf_counter() - started) * 1000:.3f}")])
    return [kept.body]
