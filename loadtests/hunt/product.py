"""The service under test, asked in this process over its WSGI interface and by its command line."""

import json
import os
from typing import Any

from click.testing import CliRunner

from loadtests.hunt.games import Board
from service.app import create_app
from service.cli.main import cli
from service.settings import Settings

Json = dict[str, Any]
JSON, STREAM = "application/json", "application/x-ndjson"
NO_CERTIFICATE = ("/problems/unproven", "/problems/certificate-too-large")


class Refused(Exception):
    """The service answered with anything but 200."""


class Service:
    """One instance of the service, with a table and caches of its own, and with further settings."""

    def __init__(self, **settings: str) -> None:
        environment = {"TABLE_MB": "8", "BOOKS": "none", **settings}
        self._app = create_app(Settings.from_environment(environment), search_slots=False)
        self._client = self._app.test_client()

    def ask(self, path: str, request: Json) -> Json:
        """Return the answer to a POST. Raises Refused."""
        return _read(self.body(path, request))

    def body(self, path: str, request: Json, accept: str = JSON) -> bytes:
        """Return the body of the answer. Raises Refused."""
        return self.answer(path, json.dumps(request).encode(), accept)

    def answer(self, path: str, body: bytes, accept: str = JSON) -> bytes:
        """Return the body of the answer to a body. Raises Refused."""
        response = self._client.post(path, data=body, headers={"Accept": accept, "Content-Type": JSON})
        if response.status_code != 200:
            raise Refused(f"{response.status_code} {response.get_data(as_text=True)}")
        return response.get_data()

    def certificate(self, request: Json) -> str | None:
        """Return the certificate of a position; None if it is not proven or too large. Raises Refused."""
        response = self._client.post("/proof", json=request)
        if response.status_code == 422 and response.get_json()["type"] in NO_CERTIFICATE:
            return None
        if response.status_code != 200:
            raise Refused(f"{response.status_code} {response.get_data(as_text=True)}")
        return response.get_data(as_text=True)

    def stream(self, request: Json) -> Json:
        """Return the last line of an analysis that is streamed. Raises Refused."""
        last = _read(self.body("/analysis", request, STREAM).splitlines()[-1])
        if "result" not in last:
            raise Refused(json.dumps(last))
        found: Json = last["result"]
        return found

    def contradictions(self) -> int:
        """Return how many searches came upon contradictory bounds so far."""
        text = self._client.get("/metrics").get_data(as_text=True)
        lines = (line for line in text.splitlines() if line.startswith("move_oracle_contradictions_total"))
        return sum(int(float(line.split()[-1])) for line in lines)


def on_command_line(command: str, board: Board, nodes: int) -> bytes:
    """Return what ``move-oracle`` prints about a position. Raises Refused."""
    request = board.game.request
    if "lines" in request:
        rules = ["--lines", json.dumps(request)]
    else:
        pairs = [(f"--{name.replace('_', '-')}", value) for name, value in request.items() if value is not False]
        rules = [word for name, value in pairs for word in ([name] if value is True else [name, str(value)])]
    position = ["--board", board.text(), "--player", board.player, "--nodes", str(nodes), "--json"]
    result = CliRunner().invoke(cli, [command, *rules, *position], env={**os.environ, "BOOKS": "none"})
    if result.exit_code != 0:
        raise Refused(result.output)
    return result.stdout_bytes


def _read(body: bytes) -> Json:
    answer: Json = json.loads(body)
    return answer
