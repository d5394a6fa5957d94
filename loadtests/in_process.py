"""Requests to WSGI applications in this process, with environments as gunicorn would make them."""

import json
from collections.abc import Callable, Iterable
from io import BytesIO
from typing import Any

Environ = dict[str, Any]
Headers = list[tuple[str, str]]
WSGIApp = Callable[[Environ, Callable[..., Any]], Iterable[bytes]]


def body_of(board: str) -> bytes:
    """What asks about a board."""
    return json.dumps({"board": board}).encode()


def post(body: bytes) -> Environ:
    """``POST /best-move``."""
    length = {"CONTENT_TYPE": "application/json", "CONTENT_LENGTH": str(len(body))}
    return {**_environ("POST", ""), **length, "wsgi.input": BytesIO(body)}


def get(board: str) -> Environ:
    """``GET /best-move``."""
    return _environ("GET", f"board={board}")


def _environ(method: str, query: str) -> Environ:
    """What gunicorn hands to an application."""
    return {
        "REQUEST_METHOD": method,
        "SCRIPT_NAME": "",
        "PATH_INFO": "/best-move",
        "QUERY_STRING": query,
        "SERVER_NAME": "127.0.0.1",
        "SERVER_PORT": "8000",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "REMOTE_ADDR": "127.0.0.1",
        "REMOTE_PORT": "50000",
        "HTTP_HOST": "127.0.0.1:8000",
        "HTTP_USER_AGENT": "bench",
        "HTTP_ACCEPT": "*/*",
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": "http",
        "wsgi.input": BytesIO(),
        "wsgi.errors": None,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
        "wsgi.input_terminated": True,
    }


def call(app: WSGIApp, environ: Environ) -> tuple[str, Headers, bytes]:
    """Status, headers and body of the response, received as a WSGI server would."""
    started: list[tuple[str, Headers]] = []
    response = app(environ, lambda status, headers, _exc_info=None: started.append((status, headers)))
    body = b"".join(response)
    if hasattr(response, "close"):
        response.close()
    return *started[-1], body
