"""The benchmark of the service: parts, options, and the verdict on the budgets."""

from collections.abc import Callable, Mapping

import click

from loadtests.bench import batch, process, saturation, start, throughput
from loadtests.bench.options import Options
from loadtests.budgets import ALLOWANCE, Verdicts, measure
from loadtests.drive.wrk import PROGRAM
from loadtests.positions.questions import all_answers
from loadtests.servers.processes import require
from service.cores import cores

PARTS: Mapping[str, Callable[[Options, Verdicts], None]] = {
    "throughput": throughput.show,
    "batch": batch.show,
    "saturation": saturation.show,
    "process": process.show,
    "start": start.show,
}


@click.command()
@click.argument("parts", nargs=-1, type=click.Choice(list(PARTS)))
@click.option("--rounds", type=int, default=6, help="Rounds of each part; the sides take turns within a round.")
@click.option("--seconds", type=int, default=1, help="Seconds of each run of wrk.")
@click.option("--connections", type=int, default=16, help="Connections of wrk.")
@click.option("--workers", type=int, default=cores(), help="Processes of each server; by default one per core.")
@ALLOWANCE
def command(parts: tuple[str, ...], allowance: float, **options: object) -> None:
    """Measure PARTS, by default all, side by side and interleaved; fail if a budget is missed."""
    require(PROGRAM)
    measure(PARTS, parts, Options(all_answers(), **options), allowance)  # type: ignore[arg-type]
