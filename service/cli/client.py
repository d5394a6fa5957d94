"""Clients of the service: the application in this process, or a service at a URL. Both return the same bytes."""

import json
import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from types import MappingProxyType
from typing import Any, NoReturn, Protocol
from urllib.error import HTTPError, URLError
from urllib.request import HTTPHandler, HTTPSHandler, build_opener
from urllib.request import Request as HTTPRequest

import click

from service.api.request_context import CONTEXT, RequestContext
from service.api.responses import JSON, NDJSON, PROBLEM
from service.api.wire.rules import IN_QUERIES, IN_QUERY
from service.api.write.stream import progress_answer
from service.app import create_app
from service.book.file import InvalidBook
from service.cli.background import Call
from service.cli.exit_codes import INVALID
from service.cli.text import advice, echo, printable
from service.engine.work.progress import Progress
from service.kernel.alpha_beta.search import KERNEL
from service.settings import InvalidSetting, Settings

Request = dict[str, Any]
"""The body of a request, as data."""

INTERPRETED = "The search is interpreted, for there was no C compiler: it takes hundreds of times as long."

NOT_OURS = "The server there is not Move Oracle: "
BROKEN_OFF = "The connection closed before the answer was complete."

CONNECT_SECONDS = 10
"""The maximum seconds to connect. The answer itself has no time limit."""

STREAMED: Mapping[str, str] = MappingProxyType({path: f"{path}/stream" for path in ("/analysis", "/review")})
"""The paths of streams, by the paths that return the same answers without progress."""

WRAPPED = re.compile(rb'\{"(?:result|problem)":(.*)\}\n', re.DOTALL)
"""The last line of a stream, with the body that the plain path returns."""

UNFINISHED = frozenset({"progress", "ply"})
"""The fields of all lines but the last."""

IN_STRING = re.compile(r"^moves\[(\d+)\]: ")
"""The beginning of an error's detail if it is about a place in a string of columns."""

RULES = ("family", *IN_QUERIES)
LIMITS = ("time_ms", "nodes", "prove")
"""Fields of the object ``limit`` in a request, which are options of the command line."""


@dataclass(frozen=True)
class Reply:
    """A response of the service; ``interrupted``: Ctrl-C ended the search, so the body has its results until then."""

    status: int
    body: bytes
    interrupted: bool = False


class Client(Protocol):
    """Sends requests; ``searched`` is the number of nodes of the last stream, None if unknown."""

    searched: int | None

    def ask(self, path: str, request: Request | None = None) -> Reply:
        """Send ``request`` by POST; without one, send a GET."""

    def follow(self, path: str, request: Request, show: Callable[[Mapping[str, Any]], None]) -> Reply:
        """Send a request by POST, and call ``show`` repeatedly with the results of the search so far."""

    def stream(self, path: str, request: Request) -> Iterator[bytes]:
        """Yield the lines of a JSON stream; a problem is its only line."""


def _known(progress: Progress | None) -> Mapping[str, Any]:
    """Return the results of a search so far, with the fields of a line of a stream."""
    return {} if progress is None else progress_answer(progress)


class LocalClient:
    """The application in this process, with the settings of the environment but without limits on searches or rates."""

    def __init__(self) -> None:
        try:
            settings = Settings.from_environment(os.environ).for_one_user()
            self._app = create_app(settings, search_slots=False)
        except (InvalidSetting, InvalidBook) as error:
            raise click.UsageError(str(error)) from None
        if KERNEL == "interpreted":
            echo(INTERPRETED, err=True)
        self.searched: int | None = None

    def ask(self, path: str, request: Request | None = None) -> Reply:
        """Send a request to the application."""
        return self._ask(path, request, RequestContext())

    def follow(self, path: str, request: Request, show: Callable[[Mapping[str, Any]], None]) -> Reply:
        """Send a request and show the progress. A first interrupt ends the search, a second one the command."""
        context = RequestContext(followed=True)
        call = Call(lambda: self._ask(path, request, context))
        try:
            return call.result(lambda: show(_known(context.progress)))
        except KeyboardInterrupt:
            context.stop = True
            return replace(call.result(lambda: None), interrupted=True)

    def _ask(self, path: str, request: Request | None, context: RequestContext) -> Reply:
        client, overrides = self._app.test_client(), {CONTEXT: context}
        if request is None:
            response = client.get(path, environ_overrides=overrides)
        else:
            response = client.post(path, json=request, environ_overrides=overrides)
        return Reply(response.status_code, response.data)

    def stream(self, path: str, request: Request) -> Iterator[bytes]:
        """Yield the lines of the application's answer; the search ends if the iterator is closed early."""
        context, headers = RequestContext(), {"Accept": NDJSON}
        overrides = {CONTEXT: context}
        with self._app.test_client().post(path, json=request, headers=headers, environ_overrides=overrides) as response:
            yield from response.iter_encoded()
        self.searched = sum(note.nodes for note in context.notes)


class _Patient(HTTPConnection):
    def connect(self) -> None:
        """Connect within the timeout, then wait for the answer without one."""
        super().connect()
        self.sock.settimeout(None)


class _PatientTLS(_Patient, HTTPSConnection):
    pass


class _HTTP(HTTPHandler):
    def http_open(self, req: HTTPRequest) -> HTTPResponse:
        """Open a plain connection."""
        return self.do_open(_Patient, req)


class _HTTPS(HTTPSHandler):
    def https_open(self, req: HTTPRequest) -> HTTPResponse:
        """Open an encrypted connection."""
        return self.do_open(_PatientTLS, req)


