"""The cost of a request in process, beside a bare Flask view that returns constant bytes.

Each round is a process of its own, started by ``show``, so that every position is asked for the first time.
"""

import gc
import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from random import Random
from statistics import median
from time import process_time
from typing import Any

from flask import Flask, Response
from werkzeug.test import EnvironBuilder

from loadtests.bench.options import Options
from loadtests.budgets import Verdicts
from loadtests.drive.application import Ask, Batch, Reply, service_batch
from loadtests.positions.questions import Answers, body_of
from loadtests.servers.processes import JSON, ROOT
from loadtests.tables import ratio, show_table, show_title, times

BATCH = 250
"""Requests that are timed together; a batch takes some tens of milliseconds."""

BARE, NEW, SEEN = "bare Flask view", "position never asked", "asked before"

Costs = dict[str, list[float]]
"""Microseconds of processor time for each request, one figure for each batch."""


def show(options: Options, verdicts: Verdicts) -> None:
    """Print the cost of the service and of the bare view."""
    batches = (len(options.answers) - 1) // BATCH
    show_title(
        "POST /best-move on 3x3 in process, microseconds of processor time for each request",
        f"{options.rounds} processes, {batches} interleaved batches of {BATCH} requests in each; medians over all"
        " batches.",
    )
    costs: Costs = {BARE: [], NEW: [], SEEN: []}
    for seed in range(options.rounds):
        for name, figures in _measure_in_new_process(options.answers, seed).items():
            costs[name] += figures
    rows = [("", "median", "lowest", "ratio", "budget")]
    for name, figures in costs.items():
        slower = ratio(figures, costs[BARE])
        verdict = verdicts.judge("process", slower) if name == NEW else ""
        rows.append((name, f"{median(figures):.1f}", f"{min(figures):.1f}", times(slower), verdict))
    show_table(rows)


def _measure_in_new_process(answers: Answers, seed: int) -> Costs:
    texts = json.dumps({board: body.decode() for board, body in answers.items()})
    command = [sys.executable, "-m", "loadtests.bench.process", str(seed)]
    environment = {**os.environ, "LOG_LEVEL": "warning"}  # standard output is for the figures
    done = subprocess.run(
        command, cwd=ROOT, input=texts, stdout=subprocess.PIPE, text=True, env=environment, check=False
    )
    if done.returncode:
        raise SystemExit("The requests in process failed.")
    costs: Costs = json.loads(done.stdout.splitlines()[-1])
    return costs


def measure(answers: Mapping[str, bytes], seed: int) -> Costs:
    """Ask about every board once, in batches, interleaved with batches of the bare view; then once again."""
    boards = Random(seed).sample(sorted(answers), len(answers))
    bare, costs = _bare_batch(answers[boards[0]]), Costs()
    with service_batch() as service:
        _microseconds(service, boards[:1], answers)
        for start in range(1, len(boards) - BATCH + 1, BATCH):
            batch = boards[start : start + BATCH]
            constants = dict.fromkeys(batch, answers[boards[0]])
            costs.setdefault(BARE, []).append(_microseconds(bare, batch, constants))
            costs.setdefault(NEW, []).append(_microseconds(service, batch, answers))
            costs.setdefault(SEEN, []).append(_microseconds(service, batch, answers))
    return costs


def _bare_batch(constant: bytes) -> Ask:
    """Return what posts bodies to a Flask application that does nothing but answer."""
    app = Flask("bare")

    @app.post("/best-move")
    def best_move() -> Response:
        return Response(constant, mimetype="application/json")

    def ask(bodies: Sequence[bytes]) -> Batch:
        builders = [EnvironBuilder("/best-move", method="POST", data=body, content_type=JSON) for body in bodies]
        environs = [builder.get_environ() for builder in builders]
        began = process_time()
        replies = [_call(app, environ) for environ in environs]
        return process_time() - began, replies

    return ask


def _call(app: Flask, environ: dict[str, Any]) -> Reply:
    statuses: list[str] = []

    def start(status: str, *_: object) -> Callable[[bytes], object]:
        statuses.append(status)
        return bytes  # writes nothing: Flask does not call it

    response = app(environ, start)
    return int(statuses[0].split()[0]), b"".join(response)


def _microseconds(ask: Ask, boards: Sequence[str], answers: Mapping[str, bytes]) -> float:
    """Return the cost of a request. Ends the run if an answer is wrong."""
    gc.collect()
    seconds, replies = ask([body_of(board) for board in boards])
    for board, (status, body) in zip(boards, replies, strict=True):
        if (status, body) != (200, answers[board]):
            raise SystemExit(f"Expected {answers[board]!r} about {board}, got {status} {body!r}")
    return seconds / len(boards) * 1e6


if __name__ == "__main__":
    known = {board: text.encode() for board, text in json.load(sys.stdin).items()}
    print(json.dumps(measure(known, int(sys.argv[1]))))
