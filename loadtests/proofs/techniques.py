"""Which technique proves which empty board: each column has one technique more than the column before."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from loadtests.budgets import Verdicts
from loadtests.proofs.copies import copy_without
from loadtests.proofs.options import Options
from loadtests.proofs.prove import Size
from loadtests.servers.processes import ROOT
from loadtests.tables import show_row, show_title

BOARDS: Mapping[Size, str] = {
    Size(1, 5, 5, 4): "draw",
    Size(1, 6, 6, 5): "draw",
    Size(1, 7, 7, 5): "draw",
    Size(1, 9, 4, 4): "win",
    Size(4, 4, 4, 4): "win",
}
"""The boards, and their outcomes for the first player."""


@dataclass(frozen=True, slots=True)
class Column:
    """The method of a column, and the techniques that its kernel lacks."""

    name: str
    method: str
    without: tuple[str, ...] = ()


COLUMNS = (
    Column("alpha-beta", "alpha-beta", ("potential", "threats")),
    Column("+ potential", "alpha-beta", ("threats",)),
    Column("+ pairings, zones", "zones", ("threats",)),
    Column("+ proof numbers", "forced wins", ("threats",)),
    Column("+ threat search", "forced wins"),
)


def show(options: Options, _verdicts: Verdicts) -> None:
    """Print the nodes and the seconds of each proof; a wrong outcome ends the run."""
    show_title(
        "Technique by technique",
        f"The outcome of empty boards: nodes and processor time of one thread, at most {options.seconds:g} s. Each"
        " column has\none technique more than the one before, each proof a process and a table of 64 MB of its own.",
    )
    with tempfile.TemporaryDirectory() as folder:
        lacking = dict.fromkeys(column.without for column in COLUMNS if column.without)
        kernels = {(): ROOT} | {names: copy_without(names, Path(folder) / "-".join(names)) for names in lacking}
        show_row("", *(column.name for column in COLUMNS))
        show_row("---", *["---:"] * len(COLUMNS))
        for size, outcome in BOARDS.items():
            cells = [_cell(size, outcome, column, kernels[column.without], options.seconds) for column in COLUMNS]
            show_row(size.name, *cells)


def _cell(size: Size, outcome: str, column: Column, kernel: Path, seconds: float) -> str:
    numbers = [size.layers, size.rows, size.columns, size.in_a_row, seconds]
    command = [sys.executable, "-m", "loadtests.proofs.prove", column.method, *map(str, numbers)]
    environment = {**os.environ, "PYTHONPATH": str(kernel)}
    done = subprocess.run(command, cwd=kernel, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    found, nodes, took = json.loads(done.stdout)
    if found == "unknown":
        return f"not in {seconds:g} s"
    if found != outcome:
        raise SystemExit(f"{size.name} by {column.name}: {outcome} expected, {found} found.")
    return f"{nodes:,} nodes, {took:.2g} s"
