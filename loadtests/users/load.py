"""A load test: locust's users against a server that is started for it."""

import json
import logging
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import IO

import click
from locust import User, events, stats
from locust.env import Environment
from locust.stats import RequestStats, print_stats

from loadtests.locustfile import USERS
from loadtests.servers.processes import oracle
from loadtests.tables import show_checks
from service.cores import cores

SHOWN_LINES = 10


@click.command()
@click.option("--seconds", type=float, default=30, envvar="LOAD_SECONDS", help="How long.")
@click.option("--users", type=int, default=16, envvar="LOAD_USERS", help="Users at a time.")
@click.option("--workers", type=int, default=cores(), envvar="WEB_CONCURRENCY", help="Processes of the server.")
@click.option(
    "--p99-ms",
    type=float,
    default=500,
    envvar="LOAD_P99_MS",
    help="The highest p99 allowed; users and server share the machine.",
)
def command(seconds: float, users: int, workers: int, p99_ms: float) -> None:
    """Run mixed load of which every reply is checked. A server elsewhere: locust -f loadtests/locustfile.py."""
    with tempfile.TemporaryFile() as log:
        with oracle(workers=workers, log=log) as server:
            print(f"{users} users for {seconds:g} s, {workers} workers at {server.url}\n", flush=True)
            with calling(server.url, USERS, users) as measured:
                time.sleep(seconds)
        logged = list(_logged_errors(log))
    _show_statistics(measured)
    sys.exit(_show_checks(measured, logged, p99_ms=p99_ms))


@contextmanager
def calling(url: str, classes: Sequence[type[User]], users: int) -> Iterator[RequestStats]:
    """Let so many users call a server; yield the statistics of locust."""
    environment = Environment(user_classes=[*classes], events=events, host=url)
    runner = environment.create_local_runner()
    runner.start(users, spawn_rate=users)
    yield environment.stats
    runner.quit()


def _logged_errors(log: IO[bytes]) -> Iterator[str]:
    """Yield the lines of the log that tell of an error or are not JSON."""
    log.seek(0)
    for line in log:
        try:
            level = json.loads(line)["level"]
        except (ValueError, KeyError):
            level = "none"
        if level not in {"info", "warning"}:
            yield line.decode().rstrip()


def _show_statistics(measured: RequestStats) -> None:
    """Print the table of locust, narrow enough for a terminal, and the most frequent errors."""
    logger = logging.getLogger("locust.stats_logger")
    logger.addHandler(logging.StreamHandler(sys.stdout))
    logger.setLevel(logging.INFO)
    stats.STATS_AUTORESIZE, stats.STATS_NAME_WIDTH = False, 44
    print_stats(measured, current=False)
    errors = sorted(measured.errors.values(), key=lambda error: -error.occurrences)
    for error in errors[:SHOWN_LINES]:
        print(f"{error.occurrences} x {error.method} {error.name}: {error.error}")


def _show_checks(measured: RequestStats, logged: Sequence[str], *, p99_ms: float) -> int:
    """Print the sum and what must hold; return the exit code."""
    total = measured.total
    median, p95, p99 = (total.get_response_time_percentile(share) for share in (0.5, 0.95, 0.99))
    print(f"{total.num_requests:,} replies, {total.total_rps:,.0f} requests/s, {total.num_failures} failures")
    print(f"median {median} ms, p95 {p95} ms, p99 {p99} ms\n")
    print(*logged[:SHOWN_LINES], sep="\n", end="\n" if logged else "")
    return show_checks(
        {
            "every reply passed its check": total.num_requests > 0 and total.num_failures == 0,
            f"p99 is at most {p99_ms:g} ms": p99 <= p99_ms,
            "the server logged no error": not logged,
        }
    )
