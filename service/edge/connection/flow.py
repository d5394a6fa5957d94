"""Bounds on what a worker holds for its clients: requests in line on a connection, and answers that are not read."""

import asyncio
import select
from collections.abc import Iterable, Sized
from dataclasses import dataclass
from math import inf
from typing import Protocol

from uvicorn.protocols.http.flow_control import FlowControl

PIECE_BYTES = 512
"""Bytes parsed at once. A request has at least 18, so at most 28 wait in line on a connection."""

REQUEST_BYTES = 3072
"""Bytes of memory of a parsed request with a few headers."""

MAX_WAITING_BYTES = 32 << 20
"""The maximum bytes of all requests in line on the connections of a worker."""

MAX_UNSENT_BYTES = 64 << 20
"""The maximum bytes of all answers of a worker that clients have not read."""

CLIENT_END = getattr(select, "POLLRDHUP", 0)
"""The event that a client has closed its sending side; outside Linux only a closed connection is noticed."""


class Flow(FlowControl):
    """Stops reading from a connection while requests on it wait for the answer to an earlier one.

    Uvicorn resumes reading after every answer, and whenever the application checks for a disconnect.
    """

    def __init__(self, transport: asyncio.Transport, waiting: Sized) -> None:
        super().__init__(transport)
        self._waiting = waiting

    def resume_reading(self) -> None:
        """Resume reading unless a request waits in line."""
        if not self._waiting:
            super().resume_reading()


def sends_no_more(transport: asyncio.Transport) -> bool:
    """Return whether the client has closed its sending side, even if unread bytes come before the end."""
    return _has_happened(CLIENT_END, transport)


def has_sent_more(transport: asyncio.Transport) -> bool:
    """Return whether bytes of the client wait to be read."""
    return _has_happened(select.POLLIN, transport)


def _has_happened(event: int, transport: asyncio.Transport) -> bool:
    poll = select.poll()
    poll.register(transport.get_extra_info("socket").fileno(), event)
    return bool(poll.poll(0))


@dataclass
class Held:
    """The bytes that the connections of a worker hold together."""

    bytes: int = 0


class Late(Protocol):
    """A connection whose client has not read all of an answer.

    ``stalled_at`` is the time at which it will have read nothing for too long.
    """

    flow: FlowControl
    transport: asyncio.Transport
    stalled_at: float


def abort_stalled(connections: Iterable[Late]) -> None:
    """Abort connections until the unsent answers of the worker take at most ``MAX_UNSENT_BYTES``.

    Begin with the client that has read nothing for longest; of equal ones, with the largest answer.
    """
    late = [(each.stalled_at, -each.transport.get_write_buffer_size(), each) for each in connections]
    unsent = -sum(size for _, size, _ in late)
    for _, size, each in sorted(late, key=lambda entry: entry[:2]):
        if unsent <= MAX_UNSENT_BYTES:
            return
        each.transport.abort()
        each.stalled_at = -inf  # count it as aborted until the connection is gone
        unsent += size
