"""A million requests about 3x3, and whether the workers grow meanwhile."""

import sys
from itertools import cycle

import click

from loadtests.drive.wrk import PROGRAM, Load, answers_and_bodies, check_and_warm_up, without_errors, wrk
from loadtests.positions.questions import all_answers
from loadtests.servers.memory import MAX_GROWTH, Memory, private_memory
from loadtests.servers.processes import oracle, require
from loadtests.tables import show_checks

CONNECTIONS = 16


@click.command()
@click.option("--requests", type=int, default=1_000_000, help="How many at least.")
@click.option("--warm", type=int, default=100_000, help="From how many on growth counts.")
@click.option("--seconds", type=int, default=5, help="Seconds between two measurements of memory.")
@click.option("--workers", type=int, default=2, help="Processes of the server.")
def command(requests: int, warm: int, seconds: int, workers: int) -> None:
    """Send a million requests about 3x3, half of them in bodies never seen; fail if a worker grows."""
    require(PROGRAM)
    history = _ask(requests, Load(CONNECTIONS, seconds), workers)
    before, after = next(memory for count, memory in history if count >= warm), history[-1][1]
    growth = max((after[worker] / before[worker] - 1 for worker in after if worker in before), default=0.0)
    print(f"growth since {warm:,} requests: {growth:+.2%}")
    holds = {
        "no worker has died": before.keys() == after.keys(),
        f"no worker has grown by more than {MAX_GROWTH:.0%}": growth <= MAX_GROWTH,
    }
    sys.exit(show_checks(holds))


def _ask(requests: int, load: Load, workers: int) -> list[tuple[int, Memory]]:
    """Send the requests, in turn with bodies never seen and seen before; return the memory after so many of them.

    Ends the run if a request is not answered with 200.
    """
    sent, history, answers = 0, [], all_answers()
    with oracle(workers=workers) as server, answers_and_bodies(answers) as files:
        check_and_warm_up(server, answers, files, load.connections)
        for unseen in cycle([True, False]):
            run = without_errors(wrk(server, files, load, unseen=unseen), "Move Oracle")
            sent += run.requests
            history.append((sent, private_memory(server)))
            memory = ", ".join(f"{megabytes:.1f} MB" for megabytes in history[-1][1].values())
            kind = "never seen" if unseen else "seen before"
            print(f"{sent:>9,} requests, {kind}: {run.rate:,.0f}/s, p99 {run.p99_ms:.1f} ms; {memory}", flush=True)
            if sent >= requests:
                break
    return history
