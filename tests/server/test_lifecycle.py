"""A real server from its start to its end: settings, stops and reloads, alone and under load."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import ExitStack
from pathlib import Path

import psutil  # type: ignore[import-untyped]
import pytest

from tests.hostile import BODY
from tests.load import Load
from tests.support import GUNICORN, HOUR, HUNG_SECONDS, ROOT, UNMEASURED, Server, listens, wait_until
from tests.wire import JSON, Connection, exchange, post, request, wait_until_full, wait_until_read

pytestmark = pytest.mark.verify

HEALTHZ = request("GET", "/healthz")


def patient(workers: int = 2, **settings: str) -> Server:
    """A server on which a stop that waits for clients would take an hour."""
    return Server(workers=workers, **{"GRACEFUL_TIMEOUT": HOUR, "CLIENT_TIMEOUT": HOUR, **settings})


def stop_in_time(server: Server) -> None:
    """Stops the server, and fails if that takes a minute, as long as idle connections are kept, or goes wrong."""
    assert server.stop() == 0
    assert faults(server) == []


def begin_to_stop(server: Server) -> None:
    """Tells the server to stop, and waits until no worker accepts connections any more."""
    server.process.send_signal(signal.SIGTERM)
    wait_until(lambda: not listens(server.port))


def faults(server: Server) -> list[str]:
    return [line["message"] for line in server.log() if line["level"] in ("error", "critical")]


def messages(server: Server, start: str) -> list[str]:
    return [line["message"] for line in server.log() if line["message"].startswith(start)]


def workers(server: Server) -> list[int]:
    """The process of each worker that was started, in that order."""
    return [int(message.rsplit(" ", 1)[1]) for message in messages(server, "Booting worker with pid: ")]


def test_the_first_answer_comes_within_seconds_of_the_start() -> None:
    """Within ten seconds, or on a slow machine within ten times what it takes to import the service."""
    imports = [sys.executable, "-c", "import gunicorn.app.wsgiapp, service.asgi"]
    began = time.monotonic()
    subprocess.run(imports, cwd=ROOT, check=True)
    started = time.monotonic()
    with Server() as server:
        assert exchange(server.port, post(BODY)).status == 200
        assert time.monotonic() - started < 10 * max(1, started - began)


@pytest.mark.parametrize(
    ("variable", "value", "remedy"),
    [
        ("PORT", "abc", "a whole number from 0 to 65535"),
        ("WEB_CONCURRENCY", "0", "a whole number from 1 to 256"),
        ("LOG_LEVEL", "loud", "one of debug, info, warning, error"),
        ("CORS_ORIGIN", "nonsense", "an origin such as https://example.org"),
    ],
)
def test_a_bad_setting_ends_the_start_with_one_clear_line(variable: str, value: str, remedy: str) -> None:
    environment = {**os.environ, "PORT": "0", variable: value}
    ended = subprocess.run(
        GUNICORN, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=HUNG_SECONDS, check=False
    )
    assert ended.returncode != 0
    (line,) = (ended.stdout + ended.stderr).splitlines()
    assert f"{variable}={value!r}" in line
    assert remedy in line


def test_a_storage_that_cannot_be_used_ends_the_start_without_its_password() -> None:
    storage = "redis://:hunter2@127.0.0.1?socket_timeout=soon"
    environment = {**os.environ, "PORT": "0", "RATE_LIMIT": "1 per hour", "RATE_LIMIT_STORAGE": storage}
    ended = subprocess.run(
        GUNICORN, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=HUNG_SECONDS, check=False
    )
    assert ended.returncode != 0
    (line,) = [line for line in ended.stderr.splitlines() if line]
    assert line.startswith("move-oracle: RATE_LIMIT_STORAGE=...: must be ")
    assert "hunter2" not in ended.stdout + ended.stderr


def has_ipv6() -> bool:
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        return False
    return True


@pytest.mark.skipif(not has_ipv6(), reason="this machine has no IPv6 loopback")
def test_it_listens_on_ipv6_if_told_so() -> None:
    with Server(HOST="::1") as server, Connection(server.port, host="::1") as connection:
        connection.send(HEALTHZ)
        assert connection.reply().status == 200


def test_a_stop_under_load_loses_no_request() -> None:
    """How many clients connect just as the socket closes, and are reset, depends on the machine and on chance.

    ``tests/edge/test_server.py`` proves that those who came before are not.
    """
    assert min(resets_of_a_stop(after=300 * attempt) for attempt in (1, 2, 3)) <= 1


def resets_of_a_stop(*, after: int) -> int:
    """Stops a server under load after so many answers; the connections that were reset, which is all that is lost."""
    with patient() as server, Load(server.port) as load:
        wait_until(lambda: load.outcomes["answered"] > after)
        load.stop(lambda: server.process.send_signal(signal.SIGTERM))
        stop_in_time(server)
        wait_until(lambda: load.is_refused)
    assert load.failures == []
    return load.outcomes["reset"]


def test_a_reload_under_load_loses_no_request() -> None:
    with patient() as server:
        with Load(server.port) as load:
            for reload in (1, 2):
                wait_until(lambda reload=reload: load.outcomes["answered"] > 200 * reload)  # type: ignore[misc]
                server.process.send_signal(signal.SIGHUP)
                wait_until(lambda reload=reload: len(workers(server)) == 2 + 2 * reload)  # type: ignore[misc]
                wait_until(lambda: not any(map(psutil.pid_exists, workers(server)[:-2])))
            asked = load.outcomes["answered"]
            wait_until(lambda: load.outcomes["answered"] > asked + 200)
        assert len(workers(server)) == 6
        stop_in_time(server)
    assert load.failures == []
    assert set(load.outcomes) <= {"answered", "late"}


def test_a_stop_while_workers_are_starting_is_obeyed_at_once() -> None:
    for _ in range(4):
        with patient(workers=4) as server:
            stop_in_time(server)


def test_a_worker_that_is_stopped_while_it_starts_ends_in_peace() -> None:
    with patient() as server:
        for number in range(12):
            wait_until(lambda number=number: len(workers(server)) > number, every=0)  # type: ignore[misc]
            os.kill(workers(server)[number], signal.SIGTERM)
        stop_in_time(server)


def test_a_request_of_which_half_has_come_is_answered_before_the_stop() -> None:
    data = post(BODY)
    with patient(workers=1) as server, Connection(server.port) as connection:
        connection.send(data[:-10])
        wait_until_read(server.port)
        begin_to_stop(server)
        connection.send(data[-10:])
        assert connection.reply().status == 200
        stop_in_time(server)


def test_a_connection_that_was_open_before_the_stop_gets_one_more_answer_that_announces_its_end() -> None:
    with patient(workers=1) as server, Connection(server.port) as fresh, Connection(server.port) as kept:
        kept.send(HEALTHZ)
        assert "connection" not in kept.reply().headers
        wait_until_read(server.port)
        begin_to_stop(server)
        for connection in (fresh, kept):
            connection.send(HEALTHZ)
        for connection in (fresh, kept):
            assert connection.reply().headers["connection"] == "close"
            assert connection.is_closed()
        stop_in_time(server)


def test_connections_without_a_request_hold_up_nobody_and_no_stop() -> None:
    with patient() as server, ExitStack() as idle:
        calm = answer_seconds(server)
        for _ in range(60):
            idle.enter_context(Connection(server.port))
        assert answer_seconds(server) < 2 + 20 * calm
        stop_in_time(server)


@pytest.mark.parametrize("data", [b"NONSENSE\r\n\r\n", request("GET", "/healthz", {"Connection": "close"})], ids=repr)
def test_clients_that_leave_a_connection_open_hold_up_nobody(data: bytes) -> None:
    with patient() as server, ExitStack() as open_for_long:
        calm = answer_seconds(server)
        for _ in range(12):
            connection = open_for_long.enter_context(Connection(server.port))
            connection.send(data)
            connection.reply()
        assert answer_seconds(server) < 1.5 + 20 * calm
        stop_in_time(server)


def answer_seconds(server: Server) -> float:
    """The longest that one of several fresh requests takes to be answered."""
    taken = []
    for _ in range(8):
        started = time.monotonic()
        assert exchange(server.port, HEALTHZ).status == 200
        taken.append(time.monotonic() - started)
    return max(taken)


def test_clients_that_never_finish_their_request_hold_up_a_stop_no_longer_than_was_set() -> None:
    """A second or two; whatever else ends a worker takes half a minute at least."""
    with patient(workers=1, GRACEFUL_TIMEOUT="2") as server, ExitStack() as unfinished:
        for data in (b"GET /hea", post(BODY)[:-1]) * 2:
            unfinished.enter_context(Connection(server.port)).send(data)
        wait_until_read(server.port)
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(25) == 0


def metrics_directory(server: Server) -> Path:
    """Where the server has its metrics, as the system knows it."""
    try:
        maps = Path(f"/proc/{server.process.pid}/maps").read_text()
    except FileNotFoundError:
        pytest.skip("this system does not tell what a process has mapped")
    found = re.search(r"(/\S*/move-oracle-[^/]+)/", maps)
    assert found
    return Path(found[1])


@pytest.mark.parametrize("stop", [signal.SIGTERM, signal.SIGINT, signal.SIGQUIT], ids=lambda stop: stop.name)
def test_a_stop_leaves_no_files_behind(stop: signal.Signals) -> None:
    with Server(workers=2, GRACEFUL_TIMEOUT="5", **UNMEASURED) as server:
        exchange(server.port, post(BODY))
        scratch = metrics_directory(server)
        assert scratch.is_dir()
        server.process.send_signal(stop)
        assert server.process.wait(HUNG_SECONDS) == 0
        assert not scratch.exists()


def test_metrics_are_told_while_a_new_worker_is_creating_its_files() -> None:
    """A file exists for a moment before it has its size; whoever reads it then must not mind."""
    with Server() as server:
        (metrics_directory(server) / "counter_0.db").touch()
        assert exchange(server.port, request("GET", "/metrics")).status == 200


SEARCH = b'{"board":"%b","game":{"rows":8,"columns":8,"in_a_row":5},"limit":{"time_ms":5000}}' % (b"." * 64)


def test_a_connection_whose_answer_was_under_way_holds_up_a_stop_no_longer_than_others() -> None:
    with patient(workers=1) as server, Connection(server.port) as kept:
        kept.send(post(SEARCH))
        wait_until_read(server.port)
        begin_to_stop(server)
        assert kept.reply().status == 200
        stop_in_time(server)


def test_an_answer_that_waits_for_its_reader_is_had_whole_after_a_stop() -> None:
    batch = request("POST", "/best-moves", JSON, json.dumps({"positions": [{"board": "X...O...."}] * 1000}).encode())
    with patient(workers=1) as server, Connection(server.port) as late, Connection(server.port) as idle:
        sender = threading.Thread(target=late.send, args=(batch * 40,))
        sender.start()
        wait_until_full(late)
        begin_to_stop(server)
        assert idle.is_closed()  # so late, too, would have been closed by now for being idle
        while "connection" not in late.reply().headers:
            pass
        sender.join()
        stop_in_time(server)
