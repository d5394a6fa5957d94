"""Requests as HTTP delivers them: the bytes of a body, and the parameters of a query."""

import re
import zlib
from collections.abc import Mapping, Sequence

from flask import Request
from werkzeug.exceptions import HTTPException, RequestEntityTooLarge

from service.api.problems import Problem, shortened
from service.api.responses import JSON, NDJSON

JSON_TYPES = re.compile(r"(application/(json|[\w.+-]+\+json|x-www-form-urlencoded)|text/plain)? *(;.*)?", re.IGNORECASE)
"""Accepted content types: JSON, and what clients send by default: no type, the form of ``curl -d``, the text of
``fetch``."""

LONGEST_TYPE = 64
"""The maximum number of characters of a wrong content type or encoding that a problem repeats."""

GZIP_WINDOW = 16 + zlib.MAX_WBITS
"""The window size by which zlib recognises a stream with the head of gzip."""


def read_body(request: Request, *, or_lines: bool = False) -> bytes:
    """Return the body of a request with a content type of JSON, or with one that clients send by default.

    ``or_lines``: JSON lines are accepted too. Raises a Problem for another content type, and for a body that cannot be
    received completely.
    """
    content_type = request.mimetype
    if not JSON_TYPES.fullmatch(content_type) and not (or_lines and content_type == NDJSON):
        shown, wanted = shortened(content_type, LONGEST_TYPE), NDJSON if or_lines else JSON
        raise Problem("unsupported-media-type", f"The content type is {shown}; send JSON text as {wanted}.")
    try:
        body = request.get_data(cache=False)
        # Without a length, werkzeug reads up to the limit and discards the rest.
        goes_on = request.content_length is None and request.environ["wsgi.input"].read(1)
    except HTTPException:
        raise
    except Exception as error:  # each server raises errors of its own for a body that breaks the rules
        raise Problem("malformed-request", f"The body could not be received completely: {error}.") from error
    if goes_on:
        raise RequestEntityTooLarge
    if request.content_length is not None and len(body) < request.content_length:
        raise Problem("malformed-request", f"The body ended after {len(body)} of {request.content_length} bytes.")
    return _inflated(body, request.headers.get("Content-Encoding", "").lower(), request.max_content_length)


def _inflated(body: bytes, encoding: str, most: int | None) -> bytes:
    """Return a body decompressed. Raises a Problem, or RequestEntityTooLarge."""
    if encoding in ("", "identity"):
        return body
    if encoding != "gzip":
        detail = f"The content encoding is {shortened(encoding, LONGEST_TYPE)}; send gzip, or the body as it is."
        raise Problem("unsupported-media-type", detail, headers={"Accept-Encoding": "gzip"})
    inflating = zlib.decompressobj(GZIP_WINDOW)
    try:
        inflated = inflating.decompress(body, 0 if most is None else most + 1)
    except zlib.error as error:
        raise Problem("malformed-request", f"The body is not gzip: {error}.") from None
    if most is not None and len(inflated) > most:
        raise RequestEntityTooLarge
    if not inflating.eof or inflating.unused_data:
        raise Problem("malformed-request", "The body is not one whole gzip member.")
    return inflated


def read_query(request: Request) -> Mapping[str, Sequence[str]]:
    """Return the parameters of the query of a request, with every value of each."""
    return request.args.to_dict(flat=False)
