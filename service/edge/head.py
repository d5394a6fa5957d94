"""The head of a request: repeated headers become one before anything looks at them, and faults are refused.

Readers of HTTP take the first line of a repeated header, the last one, or all of them. Where two of them read one
request differently, an answer to one request could be kept as that to another.
"""

import re
from collections.abc import Iterable, Mapping, MutableMapping
from functools import lru_cache
from typing import Any

from service.api.problems import Problem, shortened

HOST = re.compile(rb"(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._~-]*)(?::[0-9]{0,5})?")
"""A host, which is empty for a target without one, and its port if it is given."""

LONGEST = 64
"""Characters of a value that a problem repeats."""


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
    """Return the problem of a head that is not answered; None for one that is."""
    host = headers.get(b"host")
    if host is None:
        if http_version == "1.1":
            return Problem("malformed-request", "The header Host is missing, which HTTP/1.1 requires.")
    elif not _is_host(host):
        return _malformed("Host", host, "send it once, with a name or an address, and the port if there is one")
    content_type = headers.get(b"content-type")
    if content_type is not None and b"," in content_type:
        return _malformed("Content-Type", content_type, "send it once")
    coding = headers.get(b"transfer-encoding")
    if coding is not None and coding.lower() != b"chunked":
        return _malformed("Transfer-Encoding", coding, "the service reads chunked and nothing else")
    return None


def _malformed(name: str, value: bytes, advice: str) -> Problem:
    shown = shortened(value.decode("latin-1"), LONGEST)
    return Problem("malformed-request", f"The header {name} is {shown}; {advice}.")


@lru_cache(maxsize=64)
def _is_host(value: bytes) -> bool:
    return HOST.fullmatch(value) is not None
