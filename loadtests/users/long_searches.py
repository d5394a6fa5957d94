"""Users of locust that ask for long searches, at once or as streams."""

import json
from http import HTTPStatus

from locust import task

from loadtests.locustfile import Call, Caller
from loadtests.servers.processes import HEADERS
from loadtests.users.replies import Reply

TIME_MS = 200
GAMES = {"qubic": 64, "five-in-a-row-6x6": 36}
"""Games too large to be solved, each with the number of first moves."""


class SearchUser(Caller):
    """A user who asks for a search that takes its whole time."""

    @task
    def search(self) -> None:
        """Ask for the best move."""
        self.post(self.opening(), "long search", _has_move)

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
        headers = {**HEADERS, "Accept": "application/x-ndjson"}
        self.send(Call("POST", "/analysis", self.opening(), headers), "stream", _ends_with_result)


def _has_move(reply: Reply) -> list[str]:
    """List errors of an answer; a 503 with ``Retry-After`` has none."""
    if reply.status_code == HTTPStatus.SERVICE_UNAVAILABLE:
        return [] if reply.headers and reply.headers.get("Retry-After") else ["overload without Retry-After"]
    move = json.loads(reply.content or b"")["move"] if reply.status_code == 200 else None
    return [] if isinstance(move, int) else [f"status {reply.status_code}, move {move!r}"]


def _ends_with_result(reply: Reply) -> list[str]:
    """List errors of a stream; a 503 with ``Retry-After`` has none."""
    if reply.status_code == HTTPStatus.SERVICE_UNAVAILABLE:
        return _has_move(reply)
    lines = [json.loads(line) for line in (reply.content or b"").splitlines()]
    return [] if lines and "result" in lines[-1] else [f"the stream ends with {lines[-1:]}"]
