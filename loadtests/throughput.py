"""Requests a second of real servers, counted by wrk. Every round starts them anew."""

import json
import subprocess
import tempfile
from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from itertools import product
from pathlib import Path
from random import Random
from statistics import median
from urllib.parse import urlsplit

from answers import Answers
from serving import Server, oracle, twin
from tables import Row, ratio, show_table, show_title, spread, times, verdict

PROGRAMS = ("wrk",)
"""What it takes beside Python packages."""

RATE_BUDGET = 1.0
"""At least so many times the requests a second of the twin."""

SCRIPT = Path(__file__).with_name("wrk.lua")
PATIENCE = "10s"
"""What wrk waits for a reply: on a busy machine its own two seconds can pass without a fault."""

BOARDS = 400
"""Different boards that a run cycles through."""

SERVICE, TWIN = "Move Oracle", "FastAPI twin"
SEEN, UNSEEN = "bodies seen before", "bodies never seen"

Runs = dict[str, dict[str, list["Run"]]]
"""The runs by kind of body and by server, one for each round."""


@dataclass(frozen=True, slots=True)
class Load:
    """How hard wrk tries: so many ``connections``, each asking again as soon as it is answered."""

    connections: int
    seconds: int


@dataclass(frozen=True, slots=True)
class Run:
    """What wrk counted; ``refused`` replies had an error status, ``broken`` ones never came whole.

    ``cpu_seconds`` is the processor time that the server took; unlike ``seconds`` it hardly depends on
    what else the machine does.
    """

    requests: int
    seconds: float
    p50_ms: float
    p99_ms: float
    refused: int
    broken: int
    cpu_seconds: float

    @property
    def rate(self) -> float:
        """Requests a second."""
        return self.requests / self.seconds

    @property
    def cpu_us(self) -> float:
        """Microseconds of processor time that the server took for each request; infinite if it answered none."""
        return self.cpu_seconds / self.requests * 1e6 if self.requests else float("inf")


@dataclass(frozen=True, slots=True)
class Files:
    """What the programs read: a body on each line for wrk, the table of all answers for the twin."""

    bodies: Path
    answers: Path


def show(answers: Answers, options: Namespace) -> None:
    """Prints the rates beside those of the twin."""
    show_title(
        "Throughput of POST /best-move on 3x3, in requests a second",
        f"{conditions(options)}\nEach side logs every request, to /dev/null.",
        f"bench.py --only throughput --rounds {options.rounds} --seconds {options.seconds}",
    )
    runs = compare(answers, workers=options.workers, rounds=options.rounds, load=load_of(options))
    rows = [_row(bodies, servers) for bodies, servers in runs.items()]
    show_table([("", SERVICE, TWIN, "ratio", "budget", "CPU, us", "p99, ms"), *rows])


def conditions(options: Namespace) -> str:
    """How wrk measures, in words."""
    return (
        f"{options.workers} worker processes, {options.connections} connections of wrk, {options.rounds} interleaved "
        f"rounds of {options.seconds} s\n"
        "on servers started anew: median (lowest to highest). CPU is the server's own time for each request,\n"
        "which depends little on whatever else the machine does."
    )


def load_of(options: Namespace) -> Load:
    """How hard wrk shall try."""
    return Load(options.connections, options.seconds)


def _row(bodies: str, runs: Mapping[str, Sequence[Run]]) -> Row:
    mine, other = runs[SERVICE], runs[TWIN]
    rates = [run.rate for run in mine], [run.rate for run in other]
    cpu = median(run.cpu_us for run in mine), median(run.cpu_us for run in other)
    p99 = median(run.p99_ms for run in mine), median(run.p99_ms for run in other)
    faster = ratio(*rates)
    budget = verdict(f">= {RATE_BUDGET:.1f}x", holds=faster >= RATE_BUDGET)
    last = f"{cpu[0]:.0f} to {cpu[1]:.0f}", f"{p99[0]:.0f} to {p99[1]:.0f}"
    return bodies, *map(spread, rates), times(faster), budget, *last


def compare(answers: Mapping[str, bytes], *, workers: int, rounds: int, load: Load) -> Runs:
    """The runs of the service and of its twin, which take turns, so that what else the machine does hits both."""
    runs: Runs = {bodies: {SERVICE: [], TWIN: []} for bodies in (SEEN, UNSEEN)}
    rng = Random(0)
    with written(answers) as files:
        for _ in range(rounds):
            with oracle(workers=workers) as service, twin(workers=workers, answers=files.answers) as other:
                servers = {SERVICE: service, TWIN: other}
                for server in servers.values():
                    prepare(server, answers, files, load.connections)
                for bodies, name in product(runs, rng.sample(list(servers), 2)):
                    run = wrk(servers[name], files, load, unseen=bodies == UNSEEN)
                    runs[bodies][name].append(_without_errors(run, name))
    return runs


def prepare(server: Server, answers: Mapping[str, bytes], files: Files, connections: int) -> None:
    """Compares what the server answers with what it must answer, to the byte, then warms all its workers up."""
    _check_answers(server.url, answers, files)
    wrk(server, files, Load(connections, 1), unseen=False)


def wrk(server: Server, files: Files, load: Load, *, unseen: bool) -> Run:
    """What wrk counts while it sends the bodies to ``/best-move``; ``unseen`` ones differ from all before."""
    threads = ["-t", "2", "-c", str(load.connections), "-d", str(load.seconds), "--timeout", PATIENCE]
    script = ["-s", str(SCRIPT), f"{server.url}/best-move", "--", str(files.bodies), *(["unseen"] if unseen else [])]
    before = server.cpu_seconds()
    done = subprocess.run(["wrk", *threads, *script], capture_output=True, text=True, check=True)
    return Run(**json.loads(done.stdout.splitlines()[-1]), cpu_seconds=server.cpu_seconds() - before)


@contextmanager
def written(answers: Mapping[str, bytes]) -> Iterator[Files]:
    """The files, as long as they are needed."""
    boards = Random(0).sample(sorted(answers), BOARDS)
    with tempfile.TemporaryDirectory() as folder:
        files = Files(Path(folder, "bodies.txt"), Path(folder, "answers.json"))
        files.bodies.write_text("".join(json.dumps({"board": board}) + "\n" for board in boards))
        files.answers.write_text(json.dumps({board: body.decode() for board, body in answers.items()}))
        yield files


def _check_answers(url: str, answers: Mapping[str, bytes], files: Files) -> None:
    connection = HTTPConnection(urlsplit(url).netloc, timeout=10)
    for body in files.bodies.read_text().splitlines():
        connection.request("POST", "/best-move", body, {"Content-Type": "application/json"})
        reply = connection.getresponse()
        received, right = reply.read(), answers[json.loads(body)["board"]]
        if (reply.status, received) != (200, right):
            raise SystemExit(f"{url} answers {body} with {reply.status} {received!r}, not {right!r}")
    connection.close()


def _without_errors(run: Run, name: str) -> Run:
    if run.refused or run.broken:
        raise SystemExit(f"{name}: {run.refused} replies with an error status, {run.broken} broken, of {run.requests}")
    return run
