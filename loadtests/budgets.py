"""The budgets of the benchmarks, and the verdict on them."""

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NoReturn

import click

from loadtests.tables import show_machine

ALLOWANCE = click.option(
    "--allowance",
    type=click.FloatRange(min=1),
    default=1,
    help="By which factor budgets may be missed: for short runs and noisy machines.",
)


@dataclass(frozen=True, slots=True)
class Budget:
    """A bound on a measured figure; ``what`` names the figure in messages."""

    what: str
    bound: float
    unit: str = "x"
    at_least: bool = False

    def __str__(self) -> str:
        return f"{'>=' if self.at_least else '<='} {self.bound:,g}{'' if self.unit == 'x' else ' '}{self.unit}"

    def holds(self, figure: float) -> bool:
        """Return whether a figure keeps the budget."""
        return figure >= self.bound if self.at_least else figure <= self.bound

    def loosened(self, allowance: float) -> "Budget":
        """Return the budget whose bound may be missed by a factor."""
        return replace(self, bound=self.bound / allowance if self.at_least else self.bound * allowance)


BUDGETS: Mapping[str, Budget] = {
    "seen": Budget("requests/s of bodies seen before, against the FastAPI twin", 3, at_least=True),
    "unseen": Budget("requests/s of bodies never seen, against the FastAPI twin", 2, at_least=True),
    "seen bare": Budget("requests/s of bodies seen before, against the bare application", 0.75, at_least=True),
    "unseen bare": Budget("requests/s of bodies never seen, against the bare application", 0.45, at_least=True),
    "process": Budget("a position never asked, in process, against a bare Flask view", 1.5),
    "batch": Budget("boards/s of POST /best-moves, never asked before", 70_000, "boards/s", at_least=True),
    "saturation": Budget("p99 of 3x3 while searches keep every core busy, against an idle machine", 2),
    "saturation by tables": Budget("p99 of 3x3 while tables are made on every core, against an idle machine", 2),
    "start": Budget("seconds from the start until ready", 1.5, "s"),
    "memory": Budget("resident megabytes of a worker after all of 3x3", 80, "MB"),
    "mcp": Budget("p50 of best_move on 3x3, asked by the official client of MCP", 5, "ms"),
    "connect-four p50": Budget("p50 of Connect Four over HTTP", 2, "ms"),
    "connect-four p99": Budget("p99 of Connect Four over HTTP", 50, "ms"),
    "connect-four analysis": Budget("analysis of the empty board of Connect Four over HTTP", 200, "ms"),
    "connect-four not exact": Budget("answers about Connect Four whose value is not exact", 0, "answers"),
    "connect-four batch": Budget("values of Connect Four positions/s in one request", 1000, "/s", at_least=True),
    "labels": Budget("labels of Connect Four positions/s, against single requests", 5, at_least=True),
    "empty board": Budget("time of the search on the empty board of Connect Four, against bitbully", 0.4),
    "kept 50": Budget("openings of Connect Four whose outcome is kept without a book in 50 ms", 80, "%", at_least=True),
    "kept 500": Budget(
        "openings of Connect Four whose outcome is kept without a book in 500 ms", 95, "%", at_least=True
    ),
    "kept 2000": Budget("openings of Connect Four whose outcome is kept without a book in 2 s", 99, "%", at_least=True),
    "points": Budget("points of a match against plain Monte Carlo tree search", 85, "%", at_least=True),
    "points of draws": Budget(
        "points of a match against plain Monte Carlo tree search in a game that best play draws", 70, "%", at_least=True
    ),
    "estimates": Budget("Brier score of the estimates, against the better of two simpler guesses", 1),
    "6x6 k=5": Budget("time until 6x6 with five in a row is proven", 0.3, "s"),
    "7x7 k=5": Budget("time until 7x7 with five in a row is proven", 5, "s"),
    "7x8 k=5": Budget("time until 7x8 with five in a row is proven", 60, "s"),
    "8x8 k=5 with book": Budget("time until 8x8 with five in a row is proven as installed", 5, "s"),
    "9x4 k=4": Budget("time until 9x4 with four in a row is proven", 10, "s"),
    "4x9 k=4": Budget("time until 4x9 with four in a row is proven", 10, "s"),
    "qubic": Budget("time until Qubic is proven without books", 20, "s"),
    "qubic with book": Budget("time until Qubic is proven as installed", 5, "s"),
    "siege memory": Budget("memory of all processes, against the limit of the manifest", 1),
    "siege threads": Budget("threads of a worker, against those of the settings", 1),
    "siege growth": Budget("anonymous memory that one more round of an attack adds", 32, "MB"),
    "siege workers": Budget("workers that ended under attack", 0, "workers"),
    "siege readyz": Budget("p99 of /readyz under attack, beyond that of the twin", 100, "ms"),
    "siege slowest readyz": Budget("the slowest /readyz under attack, beyond that of the twin", 500, "ms"),
    "siege 3x3": Budget("p99 of 3x3 under attack, beyond that of the twin", 20, "ms"),
    "class": Budget("time of the search on a class of Connect Four positions, against bitbully", 1),
}


@dataclass
class Verdicts:
    """The budgets that were missed so far, by more than a factor that is allowed."""

    allowance: float = 1
    missed: list[str] = field(default_factory=list)

    def judge(self, name: str, figure: float) -> str:
        """Compare a figure with a budget, note it if missed, and return the cell of the table."""
        budget = BUDGETS[name].loosened(self.allowance)
        if budget.holds(figure):
            return f"{budget} met"
        self.missed.append(f"missed budget {name!r}: {budget.what} is {figure:.3g}, must be {budget}")
        return f"{budget} MISSED"

    def show(self) -> int:
        """Print the missed budgets; return the exit code."""
        print("", *(self.missed or ["All budgets measured are met."]), sep="\n")
        return int(bool(self.missed))


def measure(
    parts: Mapping[str, Callable[..., None]], chosen: Sequence[str], allowance: float, **options: object
) -> NoReturn:
    """Measure the chosen parts of a benchmark, by default all, and exit with 1 if a budget is missed.

    A part is called with ``verdicts`` and the options.
    """
    show_machine()
    verdicts = Verdicts(allowance)
    for part in chosen or parts:
        parts[part](verdicts=verdicts, **options)
    sys.exit(verdicts.show())
