"""Responses: media types, cache lifetimes, and problem documents."""

import re
from collections.abc import Collection, Mapping
from dataclasses import replace
from difflib import get_close_matches
from hashlib import blake2b
from http import HTTPStatus
from types import MappingProxyType

from flask import Request, Response, current_app, request
from werkzeug.exceptions import HTTPException

from service.api.problems import KINDS, MAX_SHOWN, Problem, problem_json, shortened

JSON = "application/json"
PROBLEM = "application/problem+json"
SVG = "image/svg+xml"
TEXT = "text/plain"
PNG = "image/png"

NDJSON = "application/x-ndjson"
"""JSON lines, each sent as soon as it is ready."""

EVENTS = "text/event-stream"
"""Server-sent events, which the ``EventSource`` of a browser reads."""

FOREVER = "public, max-age=31536000, immutable"
"""For proven answers, which never change."""

REVALIDATE = "public, no-cache"
"""For documents that change with a release: caches keep them, but ask whether they are current."""

NEVER = "no-store"


def contract_path(rule: str) -> str:
    """Return the path of a rule of Flask as the contract writes it: ``/games/{id}`` for ``/games/<id>``."""
    return re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule)


def preferred_type(request: Request, offered: Collection[str]) -> str:
    """Return which of the ``offered`` media types a request prefers to JSON; JSON if it names none.

    A wildcard selects none of them, so that the edge recognises the requests for a type by its name.
    """
    accept = request.accept_mimetypes
    preferred = accept.best_match([JSON, *offered])
    named = {each.lower() for each in accept.values()}
    return preferred if preferred in offered and preferred in named else JSON


def is_known(etag: str, if_none_match: str) -> bool:
    """Return whether ``If-None-Match`` contains this quoted ``etag``."""
    return etag in if_none_match or if_none_match == "*"


def server_timing(source: str, nodes: int, seconds: float) -> str:
    """Return the ``Server-Timing`` header: the source of the answer, its duration, and the nodes searched, if any."""
    searched = f';desc="{nodes} nodes"' if nodes else ""
    return f"{source};dur={seconds * 1000:.3f}{searched}"


def never_stored(body: bytes, headers: Mapping[str, str] = MappingProxyType({}), mimetype: str = JSON) -> Response:
    """Return a 200 that no cache may store."""
    return Response(body, mimetype=mimetype, headers={**headers, "Cache-Control": NEVER})


def cacheable(request: Request, body: bytes, mimetype: str, headers: Mapping[str, str]) -> Response:
    """Return a 200 with a strong ``ETag``, or a 304 without a body if the client already has this body."""
    etag = f'"{blake2b(body, digest_size=12).hexdigest()}"'
    if is_known(etag, request.headers.get("If-None-Match", "")):
        kept = {name: headers[name] for name in ("Cache-Control", "Vary") if name in headers}
        response = Response(status=304, headers=kept)
        del response.headers["Content-Type"]
    else:
        response = Response(body, mimetype=mimetype, headers=headers)
    response.headers["ETag"] = etag
    return response


def problem_response(problem: Problem) -> Response:
    """Return the response for this problem, never cached."""
    response = Response(problem_json(problem), KINDS[problem.kind].status, mimetype=PROBLEM)
    response.headers.extend(problem.headers)
    response.headers["Cache-Control"] = "no-store"
    return response


def from_http_exception(error: HTTPException) -> Response:
    """Replace werkzeug's HTML page by a problem document; keep headers such as ``Allow``."""
    status = error.code or 500
    kept = {name: value for name, value in error.get_headers() if name.lower() != "content-type"}
    match status:
        case 404:
            problem = Problem("not-found", f"There is nothing at {shortened(request.path)}.{_guess_path()}")
        case 405:
            taken = kept["Allow"] = ", ".join(sorted(kept["Allow"].split(", ")))
            detail = f"{request.path} does not support {shortened(request.method)}; send {taken}."
            problem = Problem("method-not-allowed", detail)
        case 413:
            limit = current_app.config["MAX_CONTENT_LENGTH"]
            problem = Problem("body-too-large", f"The body is larger than the limit of {limit} bytes.")
        case _:
            kind = "malformed-request" if status < HTTPStatus.INTERNAL_SERVER_ERROR else "internal-error"
            problem = Problem(kind, error.description or KINDS[kind].explanation)
    return problem_response(replace(problem, headers=kept))


def _guess_path() -> str:
    paths = [contract_path(rule.rule) for rule in current_app.url_map.iter_rules()]
    close = get_close_matches(request.path[:MAX_SHOWN], paths, n=1)
    return f" Did you mean {close[0]}?" if close else ""
