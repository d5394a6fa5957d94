"""What a worker holds for its clients: requests that wait for their turn, and answers that are not taken."""

import asyncio
import select
from collections.abc import Iterable, Sized
from dataclasses import dataclass
from math import inf
from typing import Protocol

from uvicorn.protocols.http.flow_control import FlowControl

PIECE_BYTES = 512
"""Bytes that are parsed at once. A request has at least 18, so at most 28 wait behind another on a connection."""

REQUEST_BYTES = 3072
"""Bytes of memory that a parsed request of a few headers takes."""

MAX_WAITING_BYTES = 32 << 20
"""Bytes that the requests that wait behind others may take together in a worker."""

MAX_UNSENT_BYTES = 64 << 20
"""Bytes that the answers that clients have not taken may have together in a worker."""

CLIENT_END = getattr(select, "POLLRDHUP", 0)
"""The event that a client sends no more; outside of Linux only that the connection is closed is noticed."""


class Flow(FlowControl):
    """Reads no further from a connection on which requests wait for the answer to another.

    Uvicorn resumes reading after every answer, and whenever the application looks whether the client is there.
    """

    def __init__(self, transport: asyncio.Transport, waiting: Sized) -> None:
        super().__init__(transport)
        self._waiting = waiting

    def resume_reading(self) -> None:
        """Read on unless a request waits."""
        if not self._waiting:
            super().resume_reading()


def sends_no_more(transport: asyncio.Transport) -> bool:
    """Return whether the client has ended its side of a connection, also behind bytes that are not read yet."""
    ends = select.poll()
    ends.register(transport.get_extra_info("socket").fileno(), CLIENT_END)
    return bool(ends.poll(0))


@dataclass
class Held:
    """Bytes that the connections of a worker hold together."""

    bytes: int = 0


class Late(Protocol):
    """A connection whose client has not taken all of an answer.

    ``stalled_at`` is the time at which the client will have taken nothing for too long.
    """

    flow: FlowControl
    transport: asyncio.Transport
    stalled_at: float


def abort_stalled(connections: Iterable[Late]) -> None:
    """Abort connections until the worker holds no more than ``MAX_UNSENT_BYTES`` of answers.

    The client that has taken nothing for longest goes first; of several the one with the largest answer.
    """
    late = [(each.stalled_at, -each.transport.get_write_buffer_size(), each) for each in connections]
    unsent = -sum(size for _, size, _ in late)
    for _, size, each in sorted(late, key=lambda entry: entry[:2]):
        if unsent <= MAX_UNSENT_BYTES:
            return
        each.transport.abort()
        each.stalled_at = -inf  # until it is gone it is the first to count as aborted
        unsent += size
