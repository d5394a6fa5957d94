"""Users for locust, who check every reply: ``locust -f loadtests/locustfile.py --host http://127.0.0.1:8000``.

Every answer is compared with plain minimax and every refusal with the problem that it must name, so
a wrong reply counts as a failure however fast it came.
"""

from dataclasses import dataclass
from random import Random
from typing import Any, ClassVar

from family import random_opening, same_as_before
from invalid import JSON, random_invalid
from locust import FastHttpUser, constant, task
from notation import IN_A_BODY, IN_A_QUERY, as_body, as_path, write
from positions import MISERE, openings, random_position
from replies import Check, Reply, analyses, answers, answers_all, answers_for_good, refuses, reviews, still_holds

GAME = "tic-tac-toe"
GAMES = tuple(MISERE)
OPENINGS = openings(plies=2)


@dataclass(frozen=True, slots=True)
class Call:
    """A request."""

    method: str
    path: str
    body: bytes
    headers: dict[str, str]


class Caller(FastHttpUser):
    """Somebody who sends the next request as soon as the last reply was checked."""

    abstract = True
    wait_time = constant(0)
    network_timeout = connection_timeout = 10.0

    def on_start(self) -> None:
        """Called by locust for each user."""
        self.rng = Random()

    def ask(self, path: str, name: str, check: Check, **headers: str) -> str:
        """The ``ETag`` of the reply to a GET."""
        return self.send(Call("GET", path, b"", headers), name, check)

    def post(self, body: bytes, name: str, check: Check, path: str = "/best-move") -> None:
        """Sends a JSON document."""
        self.send(Call("POST", path, body, {"Content-Type": JSON}), name, check)

    def send(self, call: Call, name: str, check: Check) -> str:
        """The ``ETag`` of the reply; what ``check`` finds wrong with it is reported to locust under ``name``."""
        # Bytes are sent as they are, though the annotation of data does not name them.
        data: Any = call.body
        with self.client.request(
            call.method, call.path, name, data, catch_response=True, headers=call.headers
        ) as reply:
            if reply.status_code == 0:  # there is none, and locust reports why
                return ""
            wrong = _outcome(check, reply)
            if wrong:
                reply.failure(f"{'; '.join(wrong)} (asked: {call.path} {call.body[:100]!r})")
            else:
                reply.success()
            return str(reply.headers.get("ETag", ""))


def _outcome(check: Check, reply: Reply) -> list[str]:
    """What the check finds; a reply of such a shape that the check itself fails is wrong, too."""
    try:
        return check(reply)
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        return [f"the reply cannot be judged: {error!r}"]


class Opener(Caller):
    """A board in a browser: the first plies of a game over and over, known to every cache on the way."""

    weight = 4

    def on_start(self) -> None:
        """Nothing is known yet."""
        super().on_start()
        self.etags: dict[str, str] = {}

    @task(2)
    def post_opening(self) -> None:
        """Asks as many scripts do: a list of marks."""
        opening = self.rng.choice(OPENINGS)
        body = as_body({"board": [mark.strip(".") for mark in opening.board]})
        self.post(body, "opening", answers(opening, GAME))

    @task(2)
    def get_opening(self) -> None:
        """Asks as a browser does, and keeps the ``ETag``."""
        opening = self.rng.choice(OPENINGS)
        path = as_path({"board": opening.board})
        self.etags[path] = self.ask(path, "opening", answers_for_good(opening, GAME))

    @task(1)
    def revalidate_opening(self) -> None:
        """Asks whether something that it keeps still holds."""
        known = [(path, etag) for path, etag in self.etags.items() if etag]
        if known:
            path, etag = self.rng.choice(known)
            self.ask(path, "opening, known (304)", still_holds(etag), **{"If-None-Match": etag})


class Player(Caller):
    """Random positions of both games, begun by either player, in every notation."""

    weight = 4

    @task(2)
    def post_position(self) -> None:
        """Asks in a body."""
        position, game, form = random_position(self.rng), self.rng.choice(GAMES), self.rng.choice(tuple(IN_A_BODY))
        body = as_body(write(position, game, IN_A_BODY[form], self.rng))
        self.post(body, f"position as {form}", answers(position, game))

    @task(1)
    def get_position(self) -> None:
        """Asks in a query."""
        position, game, form = random_position(self.rng), self.rng.choice(GAMES), self.rng.choice(tuple(IN_A_QUERY))
        path = as_path(write(position, game, IN_A_QUERY[form], self.rng))
        self.ask(path, f"position as {form}", answers_for_good(position, game))


class Analyst(Caller):
    """An analysis board: every move of a position, a page full of positions, a game that is over or not."""

    weight = 2

    @task
    def analyse(self) -> None:
        """Asks for every move."""
        position, game = random_position(self.rng), self.rng.choice(GAMES)
        body = as_body({"game": game, "board": position.board, "player": position.player})
        self.post(body, "analysis", analyses(position, game), "/analysis")

    @task
    def ask_for_many(self) -> None:
        """Asks for the best moves of up to fifty positions."""
        positions = [random_position(self.rng) for _ in range(self.rng.randint(1, 50))]
        asked = [{"board": position.board, "player": position.player} for position in positions]
        self.post(as_body({"positions": asked}), "many positions", answers_all(positions, GAME), "/best-moves")

    @task
    def review(self) -> None:
        """Asks where a game turned."""
        game = random_position(self.rng)
        body = as_body({"moves": list(game.moves), "first_player": game.first})
        self.post(body, "review", reviews(game), "/review")


class Explorer(Caller):
    """Openings of larger games, each search with the same limit, so that the same question has the same answer."""

    weight = 1
    bodies: ClassVar[dict[str, bytes]] = {}
    """What was answered to each path, to whichever user."""

    @task
    def get_opening(self) -> None:
        """Asks for a search."""
        path, board = random_opening(self.rng)
        self.ask(path, "search", same_as_before(path, board, self.bodies))


class Vandal(Caller):
    """Requests that must be refused, each for its own reason."""

    weight = 2

    @task
    def send_invalid(self) -> None:
        """One of many kinds."""
        invalid = random_invalid(self.rng)
        call = Call(invalid.method, invalid.path, invalid.body, {"Content-Type": invalid.content_type})
        self.send(call, f"{invalid.kind} ({invalid.status})", refuses(invalid))
