"""A load test against a server of its own: ``python loadtests/load.py``. Exits with 1 if a threshold is missed.

Touches nothing but the loopback address of this machine. For a server that runs elsewhere there is
locust itself: ``locust -f loadtests/locustfile.py --host http://...``.
"""

import json
import logging
import os
import sys
import tempfile
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from typing import IO

from locust import events, stats
from locust.env import Environment
from locust.stats import RequestStats, print_stats
from locustfile import Analyst, Explorer, Opener, Player, Vandal
from serving import cores, oracle
from tables import show_thresholds

SHOWN_LINES = 10
"""So many failures are shown at most, and so many lines of the server's log."""


def main() -> int:
    """The exit code: 0 if every threshold holds."""
    options = _options()
    with tempfile.TemporaryFile() as log:
        with oracle(workers=options.workers, log=log) as server:
            print(
                f"{options.users} users for {options.seconds:g} s, {options.workers} workers at {server.url}\n",
                flush=True,
            )
            measured = _load(server.url, users=options.users, seconds=options.seconds)
        logged = list(_logged_errors(log))
    _print_table(measured)
    _print_failures(measured)
    return _print_verdict(measured, logged, p99_ms=options.p99_ms)


def _options() -> Namespace:
    parser = ArgumentParser(description="A load test against a server of its own, in which every reply is checked.")
    add = parser.add_argument
    add("--seconds", type=float, default=_setting("LOAD_SECONDS", 30), help="how long, default: $LOAD_SECONDS or 30")
    add("--users", type=int, default=_setting("LOAD_USERS", 16), help="callers at a time, default: $LOAD_USERS or 16")
    add("--workers", type=int, default=_setting("WEB_CONCURRENCY", cores()), help="default: one per core")
    add(
        "--p99-ms",
        type=float,
        default=_setting("LOAD_P99_MS", 500),
        help="most that p99 may be, default: $LOAD_P99_MS or 500; generous, for callers and server share the machine",
    )
    return parser.parse_args()


def _setting(variable: str, default: int) -> str:
    """The text of the variable, or of the default where it is not set."""
    return os.environ.get(variable) or str(default)


def _load(url: str, *, users: int, seconds: float) -> RequestStats:
    """What locust counted while so many users called the server."""
    environment = Environment(user_classes=[Opener, Player, Analyst, Explorer, Vandal], events=events, host=url)
    runner = environment.create_local_runner()
    runner.start(users, spawn_rate=users)
    time.sleep(seconds)
    runner.quit()
    return environment.stats


def _logged_errors(log: IO[bytes]) -> Iterator[str]:
    """The lines of the server's log that tell of an error, or are not written by its log at all."""
    log.seek(0)
    for line in log:
        try:
            level = json.loads(line)["level"]
        except (ValueError, KeyError):
            level = "none"
        if level not in {"info", "warning"}:
            yield line.decode().rstrip()


def _print_table(measured: RequestStats) -> None:
    """Prints locust's own table, narrow enough for a terminal."""
    logger = logging.getLogger("locust.stats_logger")
    logger.addHandler(logging.StreamHandler(sys.stdout))
    logger.setLevel(logging.INFO)
    stats.STATS_AUTORESIZE, stats.STATS_NAME_WIDTH = False, 44
    print_stats(measured, current=False)


def _print_failures(measured: RequestStats) -> None:
    """Prints the most frequent failures; most name a request that nobody else sent, so there may be many."""
    errors = sorted(measured.errors.values(), key=lambda error: -error.occurrences)
    for error in errors[:SHOWN_LINES]:
        print(f"{error.occurrences} x {error.method} {error.name}: {error.error}")
    if len(errors) > SHOWN_LINES:
        print(f"... and {len(errors) - SHOWN_LINES} failures of other kinds")


def _print_verdict(measured: RequestStats, logged: Sequence[str], *, p99_ms: float) -> int:
    """Prints the sum and the thresholds; 0 if all hold, else 1."""
    total = measured.total
    median, p95, p99 = (total.get_response_time_percentile(share) for share in (0.5, 0.95, 0.99))
    print(f"{total.num_requests:,} replies, {total.total_rps:,.0f} requests/s, {total.num_failures} failures")
    print(f"median {median} ms, p95 {p95} ms, p99 {p99} ms\n")
    code = show_thresholds(
        {
            "every reply passed its check": total.num_requests > 0 and total.num_failures == 0,
            f"p99 is at most {p99_ms:g} ms": p99 <= p99_ms,
            "the server logged no error": not logged,
        }
    )
    for line in logged[:SHOWN_LINES]:
        print(line)
    return code


if __name__ == "__main__":
    sys.exit(main())
