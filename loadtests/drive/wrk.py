"""Requests a second, counted by wrk."""

import json
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random

from loadtests.positions.questions import body_of
from loadtests.servers.processes import Server, post

PROGRAM = "wrk"
SCRIPT = Path(__file__).with_name("wrk.lua")
TIMEOUT = "10s"
"""What wrk waits for a reply: on a busy machine its own two seconds can pass without a fault."""

BOARDS = 400
"""Different boards that a run cycles through."""


@dataclass(frozen=True, slots=True)
class Run:
    """What wrk counted, and the processor time of the server, which other processes hardly change."""

    requests: int
    seconds: float
    p99_ms: float
    cpu_seconds: float

    @property
    def rate(self) -> float:
        """Requests a second."""
        return self.requests / self.seconds

    @property
    def cpu_us(self) -> float:
        """Microseconds of processor time of the server for each request."""
        return self.cpu_seconds / self.requests * 1e6


@dataclass(frozen=True, slots=True)
class Files:
    """A body on each line, for wrk; and all answers as JSON, for the twin."""

    bodies: Path
    answers: Path


@contextmanager
def answers_and_bodies(answers: Mapping[str, bytes]) -> Iterator[Files]:
    """Write the files that wrk and the twin read."""
    boards = Random(0).sample(sorted(answers), BOARDS)
    with tempfile.TemporaryDirectory() as folder:
        files = Files(Path(folder, "bodies.txt"), Path(folder, "answers.json"))
        files.bodies.write_bytes(b"".join(body_of(board) + b"\n" for board in boards))
        files.answers.write_text(json.dumps({board: body.decode() for board, body in answers.items()}))
        yield files


def check_and_warm_up(server: Server, answers: Mapping[str, bytes], files: Files, connections: int) -> None:
    """Compare the answers of a server with the right ones, to the byte, and warm up all its workers."""
    connection = server.connect(timeout=10)
    for body in files.bodies.read_text().splitlines():
        received, right = post(connection, "/best-move", body), answers[json.loads(body)["board"]]
        if received != right:
            raise SystemExit(f"{server.url} answers {body} with {received!r}, not {right!r}")
    connection.close()
    wrk(server, files, connections, 1, unseen=False)


def wrk(server: Server, files: Files, connections: int, seconds: int, *, unseen: bool) -> Run:
    """Post the bodies to ``/best-move`` on so many connections, and count; ``unseen`` bodies differ from all before.

    Ends the run if a request is not answered with 200.
    """
    options = ["-t", "2", "-c", str(connections), "-d", str(seconds), "--timeout", TIMEOUT]
    script = ["-s", str(SCRIPT), f"{server.url}/best-move", "--", str(files.bodies), *(["unseen"] if unseen else [])]
    before = server.cpu_seconds()
    done = subprocess.run([PROGRAM, *options, *script], capture_output=True, text=True, check=True)
    counted = json.loads(done.stdout.splitlines()[-1])
    refused, broken = counted.pop("refused"), counted.pop("broken")
    if refused or broken:
        raise SystemExit(f"{server.url}: {refused} replies with an error status, {broken} broken")
    return Run(**counted, cpu_seconds=server.cpu_seconds() - before)
