"""The private memory of workers."""

import psutil  # type: ignore[import-untyped]

from loadtests.servers.processes import Server

MAX_GROWTH = 0.05
"""The share by which the memory of a worker may grow and still count as constant."""

Memory = dict[int, float]
"""Megabytes by process."""


def private_memory(server: Server) -> Memory:
    """Return the memory of each worker without the transposition table, which all share and which fills by design."""
    used = {worker: psutil.Process(worker).memory_info() for worker in server.workers}
    return {worker: (memory.rss - memory.shared) / 1e6 for worker, memory in used.items()}
