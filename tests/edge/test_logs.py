"""The writer of the log: a reader that is stuck or gone holds up nothing."""

import json
import os
import re
from collections.abc import Iterator
from threading import Thread
from typing import NamedTuple

import pytest

from service.logs import MAX_WAITING, ONE_WRITE, QueuedWriter
from tests.support import wait_until


class Pipe(NamedTuple):
    read: int
    write: int

    def drain(self, until: bytes) -> bytes:
        """Read until this has come."""
        received = b""
        while until not in received:
            received += os.read(self.read, 1 << 16)
        return received


@pytest.fixture
def pipe() -> Iterator[Pipe]:
    both = Pipe(*os.pipe())
    yield both
    for descriptor in both:
        try:
            os.close(descriptor)
        except OSError:  # closed by the test
            continue


def line(number: int, length: int = 100) -> bytes:
    return json.dumps({"number": number}).ljust(length).encode() + b"\n"


def test_a_stuck_reader_holds_up_nobody_and_is_told_how_much_it_missed(pipe: Pipe) -> None:
    writer, put = QueuedWriter(pipe.write), MAX_WAITING + 3000

    def put_all() -> None:
        for number in range(put):
            writer.put([line(number)])

    putter = Thread(target=put_all, daemon=True)
    putter.start()
    putter.join(30)
    assert not putter.is_alive()
    received = pipe.drain(line(MAX_WAITING - 1))  # those that waited
    wait_until(lambda: not writer._waiting)  # noqa: SLF001
    writer.put([b"{}\n"])
    lines = [json.loads(each) for each in (received + pipe.drain(b"{}\n")).splitlines()]
    kept = sum("number" in each for each in lines)
    dropped = r"The log is read too slowly; (\d+) lines were dropped"
    told = [re.fullmatch(dropped, each.get("message", "")) for each in lines]
    assert sum(int(each[1]) for each in told if each) == put - kept > 0
    numbers = [each["number"] for each in lines if "number" in each]
    assert numbers == sorted(numbers)
    writer.close()


def test_each_write_is_one_that_a_pipe_takes_as_a_whole() -> None:
    """A longer write is torn apart by those of other workers wherever the reader is slow."""
    reader, write = os.pipe2(os.O_DIRECT)  # keeps the bounds of writes up to a page
    writer = QueuedWriter(write)
    writer.put([line(number, 900) for number in range(40)])
    writer.close()
    os.close(write)
    pieces = [*iter(lambda: os.read(reader, 1 << 16), b"")]
    assert all(len(piece) <= ONE_WRITE and piece.endswith(b"\n") for piece in pieces)
    assert len(b"".join(pieces).splitlines()) == 40
    assert len(pieces) < 40
    os.close(reader)


def test_a_process_that_forked_writes_by_a_thread_of_its_own(pipe: Pipe) -> None:
    writer = QueuedWriter(pipe.write)
    writer.put([b"parent\n"])
    assert pipe.drain(b"parent\n")
    if not (child := os.fork()):
        writer.put([b"child\n"])
        writer.close()
        os._exit(0)
    assert pipe.drain(b"child\n") == b"child\n"
    assert os.waitpid(child, 0)[1] == 0
    writer.close()
