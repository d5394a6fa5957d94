"""The response cache, keyed by the text of requests.

An answer is a pure function of its request, so a repeated request is answered without being parsed. Only responses
without a random choice and without a time limit are cached.
"""

from collections import OrderedDict
from dataclasses import dataclass

from service.api.request_context import AnswerNote
from service.api.responses import JSON, TEXT
from service.edge.message import EdgeRequest

CAPACITY = 8192
"""The maximum number of responses in a worker: all positions of 3x3 in one notation, about 10 MB."""

MAX_BYTES = 32 << 20
"""The maximum bytes of the responses in a worker, with their keys."""

ENTRY_BYTES = 700
"""The bytes of memory of a response beside its text and that of its request."""

MAX_REQUEST_BYTES = 512
"""The maximum bytes of a body whose response is cached, and of path, query and content type together."""

MAX_RESPONSE_BYTES = 4096
"""The maximum bytes of a cached response: every analysis of 3x3 fits, one of 64 cells does not."""

JSON_NAME, TEXT_NAME = JSON.encode(), TEXT.encode()

Key = tuple[str, str, bytes, bytes, bytes]
"""The key of a response: method, path, query, content type and body."""


@dataclass(frozen=True, slots=True)
class CachedResponse:
    """A response with status 200: its encoded headers, without those about the single request.

    ``etag`` is empty if clients do not cache the response. ``note`` is the one for an answer from the cache.
    """

    headers: bytes
    body: bytes
    etag: str
    note: AnswerNote
    route: str

    @classmethod
    def of(cls, headers: bytes, body: bytes, note: AnswerNote, route: str, etag: str = "") -> "CachedResponse":
        """Return the response in the form of the cache."""
        return cls(headers, body, etag, note.from_cache(), route)


class ResponseCache:
    """A least-recently-used cache of responses, bounded by number and by memory."""

    def __init__(self) -> None:
        self.bytes = 0
        self._responses: OrderedDict[Key, CachedResponse] = OrderedDict()

    def __len__(self) -> int:
        return len(self._responses)

    def key(self, request: EdgeRequest) -> Key | None:
        """Return the key of a request; None if its response is not cached."""
        accept = request.headers.get(b"accept")
        if accept is not None and _may_mean_text(accept.lower()):
            return None
        if b"content-encoding" in request.headers:
            return None
        path, query = request.path, request.query
        if request.method == "GET" and len(path) + len(query) <= MAX_REQUEST_BYTES:
            return "GET", path, query, b"", b""
        if request.method == "POST" and len(request.body) <= MAX_REQUEST_BYTES:
            content_type = request.headers.get(b"content-type", b"")
            if len(path) + len(query) + len(content_type) <= MAX_REQUEST_BYTES:
                return "POST", path, query, content_type, request.body
        return None

    def get(self, key: Key | None) -> CachedResponse | None:
        """Return the cached response for a key; None if there is none."""
        response = None if key is None else self._responses.get(key)
        if response is not None:
            self._responses.move_to_end(key)  # type: ignore[arg-type]  # there is a key where there is a response
        return response

    def keep(self, key: Key | None, response: CachedResponse) -> None:
        """Cache the response of a request, if both are small."""
        if key is None or len(response.body) > MAX_RESPONSE_BYTES:
            return
        if key in self._responses:
            self.bytes -= _size(key, self._responses.pop(key))
        self._responses[key] = response
        self.bytes += _size(key, response)
        while len(self._responses) > CAPACITY or self.bytes > MAX_BYTES:
            self.bytes -= _size(*self._responses.popitem(last=False))


def _size(key: Key, response: CachedResponse) -> int:
    return sum(map(len, key)) + len(response.headers) + len(response.body) + ENTRY_BYTES


def _may_mean_text(accept: bytes) -> bool:
    """Return whether the answer may be text. Axios accepts JSON and text, and JSON comes first among equals."""
    return TEXT_NAME in accept and (JSON_NAME not in accept or b"q=" in accept)
