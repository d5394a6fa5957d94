"""Faults of a running server: workers killed, entries of its transposition table corrupted."""

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random

import psutil  # type: ignore[import-untyped]

ENTRY_WORDS = 2
WORD_BYTES = 8
WORD_BITS = 64
FORGED_BITS = 16
KILL_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class Killed:
    """A killed worker: from when to when, on the monotonic clock, and the ports of its clients."""

    pid: int
    began: float
    ended: float
    ports: frozenset[int]


def kill(worker: int) -> Killed:
    """Kill a worker with SIGKILL.

    It is stopped first, so that it accepts no connection between the look at its clients and its end. The look must
    be short: requests that arrive meanwhile are lost, too.
    """
    process, began = psutil.Process(worker), time.monotonic()
    _stop(process)
    ports = frozenset(each.raddr.port for each in process.net_connections("tcp") if each.raddr)
    process.kill()
    process.wait(KILL_SECONDS)
    return Killed(worker, began, time.monotonic(), ports)


def _stop(process: psutil.Process) -> None:
    process.suspend()
    while process.status() != psutil.STATUS_STOPPED:
        time.sleep(0.0005)


def corrupt_table(master: int, rng: Random, most: int, *, forge: bool = False) -> int:
    """Corrupt filled entries of the transposition table while the server runs on; return how many.

    One bit of each is flipped. To ``forge`` an entry its key is kept, so that its wrong values are believed.
    """
    start, end = _table(master)
    with _workers_stopped(master), Path(f"/proc/{master}/mem").open("r+b", buffering=0) as memory:
        memory.seek(start)
        words = memoryview(bytearray(memory.read(end - start))).cast("Q")
        filled = [word for word in range(0, len(words), ENTRY_WORDS) if words[word + 1]]
        chosen = rng.sample(filled, min(most, len(filled)))
        for word in chosen:
            # An entry holds its key combined with its value by exclusive or, then its value.
            # Of one entry always the same word, told by its place: the same bit of both, in turn, would be a forgery.
            flipped = [word, word + 1] if forge else [word + word.bit_count() % ENTRY_WORDS]
            bit = 1 << rng.randrange(FORGED_BITS if forge else WORD_BITS)
            for each in flipped:
                memory.seek(start + each * WORD_BYTES)
                memory.write((words[each] ^ bit).to_bytes(WORD_BYTES, "little"))
    return len(chosen)


@contextmanager
def _workers_stopped(master: int) -> Iterator[None]:
    """Stop the workers, so that no entry is replaced between the read and the write of its words."""
    processes = psutil.Process(master).children()
    for process in processes:
        _stop(process)
    try:
        yield
    finally:
        for process in processes:
            process.resume()


def _table(master: int) -> tuple[int, int]:
    """Return where the largest shared anonymous mapping begins and ends."""
    maps = Path(f"/proc/{master}/maps").read_text()
    found = re.findall(r"^(\w+)-(\w+) rw-s .*/dev/zero \(deleted\)$", maps, re.MULTILINE)
    return max(((int(start, 16), int(end, 16)) for start, end in found), key=lambda pair: pair[1] - pair[0])
