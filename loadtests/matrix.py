"""The service under different servers and settings, to choose among them."""

import tempfile
from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import median

from answers import Answers
from serving import Server, granian, oracle
from tables import Row, ratio, show_table, show_title, spread, times
from throughput import Files, Load, Run, conditions, load_of, prepare, written, wrk

CONFIG = """\
from service.gunicorn_conf import *

worker_class = {variant.worker_class!r}
threads = {variant.threads}
preload_app = {variant.preload}
"""

GRANIAN = "granian"


@dataclass(frozen=True, slots=True)
class Variant:
    """Settings of gunicorn that replace the service's own, or another server."""

    worker_class: str
    threads: int = 1
    preload: bool = True

    def __str__(self) -> str:
        name = {OURS: "ours", "gthread": "gunicorn's threads"}.get(self.worker_class, self.worker_class)
        threads = f", {self.threads} threads" if self.threads > 1 else ""
        return f"{name}{threads}{'' if self.preload else ', no preload'}"


OURS = "service.server.worker.Worker"
BASE = Variant(OURS, 8)
"""What the others are compared with."""

VARIANTS = (
    *(Variant(OURS, threads) for threads in (2, 8, 16)),
    Variant(OURS, 8, preload=False),
    Variant("gthread", 8),
    Variant("sync"),
    *(Variant(GRANIAN, threads) for threads in (2, 8)),
)


def show(answers: Answers, options: Namespace) -> None:
    """Prints the rates of every variant."""
    show_title(
        "POST /best-move on 3x3 under several servers",
        conditions(options),
        f"bench.py --workers-matrix --rounds {options.rounds} --seconds {options.seconds}",
    )
    runs = measure(answers, workers=options.workers, rounds=options.rounds, load=load_of(options))
    base = [run.rate for run in runs[BASE]]
    rows = [_row(variant, runs, base) for variant, runs in runs.items()]
    show_table([("", "requests/s", "ratio", "CPU, us", "p99, ms", "errors"), *rows])


def _row(variant: Variant, runs: Sequence[Run], base: Sequence[float]) -> Row:
    rates, errors = [run.rate for run in runs], sum(run.refused + run.broken for run in runs)
    p99, cpu = spread((run.p99_ms for run in runs), 1), f"{median(run.cpu_us for run in runs):.0f}"
    return str(variant), spread(rates), times(ratio(rates, base)), cpu, p99, f"{errors:,}"


def measure(answers: Mapping[str, bytes], *, workers: int, rounds: int, load: Load) -> dict[Variant, list[Run]]:
    """The runs of every variant, one for each round, on bodies that the service has seen before."""
    runs: dict[Variant, list[Run]] = {variant: [] for variant in VARIANTS}
    rng = Random(0)
    with written(answers) as files:
        for _ in range(rounds):
            for variant in rng.sample(VARIANTS, len(VARIANTS)):
                runs[variant].append(_run(variant, answers, files, workers=workers, load=load))
    return runs


def _run(variant: Variant, answers: Mapping[str, bytes], files: Files, *, workers: int, load: Load) -> Run:
    with _server(variant, workers) as server:
        prepare(server, answers, files, load.connections)
        return wrk(server, files, load, unseen=False)


def _server(variant: Variant, workers: int) -> AbstractContextManager[Server]:
    if variant.worker_class == GRANIAN:
        return granian(workers=workers, threads=variant.threads)
    return _gunicorn(variant, workers)


@contextmanager
def _gunicorn(variant: Variant, workers: int) -> Iterator[Server]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "gunicorn.conf.py")
        path.write_text(CONFIG.format(variant=variant))
        with oracle(workers=workers, config=str(path)) as server:
            yield server
