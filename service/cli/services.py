"""Who answers: the application in this process, or a service that runs elsewhere; the same bytes from both."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from http.client import HTTPException
from typing import Any, Protocol
from urllib.error import HTTPError, URLError
from urllib.request import Request as HTTPRequest
from urllib.request import urlopen

import click
from werkzeug.test import EnvironBuilder

from service.api.media import JSON, NDJSON, PROBLEM
from service.api.request_context import CONTEXT
from service.app import create_app
from service.book.file import InvalidBook
from service.cli.options import Request
from service.settings import InvalidSetting, Settings

STRANGER = "What answers there is no Move Oracle: "

LONGEST_MS = 30 * 24 * 3600 * 1000
MOST_NODES = 10**15
"""Ceilings of the limits where nobody else has to wait."""


@dataclass(frozen=True)
class Reply:
    """What the service answered."""

    status: int
    body: bytes

    @property
    def data(self) -> dict[str, Any]:
        """The body, read as JSON."""
        return read_json(self.body)


def read_json(body: bytes) -> dict[str, Any]:
    """The object that a service answered. Whatever else answers at a URL ends the command."""
    try:
        data = json.loads(body)
    except ValueError:
        data = None
    if not isinstance(data, dict):
        raise click.ClickException(f"{STRANGER}it does not answer in JSON.")
    return data


class Service(Protocol):
    """Who answers; ``searched`` are the positions searched for the last stream, None where that is not known."""

    searched: int | None

    def ask(self, path: str, request: Request | None = None) -> Reply:
        """The reply to a POST of the request, or to a GET where there is none."""

    def stream(self, path: str, request: Request) -> Iterator[bytes]:
        """The lines of JSON with which the service answers, one by one; a refusal is the only one."""


class Here:
    """The application in this process, under the settings of the environment, but with no limits of a service's own.

    Neither a ceiling for what a search may take, nor a rate: there is nobody else whom they could protect.
    """

    def __init__(self) -> None:
        try:
            settings = Settings.from_environment(os.environ)
            alone = replace(settings, max_time_ms=LONGEST_MS, max_nodes=MOST_NODES, rate_limit="")
            self._app = create_app(alone, search_slots=False)
        except (InvalidSetting, InvalidBook) as error:
            raise click.UsageError(str(error)) from None
        self.searched: int | None = None

    def ask(self, path: str, request: Request | None = None) -> Reply:
        """The reply of the application."""
        client = self._app.test_client()
        response = client.get(path) if request is None else client.post(path, json=request)
        return Reply(response.status_code, response.data)

    def stream(self, path: str, request: Request) -> Iterator[bytes]:
        """The lines of the application's answer. Closed early, it ends the search."""
        builder = EnvironBuilder(path, method="POST", json=request, headers=[("Accept", NDJSON)])
        environ = builder.get_environ()
        lines = self._app(environ, lambda *_: lambda _: None)
        try:
            yield from lines
        finally:
            if hasattr(lines, "close"):
                lines.close()
        self.searched = sum(note.nodes for note in environ[CONTEXT].notes)


class There:
    """A service that runs at a URL."""

    def __init__(self, url: str) -> None:
        self._url = url.rstrip("/")
        self.searched: int | None = None

    def ask(self, path: str, request: Request | None = None) -> Reply:
        """The reply of that service."""
        with self._answering(), self._open(path, request, JSON) as response:
            return Reply(response.status, response.read())

    def stream(self, path: str, request: Request) -> Iterator[bytes]:
        """The lines of that service's answer."""
        with self._answering(), self._open(path, request, NDJSON) as response:
            yield from response

    @contextmanager
    def _answering(self) -> Iterator[None]:
        """Says what keeps the service from answering, before or in the middle of an answer."""
        try:
            yield
        except (OSError, ValueError, HTTPException) as error:
            reason = error.reason if isinstance(error, URLError) else error
            raise click.ClickException(f"Nobody answers at {self._url}: {reason}.") from None

    def _open(self, path: str, request: Request | None, accept: str) -> Any:
        data = None if request is None else json.dumps(request).encode()
        asked = HTTPRequest(self._url + path, data, {"Content-Type": JSON, "Accept": accept})  # noqa: S310, see below
        try:
            return urlopen(asked)  # noqa: S310, the user of the command says what to open
        except HTTPError as answered:
            if answered.headers.get_content_type() != PROBLEM:
                raise click.ClickException(f"{STRANGER}it refuses with {answered.code} and no problem.") from None
            return answered


def find_service() -> Service:
    """Who answers the command that runs."""
    url = service_url()
    return There(url) if url else Here()


def service_url() -> str | None:
    """Where the service runs that was asked for, None for the one in this process."""
    url: str | None = click.get_current_context().find_root().obj
    return url
