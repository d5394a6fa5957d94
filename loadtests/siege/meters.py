"""What a server takes of the machine: memory, threads, sockets and processor time."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import NamedTuple

import psutil  # type: ignore[import-untyped]

from loadtests.servers.processes import Server

SAMPLE_SECONDS = 0.2

BUSY_SAMPLES, BUSY_SECONDS = 20, 0.6
"""How often, and for how long in all, it is counted which threads work."""


class Usage(NamedTuple):
    """The use of the machine at a moment; memory in MB.

    ``container`` is what a container would be charged for all processes: anonymous and shared memory, each page once.
    ``anonymous`` leaves out the shared memory: the transposition table and the files of tables fill up to their sizes.
    ``threads`` and ``sockets`` are those of the worker that has most.
    """

    container: float
    anonymous: float
    threads: float
    sockets: float

    def highest(self, other: "Usage") -> "Usage":
        """Return the higher of each figure."""
        return Usage(*map(max, self, other))


NOTHING = Usage(0, 0, 0, 0)


@dataclass
class Meter:
    """The largest use so far, and every worker seen."""

    peak: Usage = NOTHING
    workers: set[int] = field(default_factory=set)


@contextmanager
def metered(server: Server) -> Iterator[Meter]:
    """Measure the server again and again while the context lasts."""
    meter, over = Meter(), threading.Event()

    def sample() -> None:
        while not over.wait(SAMPLE_SECONDS):
            meter.peak = meter.peak.highest(usage(server))
            meter.workers.update(server.workers)

    sampler = threading.Thread(target=sample)
    sampler.start()
    try:
        yield meter
    finally:
        over.set()
        sampler.join()


def usage(server: Server) -> Usage:
    """Measure the server now."""
    workers = server.workers
    anonymous, shared = (
        sum(_of(process, partial(_rollup, name)) for process in (server.pid, *workers))
        for name in ("Pss_Anon", "Pss_Shmem")
    )
    threads = max((_of(worker, lambda each: len(_states(each))) for worker in workers), default=0)
    sockets = max((_of(worker, _sockets) for worker in workers), default=0)
    return Usage(anonymous + shared, anonymous, threads, sockets)


def busy_threads(server: Server) -> float:
    """Return how many threads of the workers work, by the average of some samples.

    That counts a thread that waits for the processor, too, which on a busy machine takes hardly any time of it.
    """
    found = 0.0
    for _ in range(BUSY_SAMPLES):
        found += sum(_of(worker, lambda each: _states(each).count("R")) for worker in server.workers)
        time.sleep(BUSY_SECONDS / BUSY_SAMPLES)
    return found / BUSY_SAMPLES


def _of(process: int, read: Callable[[Path], float]) -> float:
    """Return what is read in the folder of a process; nothing if the process or a thread has just ended."""
    try:
        return read(Path(f"/proc/{process}"))
    except (FileNotFoundError, ProcessLookupError, psutil.NoSuchProcess):
        return 0


def _rollup(name: str, process: Path) -> float:
    """Return a figure of the memory of a process in MB, by the name of the kernel."""
    lines = (process / "smaps_rollup").read_text().splitlines()
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith(f"{name}:")), 0)


def _states(process: Path) -> list[str]:
    """Return the state of each thread; R if it runs or waits for the processor."""
    stats = [_read(thread / "stat") for thread in (process / "task").iterdir()]
    return [stat.rpartition(")")[2].split()[0] for stat in stats if stat]


def _read(file: Path) -> str:
    try:
        return file.read_text()
    except (FileNotFoundError, ProcessLookupError):
        return ""


def _sockets(process: Path) -> int:
    return len(psutil.Process(int(process.name)).net_connections("all"))
