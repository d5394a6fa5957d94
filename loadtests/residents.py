"""The memory that workers hold for themselves, and whether it stays the same."""

import re
from pathlib import Path

from harm import workers
from serving import Server

MOST_GROWTH = 0.05
"""The share by which a worker's memory may grow and still count as flat."""

Residents = dict[int, float]
"""Megabytes by process."""


def residents(server: Server) -> Residents:
    """What each worker holds for itself: without the transposition table, which all share and which fills by design."""
    return {worker: _private_mb(worker) for worker in workers(server.pid)}


def _private_mb(process: int) -> float:
    status = Path(f"/proc/{process}/status").read_text()
    found = re.search(r"^RssAnon:\s*(\d+) kB$", status, re.MULTILINE)
    if found is None:
        raise SystemExit("The system does not tell what memory a process holds.")
    return int(found[1]) / 1000
