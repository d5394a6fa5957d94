"""Searches that send lines while they run, as JSON lines or as server-sent events."""

import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from http import HTTPStatus
from queue import Empty, SimpleQueue
from threading import Event, Thread
from types import MappingProxyType
from typing import Annotated, Any, Literal, cast

from flask import Request, Response
from pydantic_core import to_json
from typing_extensions import TypeAliasType, TypedDict

from service.api.problems import INTERNAL, Problem, overloaded, problem_json
from service.api.request_context import RequestContext
from service.api.responses import EVENTS, NDJSON, NEVER
from service.api.wire.analysis_types import Progress as ProgressAnswer
from service.api.wire.contract import about
from service.api.write.answers import short_move_fields
from service.api.write.values import proof_fields, value_fields
from service.engine.work.progress import Progress
from service.engine.work.slots import Overloaded
from service.engine.work.turns import TURNS

FIRST_LINE_SECONDS, LINE_SECONDS = 0.1, 0.2
"""The seconds before the first line of a stream, and the maximum between two lines."""

END = "end"
"""The id of the last event. A browser repeats it when it reconnects after the end of a stream."""

HEADERS = MappingProxyType({"Cache-Control": NEVER, "Vary": "Accept", "X-Accel-Buffering": "no"})
"""Headers of a stream; ``X-Accel-Buffering`` asks proxies such as nginx to forward each line at once."""

Name = Literal["progress", "ply", "result", "problem"]
"""The subject of a line: the field of the JSON object, or the type of the event."""

LAST = frozenset[Name]({"result", "problem"})
"""The names of last lines."""

log = logging.getLogger("service")


class ProgressLine(TypedDict):
    """A line sent while the search runs, at most 5 times per second."""

    progress: ProgressAnswer


Events = TypeAliasType(
    "Events",
    Annotated[
        str,
        about(
            "Server-sent events, each with one line of JSON as its `data`. An event tells the same as a line of "
            "`application/x-ndjson`: its type is the name of the only field of the line, and its data is the value. "
            "The last event, a `result` or a `problem`, has the id `end`.",
            example='event: progress\ndata: {"depth":12,"nodes":58212,"outcome":"unknown","score":null,"plies":null,'
            '"proven":false,"exact":false}',
        ),
    ],
)


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a stream: its subject, and its value as JSON."""

    name: Name
    data: bytes


Emit = Callable[[Name, object], None]
"""Sends a line with a part of the answer."""


def stream_response(request: Request, client: RequestContext, search: Callable[[Emit], object]) -> Response:
    """Return the response that sends the lines of a search, its result as the last one.

    They are events if the request prefers these to JSON lines. A browser that reconnects after the end gets a 204,
    which stops it. Raises the Problem of the search if it occurs before the first line is due.
    """
    mimetype = request.accept_mimetypes.best_match(FORMATS, NDJSON)
    if mimetype == EVENTS and request.headers.get("Last-Event-ID") == END:
        return _nothing_more()
    stream = Stream(mimetype, client, search)
    stream.begin()
    return Response(stream, mimetype=mimetype, headers=HEADERS)


def _nothing_more() -> Response:
    response = Response(status=HTTPStatus.NO_CONTENT, headers={"Cache-Control": NEVER})
    del response.headers["Content-Type"]
    return response


class Stream:
    """A search in its own thread, while its lines are sent."""

    def __init__(self, mimetype: str, client: RequestContext, search: Callable[[Emit], object]) -> None:
        client.followed = True
        self._client = client
        self._format = FORMATS[mimetype]
        self._lines: SimpleQueue[Line] = SimpleQueue()
        self._ended = Event()
        self._problem: Problem | None = None
        self._thread = Thread(target=self._search, args=(search,))

    def begin(self) -> None:
        """Start the search. Raises its Problem if it occurs before the first line is due."""
        TURNS.give_back()  # the search needs it
        try:
            self._thread.start()
            self._ended.wait(FIRST_LINE_SECONDS)
        except KeyboardInterrupt:
            self._client.stop = True
            raise
        if self._problem is not None:
            self.close()
            raise self._problem

    def __iter__(self) -> Iterator[bytes]:
        """Yield each line as it is emitted; after ``LINE_SECONDS`` without a line, yield the progress of the search."""
        seconds = 0.0
        while True:
            line = self._next(seconds)
            seconds = LINE_SECONDS
            if line is not None:
                yield self._format(line)
                if line.name in LAST:
                    return

    def close(self) -> None:
        """Stop the search, if it still runs, after the last line or a disconnect."""
        self._client.stop = True
        self._thread.join()
        self._client.progress = None  # its searches refer to the client: a cycle with megabytes

    def _next(self, seconds: float) -> Line | None:
        """Return the next line that is emitted within ``seconds``, else the progress; None before there is any."""
        with suppress(Empty):
            return self._lines.get(timeout=seconds)
        progress = self._client.progress
        return None if progress is None else Line("progress", to_json(progress_answer(progress)))

    def _emit(self, name: Name, value: object) -> None:
        self._lines.put(Line(name, to_json(value)))

    def _search(self, search: Callable[[Emit], object]) -> None:
        try:
            self._emit("result", search(self._emit))
        except Problem as problem:
            self._fail(problem)
        except Overloaded as refusal:
            self._fail(overloaded(refusal))
        except Exception:
            log.exception("Unhandled error")
            self._lines.put(Line("problem", problem_json(INTERNAL)))
        finally:
            self._ended.set()

    def _fail(self, problem: Problem) -> None:
        self._problem = problem
        self._lines.put(Line("problem", problem_json(problem)))


def progress_answer(progress: Progress) -> ProgressAnswer:
    """Return the progress of a search for a line of a stream; while a table is made there is little of it."""
    step, game = progress.now(), progress.position.game
    fields: dict[str, Any] = {} if progress.ply is None else {"ply": progress.ply}
    fields |= {"depth": step.depth, "nodes": step.nodes, **value_fields(step), **proof_fields(step)}
    fields |= short_move_fields(game, step.move)
    return cast("ProgressAnswer", {**fields, "settled": step.settled, "moves": step.moves})


def json_line(line: Line) -> bytes:
    """Return a line as a JSON object with one field."""
    return b'{"%b":%b}\n' % (line.name.encode(), line.data)


def event(line: Line) -> bytes:
    """Return a line as a server-sent event; only the last one has an id."""
    own_id = f"id: {END}\n" if line.name in LAST else ""
    return b"event: %b\n%bdata: %b\n\n" % (line.name.encode(), own_id.encode(), line.data)


FORMATS: Mapping[str, Callable[[Line], bytes]] = MappingProxyType({NDJSON: json_line, EVENTS: event})
"""The function that writes a line, by the media type of the stream."""
