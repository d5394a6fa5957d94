"""A real Redis, and servers that are none, as the shared cache."""

import signal
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Self

from redis import Redis
from redis.exceptions import RedisError

from tests.support import free_port, need, wait_until

Serve = Callable[[socket.socket], None]
"""What a server does with a connection."""


class Store:
    """A Redis with nothing in it, which can be stopped, started on the same port, frozen and thawed."""

    def __init__(self, directory: Path, *arguments: str, password: str = "") -> None:
        self.port = free_port()
        self._command = [need("redis-server"), "--port", str(self.port), "--bind", "127.0.0.1", "--save", ""]
        self._command += ["--dir", str(directory), *(["--requirepass", password] if password else []), *arguments]
        self.client: Any = Redis(port=self.port, password=password, socket_timeout=5)
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}"

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        self.client.close()

    def start(self) -> None:
        self._process = subprocess.Popen(self._command, stdout=subprocess.DEVNULL)
        wait_until(self._answers)

    def stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def freeze(self) -> None:
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        assert self._process is not None
        self._process.send_signal(signal.SIGCONT)

    def kept(self) -> list[bytes]:
        return sorted(self.client.scan_iter("*"))

    def _answers(self) -> bool:
        with suppress(RedisError):
            return bool(self.client.ping())
        return False


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
        time.sleep(0.001)
        connection.sendall(b"x")


def always(answer: bytes) -> Serve:
    """Return a server that answers every request with these bytes."""

    def serve(connection: socket.socket) -> None:
        while connection.recv(4096):
            connection.sendall(answer)

    return serve
