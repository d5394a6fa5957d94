"""Users for locust, who check every reply: ``locust -f loadtests/locustfile.py --host http://127.0.0.1:8000``.

Run it in the folder of the project. Best moves of 3x3 are compared with plain minimax, all other answers with those of
the service in this process, and every refusal with the problem that it must name: a wrong reply counts as a failure.
"""

from dataclasses import dataclass
from random import Random
from typing import Any, ClassVar

from locust import FastHttpUser, constant, task

from loadtests.positions.invalid import random_invalid
from loadtests.positions.notation import IN_A_BODY, IN_A_QUERY, as_body, as_path, write
from loadtests.positions.questions import other_questions, searched_questions
from loadtests.positions.tic_tac_toe import MISERE, every_position, random_position
from loadtests.servers.processes import HEADERS
from loadtests.users.replies import Check, Reply, answers, answers_for_good, is_body, refuses, still_holds

GAME = "tic-tac-toe"
GAMES = tuple(MISERE)
OPENINGS = every_position(plies=2)


@dataclass(frozen=True, slots=True)
class Call:
    """A request."""

    method: str
    path: str
    body: bytes
    headers: dict[str, str]


class Caller(FastHttpUser):
    """A user who sends the next request as soon as the last reply is checked."""

    abstract = True
    wait_time = constant(0)
    network_timeout = connection_timeout = 10.0

    def on_start(self) -> None:
        """Prepare a user; locust calls it."""
        self.rng = Random()

    def get(self, path: str, name: str, check: Check, **headers: str) -> str:
        """Send a GET and return the ``ETag`` of the reply."""
        return self.send(Call("GET", path, b"", headers), name, check)

    def post(self, body: bytes, name: str, check: Check, path: str = "/best-move") -> None:
        """Send a JSON document."""
        self.send(Call("POST", path, body, HEADERS), name, check)

    def send(self, call: Call, name: str, check: Check) -> str:
        """Send a request, report what ``check`` finds under ``name``, and return the ``ETag`` of the reply."""
        data: Any = call.body  # bytes are sent as they are, though the annotation of data does not name them
        with self.client.request(
            call.method, call.path, name, data, catch_response=True, headers=call.headers
        ) as reply:
            if reply.status_code == 0:  # there is none, and locust reports why
                return ""
            wrong = _errors(check, reply)
            if wrong:
                reply.failure(f"{'; '.join(wrong)} (asked: {call.path} {call.body[:100]!r})")
            else:
                reply.success()
            return str(reply.headers.get("ETag", ""))


def _errors(check: Check, reply: Reply) -> list[str]:
    """List what a check finds; a reply of such a shape that the check itself fails is wrong, too."""
    try:
        return check(reply)
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        return [f"the reply cannot be judged: {error!r}"]


class OpeningUser(Caller):
    """A board in a browser: the first plies of a game again and again, which every cache knows."""

    weight = 4

    def on_start(self) -> None:
        """Begin with no ``ETag``."""
        super().on_start()
        self.etags: dict[str, str] = {}

    @task(2)
    def post_opening(self) -> None:
        """Ask with a list of marks."""
        opening = self.rng.choice(OPENINGS)
        body = as_body({"board": [mark.strip(".") for mark in opening.board]})
        self.post(body, "opening", answers(opening, GAME))

    @task(2)
    def get_opening(self) -> None:
        """Ask by GET and keep the ``ETag``."""
        opening = self.rng.choice(OPENINGS)
        path = as_path({"board": opening.board})
        self.etags[path] = self.get(path, "opening", answers_for_good(opening, GAME))

    @task(1)
    def revalidate_opening(self) -> None:
        """Ask whether an answer with a known ``ETag`` still holds."""
        known = [(path, etag) for path, etag in self.etags.items() if etag]
        if known:
            path, etag = self.rng.choice(known)
            self.get(path, "opening, known (304)", still_holds(etag), **{"If-None-Match": etag})


class PositionUser(Caller):
    """Random positions of both games of 3x3, begun by either player, in every notation."""

    weight = 4

    @task(2)
    def post_position(self) -> None:
        """Ask by POST."""
        position, game, form = random_position(self.rng), self.rng.choice(GAMES), self.rng.choice(tuple(IN_A_BODY))
        body = as_body(write(position, game, IN_A_BODY[form]))
        self.post(body, f"position as {form}", answers(position, game))

    @task(1)
    def get_position(self) -> None:
        """Ask by GET."""
        position, game, form = random_position(self.rng), self.rng.choice(GAMES), self.rng.choice(tuple(IN_A_QUERY))
        path = as_path(write(position, game, IN_A_QUERY[form]))
        self.get(path, f"position as {form}", answers_for_good(position, game))


class AnalysisUser(Caller):
    """Analyses, batches and reviews of 3x3."""

    weight = 2
    questions: ClassVar = other_questions(300)

    @task
    def ask_again(self) -> None:
        """Ask one of the questions."""
        question = self.rng.choice(self.questions)
        self.post(question.body, question.path.strip("/"), is_body(question.answer), question.path)


class LargerGameUser(AnalysisUser):
    """Positions of larger games, each to be searched."""

    weight = 1
    questions: ClassVar = searched_questions(300)


class InvalidUser(Caller):
    """Requests that must be refused, each for its own reason."""

    weight = 2

    @task
    def send_invalid(self) -> None:
        """Send one of many kinds."""
        invalid = random_invalid(self.rng)
        call = Call(invalid.method, invalid.path, invalid.body, {"Content-Type": invalid.content_type})
        self.send(call, f"{invalid.kind} ({invalid.status})", refuses(invalid))


USERS: list[type[Caller]] = [OpeningUser, PositionUser, AnalysisUser, LargerGameUser, InvalidUser]
