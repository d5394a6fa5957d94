"""What a request costs in process, beside a bare Flask view that returns constant bytes.

The WSGI applications are called directly, with environments made beforehand, as gunicorn would make them.
"""

import gc
import json
from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from itertools import count
from random import Random
from statistics import median
from time import thread_time
from typing import Any

from flask import Flask, Response
from judge import faults
from positions import every_position
from tables import Row, at_most, ratio, show_table, show_title, times

from service.app import create_app
from service.settings import Settings

BATCH = 250
"""Requests that are timed together; a batch takes some tens of milliseconds."""

BARE = "bare Flask view"
POST_FIRST = "POST, first time"
POST_AGAIN = "POST, asked before"
GET_AGAIN = "GET, asked before"
GET_KNOWN = "GET, If-None-Match (304)"

ROWS = (
    (BARE, BARE, None),
    (POST_FIRST, BARE, 1.3),
    (POST_AGAIN, BARE, 1.3),
    (GET_AGAIN, BARE, None),
    (GET_KNOWN, GET_AGAIN, None),
)
"""What is shown: whose cost, what it is compared with, and how many times that it may be."""

Environ = dict[str, Any]
Headers = list[tuple[str, str]]
WSGIApp = Callable[[Environ, Callable[..., Any]], Iterable[bytes]]
Answers = dict[str, bytes]


@dataclass(frozen=True, slots=True)
class Case:
    """A request, and the status and body that it must be answered with."""

    environ: Environ
    status: str
    body: bytes


@dataclass(frozen=True, slots=True)
class Contender:
    """An application and an endless supply of requests to time it with."""

    app: WSGIApp
    cases: Iterator[Case]


def all_answers() -> Answers:
    """The service's answer to each of the 5,478 boards, every one compared with plain minimax."""
    app, answers = create_app(Settings()), {}
    for position in every_position():
        _, _, body = _call(app, _post(_body(position.board)))
        wrong = faults(position, "tic-tac-toe", json.loads(body))
        if wrong:
            raise SystemExit(f"The service answers {position.board} wrongly: {'; '.join(wrong)}")
        answers[position.board] = body
    return answers


def show(answers: Answers, options: Namespace) -> None:
    """Prints what every contender costs, beside the budgets."""
    measured = measure(answers, options.batches)
    show_title(
        "Cost of /best-move on 3x3, in process, in microseconds a request",
        f"{options.batches} interleaved rounds of {BATCH} requests; ratios are medians over the rounds.",
        f"bench.py --only cost --batches {options.batches}",
    )
    rows = [_row(name, base, measured, budget) for name, base, budget in ROWS]
    show_table([("", "median", "lowest", "ratio", "to", "budget"), *rows])


def _row(name: str, base: str, measured: Mapping[str, Sequence[float]], budget: float | None) -> Row:
    numbers, slower = measured[name], ratio(measured[name], measured[base])
    held = "" if budget is None else at_most(slower, budget, "x")
    return name, f"{median(numbers):.1f}", f"{min(numbers):.1f}", times(slower), base, held


def measure(answers: Answers, rounds: int) -> dict[str, list[float]]:
    """Microseconds per request of every contender, one number for each round.

    In every round all take their turn, in an order that changes, so that whatever else the machine
    does hits all alike.
    """
    contenders, rng = _contenders(answers), Random(0)
    measured: dict[str, list[float]] = {name: [] for name in contenders}
    for _ in range(rounds + 1):
        for name in rng.sample(list(contenders), len(contenders)):
            measured[name].append(_microseconds(contenders[name]))
    return {name: numbers[1:] for name, numbers in measured.items()}  # the first round warms up


