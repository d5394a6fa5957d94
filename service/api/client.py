"""Whether the client of a request is still there to hear the answer."""

import socket
from collections.abc import Mapping
from time import monotonic
from typing import Any

from service.oracle.limit import Poll, never

LOOK_SECONDS = 0.005
"""Between two looks at the connection: a look is a system call."""


def gone_check(environ: Mapping[str, Any]) -> Poll:
    """Says whether the client has closed its connection; under a server that does not show its socket, never."""
    connection: socket.socket | None = environ.get("gunicorn.socket")
    if connection is None:
        return never
    next_look = 0.0

    def gone() -> bool:
        nonlocal next_look
        now = monotonic()
        if now < next_look:
            return False
        next_look = now + LOOK_SECONDS
        try:
            return not connection.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT)
        except BlockingIOError:
            return False
        except OSError:
            return True

    return gone
