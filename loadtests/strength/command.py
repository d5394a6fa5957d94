"""The benchmark of unproven answers."""

from collections.abc import Callable, Mapping

import click

from loadtests.budgets import ALLOWANCE, measure
from loadtests.search.solve import require_compiled
from loadtests.strength import estimates, matches, openings, proven

PARTS: Mapping[str, Callable[..., None]] = {
    "openings": openings.show,
    "estimates": estimates.show,
    "matches": matches.show,
    "proven": proven.show,
}

SHORT = {"openings": 60, "pairs": 1, "positions": 60}
"""What --short measures instead: minutes, and figures that vary."""


@click.command()
@click.argument("parts", nargs=-1, type=click.Choice(list(PARTS)))
@click.option("--openings", type=int, default=700, help="Random openings of Connect Four.")
@click.option("--pairs", type=int, default=24, help="Openings of a match; each is played twice.")
@click.option(
    "--positions", type=int, default=600, help="Positions of each game for the estimates, and of proven outcomes."
)
@click.option(
    "--game",
    "games",
    multiple=True,
    type=click.Choice([game.id for game in matches.GAMES]),
    help="A game of the matches, or several; by default all.",
)
@click.option("--seconds", type=float, default=0.1, help="Processor time of a move in a match, and of a proof.")
@click.option("--odds", type=float, default=1, help="Times as much time for a move of the engine in a match.")
@click.option("--seed", type=int, default=1, help="The seed of all that is drawn.")
@click.option("--short", is_flag=True, help="Fewer of everything: some minutes instead of an hour.")
@ALLOWANCE
def command(parts: tuple[str, ...], short: bool, allowance: float, **options: object) -> None:  # noqa: FBT001
    """Measure PARTS, by default all; fail if a budget is missed."""
    require_compiled()
    measure(PARTS, parts, allowance, **{**options, **(SHORT if short else {})})
