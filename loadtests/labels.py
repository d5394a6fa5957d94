"""Labels of many Connect Four positions: one command against a request to ``/analysis`` for each position."""

import json
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from loadtests.budgets import Verdicts
from loadtests.servers.processes import oracle, post
from loadtests.tables import show_table, show_title, times
from service.cores import cores

GAME = "connect-four"
TIME_MS = 1000

ASKED = 400
"""About how many of the positions are also asked about one by one."""

LABEL = ("outcome", "plies", "best_moves")


def show(verdicts: Verdicts, positions: int, **_: object) -> None:
    """Print the positions a second both ways. Ends the run if a label differs or a budget is missed."""
    with TemporaryDirectory() as folder:
        began = time.perf_counter()
        labelled = label(positions, Path(folder, "labels.jsonl"))
        together = positions / (time.perf_counter() - began)
    asked = labelled[:: max(1, positions // ASKED)]
    with oracle(workers=cores()) as server, ThreadPoolExecutor(cores()) as pool:
        shares = [asked[first :: cores()] for first in range(cores())]
        began = time.perf_counter()
        wrong = [*pool.map(different, [server.connect(timeout=60) for _ in shares], shares)]
        singly = len(asked) / (time.perf_counter() - began)
    if any(wrong):
        raise SystemExit(f"POST /analysis says otherwise: {wrong}")
    show_title(
        f"Labels of random Connect Four positions: move-oracle label, and a request for each of {len(asked):,}",
        f"{cores()} processes, up to {TIME_MS:,} ms for a position.",
    )
    faster = together / singly
    proven = sum(each["exact"] for each in labelled)
    show_table(
        [
            ("positions", "proven", "labels/s", "requests/s", "ratio", "budget"),
            (
                *(f"{positions:,}", f"{proven:,}", f"{together:,.1f}", f"{singly:,.1f}", times(faster)),
                verdicts.judge("labels", faster),
            ),
        ]
    )


def label(positions: int, file: Path) -> list[dict[str, Any]]:
    """Return the labels of random positions, as the command writes them."""
    options = ("--random", f"{positions}", "--game", GAME, "--time-ms", f"{TIME_MS}", "--output", f"{file}")
    subprocess.run([sys.executable, "-m", "service", "label", *options], check=True)
    return [json.loads(line) for line in file.read_text().splitlines()]


def different(connection: HTTPConnection, labelled: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the positions of which ``/analysis`` says something else, of those that are exact in both."""
    differ = []
    for each in labelled:
        asked = {"game": GAME, "board": each["position"], "player": each["player"], "limit": {"time_ms": TIME_MS}}
        answer = json.loads(post(connection, "/analysis", json.dumps(asked).encode()))
        best = [move["move"] for move in answer["moves"] if move["best"]]
        exact = each["exact"] and each["best_moves"] and all(move["exact"] for move in answer["moves"])
        if exact and [answer["outcome"], answer["plies"], best] != [each[name] for name in LABEL]:
            differ.append(each["position"])
    return differ
