"""Two instances that share a Redis: what the second answers that the first has solved, and what a stop of it costs."""

import json
import shutil
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from random import Random

from serving import LOOPBACK, START_SECONDS, Server, free_port, oracle

PROGRAM = "redis-server"
LIMIT = {"time_ms": 30_000}

COSTLY: Mapping[str, tuple[str, object]] = {
    "5x5, four in a row": ("/best-move", "four-in-a-row-5x5"),
    "Connect Four, 6 columns of 5": ("/best-move", "connect-four-6x5"),
    "analysis of 4x5, four in a row": ("/analysis", {"rows": 4, "columns": 5, "in_a_row": 4}),
    "analysis of Connect Four, 5 columns of 5": ("/analysis", "connect-four-5x5"),
}
"""Questions about empty boards: the path, and the game."""

CLIENTS = 4
MIDDLE_GAMES = 0.25
"""The part of the mixed requests that ask for a position of Connect Four on 5 columns of 4; the rest are 3x3."""

PLIES = 5


@dataclass(frozen=True, slots=True)
class First:
    """Milliseconds until the first instance has solved a question, and until the second has answered it."""

    solved_ms: float
    shared_ms: float
    from_cache: bool


@dataclass
class Mixed:
    """Milliseconds of every mixed request of the second half of a run, and how many of all failed."""

    milliseconds: list[float] = field(default_factory=list)
    failed: int = 0

    @property
    def p99(self) -> float:
        """The time that 99 in a hundred did not exceed."""
        return sorted(self.milliseconds)[len(self.milliseconds) * 99 // 100]


def is_possible() -> bool:
    """Whether Redis is installed."""
    return shutil.which(PROGRAM) is not None


def first_answers(rounds: int) -> dict[str, list[First]]:
    """Every costly question in each round, asked of two instances that have just been started with an empty Redis."""
    found: dict[str, list[First]] = {name: [] for name in COSTLY}
    for _ in range(rounds):
        for name, (path, game) in COSTLY.items():
            with redis() as (url, _), oracle(workers=1, CACHE_URL=url) as one, oracle(workers=1, CACHE_URL=url) as two:
                body = json.dumps({"game": game, "moves": [], "limit": LIMIT})
                solved, shared = _ask(one, path, body), _ask(two, path, body)
                if solved.body != shared.body:
                    raise SystemExit(f"{name}: two instances answer differently")
                found[name].append(First(solved.milliseconds, shared.milliseconds, shared.source == "cache"))
    return found


def mixed(*, seconds: float, stopped: bool) -> Mixed:
    """So many seconds of mixed requests; after half of them the Redis may be stopped."""
    result, ended, half = Mixed(), threading.Event(), threading.Event()
    with redis() as (url, process), oracle(workers=2, CACHE_URL=url) as server:
        clients = [
            threading.Thread(target=_client, args=(server, seed, result, half, ended)) for seed in range(CLIENTS)
        ]
        for client in clients:
            client.start()
        time.sleep(seconds / 2)
        half.set()
        if stopped:
            process.kill()
        time.sleep(seconds / 2)
        ended.set()
        for client in clients:
            client.join()
    return result


@contextmanager
def redis() -> Iterator[tuple[str, "subprocess.Popen[bytes]"]]:
    """The URL and the process of a Redis with nothing in it, which writes nothing."""
    port = free_port()
    with tempfile.TemporaryDirectory() as directory:
        command = [PROGRAM, "--port", str(port), "--bind", LOOPBACK, "--save", "", "--dir", directory]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        try:
            _wait_until_ready(port)
            yield f"redis://{LOOPBACK}:{port}", process
        finally:
            process.kill()
            process.wait()


def _wait_until_ready(port: int) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        with suppress(OSError), socket.create_connection((LOOPBACK, port), 1):
            return
        time.sleep(0.02)
    raise SystemExit("Redis did not start")


@dataclass(frozen=True, slots=True)
class _Reply:
    milliseconds: float
    source: str
    body: bytes


def _ask(server: Server, path: str, body: str, connection: HTTPConnection | None = None) -> _Reply:
    connection = connection or _connect(server)
    began = time.perf_counter()
    connection.request("POST", path, body, {"Content-Type": "application/json"})
    response = connection.getresponse()
    content = response.read()
    milliseconds = (time.perf_counter() - began) * 1000
    if response.status != 200:
        raise HTTPException(f"{response.status} to {body[:100]}")
    return _Reply(milliseconds, (response.getheader("Server-Timing") or "").split(";")[0], content)


def _connect(server: Server) -> HTTPConnection:
    return HTTPConnection(LOOPBACK, int(server.url.rsplit(":", 1)[1]), timeout=60)


def _client(server: Server, seed: int, result: Mixed, half: threading.Event, ended: threading.Event) -> None:
    dice, connection = Random(seed), _connect(server)
    while not ended.is_set():
        body, counts = _question(dice), half.is_set()
        try:
            reply = _ask(server, "/best-move", body, connection)
        except (OSError, HTTPException):
            result.failed += 1
            connection = _connect(server)
            continue
        if counts:
            result.milliseconds.append(reply.milliseconds)


def _question(dice: Random) -> str:
    if dice.random() < MIDDLE_GAMES:
        return json.dumps({"game": "connect-four-5x4", "moves": _columns(dice)})
    return json.dumps({"moves": dice.sample(range(9), 4)})


def _columns(dice: Random) -> list[int]:
    """Columns of a game too short to be over, none of them over-full."""
    while max(map((columns := dice.choices(range(5), k=PLIES)).count, columns)) > 4:
        pass
    return columns
