"""What a server takes of the machine: memory, threads, sockets and processor time."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import astuple, dataclass, field
from pathlib import Path

import psutil  # type: ignore[import-untyped]

from loadtests.servers.processes import Server

SAMPLE_SECONDS = 0.2

BUSY_SAMPLES, BUSY_SECONDS = 20, 0.6
"""How often, and for how long in all, it is counted which threads work."""

GONE = (FileNotFoundError, ProcessLookupError, psutil.NoSuchProcess)
"""What reading about a process raises that has just ended."""


@dataclass(frozen=True, slots=True)
class Usage:
    """The use of the machine at a moment; memory in MB.

    ``container`` is what a container would be charged for all processes: anonymous and shared memory, each page once.
    ``anonymous`` leaves out the shared memory: the transposition table and the files of tables fill up to their sizes.
    ``worker``, ``threads`` and ``sockets`` are those of the worker that has most.
    """

    container: float
    anonymous: float
    worker: float
    threads: int
    sockets: int

    def highest(self, other: "Usage") -> "Usage":
        """Return the higher of each figure."""
        return Usage(*map(max, astuple(self), astuple(other)))


@dataclass
class Meter:
    """The largest use so far, and every worker seen."""

    peak: Usage = Usage(0, 0, 0, 0, 0)
    workers: set[int] = field(default_factory=set)

    def note(self, usage: Usage, workers: list[int]) -> None:
        """Take account of a sample."""
        self.workers.update(workers)
        self.peak = self.peak.highest(usage)


@contextmanager
def metered(server: Server) -> Iterator[Meter]:
    """Measure the server again and again while the context lasts."""
    meter, over = Meter(), threading.Event()

    def sample() -> None:
        while not over.is_set():
            meter.note(usage(server), server.workers)
            over.wait(SAMPLE_SECONDS)

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
    rollups = {process: _rollup(process) for process in (server.pid, *workers)}
    anonymous, shared = (sum(each.get(name, 0) for each in rollups.values()) for name in ("Pss_Anon", "Pss_Shmem"))
    return Usage(
        container=anonymous + shared,
        anonymous=anonymous,
        worker=max((rollups[worker].get("Anonymous", 0) for worker in workers), default=0),
        threads=max(map(_threads, workers), default=0),
        sockets=max(map(_sockets, workers), default=0),
    )


def busy_threads(server: Server) -> float:
    """Return how many threads of the workers work, by the average of some samples.

    That counts a thread that waits for the processor, too, which on a busy machine takes hardly any time of it.
    """
    found = 0
    for _ in range(BUSY_SAMPLES):
        found += sum(map(_working, server.workers))
        time.sleep(BUSY_SECONDS / BUSY_SAMPLES)
    return found / BUSY_SAMPLES


def _rollup(process: int) -> dict[str, float]:
    """Return the memory of a process in MB by the names of the kernel; nothing of one that has ended."""
    with suppress(*GONE):
        lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()[1:]
        return {name: int(size.split()[0]) / 1024 for name, size in (line.split(":") for line in lines)}
    return {}


def _threads(process: int) -> int:
    with suppress(*GONE):
        return len(list(Path(f"/proc/{process}/task").iterdir()))
    return 0


def _working(process: int) -> int:
    """Return how many threads of a process run or wait for the processor."""
    found = 0
    with suppress(*GONE):
        for thread in Path(f"/proc/{process}/task").iterdir():
            with suppress(*GONE):
                found += (thread / "stat").read_text().rpartition(")")[2].split()[0] == "R"
    return found


def _sockets(process: int) -> int:
    found = 0
    with suppress(*GONE):
        for file in Path(f"/proc/{process}/fd").iterdir():
            with suppress(*GONE):
                found += str(file.readlink()).startswith("socket:")
    return found
