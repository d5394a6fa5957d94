"""A million requests about 3x3, and whether the workers grow meanwhile."""

import sys
from itertools import cycle

import click

from loadtests.drive.wrk import PROGRAM, answers_and_bodies, check_and_warm_up, wrk
from loadtests.positions.questions import all_answers
from loadtests.servers.processes import MAX_GROWTH, oracle, require
from loadtests.tables import show_checks

CONNECTIONS, SECONDS, WORKERS = 16, 5, 2


@click.command()
@click.option("--requests", type=int, default=1_000_000, help="How many at least.")
@click.option("--warm", type=int, default=100_000, help="From how many on growth counts.")
def command(requests: int, warm: int) -> None:
    """Send a million requests about 3x3, half of them in bodies never seen; fail if a worker grows."""
    require(PROGRAM)
    sent, history, answers = 0, [], all_answers()
    with oracle(workers=WORKERS) as server, answers_and_bodies(answers) as files:
        check_and_warm_up(server, answers, files, CONNECTIONS)
        for unseen in cycle([True, False]):
            run = wrk(server, files, CONNECTIONS, SECONDS, unseen=unseen)
            sent += run.requests
            history.append((sent, server.private_memory()))
            memory = ", ".join(f"{megabytes:.1f} MB" for megabytes in history[-1][1].values())
            kind = "never seen" if unseen else "seen before"
            print(f"{sent:>9,} requests, {kind}: {run.rate:,.0f}/s, p99 {run.p99_ms:.1f} ms; {memory}", flush=True)
            if sent >= requests:
                break
    before, after = next(memory for count, memory in history if count >= warm), history[-1][1]
    growth = max((after[worker] / before[worker] - 1 for worker in after if worker in before), default=0.0)
    print(f"growth since {warm:,} requests: {growth:+.2%}")
    holds = {
        "no worker has died": before.keys() == after.keys(),
        f"no worker has grown by more than {MAX_GROWTH:.0%}": growth <= MAX_GROWTH,
    }
    sys.exit(show_checks(holds))
