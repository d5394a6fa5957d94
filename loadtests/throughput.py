"""Requests a second of real servers, counted by wrk. Every round starts them anew."""

import json
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from itertools import product
from pathlib import Path
from random import Random
from urllib.parse import urlsplit

from serving import Server, oracle, twin

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
        """Microseconds of processor time that the server took for each request."""
        return self.cpu_seconds / self.requests * 1e6


@dataclass(frozen=True, slots=True)
class Files:
    """What the programs read: a body on each line for wrk, the table of all answers for the twin."""

    bodies: Path
    answers: Path


def is_possible() -> bool:
    """Whether wrk is installed."""
    return shutil.which("wrk") is not None


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
