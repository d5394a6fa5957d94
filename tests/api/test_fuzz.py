"""Thousands of requests that nobody thought of: drawn from the contract.

``FUZZ_REQUESTS`` says how many, ``FUZZ_SEED`` which: the same seed sends the same requests again. ``make fuzz`` sends
far more.
"""

import json
import os
import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
import schemathesis
from schemathesis.engine import events, from_schema
from schemathesis.engine.recorder import ScenarioRecorder

from tests.contract import ANSWERS, CONTRACT, assert_matches
from tests.hostile import assert_refused
from tests.streams import LINES, MIMETYPES, read_lines
from tests.support import ROOT, Server
from tests.wire import SILENCE, Reply

pytestmark = pytest.mark.verify

ASKED = int(os.environ.get("FUZZ_REQUESTS", "400"))
SEED = int(os.environ.get("FUZZ_SEED", "1"))

MANY = 1000
"""From so many requests on, those at the boundaries are sent too, which are always the same."""

FROM_ANY_ROUTE = {400, 405, 408, 431}
"""The statuses of which the contract says, in its description, that any route can answer them."""

LIMIT_MS = 20
"""How long a search may take here: the fuzzer is to try many requests, not to wait for the answers to a few."""


def config(seed: int, requests: int, base_url: str) -> schemathesis.Config:
    """About so many requests, always the same for the same seed; nine tenths of those drawn ask about positions.

    In ``make fuzz`` those at the boundaries of the schemas come on top, some thousands of them.
    """
    return schemathesis.Config.from_dict(
        {
            "seed": seed,
            "base-url": base_url,
            "continue-on-failure": True,
            "request-timeout": SILENCE,
            "generation": {"database": "none", "max-examples": requests // 90 + 1},
            "operations": [
                {"include-tag": "moves", "generation": {"max-examples": requests * 9 // 60 + 1}},
                # A faulty position is not refused there, but answered with its own problem.
                *(
                    {"include-path": path, "checks": {"negative_data_rejection": {"enabled": False}}}
                    for path in ("/best-moves", "/best-moves/lines")
                ),
            ],
            # No operation makes anything that another could use.
            "phases": {"stateful": {"enabled": False}, "coverage": {"enabled": ASKED >= MANY}},
            # Every other check of schemathesis runs as it is. Those about credentials, about required headers and
            # about what was created or deleted find nothing to look at here.
            "checks": {
                # It knows only the statuses listed with a route. Ours knows those that any route can answer, too.
                "status_code_conformance": {"enabled": False},
                # What fits the schema may still be no position (422), name a game that does not exist (404), or be
                # longer than a server will read (413, 431).
                "positive_data_acceptance": {"expected-statuses": ["2xx", "3xx", "404", "413", "422", "431"]},
                "negative_data_rejection": {"expected-statuses": ["400", "404", "405", "413", "415", "422", "431"]},
                # Nothing that is asked takes long.
                "max_response_time": SILENCE,
            },
        }
    )


@schemathesis.serializer("application/x-ndjson")
def as_line(_context: schemathesis.SerializationContext, value: object) -> bytes:
    """Return JSON lines, of which there is one."""
    return json.dumps(value).encode()


@schemathesis.hook
def filter_query(_context: schemathesis.HookContext, query: dict[str, Any] | None) -> bool:
    """Leave out what is sent as an empty text, which makes an invalid request a valid one: no moves, for instance."""
    return not any(is_empty(value) for value in (query or {}).values())


def is_empty(value: object) -> bool:
    """Whether a value of a query is sent as an empty text; a list of one such value is."""
    return value in ("", None, [], {}) or (isinstance(value, list) and len(value) == 1 and is_empty(value[0]))


@schemathesis.check
def the_reply_is_one_that_the_contract_allows(
    ctx: schemathesis.CheckContext,  # noqa: ARG001
    response: schemathesis.Response,
    case: schemathesis.Case[Any],  # noqa: ARG001
) -> None:
    """Holds what schemathesis sends to the same rules as what we send ourselves."""
    headers = {name: values[0] for name, values in response.headers.items()}
    path = urlsplit(str(response.request.url)).path
    assert_allowed(str(response.request.method), path, Reply(response.status_code, headers, response.content))


def assert_allowed(method: str, path: str, reply: Reply) -> None:
    """Fails unless this is a reply that the contract allows to a request with this method to this path."""
    assert reply.status < 500, reply
    assert reply.status in documented(method, path), reply
    if method == "HEAD":
        return
    if reply.status >= 400:
        assert_refused(reply, reply.status)
    if reply.status == 200 and path in {*ANSWERS, *LINES}:
        mimetype = reply.headers["content-type"].partition(";")[0]
        if mimetype not in MIMETYPES:
            assert_matches(ANSWERS[path], json.loads(reply.body))
            return
        for line in read_lines(mimetype, reply.body.decode().split("\n")[:-1]):
            assert_matches(LINES[path], line)


def documented(method: str, path: str) -> set[int]:
    """The statuses that such a request may be answered with."""
    route = next((route for route in CONTRACT["paths"] if is_on(route, unquote(path))), None)
    if route is None:
        return {*FROM_ANY_ROUTE, 404}
    if method == "OPTIONS":
        return {*FROM_ANY_ROUTE, 204}
    operation = CONTRACT["paths"][route].get("get" if method == "HEAD" else method.lower(), {})
    return {*FROM_ANY_ROUTE, *map(int, operation.get("responses", ()))}


def is_on(route: str, path: str) -> bool:
    """Whether a route of the contract, perhaps with ``{parameters}``, has this path."""
    return re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", route), path) is not None


def test_the_contract_names_the_statuses_that_any_route_can_answer() -> None:
    described = re.findall(r"\b4\d\d\b", CONTRACT["info"]["description"])
    assert set(map(int, described)) == FROM_ANY_ROUTE


def faults_in(recorder: ScenarioRecorder) -> Iterator[tuple[str, str]]:
    """The faults that checks have found: where and which, and how to see them again."""
    for checks in recorder.checks.values():
        for check in checks:
            if check.failure_info is not None:
                found = f"{check.failure_info.failure}\n{check.failure_info.code_sample}"
                yield f"{recorder.label}: {check.name}", found


@pytest.fixture(scope="module")
def target() -> Iterator[Server]:
    """A server of our own: its log gets long."""
    with Server(workers=2, DEFAULT_TIME_MS=f"{LIMIT_MS}", MAX_TIME_MS=f"{LIMIT_MS}") as server:
        yield server


def test_law_8_the_server_keeps_the_contract_whatever_is_asked(
    target: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where schemathesis runs out of ideas before it has sent enough, it starts again with the next seed."""
    sent, faults, seed = 0, dict[str, str](), SEED
    while sent < ASKED and not faults:
        schema = schemathesis.openapi.from_path(ROOT / "openapi.yaml", config=config(seed, ASKED - sent, target.url))
        for event in from_schema(schema).execute():
            if isinstance(event, events.ScenarioFinished):
                sent += len(event.recorder.interactions)
                faults.update(faults_in(event.recorder))
            elif isinstance(event, events.NonFatalError):
                faults[event.label] = repr(event.value)
        seed += 1
    report(capsys, sent)
    assert not faults
    assert_unharmed(target)


def assert_unharmed(server: Server) -> None:
    """Fails if a worker has ended, or anything was logged as a fault of the service."""
    assert len(server.workers()) == 2
    for worker in server.workers():
        os.kill(worker, 0)
    assert server.faults() == []


def report(capsys: pytest.CaptureFixture[str], sent: int) -> None:
    with capsys.disabled():
        print(f"\n{sent} requests, FUZZ_SEED={SEED}")  # noqa: T201
