"""Users of the load tests who ask for long searches, and who follow them as streams."""

import json

from invalid import JSON
from locust import task
from locustfile import Call, Caller
from replies import Reply

TIME_MS = 200
LONG = {"connect-four": 7, "qubic": 64, "five-in-a-row-6x6": 36}
"""Games too large to be solved, each with the moves that there are at first."""

OVERLOADED = 503


class Searcher(Caller):
    """Somebody with a hard position, who waits for as long as the search may take."""

    @task
    def search(self) -> None:
        """Asks for the best move."""
        self.post(self.question(), "long search", _found)

    def question(self) -> bytes:
        """About an opening that takes its whole time."""
        game = self.rng.choice(tuple(LONG))
        moves = self.rng.sample(range(LONG[game]), 3)
        return json.dumps({"game": game, "moves": moves, "limit": {"time_ms": TIME_MS}}).encode()


class Watcher(Searcher):
    """Somebody who reads along while the search goes on."""

    @task
    def search(self) -> None:
        """Asks for an analysis as a stream."""
        headers = {"Content-Type": JSON, "Accept": "application/x-ndjson"}
        self.send(Call("POST", "/analysis", self.question(), headers), "stream", _followed)


def _found(reply: Reply) -> list[str]:
    """An answer, or the word that the server has enough to do."""
    if reply.status_code == OVERLOADED:
        return [] if reply.headers and reply.headers.get("Retry-After") else ["overload without Retry-After"]
    move = json.loads(reply.content or b"")["move"] if reply.status_code == 200 else None
    return [] if isinstance(move, int) else [f"status {reply.status_code}, move {move!r}"]


def _followed(reply: Reply) -> list[str]:
    """A stream that came to its end, or the word that the server has enough to do."""
    if reply.status_code == OVERLOADED:
        return _found(reply)
    lines = [json.loads(line) for line in (reply.content or b"").splitlines()]
    return [] if lines and "result" in lines[-1] else [f"the stream ends with {lines[-1:]}"]
