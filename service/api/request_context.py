"""What a server in front and the application tell each other about one request."""

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
"""Key under which the WSGI environment, and the ASGI scope, hold the ``RequestContext``."""


@dataclass(frozen=True, slots=True, eq=False)
class AnswerNote:
    """What is counted of an answer; equal notes are one object, see ``make_note``.

    ``reproducible``: the same request always has this very answer. ``nodes`` is the number of positions searched.
    """

    game: str
    source: str
    outcome: str
    reproducible: bool
    nodes: int

    def from_cache(self) -> "AnswerNote":
        """Return the note on the same answer, given once more from memory."""
        return make_note(self.game, "cache", self.outcome, reproducible=self.reproducible, nodes=0)


@lru_cache
def make_note(game: str, source: str, outcome: str, *, reproducible: bool, nodes: int) -> AnswerNote:
    """Return a note, one object for equal ones: thousands of them are kept with cached responses."""
    return AnswerNote(game, source, outcome, reproducible, nodes)


@dataclass(slots=True)
class RequestContext:
    """One request, as the server in front and the application see it.

    ``stop`` is set once nobody waits for the answer or the process must end. The server leaves what it has read of
    the body in ``reading``: the model with its faults, or the problem of the whole. The application leaves the
    ``route`` that it took, and how many positions it answered with each note. If the search is ``followed``, it leaves
    the ``progress`` too, in a review that of the position that is searched now.
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
        """Return the limit of a search about a position; with its progress, if it is followed.

        ``ply`` is the number of the next move in a game that is reviewed.
        """
        if not self.followed:
            return limit
        self.progress = Progress(position, ply)
        return replace(limit, progress=self.progress)


def request_context() -> RequestContext:
    """Return the context of the request that Flask answers; a new one if no server in front made one."""
    context: RequestContext = request.environ.setdefault(CONTEXT, RequestContext())
    return context
