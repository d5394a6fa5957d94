"""The command of the hunt."""

import sys
from random import SystemRandom

import click

from loadtests.hunt.hunter import hunt


@click.command()
@click.option("--seconds", type=int, default=600, help="How long to hunt.")
@click.option("--seed", type=int, help="Repeats a hunt; by default drawn.")
def command(seconds: int, seed: int | None) -> None:
    """Ask about random positions of every kind, each answer judged by a brute force; exit with 3 if one is wrong."""
    drawn = SystemRandom().getrandbits(32) if seed is None else seed
    sys.exit(hunt(seconds, drawn))
