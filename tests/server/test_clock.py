"""A wall clock that jumps by a day: only the times in the log follow it."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.hostile import BODY
from tests.isolation import WallClock
from tests.server.test_lifecycle import faults, workers
from tests.support import UNMEASURED, Server
from tests.wire import Connection, post, request

DAY = timedelta(days=1)
SEARCH_SECONDS = 2.0
SEARCH = f"/best-move?game=qubic&moves=0,5,9&time_ms={SEARCH_SECONDS * 1000:.0f}"

each_jump = pytest.mark.parametrize("jump", [DAY, -DAY], ids=["a day forwards", "a day backwards"])


@contextmanager
def server_with_clock(folder: Path) -> Iterator[tuple[Server, WallClock]]:
    clock = WallClock(folder)
    with Server(workers=2, **clock.environment, **UNMEASURED) as server:
        yield server, clock


def logged(server: Server, request_id: str) -> dict[str, Any]:
    (line,) = [line for line in server.log() if line.get("request_id") == request_id]
    return line


@each_jump
def test_a_kept_connection_and_every_worker_outlive_a_jump(tmp_path: Path, jump: timedelta) -> None:
    with server_with_clock(tmp_path) as (server, clock), Connection(server.port) as kept:
        kept.send(post(BODY))
        right = kept.reply().json()
        clock.put_off(jump)
        time.sleep(3)
        kept.send(post(BODY, {"X-Request-ID": "after"}))
        assert kept.reply().json() == right
        assert len(workers(server)) == 2
        assert server.stop() == 0
        assert faults(server) == []
    off = datetime.fromisoformat(logged(server, "after")["time"]) - datetime.now(UTC)
    assert abs(off - jump) < timedelta(minutes=1)


@each_jump
def test_a_search_ends_in_its_time_while_the_clock_jumps(tmp_path: Path, jump: timedelta) -> None:
    with server_with_clock(tmp_path) as (server, clock), Connection(server.port) as connection:
        timer = threading.Timer(SEARCH_SECONDS / 4, clock.put_off, (jump,))
        timer.start()
        started = time.monotonic()
        connection.send(request("GET", SEARCH, {"X-Request-ID": "across"}))
        assert connection.reply().status == 200
        assert 0.5 * SEARCH_SECONDS < time.monotonic() - started < 3 * SEARCH_SECONDS
        assert server.stop() == 0
    assert 500 * SEARCH_SECONDS < logged(server, "across")["duration_ms"] < 3000 * SEARCH_SECONDS
