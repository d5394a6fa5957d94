"""The benchmark of proofs without gravity."""

import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import click

from loadtests.budgets import ALLOWANCE, Verdicts
from loadtests.proofs import boards, decisive, midgame, techniques
from loadtests.proofs.options import Options
from loadtests.search.solve import require_compiled
from loadtests.tables import show_machine

PARTS: Mapping[str, Callable[[Options, Verdicts], None]] = {
    "boards": boards.show,
    "midgame": midgame.show,
    "techniques": techniques.show,
    "positions": decisive.show,
}


@click.command()
@click.argument("parts", nargs=-1, type=click.Choice(list(PARTS)))
@click.option("--positions", type=int, default=100, help="Positions of each game in the middle of the game.")
@click.option("--seed", type=int, default=1, help="The seed of these positions.")
@click.option("--seconds", type=float, default=60, help="The most processor time of a proof by some of the techniques.")
@click.option(
    "--against",
    type=click.Path(exists=True, file_okay=False, resolve_path=True, path_type=Path),
    help="Another checkout to ask about the middle of the game, its kernel compiled.",
)
@ALLOWANCE
def command(parts: tuple[str, ...], allowance: float, **options: object) -> None:
    """Measure PARTS, by default all; fail if a budget is missed or an outcome is wrong."""
    require_compiled()
    show_machine()
    verdicts = Verdicts(allowance)
    for part in parts or PARTS:
        PARTS[part](Options(**options), verdicts)  # type: ignore[arg-type]
    sys.exit(verdicts.show())
