"""The benchmark of the service: parts, options, and the verdict on the budgets."""

from collections.abc import Callable, Mapping

import click

from loadtests.bench import batch, process, routes, saturation, start, throughput
from loadtests.budgets import ALLOWANCE, measure
from loadtests.drive.wrk import PROGRAM
from loadtests.positions.questions import all_answers
from loadtests.servers.processes import require

PARTS: Mapping[str, Callable[..., None]] = {
    "throughput": throughput.show,
    "batch": batch.show,
    "routes": routes.show,
    "saturation": saturation.show,
    "process": process.show,
    "start": start.show,
}


@click.command()
@click.argument("parts", nargs=-1, type=click.Choice(list(PARTS)))
@click.option("--rounds", type=int, default=6, help="Rounds of each part; the sides take turns within a round.")
@ALLOWANCE
def command(parts: tuple[str, ...], rounds: int, allowance: float) -> None:
    """Measure PARTS, by default all, side by side and interleaved; fail if a budget is missed."""
    require(PROGRAM)
    measure(PARTS, parts, allowance, answers=all_answers(), rounds=rounds)
