"""The client of a request: whether it is still there to receive the answer."""

import socket
from collections.abc import Mapping
from time import monotonic
from typing import Any

from service.engine.limit import never
from service.kernel.searcher import Poll

ENDING = "move_oracle.ending"
"""Key of the WSGI environment under which a server leaves a function that says whether it has to end."""

CLOSED = "The client closed its side of the connection while its position was searched; keep it open for the answer."
"""The detail of the answer to a client that has gone, or only seems to have gone."""

LOOK_SECONDS = 0.005
"""Between two looks at the connection: a look is a system call."""


class RequestContext:
    """Says when to stop working for a request: its client has closed the connection, or the server has to end.

    Under a server that does not show its socket, no client ever leaves.
    """

    def __init__(self, environ: Mapping[str, Any]) -> None:
        self._connection: socket.socket | None = environ.get("gunicorn.socket")
        self._must_end: Poll = environ.get(ENDING, never)
        self._next_look = 0.0
        self._gone = False

    def must_stop(self) -> bool:
        """Return whether to stop working for the client: it has gone, or the server has to end."""
        return self.has_gone() or self._must_end()

    def has_gone(self) -> bool:
        """Return whether the client has closed its connection; looks now and then."""
        now = monotonic()
        if self._connection is not None and not self._gone and now >= self._next_look:
            self._next_look = now + LOOK_SECONDS
            self._gone = _is_closed(self._connection)
        return self._gone


def _is_closed(connection: socket.socket) -> bool:
    """Return whether the client has closed its side. Perhaps it only sends no more; that looks the same from here."""
    try:
        return not connection.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT)
    except BlockingIOError:
        return False
    except OSError:
        return True
