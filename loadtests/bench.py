"""What door and search cost, side by side with the least that Flask can do, a FastAPI twin and other solvers.

``python loadtests/bench.py`` prints a table for each part; ``--help`` lists what can be changed.
"""

import json
import platform
import shutil
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import median

import batch
import calm
import cold
import cost
import fleet
import matrix
import proxy
import solver
import startup
import streams
import throughput
from serving import cores

COSTS = (
    (cost.BARE, cost.BARE, None),
    (cost.POST_FIRST, cost.BARE, 1.3),
    (cost.POST_AGAIN, cost.BARE, 1.3),
    (cost.GET_AGAIN, cost.BARE, None),
    (cost.GET_KNOWN, cost.GET_AGAIN, None),
)
"""What is shown: whose cost, what it is compared with, and how many times that it may be."""

RATE_BUDGET = 1.0
"""At least so many times the requests a second of the twin."""

BATCH_BUDGET = 30
"""At least so many times the boards a second of single requests."""

FIRST_LINE_BUDGET_MS, FREED_BUDGET_MS = 300, 100
"""The first line of a stream comes, and a search whose client has left ends, at most so long after."""

CALM_BUDGET, REFUSED_BUDGET_MS = 3.0, 50
"""The p99 of quick answers beside deep searches is at most so many times that on an idle machine; and where there is no
room for another search, that is said at most so long after, in the median."""

LATE_BUDGET_MS = 20
"""A search stops at most so long after its limit."""

SHARED_BUDGET_MS, STOPPED_BUDGET_MS = 20, 50
"""A second instance answers what the first has solved in less, and a stop of what they share adds at most so much."""

Row = Sequence[str]
Part = Callable[[cost.Answers, Namespace], None]


def main() -> int:
    """The exit code: 1 if a program is missing and all were required, else 0."""
    options = _options()
    print(f"Python {platform.python_version()}, {cores()} cores, {platform.machine()}")
    answers = cost.all_answers()
    parts = [_show_matrix] if options.workers_matrix else [PARTS[name] for name in options.only]
    lacking = {part: program for program, needing in NEEDED.items() if not shutil.which(program) for part in needing}
    for show in parts:
        if show in lacking:
            print(f"\n{show.__name__.removeprefix('_show_')}: not measured, as {lacking[show]} is not installed.")
        else:
            show(answers, options)
    return int(options.require_all and any(show in lacking for show in parts))


def _options() -> Namespace:
    parser = ArgumentParser(description="Benchmarks, interleaved round by round; every answer is checked.")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=list(PARTS), help="parts to run, default: all")
    parser.add_argument("--batches", type=int, default=61, help="rounds of the cost in process, default: 61")
    parser.add_argument("--rounds", type=int, default=6, help="rounds of the throughput, default: 6")
    parser.add_argument("--searches", type=int, default=3, help="rounds of the search, default: 3")
    parser.add_argument("--streams", type=int, default=20, help="streams that are left, default: 20")
    parser.add_argument("--long", action="store_true", help="also the searches that take many seconds")
    parser.add_argument("--seconds", type=int, default=1, help="seconds of each run of wrk, default: 1")
    parser.add_argument("--connections", type=int, default=16, help="connections of wrk, default: 16")
    parser.add_argument("--workers", type=int, default=cores(), help="processes of each server, default: one per core")
    parser.add_argument(
        "--require-all", action="store_true", help="exit with 1 if a program is missing that a part needs"
    )
    parser.add_argument(
        "--workers-matrix",
        action="store_true",
        help="instead: the service under several servers",
    )
    return parser.parse_args()


def _show_cost(answers: cost.Answers, options: Namespace) -> None:
    measured = cost.measure(answers, options.batches)
    _print_title(
        "Cost of /best-move on 3x3, in process, in microseconds a request",
        f"{options.batches} interleaved rounds of {cost.BATCH} requests; ratios are medians over the rounds.",
        f"--only cost --batches {options.batches}",
    )
    rows = [_cost_row(name, base, measured, budget) for name, base, budget in COSTS]
    _print_table([("", "median", "lowest", "ratio", "to", "budget"), *rows])


def _cost_row(name: str, base: str, measured: Mapping[str, Sequence[float]], budget: float | None) -> Row:
    numbers, times = measured[name], cost.ratio(measured[name], measured[base])
    verdict = "" if budget is None else _verdict(f"<= {budget:.1f}x", holds=times <= budget)
    return name, f"{median(numbers):.1f}", f"{min(numbers):.1f}", f"{times:.2f}x", base, verdict