class HTTPClient:
    """A service at a URL."""

    def __init__(self, url: str) -> None:
        self._url = url.rstrip("/")
        self._opener = build_opener(_HTTP, _HTTPS)
        self.searched: int | None = None

    def ask(self, path: str, request: Request | None = None) -> Reply:
        """Send a request to that service."""
        with self._errors_reported(), self._open(path, request, JSON) as response:
            return Reply(response.status, response.read())

    def follow(self, path: str, request: Request, show: Callable[[Mapping[str, Any]], None]) -> Reply:
        """Send a request; if the path has a stream, show the progress that it reports."""
        known: dict[str, Any] = {}

        def read() -> Reply:
            nonlocal known
            if path not in STREAMED:
                return self.ask(path, request)
            last = b"{}"
            for last in self.stream(STREAMED[path], request):
                known = read_json(last).get("progress", known)
            return unwrapped(last)

        return Call(read).result(lambda: show(known))

    def stream(self, path: str, request: Request) -> Iterator[bytes]:
        """Yield the lines of a stream."""
        with self._errors_reported(), self._open(path, request, NDJSON) as response:
            yield from response

    @contextmanager
    def _errors_reported(self) -> Iterator[None]:
        """End the command with a message if the service does not answer, or breaks off."""
        try:
            yield
        except (OSError, ValueError, HTTPException) as error:
            reason = error.reason if isinstance(error, URLError) else error
            why = reason.strerror if isinstance(reason, OSError) and reason.strerror else reason
            raise click.ClickException(f"No service answers at {self._url}: {why}.") from None

    def _open(self, path: str, request: Request | None, accept: str) -> Any:
        data = None if request is None else json.dumps(request).encode()
        sent = HTTPRequest(self._url + path, data, {"Content-Type": JSON, "Accept": accept})  # noqa: S310, the URL is one of HTTP
        try:
            return self._opener.open(sent, timeout=CONNECT_SECONDS)
        except HTTPError as refusal:
            if refusal.headers.get_content_type() != PROBLEM:
                raise click.ClickException(f"{NOT_OURS}it answers {refusal.code} and no problem document.") from None
            return refusal


def open_client() -> Client:
    """Return the client for the current command."""
    return client_at(service_url())


def client_at(url: str | None) -> Client:
    """Return the client of the service at a URL, or of the application in this process."""
    return HTTPClient(url) if url else LocalClient()


def service_url() -> str | None:
    """Return the URL of the service; None for the application in this process."""
    url: str | None = click.get_current_context().find_root().obj
    return url


def read_json(body: bytes) -> dict[str, Any]:
    """Return the JSON object in an answer; end the command if there is none."""
    try:
        data = json.loads(body)
    except ValueError:
        data = None
    if not isinstance(data, dict):
        raise click.ClickException(f"{NOT_OURS}its answer is not JSON.")
    return data


def unwrapped(last: bytes) -> Reply:
    """Return the last line of a stream as a plain reply; end the command if the stream broke off."""
    line, wrapped = read_json(last), WRAPPED.fullmatch(last)
    if not line or not UNFINISHED.isdisjoint(line):
        raise click.ClickException(BROKEN_OFF)
    if wrapped is None:
        return Reply(line.get("status", HTTPStatus.BAD_GATEWAY), last)
    return Reply(line["problem"]["status"] if "problem" in line else HTTPStatus.OK, wrapped[1])


def read_answer(reply: Reply) -> dict[str, Any]:
    """Return the answer as data; end the command if it is a problem."""
    data = read_json(reply.body)
    if reply.status >= HTTPStatus.BAD_REQUEST:
        refuse(data, reply.body)
    return data


def print_body(body: bytes) -> None:
    """Print a body and a newline; on a terminal, without control characters."""
    sys.stdout.flush()
    if sys.stdout.isatty():
        body = printable(body.decode(errors="replace")).encode()
    sys.stdout.buffer.write(body if body.endswith(b"\n") else body + b"\n")
    sys.stdout.buffer.flush()


class Refused(click.ClickException):
    """The request is invalid."""

    exit_code = INVALID


def refuse(problem: Mapping[str, Any], body: bytes | None = None) -> NoReturn:
    """End the command with a problem: as sentences that name the options, or with ``--json`` as the document."""
    if click.get_current_context().params.get("as_json"):
        print_body(json.dumps(problem).encode() if body is None else body)
    errors = problem.get("errors") or [{"pointer": "", "detail": problem["detail"]}]
    message = advice("\n       ".join(_in_words(error["pointer"], error["detail"]) for error in errors))
    raise (Refused if problem["status"] < HTTPStatus.INTERNAL_SERVER_ERROR else click.ClickException)(message)


def _in_words(pointer: str, detail: str) -> str:
    """Return an error with the option that it is about."""
    steps = pointer.split("/")[1:]
    if not steps:
        return detail
    if len(steps) > 1 and steps[0] == "game":
        steps = ["game", IN_QUERY.get(steps[1], steps[1]), *steps[2:]]
    name, *rest = steps[1:] if len(steps) > 1 and steps[1] in (*RULES, *LIMITS, "cells", "lines") else steps
    in_string = IN_STRING.match(detail)  # a pointer cannot point into a string
    place = rest[0] if name == "moves" and rest else in_string and in_string[1]
    where = f" (move {int(place) + 1})" if place else ""
    detail = IN_STRING.sub("", detail)
    return f"--{name.replace('_', '-')}{where}: {detail.removeprefix('game.').removeprefix('limit.')}"
