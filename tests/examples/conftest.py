"""The examples, with a real server as their oracle."""

import http.client
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread

import pytest

from examples import connectx, textboard
from tests.support import Server

BROKEN = (
    b"",
    b"hello\r\n",
    b"HTTP/1.1 200 OK\r\n\r\n<html>",
    b"HTTP/1.1 200 OK\r\n\r\n[]",
    b'HTTP/1.1 200 OK\r\n\r\n{"column": null}',
    b"HTTP/1.1 422 Unprocessable Content\r\n\r\n{}",
    b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\n\r\n",
)
"""What a server may say to a request that is of no use."""


@pytest.fixture(autouse=True)
def _oracle(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connectx, "ORACLE", server.url)
    monkeypatch.setattr(textboard, "ORACLE", server.url)


@contextmanager
def listener(said: bytes | None) -> Iterator[str]:
    """The URL of a server that says these bytes to every request, or that accepts connections and says nothing."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer() -> None:
            while said is not None:
                try:
                    connection, _ = server.accept()
                except OSError:
                    return
                with connection, connection.makefile("rb") as request:
                    request.read(int(http.client.parse_headers(request)["Content-Length"]) if request.readline() else 0)
                    connection.sendall(said)

        Thread(target=answer, daemon=True).start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}"
        if said is not None:
            server.shutdown(socket.SHUT_RDWR)
