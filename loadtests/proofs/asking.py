"""Answers of a new process of the service, of this checkout or of another one."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from loadtests.servers.processes import ROOT

LONGEST_MS = "3600000"
"""The setting MAX_TIME_MS: budgets with an allowance are longer than a service allows by default."""

PROGRAM = Path(__file__).with_name("ask.py")

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Reply:
    """What an answer says: the outcome, ``unknown`` if it is not proven, its source, and the processor time it took."""

    outcome: str
    exact: bool
    source: str
    seconds: float

    @property
    def is_proven(self) -> bool:
        """Whether the outcome is proven."""
        return self.outcome != "unknown"


def ask(bodies: Sequence[Json], *, checkout: Path = ROOT, books: str | None = None) -> list[Reply]:
    """Ask a new process about positions, one after the other. ``books`` is the setting BOOKS, None for the default."""
    environment = {**os.environ, "PYTHONPATH": str(checkout), "LOG_LEVEL": "warning", "MAX_TIME_MS": LONGEST_MS}
    if books is not None:
        environment["BOOKS"] = books
    done = subprocess.run(
        [sys.executable, "-P", str(PROGRAM)],
        cwd=checkout,
        env=environment,
        input=json.dumps([*bodies]),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return [read_reply(answer) for answer in json.loads(done.stdout)]


def read_reply(answer: Json) -> Reply:
    """Read an answer. Until version 0.1.1, ``proven`` said that the distance is proven too."""
    if "outcome" not in answer:
        raise SystemExit(f"The service refused a position: {answer}")
    outcome = answer["outcome"]
    if outcome == "unknown" and answer.get("at_least") == answer.get("at_most"):
        outcome = answer.get("at_least", outcome)
    exact = bool(answer.get("exact", answer["proven"]))
    return Reply(outcome, exact, answer.get("source", ""), answer["seconds"])
