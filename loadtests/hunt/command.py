"""The command of the hunt."""

import sys
from random import SystemRandom

import click

from loadtests.hunt.hunter import hunt


@click.command()
@click.option("--seconds", type=int, default=600, help="How long to hunt.")
@click.option("--seed", type=int, help="Repeats a hunt; by default drawn.")
@click.option("--no-limits", is_flag=True, help="Measure no time limits.")
def command(seconds: int, seed: int | None, no_limits: bool) -> None:  # noqa: FBT001
    """Ask about random positions of every kind, each answer judged by a brute force; exit with 3 if one is wrong."""
    drawn = SystemRandom().getrandbits(32) if seed is None else seed
    sys.exit(hunt(seconds, drawn, limits=not no_limits))