def _contenders(answers: Answers) -> dict[str, Contender]:
    """Every contender by its name."""
    constant = answers["." * 9]
    posted, got = create_app(Settings()), create_app(Settings())  # two, or one would forget what the other asked
    for board in answers:
        _call(posted, _post(_body(board)))
    etags = {board: dict(_call(got, _get(board))[1])["ETag"] for board in answers}
    return {
        BARE: Contender(_bare(constant), _posts(dict.fromkeys(answers, constant))),
        POST_FIRST: Contender(create_app(Settings()), _posts_unlike_any(answers)),
        POST_AGAIN: Contender(posted, _posts(answers)),
        GET_AGAIN: Contender(got, _gets(answers)),
        GET_KNOWN: Contender(got, _gets_of_known(etags)),
    }


def _bare(constant: bytes) -> WSGIApp:
    """The least that Flask can do."""
    app = Flask("bare")

    @app.post("/best-move")
    def best_move() -> Response:
        return Response(constant, mimetype="application/json")

    return app


def _posts(answers: Answers) -> Iterator[Case]:
    """Random boards, in bodies that are always the same for the same board."""
    for board in _random_boards(answers):
        yield Case(_post(_body(board)), "200 OK", answers[board])


def _posts_unlike_any(answers: Answers) -> Iterator[Case]:
    """Random boards, in bodies that differ from all before in the white space at their end."""
    for number, board in zip(count(), _random_boards(answers), strict=False):
        digits = f"{number:032b}".translate({ord("0"): " ", ord("1"): "\t"})
        yield Case(_post(_body(board) + digits.encode()), "200 OK", answers[board])


def _gets(answers: Answers) -> Iterator[Case]:
    for board in _random_boards(answers):
        yield Case(_get(board), "200 OK", answers[board])


def _gets_of_known(etags: dict[str, str]) -> Iterator[Case]:
    """What a browser asks that has the answer already."""
    for board in _random_boards(etags):
        yield Case({**_get(board), "HTTP_IF_NONE_MATCH": etags[board]}, "304 NOT MODIFIED", b"")


def _random_boards(boards: Iterable[str]) -> Iterator[str]:
    """Boards drawn at random, without end."""
    rng, drawn_from = Random(0), list(boards)
    while True:
        yield rng.choice(drawn_from)


def _body(board: str) -> bytes:
    return json.dumps({"board": board}).encode()


def _post(body: bytes) -> Environ:
    length = {"CONTENT_TYPE": "application/json", "CONTENT_LENGTH": str(len(body))}
    return {**_environ("POST", ""), **length, "wsgi.input": BytesIO(body)}


def _get(board: str) -> Environ:
    return _environ("GET", f"board={board}")


def _environ(method: str, query: str) -> Environ:
    """What gunicorn hands to an application."""
    return {
        "REQUEST_METHOD": method,
        "SCRIPT_NAME": "",
        "PATH_INFO": "/best-move",
        "QUERY_STRING": query,
        "SERVER_NAME": "127.0.0.1",
        "SERVER_PORT": "8000",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "REMOTE_ADDR": "127.0.0.1",
        "REMOTE_PORT": "50000",
        "HTTP_HOST": "127.0.0.1:8000",
        "HTTP_USER_AGENT": "bench",
        "HTTP_ACCEPT": "*/*",
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": "http",
        "wsgi.input": BytesIO(),
        "wsgi.errors": None,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
        "wsgi.input_terminated": True,
    }


def _microseconds(contender: Contender) -> float:
    """What one request of a batch took. Ends the benchmark if any was not answered as it must be."""
    cases = [next(contender.cases) for _ in range(BATCH)]
    gc.collect()
    began = thread_time()
    replies = [_call(contender.app, case.environ) for case in cases]
    took = thread_time() - began
    for case, (status, _, body) in zip(cases, replies, strict=True):
        if (status, body) != (case.status, case.body):
            raise SystemExit(f"Expected {case.status} {case.body!r}, got {status} {body!r}")
    return took / BATCH * 1e6


def _call(app: WSGIApp, environ: Environ) -> tuple[str, Headers, bytes]:
    """Status, headers and body of the response, received as a WSGI server would."""
    started: list[tuple[str, Headers]] = []
    response = app(environ, lambda status, headers, _exc_info=None: started.append((status, headers)))
    body = b"".join(response)
    if hasattr(response, "close"):
        response.close()
    return *started[-1], body