def _show_start(answers: cost.Answers, options: Namespace) -> None:
    _print_title(
        "Start of the service, and memory of its worker",
        f"{options.rounds} starts with one worker, which then answers all {len(answers):,} positions of 3x3 once.",
        f"--only start --rounds {options.rounds}",
    )
    bodies = [json.dumps({"board": board}).encode() for board in answers]
    starts = startup.measure(bodies, options.rounds)
    seconds, megabytes = [start.seconds for start in starts], [start.megabytes for start in starts]
    verdicts = _verdict("<= 1 s", holds=median(seconds) <= 1), _verdict("<= 60 MB", holds=median(megabytes) <= 60)
    _print_table(
        [
            ("", "median (lowest to highest)", "budget"),
            ("seconds until ready", _spread(seconds, 2), verdicts[0]),
            ("resident megabytes", _spread(megabytes, 1), verdicts[1]),
        ]
    )


def _show_throughput(answers: cost.Answers, options: Namespace) -> None:
    load = throughput.Load(options.connections, options.seconds)
    _print_title(
        "Throughput of POST /best-move on 3x3, in requests a second",
        f"{_conditions(options)}\nEach side logs every request, to /dev/null.",
        f"--only throughput --rounds {options.rounds} --seconds {options.seconds}",
    )
    runs = throughput.compare(answers, workers=options.workers, rounds=options.rounds, load=load)
    rows = [_rate_row(bodies, servers) for bodies, servers in runs.items()]
    _print_table([("", throughput.SERVICE, throughput.TWIN, "ratio", "budget", "CPU, us", "p99, ms"), *rows])


def _rate_row(bodies: str, runs: Mapping[str, Sequence[throughput.Run]]) -> Row:
    mine, other = runs[throughput.SERVICE], runs[throughput.TWIN]
    rates = [run.rate for run in mine], [run.rate for run in other]
    cpu = median(run.cpu_us for run in mine), median(run.cpu_us for run in other)
    p99 = median(run.p99_ms for run in mine), median(run.p99_ms for run in other)
    times = cost.ratio(*rates)
    verdict = _verdict(f">= {RATE_BUDGET:.1f}x", holds=times >= RATE_BUDGET)
    last = f"{cpu[0]:.0f} to {cpu[1]:.0f}", f"{p99[0]:.0f} to {p99[1]:.0f}"
    return bodies, *map(_spread, rates), f"{times:.2f}x", verdict, *last


def _show_matrix(answers: cost.Answers, options: Namespace) -> None:
    load = throughput.Load(options.connections, options.seconds)
    _print_title(
        "POST /best-move on 3x3 under several servers",
        _conditions(options),
        f"--workers-matrix --rounds {options.rounds} --seconds {options.seconds}",
    )
    runs = matrix.measure(answers, workers=options.workers, rounds=options.rounds, load=load)
    base = [run.rate for run in runs[matrix.BASE]]
    rows = [_matrix_row(variant, runs, base) for variant, runs in runs.items()]
    _print_table([("", "requests/s", "ratio", "CPU, us", "p99, ms", "errors"), *rows])


def _matrix_row(variant: matrix.Variant, runs: Sequence[throughput.Run], base: Sequence[float]) -> Row:
    rates, errors = [run.rate for run in runs], sum(run.refused + run.broken for run in runs)
    p99, cpu = _spread((run.p99_ms for run in runs), 1), f"{median(run.cpu_us for run in runs):.0f}"
    return str(variant), _spread(rates), f"{cost.ratio(rates, base):.2f}x", cpu, p99, f"{errors:,}"


def _conditions(options: Namespace) -> str:
    return (
        f"{options.workers} worker processes, {options.connections} connections of wrk, {options.rounds} interleaved "
        f"rounds of {options.seconds} s\n"
        "on servers started anew: median (lowest to highest). CPU is the server's own time for each request,\n"
        "which depends little on whatever else the machine does."
    )


def _verdict(budget: str, *, holds: bool) -> str:
    return f"{budget} {'met' if holds else 'MISSED'}"


def _spread(numbers: Iterable[float], decimals: int = 0) -> str:
    """Median, lowest and highest."""
    ordered = sorted(numbers)
    middle, low, high = (f"{number:,.{decimals}f}" for number in (median(ordered), ordered[0], ordered[-1]))
    return f"{middle} ({low} to {high})"


def _print_title(title: str, conditions: str, arguments: str) -> None:
    print(f"\n{title}\n{conditions}\nRepeat with: python loadtests/bench.py {arguments}\n", flush=True)


