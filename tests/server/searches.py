"""Searches that nobody waits to see end, and what a server tells of them."""

import json
import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tests.support import HOUR_MS, Server, wait_until
from tests.wire import JSON, exchange, request

FOREVER = {"time_ms": int(HOUR_MS)}

PATIENT = {"MAX_TIME_MS": HOUR_MS, "DEFAULT_TIME_MS": HOUR_MS}
"""For searches that end with their clients, or with their nodes, on the slowest machine."""

LARGE = {"rows": 8, "columns": 8, "in_a_row": 4, "gravity": True}
"""A game that nobody solves in an hour."""

DEEP: dict[str, dict[str, Any]] = {
    "/best-move": {"game": LARGE, "moves": [], "limit": FOREVER},
    "/analysis": {"game": LARGE, "moves": [3], "limit": FOREVER},
    "/best-moves": {"positions": [{"board": "X........"}, {"game": LARGE, "moves": [5]}], "limit": FOREVER},
    "/proof": {"game": LARGE, "moves": [4], "limit": FOREVER},
    "/review": {"game": "qubic", "moves": [1, 16, 0, 17], "limit": FOREVER},
}
"""A body for each route that searches, which keeps it busy for an hour."""


def asked(path: str) -> bytes:
    """The request for such a search."""
    return request("POST", path, JSON, json.dumps(DEEP[path]).encode())


def numbers(server: Server) -> dict[str, float]:
    """What the metrics tell of the search slots: the requests that hold one, that wait, and that were refused."""
    text = exchange(server.port, request("GET", "/metrics")).body.decode()
    slots = re.findall(r"^move_oracle_search(?:es)?_(\w+) (\S+)$", text, re.MULTILINE)
    refused = re.findall(r'^move_oracle_(refusals)_total{reason="searches"} (\S+)$', text, re.MULTILINE)
    return {name: float(number) for name, number in [*slots, *refused]}


def wait_for(server: Server, **wanted: float) -> None:
    """Wait until the metrics tell just that."""
    wait_until(lambda: wanted.items() <= numbers(server).items())


@contextmanager
def deep(server: Server, count: int, first: int = 0) -> Iterator[list[socket.socket]]:
    """So many clients that each wait for a search of their own, on whichever worker; it ends when they leave."""
    clients = []
    for number in range(first, first + count):
        game = {"rows": 8, "columns": 8, "in_a_row": 5, "misere": True}
        body = json.dumps({"game": game, "moves": [number], "limit": FOREVER}).encode()
        client = socket.create_connection(("127.0.0.1", server.port))
        client.sendall(request("POST", "/best-move", JSON, body))
        clients.append(client)
    try:
        yield clients
    finally:
        for client in clients:
            client.close()
