"""The benchmark of Connect Four."""

from collections.abc import Callable, Mapping

import click

from loadtests.budgets import ALLOWANCE, Verdicts, measure
from loadtests.connect_four import latency, peer
from loadtests.connect_four.random_games import Options
from loadtests.search.solve import require_compiled

PARTS: Mapping[str, Callable[[Options, Verdicts], None]] = {
    "peer": peer.show,
    "http": latency.show,
}


@click.command()
@click.argument("parts", nargs=-1, type=click.Choice(list(PARTS)))
@click.option("--positions", type=int, default=2000, help="Random positions of http.")
@click.option("--plies", type=int, default=0, help="The fewest plies of those; fewer take longer.")
@click.option("--cases", type=int, default=30, help="Middle games beside another solver.")
@click.option("--rounds", type=int, default=3, help="Rounds of the comparison with another solver.")
@click.option("--seed", type=int, default=1, help="The seed of the random positions.")
@click.option("--long", is_flag=True, help="Also the empty board, which takes bitbully minutes.")
@ALLOWANCE
def command(parts: tuple[str, ...], allowance: float, **options: object) -> None:
    """Measure PARTS, by default all; fail if an answer is wrong or a budget is missed."""
    require_compiled()
    measure(PARTS, parts, Options(**options), allowance)  # type: ignore[arg-type]
