"""The context of one request, shared by the server in front and the Flask application."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache

from flask import request

from service.api.problems import Problem
from service.api.read.reading import Reading
from service.api.wire.requests import BestMoveRequest
from service.engine.work.limit import Limit
from service.engine.work.progress import Progress
from service.games.position import Position

CONTEXT = "move_oracle.context"
"""The key of the ``RequestContext`` in the WSGI environment and in the ASGI scope."""


@dataclass(frozen=True, slots=True, eq=False)
class AnswerNote:
    """The facts of an answer for metrics and the log; equal notes are one object, see ``make_note``.

    ``reproducible``: the same request always gets this answer, byte for byte. ``nodes`` is the number of positions
    searched.
    """

    game: str
    source: str
    outcome: str
    reproducible: bool
    nodes: int

    def from_cache(self) -> "AnswerNote":
        """Return the note for the same answer, served again from the cache."""
        return make_note(self.game, "cache", self.outcome, reproducible=self.reproducible, nodes=0)


@lru_cache
def make_note(game: str, source: str, outcome: str, *, reproducible: bool, nodes: int) -> AnswerNote:
    """Return a note; equal ones are the same object, because thousands are kept with cached responses."""
    return AnswerNote(game, source, outcome, reproducible, nodes)


@dataclass(slots=True)
class RequestContext:
    """One request, as the server in front and the application see it.

    ``stop`` is set when the client has gone or the process must end. The server stores in ``reading`` what it has read
    of the body: the model with its faults, or the problem of the whole. The application stores the ``route``, and the
    number of positions answered with each note. If the search is ``followed``, it also stores its ``progress``; in a
    review, that of the current position.
    """

    stop: bool = False
    reading: Reading[BestMoveRequest] | Problem | None = None
    route: str | None = None
    notes: Mapping[AnswerNote, int] = field(default_factory=dict)
    followed: bool = False
    progress: Progress | None = None

    def must_stop(self) -> bool:
        """Return whether a search for this request should end."""
        return self.stop

    def watched(self, position: Position, limit: Limit, *, ply: int | None = None) -> Limit:
        """Return the limit of a search about a position; with its progress, if the search is followed.

        ``ply`` is the number of the next move in a game that is reviewed.
        """
        if not self.followed:
            return limit
        self.progress = Progress(position, ply)
        return replace(limit, progress=self.progress)


def request_context() -> RequestContext:
    """Return the context of the current Flask request; a new one if no server in front has made one."""
    context: RequestContext = request.environ.setdefault(CONTEXT, RequestContext())
    return context
