"""Requests a second of ``POST /best-move``, beside the FastAPI twin and a bare application."""

from functools import partial
from random import Random
from statistics import median

from loadtests.budgets import Verdicts
from loadtests.drive.wrk import Run, answers_and_bodies, check_and_warm_up, wrk
from loadtests.positions.questions import Answers
from loadtests.servers.processes import oracle, twin
from loadtests.tables import Row, ratio, show_table, show_title, spread, times
from service.cores import cores

SERVICE, TWIN, BARE = NAMES = "Move Oracle", "FastAPI twin", "bare ASGI"
SEEN, UNSEEN = "bodies seen before", "bodies never seen"
BUDGETS = {SEEN: {TWIN: "seen", BARE: "seen bare"}, UNSEEN: {TWIN: "unseen", BARE: "unseen bare"}}
CONNECTIONS, SECONDS = 16, 1

Runs = dict[str, dict[str, list[Run]]]
"""The runs by kind of body and by server, one for each round."""


def show(verdicts: Verdicts, answers: Answers, rounds: int) -> None:
    """Print the rates of the servers."""
    show_title(
        "Throughput of POST /best-move on 3x3",
        f"{cores()} worker processes, {CONNECTIONS} connections of wrk, {rounds} interleaved rounds of {SECONDS} s\non"
        " servers started anew; median (lowest to highest). CPU is the server's time for a request. Move Oracle\nand"
        " the FastAPI twin log every request to /dev/null. The bare application is the server alone, without a log.\n"
        "The ratio is that of Move Oracle to the row.",
    )
    rows: list[Row] = [("", "requests/s", "CPU, us", "p99, ms", "ratio", "budget")]
    for bodies, servers in compare(answers, rounds).items():
        for name, runs in servers.items():
            rates, own = ([run.rate for run in each] for each in (runs, servers[SERVICE]))
            cpu, p99 = median(run.cpu_us for run in runs), median(run.p99_ms for run in runs)
            budget = BUDGETS[bodies].get(name)
            verdict = "" if budget is None else verdicts.judge(budget, ratio(own, rates))
            cells = f"{cpu:.0f}", f"{p99:.1f}", times(ratio(own, rates)), verdict
            rows.append((f"{bodies}, {name}", spread(rates), *cells))
    show_table(rows)


def compare(answers: Answers, rounds: int) -> Runs:
    """Run the servers at the same time and load them in turn, in an order that changes with each round."""
    runs: Runs = {bodies: {name: [] for name in NAMES} for bodies in BUDGETS}
    rng, workers = Random(0), cores()
    with answers_and_bodies(answers) as files:
        for _ in range(rounds):
            run_twin = partial(twin, workers=workers, answers=files.answers)
            with (
                oracle(workers=workers) as own,
                run_twin("fastapi_twin") as peer,
                run_twin("bare_twin", logs=False) as bare,
            ):
                servers = dict(zip(NAMES, (own, peer, bare), strict=True))
                for server in servers.values():
                    check_and_warm_up(server, answers, files, CONNECTIONS)
                for bodies, of_servers in runs.items():
                    for name in rng.sample(NAMES, len(NAMES)):
                        run = wrk(servers[name], files, CONNECTIONS, SECONDS, unseen=bodies == UNSEEN)
                        of_servers[name].append(run)
    return runs
