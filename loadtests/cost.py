"""What a request costs in process, beside a bare Flask view that returns constant bytes.

The WSGI applications are called directly, with environments made beforehand, as gunicorn would make them.
"""

import gc
import sys
from argparse import Namespace
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import count, islice
from random import Random
from statistics import median
from time import thread_time

from answers import Answers
from flask import Flask, Response
from in_process import Environ, WSGIApp, body_of, call, get, post
from tables import Row, at_most, ratio, show_table, show_title, times

from service.app import create_app
from service.settings import Settings

BATCH = 250
"""Requests that are timed together; a batch takes some tens of milliseconds."""

BARE = "bare Flask view"
POST_NEW = "POST, new position"
POST_FIRST = "POST, first time"
POST_AGAIN = "POST, asked before"
GET_AGAIN = "GET, asked before"
GET_KNOWN = "GET, If-None-Match (304)"

OK = "200 OK"

Remembering = type(lru_cache(len))
"""A function that remembers what it has answered."""

ROWS = (
    (BARE, BARE, None),
    (POST_NEW, BARE, 1.3),
    (POST_FIRST, BARE, 1.3),
    (POST_AGAIN, BARE, 1.3),
    (GET_AGAIN, BARE, None),
    (GET_KNOWN, GET_AGAIN, None),
)
"""What is shown: whose cost, what it is compared with, and how many times that it may be."""


@dataclass(frozen=True, slots=True)
class Case:
    """A request, and the status and body that it must be answered with."""

    environ: Environ
    status: str
    body: bytes


@dataclass(frozen=True, slots=True)
class Batch:
    """An application, and requests that are timed together."""

    app: WSGIApp
    cases: Sequence[Case]


def show(answers: Answers, options: Namespace) -> None:
    """Prints what every contender costs, beside the budgets."""
    measured = measure(answers, options.batches)
    show_title(
        "Cost of /best-move on 3x3, in process, in microseconds of processor time a request",
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
            measured[name].append(_microseconds(next(contenders[name])))
    return {name: numbers[1:] for name, numbers in measured.items()}  # the first round warms up


def _contenders(answers: Answers) -> dict[str, Iterator[Batch]]:
    """The batches of every contender, without end, by its name."""
    constant = answers["." * 9]
    posted, got = create_app(Settings()), create_app(Settings())  # two, or one would forget what the other asked
    for board in answers:
        call(posted, post(body_of(board)))
    etags = {board: dict(call(got, get(board))[1])["ETag"] for board in answers}
    return {
        BARE: _batches(_bare(constant), _posts(dict.fromkeys(answers, constant))),
        POST_NEW: _new_positions(answers),
        POST_FIRST: _new_bodies(answers),
        POST_AGAIN: _batches(posted, _posts(answers)),
        GET_AGAIN: _batches(got, _gets(answers)),
        GET_KNOWN: _batches(got, _gets_of_known(etags)),
    }


def _bare(constant: bytes) -> WSGIApp:
    """The least that Flask can do."""
    app = Flask("bare")

    @app.post("/best-move")
    def best_move() -> Response:
        return Response(constant, mimetype="application/json")

    return app


def _batches(app: WSGIApp, cases: Iterator[Case]) -> Iterator[Batch]:
    while True:
        yield Batch(app, list(islice(cases, BATCH)))


def _new_positions(answers: Answers) -> Iterator[Batch]:
    """Boards that the service never saw: each batch asks an application of its own, and about no board twice.

    It has answered one other board before the batch, and so done already what is done only once.
    """
    rng, boards = Random(0), list(answers)
    while True:
        _forget()
        app = create_app(Settings())
        first, *others = rng.sample(boards, 1 + BATCH)
        call(app, post(body_of(first)))
        yield Batch(app, [Case(post(body_of(board)), OK, answers[board]) for board in others])


def _forget() -> None:
    """Empties what the service remembers for the whole process, whichever application was asked."""
    modules = [module for name, module in sys.modules.items() if name.startswith("service.")]
    for value in [value for module in modules for value in vars(module).values()]:
        if isinstance(value, Remembering):
            value.cache_clear()


def _new_bodies(answers: Answers) -> Iterator[Batch]:
    """Random boards that the application has just answered, in bodies that it never saw."""
    app, boards, endings = create_app(Settings()), _random_boards(answers), _endings()
    while True:
        drawn = list(islice(boards, BATCH))
        for board in drawn:
            call(app, post(body_of(board) + next(endings)))
        yield Batch(app, [Case(post(body_of(board) + next(endings)), OK, answers[board]) for board in drawn])


def _endings() -> Iterator[bytes]:
    """White space that is never the same."""
    for number in count():
        yield f"{number:032b}".translate({ord("0"): " ", ord("1"): "\t"}).encode()


def _posts(answers: Answers) -> Iterator[Case]:
    """Random boards, in bodies that are always the same for the same board."""
    for board in _random_boards(answers):
        yield Case(post(body_of(board)), OK, answers[board])


def _gets(answers: Answers) -> Iterator[Case]:
    for board in _random_boards(answers):
        yield Case(get(board), OK, answers[board])


def _gets_of_known(etags: dict[str, str]) -> Iterator[Case]:
    """What a browser asks that has the answer already."""
    for board in _random_boards(etags):
        yield Case({**get(board), "HTTP_IF_NONE_MATCH": etags[board]}, "304 NOT MODIFIED", b"")


def _random_boards(boards: Iterable[str]) -> Iterator[str]:
    """Boards drawn at random, without end."""
    rng, drawn_from = Random(0), list(boards)
    while True:
        yield rng.choice(drawn_from)


def _microseconds(batch: Batch) -> float:
    """What one request of a batch took. Ends the benchmark if any was not answered as it must be."""
    gc.collect()
    began = thread_time()
    replies = [call(batch.app, case.environ) for case in batch.cases]
    took = thread_time() - began
    for case, (status, _, body) in zip(batch.cases, replies, strict=True):
        if (status, body) != (case.status, case.body):
            raise SystemExit(f"Expected {case.status} {case.body!r}, got {status} {body!r}")
    return took / BATCH * 1e6
