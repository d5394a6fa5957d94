"""Users of locust that ask for long searches, at once or as streams."""

import json

from locust import task
from locust.contrib.fasthttp import ResponseContextManager as Reply

from loadtests.locustfile import Caller, is_overload
from loadtests.servers.processes import HEADERS

TIME_MS = 200
GAMES = {"qubic": 64, "five-in-a-row-6x6": 36}
"""Games too large to be solved, each with the number of first moves."""


class SearchUser(Caller):
    """A user who asks for a search that takes its whole time."""

    @task
    def search(self) -> None:
        """Ask for the best move."""
        self.send("POST", "/best-move", self.opening(), "long search", _has_move, **HEADERS)

    def opening(self) -> bytes:
        """Draw an opening and return the body that asks about it."""
        game = self.rng.choice(tuple(GAMES))
        moves = self.rng.sample(range(GAMES[game]), 3)
        return json.dumps({"game": game, "moves": moves, "limit": {"time_ms": TIME_MS}}).encode()


class StreamUser(SearchUser):
    """A user who follows a search as a stream."""

    @task
    def search(self) -> None:
        """Ask for an analysis as a stream."""
        self.send("POST", "/analysis/stream", self.opening(), "stream", _ends_with_result, **HEADERS)


def _has_move(reply: Reply) -> str:
    right = is_overload(reply) or isinstance(json.loads(reply.content or b"")["move"], int)
    return "" if right else f"{reply.status_code} {reply.content!r}"


def _ends_with_result(reply: Reply) -> str:
    right = is_overload(reply) or "result" in json.loads((reply.content or b"").splitlines()[-1])
    return "" if right else f"{reply.status_code}, the stream ends otherwise than with a result"
