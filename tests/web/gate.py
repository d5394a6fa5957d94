"""A gate in front of a server: while it is shut, the server is gone for all that come through it."""

import socket
from contextlib import suppress
from threading import Event, Lock, Thread
from types import TracebackType
from typing import Self


class Gate:
    """Passes connections on to a port of the loopback. ``url`` is where it listens, also while it is shut."""

    def __init__(self, port: int) -> None:
        self._behind = port
        self._front = socket.create_server(("127.0.0.1", 0))
        self._passing: set[socket.socket] | None = set()
        self._lock = Lock()
        self._flows = Event()
        self._flows.set()
        self.url = f"http://127.0.0.1:{self._front.getsockname()[1]}"

    def __enter__(self) -> Self:
        Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.shut()
        self._front.shutdown(socket.SHUT_RDWR)
        self._front.close()

    def shut(self) -> None:
        """Break off every connection, and every further one as soon as it is made."""
        self._flows.set()
        with self._lock:
            passing, self._passing = self._passing or set(), None
        for connection in passing:
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def open(self) -> None:
        self._flows.set()
        with self._lock:
            self._passing = set()

    def hold(self) -> None:
        """Take connections and what comes through them, and pass nothing on until the gate is opened or shut."""
        self._flows.clear()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._front.accept()
                server = socket.create_connection(("127.0.0.1", self._behind))
                with self._lock:
                    if self._passing is not None:
                        self._passing |= {client, server}
                        for ends in ((client, server), (server, client)):
                            Thread(target=self._pass_on, args=ends, daemon=True).start()
                        continue
                client.close()
                server.close()

    def _pass_on(self, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while piece := source.recv(1 << 16):
                self._flows.wait()
                target.sendall(piece)
        for end in (source, target):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
