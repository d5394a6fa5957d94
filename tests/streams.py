"""Streams as clients read them: lines of JSON, or server-sent events by the rules of the HTML standard."""

import json
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from werkzeug.test import TestResponse

from service.api.responses import EVENTS, NDJSON

MIMETYPES = (NDJSON, EVENTS)

LINES = {"/analysis/stream": "StreamLine", "/review/stream": "ReviewLine", "/proof": "CertificateLine"}
"""The schema of a line by the path of the stream."""


class ServerEvent(NamedTuple):
    """A server-sent event as a browser hands it over."""

    type: str
    id: str
    data: str


def read_events(lines: Iterable[str]) -> Iterator[ServerEvent]:
    """Yield the events of a stream, read line by line; an event that no empty line ends is none."""
    kind, last_id, data = "", "", list[str]()
    for line in lines:
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if not line and data:
            yield ServerEvent(kind or "message", last_id, "\n".join(data))
        if not line:
            kind, data = "", []
        elif name == "event":
            kind = value
        elif name == "id":
            last_id = value
        elif name == "data":
            data.append(value)


def read_lines(mimetype: str, lines: Iterable[str]) -> Iterator[dict[str, Any]]:
    """Yield the lines of a stream as objects with one field, whichever way they are written."""
    if mimetype == NDJSON:
        yield from map(json.loads, lines)
    else:
        yield from ({event.type: json.loads(event.data)} for event in read_events(lines))


def lines_of(response: TestResponse) -> list[dict[str, Any]]:
    """Return the lines of a stream that has ended."""
    return [*read_lines(response.mimetype or "", response.get_data(as_text=True).split("\n")[:-1])]
