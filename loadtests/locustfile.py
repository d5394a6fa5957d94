"""Users for locust, who check every reply: ``locust -f loadtests/locustfile.py --host http://127.0.0.1:8000``.

Run it in the folder of the project. Answers are compared to the byte with those of the service in this process, which
agree with plain minimax about 3x3, and every refusal with the problem that it must name. A wrong reply is a failure.
"""

import json
from collections.abc import Callable
from http import HTTPStatus
from random import Random
from typing import Any, ClassVar

from locust import FastHttpUser, constant, task
from locust.contrib.fasthttp import ResponseContextManager as Reply

from loadtests.positions.invalid import Invalid, random_invalid
from loadtests.positions.questions import (
    Question,
    opening_questions,
    other_questions,
    searched_questions,
    spelled_questions,
)
from loadtests.servers.processes import HEADERS, JSON

PROBLEM = "application/problem+json"

Check = Callable[[Reply], str]
"""Takes a reply and says what is wrong with it."""


class Caller(FastHttpUser):
    """A user who sends the next request as soon as the last reply is checked."""

    abstract = True
    wait_time = constant(0)
    network_timeout = connection_timeout = 10.0

    def on_start(self) -> None:
        """Prepare a user; locust calls it."""
        self.rng = Random()

    def send(self, method: str, path: str, body: bytes, name: str, check: Check, **headers: str) -> str:
        """Send a request, report what ``check`` finds under ``name``, and return the ``ETag`` of the reply."""
        data: Any = body  # bytes are sent as they are, though the annotation of data does not name them
        with self.client.request(method, path, name, data, catch_response=True, headers=headers) as reply:
            if reply.status_code == 0:  # there is none, and locust reports why
                return ""
            try:
                wrong = check(reply)
            except (AttributeError, LookupError, TypeError, ValueError) as error:
                wrong = f"the reply cannot be judged: {error!r}"
            if wrong:
                reply.failure(f"{wrong} (asked: {path} {body[:100]!r})")
            else:
                reply.success()
            return header(reply, "ETag")

    def ask(self, question: Question) -> str:
        """Ask, and compare the answer; that to a GET must let caches keep it."""

        def check(reply: Reply) -> str:
            if (reply.status_code, header(reply, "Content-Type"), reply.content) != (200, JSON, question.answer):
                return f"{reply.status_code} {reply.content!r} is not {question.answer!r}"
            kept = "immutable" in header(reply, "Cache-Control") and header(reply, "ETag").startswith('"')
            return "" if kept or question.body else "the headers do not let caches keep it"

        headers = HEADERS if question.body else {}
        return self.send(
            "POST" if question.body else "GET", question.path, question.body, question.name, check, **headers
        )


class QuestionUser(Caller):
    """A user who asks the same questions again and again."""

    abstract = True
    questions: ClassVar[list[Question]]

    @task(4)
    def ask_again(self) -> None:
        """Ask one of the questions."""
        self.ask(self.rng.choice(self.questions))


class OpeningUser(QuestionUser):
    """A board in a browser: the first plies of a game again and again, which every cache knows."""

    weight = 4
    questions = opening_questions()

    @task(1)
    def revalidate_opening(self) -> None:
        """Ask whether an answer with a known ``ETag`` still holds."""
        question = self.rng.choice([each for each in self.questions if not each.body])
        etag = self.ask(question)

        def check(reply: Reply) -> str:
            holds = (reply.status_code, reply.content or b"", header(reply, "ETag")) == (304, b"", etag)
            return "" if holds else f"{reply.status_code} {reply.content!r}, not 304 with the ETag {etag}"

        if etag:
            self.send("GET", question.path, b"", "opening, known (304)", check, **{"If-None-Match": etag})


class PositionUser(QuestionUser):
    """Random positions of both games of 3x3, begun by either player, in every notation."""

    weight = 4
    questions = spelled_questions(1500)


class AnalysisUser(QuestionUser):
    """Analyses, batches and reviews of 3x3."""

    weight = 2
    questions = other_questions(300)


class LargerGameUser(QuestionUser):
    """Positions of larger games, each to be searched."""

    weight = 1
    questions = searched_questions(300)


class InvalidUser(Caller):
    """Requests that must be refused, each for its own reason."""

    weight = 2

    @task
    def send_invalid(self) -> None:
        """Send one of many kinds."""
        due = random_invalid(self.rng)
        name = f"{due.kind} ({due.status})"
        headers = {"Content-Type": due.content_type}
        self.send(due.method, due.path, due.body, name, lambda reply: _is_refused(reply, due), **headers)


def header(reply: Reply, name: str) -> str:
    """Return a header of a reply, empty if it has none of that name."""
    return str(reply.headers.get(name, "")) if reply.headers else ""


def is_overload(reply: Reply) -> bool:
    """Return whether a reply is a 503 that says when to come again."""
    return reply.status_code == HTTPStatus.SERVICE_UNAVAILABLE and header(reply, "Retry-After") != ""


def _is_refused(reply: Reply, due: Invalid) -> str:
    """Say what is wrong with the problem document that an invalid request is due."""
    problem = json.loads(reply.content or b"")
    found = (reply.status_code, header(reply, "Content-Type"), problem["type"], problem["status"])
    codes = [error["code"] for error in problem.get("errors", []) if error["detail"]]
    right = (
        found == (due.status, PROBLEM, f"/problems/{due.kind}", due.status) and problem["title"] and problem["detail"]
    )
    return "" if right and due.code in [*codes, None] else f"{problem} is not {due.status} {due.kind} {due.code}"


USERS: list[type[Caller]] = [OpeningUser, PositionUser, AnalysisUser, LargerGameUser, InvalidUser]
