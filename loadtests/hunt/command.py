"""The command of the hunt."""

import sys
from random import SystemRandom

import click

from loadtests.hunt.hunter import FOUND, KINDS, hunt
from loadtests.hunt.near_end import hunt_near_end
from loadtests.hunt.weak_key import hunt_with_weak_key


@click.command()
@click.option("--seconds", type=int, default=600, help="How long to hunt.")
@click.option("--seed", type=int, help="Repeats a hunt; by default drawn.")
@click.option("--no-limits", is_flag=True, help="Measure no time limits.")
@click.option("--only", type=click.Choice(KINDS), help="Ask about games of lines only, or of families only.")
@click.option(
    "--weak-key",
    is_flag=True,
    help="Hunt in a copy whose positions share keys as in version 0.1.0, and fail if nothing is found.",
)
@click.option("--near-end", type=int, help="Instead, compare so many positions near the end of games of every family.")
def command(  # noqa: PLR0913, an argument for each option
    *, seconds: int, seed: int | None, no_limits: bool, only: str | None, weak_key: bool, near_end: int | None
) -> None:
    """Ask about random positions of every kind, each answer judged by a brute force; exit with 3 if one is wrong."""
    drawn = SystemRandom().getrandbits(32) if seed is None else seed
    if near_end is not None:
        sys.exit(FOUND if hunt_near_end(near_end, drawn) else 0)
    if weak_key:
        sys.exit(hunt_with_weak_key(seconds, drawn))
    sys.exit(hunt(seconds, drawn, limits=not no_limits, kinds=KINDS if only is None else (only,)))
