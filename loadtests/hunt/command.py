"""The command of the hunt."""

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from itertools import cycle
from random import Random, SystemRandom
from time import monotonic

import click

from loadtests.hunt.hunter import KINDS, Hunter
from loadtests.mutants.table import WEAK_KEY

FOUND = 3
"""The exit code of a hunt that found something; a hunt that breaks down ends with another."""

ENOUGH = 5
"""Findings after which a hunt ends."""


@click.command()
@click.option("--seconds", type=int, default=600, help="How long to hunt.")
@click.option("--seed", type=int, help="Repeats a hunt; by default drawn.")
@click.option("--only", type=click.Choice(KINDS), help="Ask about games of lines only, or of families only.")
@click.option(
    "--near-end", type=int, help="Ask about late positions of games of lines: how many, however long it takes."
)
@click.option(
    "--weak-key",
    is_flag=True,
    help="Hunt in a copy whose positions share keys as in version 0.1.0, and fail if nothing is found.",
)
def command(*, seconds: int, seed: int | None, only: str | None, near_end: int | None, weak_key: bool) -> None:
    """Ask about random positions of every kind, each answer judged by a brute force; exit with 3 if one is wrong."""
    drawn = SystemRandom().getrandbits(32) if seed is None else seed
    if weak_key:
        sys.exit(hunt_with_weak_key(seconds, drawn))
    hunter, end = Hunter(Random(drawn)), monotonic() + seconds
    if near_end is not None:
        sys.exit(hunt(hunter, drawn, ["lines"], lambda: hunter.positions < near_end))
    sys.exit(hunt(hunter, drawn, [only] if only else KINDS, lambda: monotonic() < end))


def hunt(hunter: Hunter, seed: int, kinds: Sequence[str], goes_on: Callable[[], bool]) -> int:
    """Hunt as long as ``goes_on``, print what was found, and return an exit code: FOUND if it was anything."""
    print(f"seed {seed}", flush=True)
    findings, rounds = list[str](), cycle(kinds)
    while goes_on() and len(findings) < ENOUGH:
        for finding in hunter.round(next(rounds)):
            findings.append(finding)
            print(finding, flush=True)
    counts = ", ".join(f"{what}: {count:,}" for what, count in sorted(hunter.counts.items()))
    print(f"seed {seed}: {counts}; {len(findings)} findings")
    return FOUND if findings else 0


def hunt_with_weak_key(seconds: int, seed: int) -> int:
    """Hunt in a copy of the service with the weak key, and return 1 if nothing was found."""
    with WEAK_KEY.copied() as folder:
        command = [sys.executable, "-m", "loadtests", "hunt", "--seconds", f"{seconds}", "--seed", f"{seed}"]
        environment = {**os.environ, "PYTHONPATH": str(folder)}
        code = subprocess.run([*command, "--only", "lines"], cwd=folder, env=environment, check=False).returncode
    print("Found, as it should be." if code == FOUND else f"Not found (exit code {code}): the hunt is blind.")
    return 0 if code == FOUND else 1
