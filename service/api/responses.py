"""Responses: media types, and how long browsers and caches may keep a body."""

from collections.abc import Mapping
from hashlib import blake2b
from types import MappingProxyType

from flask import Request, Response

JSON = "application/json"
PROBLEM = "application/problem+json"
SVG = "image/svg+xml"
PNG = "image/png"

NDJSON = "application/x-ndjson"
"""JSON line by line, each sent as soon as it is known."""

EVENTS = "text/event-stream"
"""Server-sent events, which the ``EventSource`` of a browser reads."""

FOREVER = "public, max-age=31536000, immutable"
"""For proven answers: the same request has the same answer for good."""

REVALIDATE = "public, no-cache"
"""For documents that change with a release: keep them, but ask whether they still hold."""

NEVER = "no-store"


def is_known(etag: str, if_none_match: str) -> bool:
    """Return whether ``If-None-Match`` names this quoted ``etag``."""
    return etag in if_none_match or if_none_match == "*"


def server_timing(source: str, nodes: int, seconds: float) -> str:
    """Return the ``Server-Timing`` header: the source of the answer, its duration and the nodes searched, if any."""
    searched = f';desc="{nodes} nodes"' if nodes else ""
    return f"{source};dur={seconds * 1000:.3f}{searched}"


def never_stored(body: bytes, headers: Mapping[str, str] = MappingProxyType({})) -> Response:
    """Return a 200 with a JSON body that no cache may keep."""
    return Response(body, mimetype=JSON, headers={**headers, "Cache-Control": NEVER})


def cacheable(request: Request, body: bytes, mimetype: str, headers: Mapping[str, str]) -> Response:
    """Return a 200 with a strong ``ETag``, or a 304 without body if the client has this body already."""
    etag = f'"{blake2b(body, digest_size=12).hexdigest()}"'
    if is_known(etag, request.headers.get("If-None-Match", "")):
        kept = {name: headers[name] for name in ("Cache-Control", "Vary") if name in headers}
        response = Response(status=304, headers=kept)
        del response.headers["Content-Type"]
    else:
        response = Response(body, mimetype=mimetype, headers=headers)
    response.headers["ETag"] = etag
    return response
