"""Clients of the service: the application in this process, or a service at a URL; both give the same bytes."""

import json
import os
import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from http import HTTPStatus
from http.client import HTTPException
from typing import Any, NoReturn, Protocol
from urllib.error import HTTPError, URLError
from urllib.request import Request as HTTPRequest
from urllib.request import urlopen

import click

from service.api.request_context import CONTEXT, RequestContext
from service.api.responses import JSON, NDJSON, PROBLEM
from service.app import create_app
from service.book.file import InvalidBook
from service.settings import InvalidSetting, Settings

Request = dict[str, Any]
"""The body of a request, as data."""

NOT_OURS = "The server there is not Move Oracle: "

MAX_TIME_MS = 30 * 24 * 3600 * 1000
MAX_NODES = 10**15
"""Ceilings of the limits in this process, which serves only one user."""

IN_STRING = re.compile(r"^moves\[(\d+)\]: ")
"""How the detail of an error begins if it is about a place in a string of columns."""

RULES = ("rows", "columns", "in_a_row", "layers", "gravity", "misere", "wrap")
LIMITS = ("time_ms", "nodes")
"""Fields of the objects ``game`` and ``limit`` of a request, which are options of their own here."""


@dataclass(frozen=True)
class Reply:
    """A response of the service."""

    status: int
    body: bytes


class Client(Protocol):
    """Sends requests; ``searched`` are the nodes of the last stream, None if that is not known."""

    searched: int | None

    def ask(self, path: str, request: Request | None = None) -> Reply:
        """Send a request by POST, or by GET if there is none."""

    def stream(self, path: str, request: Request) -> Iterator[bytes]:
        """Yield the lines of JSON that the service answers as it finds them; a refusal is the only line."""


class LocalClient:
    """The application in this process, with the settings of the environment but without limits on searches or rates."""

    def __init__(self) -> None:
        try:
            settings = Settings.from_environment(os.environ)
            unlimited = replace(settings, max_time_ms=MAX_TIME_MS, max_nodes=MAX_NODES, rate_limit="")
            self._app = create_app(unlimited, search_slots=False)
        except (InvalidSetting, InvalidBook) as error:
            raise click.UsageError(str(error)) from None
        self.searched: int | None = None

    def ask(self, path: str, request: Request | None = None) -> Reply:
        """Send a request to the application."""
        client = self._app.test_client()
        response = client.get(path) if request is None else client.post(path, json=request)
        return Reply(response.status_code, response.data)

    def stream(self, path: str, request: Request) -> Iterator[bytes]:
        """Yield the lines of the application's answer; the search ends if the iterator is closed early."""
        context, headers = RequestContext(), {"Accept": NDJSON}
        overrides = {CONTEXT: context}
        with self._app.test_client().post(path, json=request, headers=headers, environ_overrides=overrides) as response:
            yield from response.iter_encoded()
        self.searched = sum(note.nodes for note in context.notes)


class HTTPClient:
    """A service at a URL."""

    def __init__(self, url: str) -> None:
        self._url = url.rstrip("/")
        self.searched: int | None = None

    def ask(self, path: str, request: Request | None = None) -> Reply:
        """Send a request to that service."""
        with self._errors_told(), self._open(path, request, JSON) as response:
            return Reply(response.status, response.read())

    def stream(self, path: str, request: Request) -> Iterator[bytes]:
        """Yield the lines of that service's answer."""
        with self._errors_told(), self._open(path, request, NDJSON) as response:
            yield from response

    @contextmanager
    def _errors_told(self) -> Iterator[None]:
        """End the command with a message if the service does not answer, or not to the end."""
        try:
            yield
        except (OSError, ValueError, HTTPException) as error:
            reason = error.reason if isinstance(error, URLError) else error
            raise click.ClickException(f"No service answers at {self._url}: {reason}.") from None

    def _open(self, path: str, request: Request | None, accept: str) -> Any:
        data = None if request is None else json.dumps(request).encode()
        sent = HTTPRequest(self._url + path, data, {"Content-Type": JSON, "Accept": accept})  # noqa: S310, see below
        try:
            return urlopen(sent)  # noqa: S310, the user of the command says what to open
        except HTTPError as refusal:
            if refusal.headers.get_content_type() != PROBLEM:
                raise click.ClickException(f"{NOT_OURS}it answers {refusal.code} and no problem document.") from None
            return refusal


def open_client() -> Client:
    """Return the client for the command that runs."""
    url = service_url()
    return HTTPClient(url) if url else LocalClient()


def service_url() -> str | None:
    """Return the URL of the service to ask, None for the application in this process."""
    url: str | None = click.get_current_context().find_root().obj
    return url


def read_json(body: bytes) -> dict[str, Any]:
    """Return the JSON object that the service answered; anything else ends the command."""
    try:
        data = json.loads(body)
    except ValueError:
        data = None
    if not isinstance(data, dict):
        raise click.ClickException(f"{NOT_OURS}its answer is not JSON.")
    return data


def read_answer(reply: Reply) -> dict[str, Any]:
    """Return the answer as data. A problem ends the command."""
    data = read_json(reply.body)
    if reply.status >= HTTPStatus.BAD_REQUEST:
        refuse(data, reply.body)
    return data


def print_body(body: bytes) -> None:
    """Print a body as it is; on a terminal the prompt gets a line of its own."""
    sys.stdout.flush()
    sys.stdout.buffer.write(body)
    sys.stdout.buffer.flush()
    if sys.stdout.isatty():
        click.echo()


class Refused(click.ClickException):
    """There is something wrong with the request."""

    exit_code = 2


def refuse(problem: Mapping[str, Any], body: bytes | None = None) -> NoReturn:
    """End the command with a problem: in words that name the options, and the document itself if JSON was asked for."""
    if click.get_current_context().params.get("as_json"):
        print_body(json.dumps(problem).encode() if body is None else body)
    errors = problem.get("errors") or [{"pointer": "", "detail": problem["detail"]}]
    message = "\n       ".join(_in_words(error["pointer"], error["detail"]) for error in errors)
    raise (Refused if problem["status"] < HTTPStatus.INTERNAL_SERVER_ERROR else click.ClickException)(message)


def _in_words(pointer: str, detail: str) -> str:
    """Return an error with the option that it is about."""
    detail = detail.replace("GET /games", "move-oracle games")
    steps = pointer.split("/")[1:]
    if not steps:
        return detail
    name, *rest = steps[1:] if len(steps) > 1 and steps[1] in (*RULES, *LIMITS, "cells", "lines") else steps
    in_string = IN_STRING.match(detail)  # a pointer does not reach into a string
    place = rest[0] if name == "moves" and rest else in_string and in_string[1]
    where = f" (move {int(place) + 1})" if place else ""
    detail = IN_STRING.sub("", detail)
    return f"--{name.replace('_', '-')}{where}: {detail.removeprefix('game.').removeprefix('limit.')}"