def _print_table(rows: Sequence[Row]) -> None:
    """Prints the rows in columns as wide as their widest cell."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for first, *others in rows:
        cells = [first.ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True))]
        print("  ".join(cells).rstrip(), flush=True)


def _show_solver(_answers: cost.Answers, options: Namespace) -> None:
    chosen = Namespace(rounds=options.searches, long=options.long)
    for show in solver.PARTS.values():
        show(chosen)


def _show_cold(_answers: cost.Answers, _options: Namespace) -> None:
    _print_title(
        "First answers over HTTP", "Empty boards, each asked of a server that has just started.", "--only cold"
    )
    _print_table(
        [("", "value", "ms"), *((name, value, f"{ms:.0f}") for name, (ms, value) in cold.first_answers().items())]
    )
    late = cold.overshoots()
    _print_title(
        f"Milliseconds from the limit to the answer, over HTTP, for limits of {', '.join(map(str, cold.LIMITS_MS))} ms",
        f"In the median over all {median(ms for each in late.values() for ms in each):.1f}.",
        "--only cold",
    )
    _print_table(
        [
            ("", "median", "highest", "budget"),
            *(
                (name, f"{median(each):.1f}", f"{max(each):.1f}", _most(each, LATE_BUDGET_MS))
                for name, each in late.items()
            ),
        ]
    )


def _show_batch(answers: cost.Answers, options: Namespace) -> None:
    _print_title(
        f"Boards a second on 3x3, in single requests and {batch.BOARDS:,} in one request to /best-moves",
        f"One connection to one worker, {options.rounds} rounds on servers started anew.",
        f"--only batch --rounds {options.rounds}",
    )
    found = batch.compare(answers, options.rounds)
    _print_table([("", "singly", "together", "ratio", "budget"), *(_batch_row(*row) for row in found.items())])


def _batch_row(kind: str, rates: Sequence[batch.Rates]) -> Row:
    singly, together = [each.single for each in rates], [each.together for each in rates]
    times = cost.ratio(together, singly)
    verdict = _verdict(f">= {BATCH_BUDGET}x", holds=times >= BATCH_BUDGET)
    return kind, _spread(singly), _spread(together), f"{times:.1f}x", verdict


def _show_streams(_answers: cost.Answers, options: Namespace) -> None:
    _print_title(
        "Streams of /analysis, a search of Qubic",
        f"A server with one thread; {options.streams} streams, each left by its client after the first line.",
        f"--only streams --streams {options.streams}",
    )
    left = streams.measure(options.streams)
    first, freed = [each.first_line_ms for each in left], [each.freed_ms for each in left]
    _print_table(
        [
            ("milliseconds", "median (lowest to highest)", "budget"),
            ("until the first line", _spread(first, 1), _most(first, FIRST_LINE_BUDGET_MS)),
            ("from the client's leaving to the next answer", _spread(freed, 1), _most(freed, FREED_BUDGET_MS)),
        ]
    )


def _show_proxy(answers: cost.Answers, options: Namespace) -> None:
    _print_title(
        f"GET /best-move on the {len(answers):,} positions of 3x3, in requests a second, behind deploy/nginx.conf",
        f"{_conditions(options)}\nHere it is that of nginx and the service, which has seen every request before.",
        f"--only proxy --rounds {options.rounds} --seconds {options.seconds}",
    )
    load = throughput.Load(options.connections, options.seconds)
    found = proxy.compare(answers, workers=options.workers, rounds=options.rounds, load=load)
    base = [each.run.rate for each in found[proxy.DIRECT]]
    rows = [_proxy_row(name, each, base) for name, each in found.items()]
    _print_table([("", "requests/s", "ratio", "CPU, us", "p99, ms", "from the cache"), *rows])


def _proxy_row(name: str, asked: Sequence[proxy.Asked], base: Sequence[float]) -> Row:
    rates, runs = [each.run.rate for each in asked], [each.run for each in asked]
    cpu, p99 = f"{median(run.cpu_us for run in runs):.0f}", _spread((run.p99_ms for run in runs), 1)
    return (
        name,
        _spread(rates),
        f"{cost.ratio(rates, base):.2f}x",
        cpu,
        p99,
        f"{median(map(proxy.hit_rate, asked)):.1%}",
    )


def _show_calm(answers: cost.Answers, options: Namespace) -> None:
    _print_title(
        "Quick answers while deep searches keep every core busy",
        f"POST /best-move on 3x3, one connection at {calm.RATE} a second, {options.rounds} rounds of {calm.REQUESTS},\n"
        f"by turns idle and busy; and a deep question where {calm.QUEUED} others wait already, {calm.REFUSALS} times.",
        f"--only calm --rounds {options.rounds}",
    )
    found = calm.measure(answers, options.rounds)
    idle, busy = [each.p99_ms for each in found.idle], [each.p99_ms for each in found.busy]
    times, refused = median(busy) / median(idle), median(found.refused_ms)
    _print_table(
        [
            ("milliseconds: median (lowest to highest)", "idle", "busy", "ratio", "budget"),
            ("p50", *(_spread((each.p50_ms for each in side), 2) for side in (found.idle, found.busy)), "", ""),
            ("p99", _spread(idle, 2), _spread(busy, 2), f"{times:.2f}x", _at_most(CALM_BUDGET, "x", times)),
            ("503", "", _spread(found.refused_ms, 1), "", _at_most(REFUSED_BUDGET_MS, " ms", refused)),
        ]
    )


def _at_most(budget: float, unit: str, number: float) -> str:
    return _verdict(f"<= {budget:g}{unit}", holds=number <= budget)


def _most(numbers: Sequence[float], budget: float) -> str:
    return _verdict(f"<= {budget} ms", holds=max(numbers) <= budget)


def _show_fleet(_answers: cost.Answers, options: Namespace) -> None:
    _print_title(
        "Two instances that share a Redis: milliseconds to the first answer about an empty board",
        f"Solved by the first, then asked of the second; {options.rounds} rounds on servers started anew.",
        f"--only fleet --rounds {options.rounds} --seconds {options.seconds}",
    )
    firsts = fleet.first_answers(options.rounds)
    rows = [_first_row(name, found) for name, found in firsts.items()]
    _print_table([("", "first, ms", "second, ms", "from the cache", "budget"), *rows])
    _show_stop(options)


def _first_row(name: str, found: Sequence[fleet.First]) -> Row:
    solved, shared = [each.solved_ms for each in found], [each.shared_ms for each in found]
    known = f"{sum(each.from_cache for each in found)} of {len(found)}"
    budget = _verdict(f"< {SHARED_BUDGET_MS} ms", holds=median(shared) < SHARED_BUDGET_MS)
    return name, _spread(solved), _spread(shared, 1), known, budget


def _show_stop(options: Namespace) -> None:
    seconds = 4 * options.seconds
    _print_title(
        "Mixed requests while the shared Redis runs, and after it was stopped",
        f"{fleet.CLIENTS} clients, one request in four of Connect Four; {options.rounds} rounds of {seconds} s.",
        f"--only fleet --rounds {options.rounds} --seconds {options.seconds}",
    )
    runs: dict[bool, list[fleet.Mixed]] = {False: [], True: []}
    for _ in range(options.rounds):
        for stopped, kind in runs.items():
            kind.append(fleet.mixed(seconds=seconds, stopped=stopped))
    p99 = {stopped: [run.p99 for run in kind] for stopped, kind in runs.items()}
    added, failed = median(p99[True]) - median(p99[False]), sum(run.failed for run in runs[True])
    holds = added <= STOPPED_BUDGET_MS and not failed
    _print_table(
        [
            ("", "requests", "failed", "p99, ms", "budget"),
            ("running", *_mixed_cells(runs[False], p99[False]), ""),
            ("stopped", *_mixed_cells(runs[True], p99[True]), _verdict(f"+{STOPPED_BUDGET_MS} ms, none", holds=holds)),
        ]
    )


def _mixed_cells(runs: Sequence[fleet.Mixed], p99: Sequence[float]) -> Row:
    return f"{sum(len(run.milliseconds) for run in runs):,}", f"{sum(run.failed for run in runs)}", _spread(p99, 1)


NEEDED: Mapping[str, Sequence[Part]] = {
    "wrk": (_show_throughput, _show_proxy, _show_matrix),
    "nginx": (_show_proxy,),
    "redis-server": (_show_fleet,),
}
"""Programs that are no Python packages, and the parts that need them."""

PARTS: Mapping[str, Part] = {
    "cost": _show_cost,
    "start": _show_start,
    "throughput": _show_throughput,
    "proxy": _show_proxy,
    "batch": _show_batch,
    "streams": _show_streams,
    "calm": _show_calm,
    "cold": _show_cold,
    "fleet": _show_fleet,
    "solver": _show_solver,
}
"""What a run shows, by the names that ``--only`` takes."""

if __name__ == "__main__":
    sys.exit(main())
