"""What is done to a running server: its workers killed, its shared memory spoiled."""

import ctypes
import os
import re
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random

import psutil  # type: ignore[import-untyped]

ENTRY_WORDS = 2
WORD_BYTES = 8
WORD_BITS = 64
FORGED_BITS = 16
MOST_SECONDS = 10.0
PIDFD_GETFD = 438


@dataclass(frozen=True, slots=True)
class Killed:
    """A worker that was killed, from when to when on the monotonic clock, and the ports of its clients then."""

    pid: int
    began: float
    ended: float
    ports: frozenset[int]


def workers(master: int) -> list[int]:
    """The processes of the workers."""
    return [child.pid for child in psutil.Process(master).children()]


def kill(worker: int) -> Killed:
    """Kills a worker outright; stopped first, so that it takes no connection between our look and its end.

    The look must be short: what comes in meanwhile is lost, too.
    """
    process, began = psutil.Process(worker), time.monotonic()
    _halt(process)
    connected = frozenset(_ports_of_clients(worker))
    process.kill()
    process.wait(MOST_SECONDS)
    return Killed(worker, began, time.monotonic(), connected)


def _halt(process: psutil.Process) -> None:
    process.suspend()
    while process.status() != psutil.STATUS_STOPPED:
        time.sleep(0.0005)


def _ports_of_clients(process: int) -> Iterator[int]:
    """The other ends of the connections of a process, told by duplicates of its sockets."""
    opened = os.pidfd_open(process)
    for file in Path(f"/proc/{process}/fd").iterdir():
        if str(file.readlink()).startswith("socket:"):
            with suppress(OSError), socket.socket(fileno=_duplicate(opened, int(file.name))) as connection:
                yield connection.getpeername()[1]
    os.close(opened)


def _duplicate(process: int, file: int) -> int:
    """A descriptor of our own for what a process has open (pidfd_getfd, of which Python's library knows nothing)."""
    found = ctypes.CDLL(None, use_errno=True).syscall(PIDFD_GETFD, process, file, 0)
    if found < 0:
        raise OSError(ctypes.get_errno(), "pidfd_getfd failed")
    return int(found)


def spoil(master: int, rng: Random, most: int, *, forge: bool = False) -> int:
    """How many filled entries of the transposition table were spoiled, while the server runs on.

    One bit of each is flipped; to ``forge`` an entry its key is kept, so that its values are wrong and yet believed.
    """
    start, end = _table(master)
    with _halted(master), Path(f"/proc/{master}/mem").open("r+b", buffering=0) as memory:
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
def _halted(master: int) -> Iterator[None]:
    """Keeps the workers from writing: a word of an entry beside one that came meanwhile would be more than a flip."""
    processes = psutil.Process(master).children()
    for process in processes:
        _halt(process)
    try:
        yield
    finally:
        for process in processes:
            process.resume()


def _table(master: int) -> tuple[int, int]:
    """Where the largest anonymous mapping that the workers share begins and ends."""
    maps = Path(f"/proc/{master}/maps").read_text()
    found = re.findall(r"^(\w+)-(\w+) rw-s .*/dev/zero \(deleted\)$", maps, re.MULTILINE)
    return max(((int(start, 16), int(end, 16)) for start, end in found), key=lambda pair: pair[1] - pair[0])
