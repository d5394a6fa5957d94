"""The private memory of workers."""

import re
from pathlib import Path

from loadtests.servers.processes import Server

MAX_GROWTH = 0.05
"""The share by which the memory of a worker may grow and still count as constant."""

Memory = dict[int, float]
"""Megabytes by process."""


def private_memory(server: Server) -> Memory:
    """Return the memory of each worker without the transposition table, which all share and which fills by design."""
    return {worker: _private_mb(worker) for worker in server.workers}


def _private_mb(process: int) -> float:
    status = Path(f"/proc/{process}/status").read_text()
    found = re.search(r"^RssAnon:\s*(\d+) kB$", status, re.MULTILINE)
    if found is None:
        raise SystemExit("The system does not tell the private memory of a process.")
    return int(found[1]) / 1000
