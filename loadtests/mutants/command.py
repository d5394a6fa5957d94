"""The command that proves the tests: each of ten faults must fail the test that is there for it."""

import os
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from time import monotonic

import click

from loadtests.mutants.mutant import ROOT, Mutant, Tier
from loadtests.mutants.table import MUTANTS

MARKED: dict[Tier, str] = {"test": "not verify", "verify": "verify"}
"""The tests of a tier, as the Makefile selects them."""

PASSED, FAILED = 0, 1
"""Exit codes of pytest. The others say that no test ran, or not to its end."""

MOST_SECONDS = 900
"""For a test of a mutant, beside a busy machine."""


@click.command()
@click.argument("names", nargs=-1, metavar="[NAME]...")
def command(names: Sequence[str]) -> None:
    """Put each of ten faults into a copy of the service, or those NAMEd, and fail if its test does not find one."""
    chosen = [mutant for mutant in MUTANTS if not names or mutant.name in names]
    if unknown := {*names} - {mutant.name for mutant in chosen}:
        raise click.UsageError(f"There is no mutant {sorted(unknown)}; there are {[one.name for one in MUTANTS]}.")
    caught = pass_without_fault(chosen) and [is_caught(mutant) for mutant in chosen]
    sys.exit(0 if caught and all(caught) else 1)


def pass_without_fault(mutants: Iterable[Mutant]) -> bool:
    """Return whether the tests of the mutants pass without a fault, and are in the tiers where they are looked for."""
    tiers: dict[Tier, list[str]] = {}
    for mutant in mutants:
        tiers.setdefault(mutant.tier, []).append(mutant.test)
    codes = [_run(tests, tier, ROOT, shown=True) for tier, tests in tiers.items()]
    if any(codes):
        print("The tests must pass without a fault.")
    return not any(codes)


def is_caught(mutant: Mutant) -> bool:
    """Return whether the test of a mutant finds its fault, after printing it."""
    start = monotonic()
    try:
        with mutant.copied() as folder:
            code = _run([mutant.test], mutant.tier, folder)
    except (ValueError, OSError, subprocess.SubprocessError) as error:
        print(f"{mutant.name}: NOT MADE: {error}", flush=True)
        return False
    verdict = {PASSED: "NOT CAUGHT by", FAILED: "caught by"}.get(code, f"unknown, pytest ended with {code}:")
    print(f"{mutant.name}: {verdict} {mutant.test} (make {mutant.tier}), {monotonic() - start:.0f} s", flush=True)
    return code == FAILED


def _run(tests: Sequence[str], tier: Tier, folder: Path, *, shown: bool = False) -> int:
    """Run tests in a folder and return the exit code of pytest."""
    command = [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", "-m", MARKED[tier], *tests]
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    output = None if shown else subprocess.DEVNULL
    return subprocess.run(
        command, cwd=folder, env=environment, stdout=output, stderr=output, check=False, timeout=MOST_SECONDS
    ).returncode
