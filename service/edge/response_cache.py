"""Responses kept by the text of their request.

An answer is a pure function of its request, so a request that comes again, to the letter, is answered without being
read. Only responses without chance and without a time limit are kept.
"""

from dataclasses import dataclass

from service.api.request_context import AnswerNote
from service.api.responses import EVENTS, NDJSON
from service.edge.message import Request
from service.engine.lru_cache import LRUCache

CAPACITY = 8192
"""Responses of each worker: every position of 3x3 in one notation, and some; about 10 MB, at most 40."""

MAX_REQUEST_BYTES = 512
"""The longest body or query whose response is kept."""

MAX_RESPONSE_BYTES = 4096
"""The largest response that is kept: every analysis of 3x3, but not those of 64 cells."""

STREAMS = (NDJSON.encode(), EVENTS.encode())
"""The media types whose responses are not kept: a request that names one may be answered with a stream."""

Key = tuple[str, str, bytes, bytes, bytes]
"""What a response depends on: method, path, query, content type and body."""


@dataclass(frozen=True, slots=True)
class CachedResponse:
    """A response with status 200: its headers as they are sent, without those that tell of one request alone.

    ``etag`` is empty for what browsers do not keep. ``note`` is that of an answer from the cache.
    """

    headers: bytes
    body: bytes
    etag: str
    note: AnswerNote
    route: str

    @classmethod
    def of(cls, headers: bytes, body: bytes, note: AnswerNote, route: str, etag: str = "") -> "CachedResponse":
        """Return the response in the form in which it is kept."""
        return cls(headers, body, etag, note.from_cache(), route)


class ResponseCache:
    """A least-recently-used cache of responses."""

    def __init__(self) -> None:
        self._responses: LRUCache[Key, CachedResponse] = LRUCache(CAPACITY)

    def __len__(self) -> int:
        return len(self._responses)

    def key(self, request: Request) -> Key | None:
        """Return what the response to a request depends on; None for requests whose response is not kept."""
        accept = request.headers.get(b"accept")
        if accept is not None and _names_stream(accept.lower()):
            return None
        query = request.query
        if request.method == "GET" and len(query) <= MAX_REQUEST_BYTES:
            return "GET", request.path, query, b"", b""
        if request.method == "POST" and len(request.body) <= MAX_REQUEST_BYTES:
            return "POST", request.path, query, request.headers.get(b"content-type", b""), request.body
        return None

    def get(self, key: Key | None) -> CachedResponse | None:
        """Return the response of a request."""
        return None if key is None else self._responses.get(key)

    def keep(self, key: Key | None, response: CachedResponse) -> None:
        """Keep the response of a request, if both are small."""
        if key is not None and len(response.body) <= MAX_RESPONSE_BYTES:
            self._responses.keep(key, response)


def _names_stream(accept: bytes) -> bool:
    return any(stream in accept for stream in STREAMS)
