"""A real Redis, and servers that are none, as the shared cache."""

import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Self

import redis

from loadtests.servers.redis import PROGRAM, Redis
from tests.support import need

Serve = Callable[[socket.socket], None]
"""What a server does with a connection."""


class Store(Redis):
    """A Redis that can be frozen and thawed, and a ``client`` of it."""

    def __init__(self, password: str = "") -> None:
        need(PROGRAM)
        super().__init__(*(["--requirepass", password] if password else []))
        self.client: Any = redis.Redis(port=self.port, password=password, socket_timeout=5)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        self.client.close()

    def freeze(self) -> None:
        assert self.process is not None
        self.process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        assert self.process is not None
        self.process.send_signal(signal.SIGCONT)

    def kept(self) -> list[bytes]:
        return sorted(self.client.scan_iter("*"))


@contextmanager
def impostor(serve: Serve) -> Iterator[str]:
    """The URL of a server that is no Redis: each of its connections is left to ``serve``."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        accepted: list[socket.socket] = []

        def accept() -> None:
            with suppress(OSError):
                while True:
                    connection, _ = server.accept()
                    accepted.append(connection)
                    threading.Thread(target=serve_one, args=(connection,), daemon=True).start()

        def serve_one(connection: socket.socket) -> None:
            with suppress(OSError):
                serve(connection)

        threading.Thread(target=accept, daemon=True).start()
        yield f"redis://127.0.0.1:{server.getsockname()[1]}"
        with suppress(OSError):
            server.shutdown(socket.SHUT_RDWR)
        for connection in accepted:
            connection.close()


def say_nothing(connection: socket.socket) -> None:
    while connection.recv(4096):
        pass


def drip(connection: socket.socket) -> None:
    """Send an answer of 500 MB, a byte each millisecond."""
    connection.recv(4096)
    connection.sendall(b"*1\r\n$500000000\r\n")
    while True:
        time.sleep(0.001)  # noqa: TID251, a slow server
        connection.sendall(b"x")


def always(answer: bytes) -> Serve:
    """Return a server that answers every request with these bytes."""

    def serve(connection: socket.socket) -> None:
        while connection.recv(4096):
            connection.sendall(answer)

    return serve
