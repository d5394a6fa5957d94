"""A siege: every attack on a real server within the limits of the manifest, one after the other."""

import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import click

from loadtests.budgets import ALLOWANCE
from loadtests.servers.processes import oracle
from loadtests.siege.attacks.table import ATTACKS
from loadtests.siege.manifest import Bounds, read_manifest
from loadtests.siege.rounds import Besieged, besiege
from loadtests.siege.verdict import HEAD, failures, row
from loadtests.siege.watch import Watch
from loadtests.tables import show_machine, show_table

ROUNDS = 2

SHARED_MEMORY = Path("/dev/shm")


def _names(_context: click.Context, _option: click.Parameter, only: str) -> list[str]:
    names = only.split(",")
    if unknown := [name for name in names if name not in ATTACKS]:
        raise click.BadParameter(f"{', '.join(unknown)} is none of {', '.join(ATTACKS)}")
    return names


@click.command()
@click.option("--seconds", type=float, default=300, help="Time of all attacks together.")
@click.option("--only", default=",".join(ATTACKS), callback=_names, help="Names of attacks, with commas between.")
@click.option("--rounds", type=click.IntRange(1), default=ROUNDS, help="Rounds of each attack.")
@ALLOWANCE
def command(seconds: float, only: list[str], rounds: int, allowance: float) -> None:
    """Attack a server in every known way; fail if that costs other clients more than it may."""
    show_machine()
    manifest, failed, rows = read_manifest(), list[str](), [HEAD]
    with _server(manifest.environment) as twin, Watch.running(twin.server.port) as watch, ExitStack() as servers:
        besieged, runs_with = None, None
        for name in only:
            environment = {**manifest.environment, **ATTACKS[name].settings}
            if besieged is None or environment != runs_with:
                servers.close()
                besieged, runs_with = servers.enter_context(_server(environment)), environment
            print(f"{name}: {ATTACKS[name].line}", flush=True)
            siege = besiege(name, besieged, watch, seconds=seconds / len(only), rounds=rounds)
            sentences = failures(siege, Bounds.of(manifest, environment), allowance)
            rows.append(row(siege, held=not sentences))
            failed += sentences
            if sentences:  # what remains of this attack is not the next one's fault
                besieged = None
    show_table(rows)
    print("", *(failed or ["Every attack was held."]), sep="\n")
    sys.exit(bool(failed))


@contextmanager
def _server(environment: Mapping[str, str]) -> Iterator[Besieged]:
    """Run the service as the manifest does, but with a folder of tables of its own."""
    with (
        tempfile.TemporaryDirectory(prefix="siege-", dir=SHARED_MEMORY, ignore_cleanup_errors=True) as folder,
        tempfile.TemporaryFile() as log,
    ):
        settings: dict[str, Any] = {**environment, "TABLEBASES": str(Path(folder) / "tables")}
        workers = int(settings.pop("WEB_CONCURRENCY"))
        with oracle(workers=workers, log=log, **settings) as server:
            yield Besieged(server, log)
