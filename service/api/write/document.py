"""Compressed responses: documents, files of pages, and answers about many positions.

Brotli serves files that were compressed when the service was built: it is smaller than gzip, but too slow for a
request.
"""

from functools import lru_cache
from gzip import compress

from flask import Response, request

from service.api.responses import JSON, REVALIDATE, SVG, cacheable, never_stored
from service.web.minified import with_brotli

COMPRESSED = frozenset({JSON, SVG, "application/yaml", "text/css", "text/html", "text/javascript"})
"""The types that gzip makes smaller."""

LEAST_COMPRESSED = 1024
"""The minimum bytes of a compressed body: a smaller one fits in a packet uncompressed."""

QUICK = 1
"""The compression level of answers: 2 MiB take 10 ms, and shrink to a tenth."""

COMPRESSED_ONCE = 32 << 10
"""The minimum bytes of a document whose compressed form is cached. Smaller ones take less than a millisecond, and
include those that depend on the request."""


def document_response(body: bytes, mimetype: str, cache_control: str = REVALIDATE) -> Response:
    """Return a document; by default clients cache it, but revalidate its ``ETag``."""
    headers = {"Cache-Control": cache_control}
    if mimetype in COMPRESSED and len(body) >= LEAST_COMPRESSED:
        headers["Vary"] = "Accept-Encoding"
        if request.accept_encodings.quality("br") > 0 and (small := with_brotli(body)):
            return cacheable(request, small, mimetype, {**headers, "Content-Encoding": "br"})
        if request.accept_encodings.quality("gzip") > 0:
            return cacheable(request, _compressed(body), mimetype, {**headers, "Content-Encoding": "gzip"})
    return cacheable(request, body, mimetype, headers)


def batch_response(body: bytes, mimetype: str, timing: str) -> Response:
    """Return a 200 about many positions that no cache may store."""
    response = never_stored(body, {"Server-Timing": timing, "Vary": "Accept-Encoding"}, mimetype)
    if len(body) >= LEAST_COMPRESSED and request.accept_encodings.quality("gzip") > 0:
        response.set_data(compress(body, QUICK, mtime=0))
        response.content_encoding = "gzip"
    return response


def _compressed(body: bytes) -> bytes:
    return _compressed_once(body) if len(body) >= COMPRESSED_ONCE else _gzip(body)


def _gzip(body: bytes) -> bytes:
    return compress(body, mtime=0)  # a time would change the ETag


_compressed_once = lru_cache(maxsize=256)(_gzip)
