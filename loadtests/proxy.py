"""What nginx in front costs, and what its cache gains: requests a second of GET, counted by wrk."""

import json
import re
import subprocess
import tempfile
from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from http.client import HTTPConnection
from pathlib import Path
from random import Random
from statistics import median
from urllib.parse import urlsplit

from answers import Answers
from front import UNLIMITED
from serving import Server, nginx, oracle
from tables import Row, ratio, show_table, show_title, spread, times
from throughput import SCRIPT, Load, Run, conditions, load_of

PROGRAMS = ("wrk", "nginx")
"""What it takes beside Python packages."""

DIRECT, PASSING = "the service", "through nginx without its cache"
EMPTY, FILLED = "through nginx, cache empty at first", "through nginx, cache filled"

CHECKED = 400
"""Answers of each that are compared after a run, to the byte."""

NO_CACHE = {"proxy_cache_lock on;": "proxy_cache_bypass 1;\nproxy_no_cache 1;"}
"""The change after which every request goes on to the service."""

COUNTED = r'^move_oracle_request_seconds_count\{method="GET",route="/best-move",status="\d+"\} (\S+)$'


@dataclass(frozen=True, slots=True)
class Asked:
    """A run, and how many of its requests the service itself answered."""

    run: Run
    answered: int


def hit_rate(asked: Asked) -> float:
    """The part of the requests of which the service never heard."""
    return max(0.0, 1 - asked.answered / asked.run.requests)


def show(answers: Answers, options: Namespace) -> None:
    """Prints the rates of each way to ask."""
    show_title(
        f"GET /best-move on the {len(answers):,} positions of 3x3, in requests a second, behind deploy/nginx.conf",
        f"{conditions(options)}\nHere it is that of nginx and the service, which has seen every request before.",
        f"bench.py --only proxy --rounds {options.rounds} --seconds {options.seconds}",
    )
    found = compare(answers, workers=options.workers, rounds=options.rounds, load=load_of(options))
    base = [each.run.rate for each in found[DIRECT]]
    rows = [_row(name, each, base) for name, each in found.items()]
    show_table([("", "requests/s", "ratio", "CPU, us", "p99, ms", "from the cache"), *rows])


def _row(name: str, asked: Sequence[Asked], base: Sequence[float]) -> Row:
    rates, runs = [each.run.rate for each in asked], [each.run for each in asked]
    cpu, p99 = f"{median(run.cpu_us for run in runs):.0f}", spread((run.p99_ms for run in runs), 1)
    return name, spread(rates), times(ratio(rates, base)), cpu, p99, f"{median(map(hit_rate, asked)):.1%}"


def compare(answers: Mapping[str, bytes], *, workers: int, rounds: int, load: Load) -> dict[str, list[Asked]]:
    """The runs of each way to ask, which take turns; all ask one service, which has been asked everything before."""
    found: dict[str, list[Asked]] = {name: [] for name in (DIRECT, PASSING, EMPTY, FILLED)}
    rng = Random(0)
    targets = {target(board): body for board, body in answers.items()}
    with _written(targets) as file, oracle(workers=workers) as service:
        _wrk(service, file, load)
        for _ in range(rounds):
            for name in rng.sample(list(found), len(found)):
                with _way(name, service) as server:
                    _get(server, list(targets) if name == FILLED else [])
                    found[name].append(_ask(server, service, file, load))
                    _check(server, targets, rng.sample(list(targets), CHECKED))
    return found


def target(board: str) -> str:
    """What is asked for by GET about a board."""
    return f"/best-move?board={board}"


@contextmanager
def _way(name: str, service: Server) -> Iterator[Server]:
    if name == DIRECT:
        yield service
        return
    with nginx(instances=[service], changes={**UNLIMITED, **(NO_CACHE if name == PASSING else {})}) as server:
        yield server


def _ask(server: Server, service: Server, file: Path, load: Load) -> Asked:
    asked, busy = _answered(service), service.cpu_seconds()
    run = _wrk(server, file, load)
    if server is not service:
        run = replace(run, cpu_seconds=run.cpu_seconds + service.cpu_seconds() - busy)
    return Asked(run, _answered(service) - asked)


def _wrk(server: Server, file: Path, load: Load) -> Run:
    before = server.cpu_seconds()
    command = ["wrk", "-t", "2", "-c", str(load.connections), "-d", str(load.seconds), "-s", str(SCRIPT)]
    done = subprocess.run([*command, server.url, "--", str(file), "get"], capture_output=True, text=True, check=True)
    run = Run(**json.loads(done.stdout.splitlines()[-1]), cpu_seconds=server.cpu_seconds() - before)
    if run.refused or run.broken:
        raise SystemExit(f"{server.url}: {run.refused} replies with an error status, {run.broken} broken")
    return run


def _answered(service: Server) -> int:
    """How often the service has answered GET /best-move so far."""
    (metrics,) = _get(service, ["/metrics"])
    return sum(int(float(count)) for count in re.findall(COUNTED, metrics.decode(), re.MULTILINE))


def _check(server: Server, answers: Mapping[str, bytes], targets: Sequence[str]) -> None:
    for path, body in zip(targets, _get(server, targets), strict=True):
        if body != answers[path]:
            raise SystemExit(f"{server.url}{path} answers {body!r}, not {answers[path]!r}")


def _get(server: Server, paths: Sequence[str]) -> list[bytes]:
    connection = HTTPConnection(urlsplit(server.url).netloc, timeout=10)
    bodies = []
    for path in paths:
        connection.request("GET", path)
        bodies.append(connection.getresponse().read())
    connection.close()
    return bodies


@contextmanager
def _written(targets: Mapping[str, bytes]) -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "targets.txt")
        file.write_text("".join(f"{path}\n" for path in Random(0).sample(sorted(targets), len(targets))))
        yield file
