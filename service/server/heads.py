"""The heads of requests, each read once: the same bytes mean the same again."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from gunicorn.config import Config
from gunicorn.http import wsgi
from gunicorn.http.body import LengthReader
from gunicorn.http.errors import LimitRequestHeaders, NoMoreData
from gunicorn.http.message import Request
from gunicorn.http.unreader import IterUnreader

from service.engine.lru_cache import LRUCache

END = b"\r\n\r\n"
"""What a head ends with."""

REMEMBERED = 512
"""Heads that each worker keeps, some 3 kB each: clients that ask again and again send the same."""

LONGEST_REMEMBERED = 1024
"""Bytes of the longest head that is kept."""

LONGEST = 65536
"""Bytes that a head may have; what comes without an end so long has none."""

NOBODY = ("", 0)
NO_SOCKET: Any = None
"""What a head is read from: it means the same whoever sends it."""

FOR_ONE_REQUEST = ("wsgi.input", "wsgi.early_hints", "gunicorn.socket", "REMOTE_ADDR", "REMOTE_PORT")
"""What gunicorn puts into an environment that the next request with the same head must not see."""


@dataclass(frozen=True, slots=True)
class Head:
    """What gunicorn reads from the head of a request.

    ``environ`` is the WSGI environment without what belongs to one request alone; ``length`` how many bytes of body
    follow, None if they come in chunks. ``plain``: a request of HTTP/1.1 after which the connection stays open.
    ``expects``: the client waits for "100 Continue" before it sends the body.
    """

    environ: Mapping[str, Any]
    length: int | None
    plain: bool
    expects: bool


class Heads:
    """Reads heads with gunicorn's own parser, and remembers what it has read.

    The settings let no client say what only a proxy may (``forwarder_headers``, ``secure_scheme_headers``), so a head
    means the same whoever sends it.
    """

    def __init__(self, settings: Config) -> None:
        self._settings = settings
        self._read: LRUCache[tuple[bytes, tuple[str, int]], Head] = LRUCache(REMEMBERED)

    def __len__(self) -> int:
        return len(self._read)

    def read(self, data: bytes, server: tuple[str, int]) -> Head:
        """The head in these bytes, which came in at the address ``server``. Raises gunicorn's ParseException."""
        key = data, server
        head = self._read.get(key)
        if head is None:
            head = self._parse(data, server)
            if len(data) <= LONGEST_REMEMBERED:
                self._read.keep(key, head)
        return head

    def check_beginning(self, data: bytes) -> None:
        """Raises gunicorn's ParseException if no head begins like this, or none that is not too long."""
        with suppress(NoMoreData):
            self._request(data)
        if len(data) > LONGEST:
            raise LimitRequestHeaders("the head does not end")

    def is_doubtful(self, data: bytearray) -> bool:
        """Whether ``check_beginning`` should look at the beginning of a head now, and not once all of it is there."""
        line = self._settings.limit_request_line
        endless = len(data) > LONGEST or (len(data) > line and data.find(b"\r\n", 0, line + 2) < 0)
        return endless or data.count(b"\n") != data.count(b"\r\n")

    def _request(self, data: bytes) -> Any:
        return Request(self._settings, IterUnreader([data]), NOBODY)

    def _parse(self, data: bytes, server: tuple[str, int]) -> Head:
        request = self._request(data)
        expects = request._expected_100_continue  # noqa: SLF001, gunicorn says it nowhere else
        request._expected_100_continue = False  # noqa: SLF001, or it would be answered here
        _, environ = wsgi.create(request, NO_SOCKET, NOBODY, server, self._settings)
        environ["wsgi.multithread"] = True
        for name in FOR_ONE_REQUEST:
            environ.pop(name, None)
        reader = request.body.reader
        return Head(
            environ=MappingProxyType(environ),
            length=reader.length if isinstance(reader, LengthReader) else None,
            plain=request.version == (1, 1) and not request.should_close() and not expects,
            expects=expects,
        )
