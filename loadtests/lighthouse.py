"""Lighthouse about the page: its scores on phone settings, and what the first view loads."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import click

from loadtests.budgets import ALLOWANCE, Verdicts
from loadtests.servers.processes import oracle, require
from loadtests.tables import show_machine, show_table, show_title

VIEWS = {
    "first visit": "/",
    "own rules": "/?rows=4&columns=4&in_a_row=4&moves=5,6",
    "Connect Four with hints": "/?game=connect-four&drops=44455&hints=values,line",
}
"""The addresses that are judged. Budgets are for the first one: the others search while the page is measured."""

CATEGORIES = ("performance", "accessibility", "best-practices")
FIRST = "first visit"
FLAGS = "--headless=new --no-sandbox --disable-quic --disable-background-networking"


@click.command()
@click.option("--rounds", type=int, default=3, help="Runs of each address; the best counts, for noise only slows.")
@ALLOWANCE
def command(rounds: int, allowance: float) -> None:
    """Have Lighthouse judge the page on phone settings; fail if a score or a size misses its budget.

    Lighthouse comes from npm (``npm install --global lighthouse``), and takes the browser that CHROME_PATH names.
    """
    require("lighthouse")
    show_machine()
    verdicts = Verdicts(allowance)
    with oracle(workers=2) as server:
        for name, path in VIEWS.items():
            reports = [_judged(server.url + path) for _ in range(rounds)]
            show_view(
                name, path, max(reports, key=lambda report: report["categories"]["performance"]["score"]), verdicts
            )
    sys.exit(verdicts.show())


def _judged(url: str) -> dict[str, Any]:
    """Return the report of Lighthouse, whose settings are those of a phone by default."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        options = [f"--only-categories={','.join(CATEGORIES)}", f"--chrome-flags={FLAGS}", "--quiet", "--output=json"]
        subprocess.run(["lighthouse", url, *options, f"--output-path={report}"], check=True)
        found: dict[str, Any] = json.loads(report.read_bytes())
        return found


def show_view(name: str, path: str, report: dict[str, Any], verdicts: Verdicts) -> None:
    """Print the figures of a view; those of the first one must keep their budgets."""
    show_title(name, f"`{path}` on a phone, as Lighthouse {report['lighthouseVersion']} judges it.")
    figures = figures_of(report)
    if name == FIRST:
        rows = [(what, f"{figure:,g}", verdicts.judge(what, figure)) for what, figure in figures.items()]
        show_table([("figure", "measured", "budget"), *rows])
    else:
        show_table([("figure", "measured"), *((what, f"{figure:,g}") for what, figure in figures.items())])


def figures_of(report: dict[str, Any]) -> dict[str, float]:
    """Return the figures of a report that have budgets, by the names of their budgets."""
    requests = report["audits"]["network-requests"]["details"]["items"]
    loaded = [request for request in requests if request["transferSize"]]
    scores = {f"page {name}": 100 * report["categories"][name]["score"] for name in CATEGORIES}
    return {
        **scores,
        "page layout shift": report["audits"]["cumulative-layout-shift"]["numericValue"],
        "page requests": len(loaded),
        "page kilobytes": sum(request["transferSize"] for request in loaded) / 1000,
    }
