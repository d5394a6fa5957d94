"""Requests a second of ``POST /best-move``, beside the FastAPI twin."""

from collections.abc import Mapping, Sequence
from random import Random
from statistics import median

from loadtests.bench.options import Options
from loadtests.budgets import Verdicts
from loadtests.drive.wrk import Run, answers_and_bodies, check_and_warm_up, without_errors, wrk
from loadtests.positions.questions import Answers
from loadtests.servers.processes import fastapi_twin, oracle
from loadtests.tables import Row, ratio, show_table, show_title, spread, times

SERVICE, TWIN = NAMES = "Move Oracle", "FastAPI twin"
SEEN, UNSEEN = "bodies seen before", "bodies never seen"

BUDGETS = {(SEEN, TWIN): "seen", (UNSEEN, TWIN): "unseen"}

Runs = dict[str, dict[str, list[Run]]]
"""The runs by kind of body and by server, one for each round."""


def show(options: Options, verdicts: Verdicts) -> None:
    """Print the rates of all servers."""
    show_title(
        "Throughput of POST /best-move on 3x3",
        f"{options.workers} worker processes, {options.connections} connections of wrk, {options.rounds} interleaved"
        f" rounds of {options.seconds} s\non servers started anew; median (lowest to highest). CPU is the server's"
        " time for a request. Each side\nlogs every request to /dev/null. The ratio is that of Move Oracle to the row.",
    )
    rows = [
        _row(bodies, name, servers, verdicts)
        for bodies, servers in compare(options.answers, options).items()
        for name in servers
    ]
    show_table([("", "requests/s", "CPU, us", "p99, ms", "ratio", "budget"), *rows])


def _row(bodies: str, name: str, runs: Mapping[str, Sequence[Run]], verdicts: Verdicts) -> Row:
    rates, own_rates = [run.rate for run in runs[name]], [run.rate for run in runs[SERVICE]]
    cpu, p99 = median(run.cpu_us for run in runs[name]), median(run.p99_ms for run in runs[name])
    faster, budget = ratio(own_rates, rates), BUDGETS.get((bodies, name))
    verdict = verdicts.judge(budget, faster) if budget else ""
    return f"{bodies}, {name}", spread(rates), f"{cpu:.0f}", f"{p99:.1f}", times(faster), verdict


def compare(answers: Answers, options: Options) -> Runs:
    """Run both servers at the same time and load them in turn, in an order that changes with each round."""
    runs: Runs = {bodies: {name: [] for name in NAMES} for bodies in (SEEN, UNSEEN)}
    rng, workers = Random(0), options.workers
    with answers_and_bodies(answers) as files:
        for _ in range(options.rounds):
            with oracle(workers=workers) as own, fastapi_twin(workers=workers, answers=files.answers) as twin:
                servers = dict(zip(NAMES, (own, twin), strict=True))
                for server in servers.values():
                    check_and_warm_up(server, answers, files, options.connections)
                for bodies, servers_in_turn in runs.items():
                    for name in rng.sample(NAMES, len(NAMES)):
                        run = wrk(servers[name], files, options.load, unseen=bodies == UNSEEN)
                        servers_in_turn[name].append(without_errors(run, name))
    return runs
