"""The head of a request: repeated headers are joined before any code reads them, and faulty heads are refused.

Readers of HTTP take the first of repeated headers, the last, or all of them. If two readers differ, the cache could
keep the answer to one request for another.
"""

import re
from collections.abc import Iterable, Mapping, MutableMapping
from functools import lru_cache
from typing import Any

from service.api.problems import Problem, shortened

HOST = re.compile(rb"(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._~-]*)(?::[0-9]{0,5})?")
"""A host, which is empty for a target without one, and an optional port."""

LONGEST = 64
"""The maximum number of characters of a value that a problem repeats."""


def joined_by_name(scope: MutableMapping[str, Any]) -> dict[bytes, bytes]:
    """Return the headers by name, the values of repeated ones joined by commas (RFC 9110, 5.3) in the scope too."""
    headers = scope["headers"]
    named: dict[bytes, bytes] = dict(headers)
    if len(named) != len(headers):
        named = _joined(headers)
        scope["headers"] = [*named.items()]
    return named


def _joined(headers: Iterable[tuple[bytes, bytes]]) -> dict[bytes, bytes]:
    values: dict[bytes, list[bytes]] = {}
    for name, value in headers:
        values.setdefault(name, []).append(value)
    return {name: b", ".join(lines) for name, lines in values.items()}


def head_problem(headers: Mapping[bytes, bytes], http_version: str) -> Problem | None:
    """Return the problem of a faulty head; None if it is valid."""
    find = headers.get
    return _problem(http_version, find(b"host"), find(b"content-type"), find(b"transfer-encoding"))


@lru_cache(maxsize=64)
def _problem(http_version: str, host: bytes | None, content_type: bytes | None, coding: bytes | None) -> Problem | None:
    if host is None and http_version == "1.1":
        return Problem("malformed-request", "The header Host is missing, which HTTP/1.1 requires.")
    if host is not None and not HOST.fullmatch(host):
        return _malformed("Host", host, "send it once, with a name or an address, and the port if there is one")
    if content_type is not None and b"," in content_type:
        return _malformed("Content-Type", content_type, "send it once")
    if coding is not None and coding.lower() != b"chunked":
        return _malformed("Transfer-Encoding", coding, "the service reads chunked and nothing else")
    return None


def _malformed(name: str, value: bytes, advice: str) -> Problem:
    shown = shortened(value.decode("latin-1"), LONGEST)
    return Problem("malformed-request", f"The header {name} is {shown}; {advice}.")
