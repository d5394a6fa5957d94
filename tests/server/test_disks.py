"""Disks that are full or read-only: answers need none."""

import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.hostile import BODY
from tests.isolation import fill, with_mounts
from tests.server.test_lifecycle import faults, wait_for, workers
from tests.support import UNMEASURED, Server
from tests.wire import exchange, post, request

SMALL_MEMORY = "-t tmpfs -o size=1m tmpfs /dev/shm"
READ_ONLY = ("--bind / /", "-o remount,bind,ro /", "-t tmpfs tmpfs /dev/shm")


@contextmanager
def mounted(*mounts: str) -> Iterator[Server]:
    """A server that alone sees these mounts."""
    server = Server(workers=2, **UNMEASURED)
    server.command[:0] = with_mounts(*mounts)
    with server:
        yield server


def shared_memory(server: Server) -> Path:
    """Where shared files lie, as the server sees it."""
    return Path(f"/proc/{server.process.pid}/root/dev/shm")


def assert_answers_everything(server: Server) -> None:
    """Fails unless every kind of request gets what it always gets, on connections to every worker."""
    for _ in range(8):
        assert exchange(server.port, post(BODY)).json()["outcome"] == "draw"
        assert exchange(server.port, request("GET", "/analysis?board=X...O....")).status == 200
        assert exchange(server.port, request("GET", "/best-move?game=connect-four&nodes=500&moves=3")).status == 200
        assert exchange(server.port, post(b"{")).status == 400
        assert exchange(server.port, request("GET", "/nothing")).status == 404
        assert exchange(server.port, request("GET", "/metrics")).status == 200


def test_a_disk_that_fills_up_costs_no_answer_and_no_worker() -> None:
    with mounted(SMALL_MEMORY) as server:
        wait_for(lambda: len(workers(server)) == 2)
        fill(shared_memory(server))
        assert_answers_everything(server)
        assert len(workers(server)) == 2
        assert faults(server) == []
        assert server.stop() == 0


def test_a_worker_is_replaced_on_a_full_disk() -> None:
    with mounted(SMALL_MEMORY) as server:
        assert_answers_everything(server)
        fill(shared_memory(server))
        wait_for(lambda: len(workers(server)) == 2)
        os.kill(workers(server)[0], signal.SIGKILL)
        wait_for(lambda: len(workers(server)) == 3)
        time.sleep(0.5)
        assert_answers_everything(server)
        assert len(workers(server)) == 3


def test_a_server_starts_and_stops_where_no_disk_can_be_written_but_shared_memory() -> None:
    with mounted(*READ_ONLY) as server:
        assert_answers_everything(server)
        assert list(shared_memory(server).iterdir())
        assert server.stop() == 0
        assert faults(server) == []
