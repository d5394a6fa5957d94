"""Long searches behind a real server: they end with their client, and quick answers do not wait for them."""

import json
import signal
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager

import httpx
import pytest

from tests.support import Server

SECONDS = 20
"""Less than the limit of the searches here, more than anything else takes."""

LONG = {"game": "qubic", "moves": [], "limit": {"time_ms": 60_000}}


LONG_FOR_MANY = {
    "/best-move": LONG,
    "/analysis": LONG,
    "/best-moves": {"positions": [{"game": "qubic", "moves": [move]} for move in range(60)], "limit": LONG["limit"]},
    "/review": {"game": "qubic", "moves": [0, 16, 1, 17, 2, 20], "limit": LONG["limit"]},
}
"""A body for each route that searches, which keeps it busy for a minute."""


@contextmanager
def searching(server: Server, requests: int, path: str = "/best-move") -> Iterator[list[socket.socket]]:
    """So many clients that each wait for a long search, once it runs."""
    body = json.dumps(LONG_FOR_MANY[path]).encode()
    head = f"POST {path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    clients = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(requests)]
    for client in clients:
        client.sendall(head.encode() + body)
    time.sleep(0.5)
    try:
        yield clients
    finally:
        for client in clients:
            client.close()


def quick(server: Server) -> float:
    """Seconds for an answer that needs no search."""
    started = time.monotonic()
    answer = httpx.post(f"{server.url}/best-move", json={"board": "X...O...."}, timeout=70)
    assert answer.json()["proven"]
    return time.monotonic() - started


@pytest.mark.parametrize("path", LONG_FOR_MANY)
def test_a_search_ends_when_its_client_leaves(path: str) -> None:
    with Server(workers=1, THREADS="1") as server:
        with searching(server, 1, path) as clients:
            clients[0].settimeout(0)
            with pytest.raises(BlockingIOError):
                clients[0].recv(1)  # the only thread is busy
        assert quick(server) < SECONDS


def test_a_search_ends_when_its_client_is_reset() -> None:
    with Server(workers=1, THREADS="1") as server:
        with searching(server, 1) as clients:
            clients[0].setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        assert quick(server) < SECONDS


def test_a_client_that_only_sends_no_more_gets_what_is_proven_until_then() -> None:
    with Server(workers=1) as server, searching(server, 1) as (client,):
        client.shutdown(socket.SHUT_WR)
        client.settimeout(SECONDS)
        reply = b"".join(iter(lambda: client.recv(65536), b"")).decode()
        assert reply.startswith("HTTP/1.1 200 ")
        assert '"proven":false' in reply


@pytest.mark.parametrize("path", LONG_FOR_MANY)
def test_a_search_is_cut_off_in_time_when_the_service_is_stopped(path: str) -> None:
    with Server(workers=1, GRACEFUL_TIMEOUT="8") as server, searching(server, 1, path) as (client,):
        server.process.send_signal(signal.SIGTERM)
        client.settimeout(SECONDS)
        reply = b"".join(iter(lambda: client.recv(65536), b"")).decode()
        assert reply.startswith("HTTP/1.1 200 ")
        assert '"proven":false' in reply


def test_quick_answers_do_not_wait_for_long_searches() -> None:
    with Server(workers=1, THREADS="4") as server, searching(server, 3):
        assert quick(server) < SECONDS


def test_those_who_ask_the_same_do_not_hold_each_other_up() -> None:
    with Server(workers=1, THREADS="4") as server, searching(server, 1):
        answer = httpx.post(f"{server.url}/best-move", json={**LONG, "limit": {"time_ms": 200}}, timeout=70)
        assert not answer.json()["proven"]
        assert answer.elapsed.total_seconds() < SECONDS


def test_a_long_limit_is_kept_to_over_the_wire() -> None:
    with Server(workers=1) as server:
        answer = httpx.post(f"{server.url}/best-move", json={**LONG, "limit": {"time_ms": 300}}, timeout=70)
        assert 0.25 < answer.elapsed.total_seconds() < SECONDS
        assert answer.json()["outcome"] == "unknown"
