"""A real server from its start to its end: stops and reloads, alone and under load."""

import json
import os
import re
import signal
import socket
import threading
from contextlib import ExitStack
from pathlib import Path

import psutil  # type: ignore[import-untyped]
import pytest

from loadtests.drive.traffic import traffic
from loadtests.positions.questions import tabled_questions
from tests.hostile import BODY
from tests.support import HOUR, HUNG_SECONDS, UNMEASURED, Server, listens, wait_until
from tests.wire import JSON, Connection, exchange, post, request, wait_until_full, wait_until_read

pytestmark = pytest.mark.verify

HEALTHZ = request("GET", "/healthz")


def patient(workers: int = 2, **settings: str) -> Server:
    """A server on which a stop that waits for clients would take an hour."""
    return Server(workers=workers, **{"GRACEFUL_TIMEOUT": HOUR, "CLIENT_TIMEOUT": HOUR, **settings})


def stop_in_time(server: Server) -> None:
    """Stops the server, and fails if that takes a minute, as long as idle connections are kept, or goes wrong."""
    assert server.stop() == 0
    assert server.faults() == []


def begin_to_stop(server: Server) -> None:
    """Tells the server to stop, and waits until no worker accepts connections any more."""
    server.process.send_signal(signal.SIGTERM)
    wait_until(lambda: not listens(server.port))


def has_ipv6() -> bool:
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        return False
    return True


@pytest.mark.skipif(not has_ipv6(), reason="this machine has no IPv6 loopback")
def test_it_listens_on_ipv6_if_told_so() -> None:
    with Server(HOST="::1") as server, Connection(server.port, host="::1") as connection:
        assert connection.ask(HEALTHZ).status == 200


def test_the_log_warns_once_of_a_misspelt_setting_and_of_a_folder_that_cannot_be_used(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with Server(workers=2, MAX_SERCHES="3", TABLEBASES=str(tmp_path / "file")) as server:
        assert not exchange(server.port, request("GET", "/version")).json()["shared_tables"]
        warnings = [line["message"] for line in server.log() if line["level"] == "warning"]
    misspelt, unusable = warnings
    assert misspelt == "The variable MAX_SERCHES is no setting, so it has no effect; MAX_SEARCHES may be meant"
    assert unusable.endswith(f"TABLEBASES cannot be used: {tmp_path / 'file'} cannot be made: File exists")


# Under load, and while workers start.


def test_a_stop_under_load_loses_no_request() -> None:
    """How many clients connect just as the socket closes, and are reset, depends on the machine and on chance.

    ``tests/edge/test_server.py`` proves that those who came before are not.
    """
    assert any(resets_of_a_stop(after=100 * attempt) <= 1 for attempt in (1, 2, 3))


def resets_of_a_stop(*, after: int) -> int:
    """Stops a server under load after so many answers; the requests that were lost and not refused."""
    with patient() as server, traffic(server.port, tabled_questions(400), rate=400) as results:
        wait_until(lambda: len(results.seconds) > after)
        stop_in_time(server)
        wait_until(lambda: any("Refused" in loss.error for loss in results.lost))
    assert results.wrong == []
    return sum("Refused" not in loss.error for loss in results.lost)


def test_a_reload_under_load_loses_no_request() -> None:
    with patient() as server:
        with traffic(server.port, tabled_questions(400)) as results:
            for reload in (1, 2):
                wait_until(lambda reload=reload: results.sent > 200 * reload)  # type: ignore[misc]
                server.process.send_signal(signal.SIGHUP)
                wait_until(lambda reload=reload: len(server.workers()) == 2 + 2 * reload)  # type: ignore[misc]
                wait_until(lambda: not any(map(psutil.pid_exists, server.workers()[:-2])))
            asked = results.sent
            wait_until(lambda: results.sent > asked + 200)
        stop_in_time(server)
    assert (results.wrong, results.lost) == ([], [])


def test_workers_that_are_stopped_while_they_start_end_in_peace_and_at_once() -> None:
    with patient(workers=4) as server:
        stop_in_time(server)
    with patient() as server:
        for number in range(12):
            wait_until(lambda number=number: len(server.workers()) > number, every=0)  # type: ignore[misc]
            os.kill(server.workers()[number], signal.SIGTERM)
        stop_in_time(server)


# What connections see of a stop.

SEARCH = b'{"game":{"rows":8,"columns":8,"in_a_row":5,"misere":true},"moves":[],"limit":{"time_ms":4000}}'


def test_a_stop_answers_what_has_come_in_part_or_comes_in_a_moment_and_announces_the_end() -> None:
    """On connections that never asked, asked before, have sent half a request, or wait for a search."""
    data = post(BODY)
    with patient(workers=1) as server, ExitStack() as stack:
        fresh, kept, half, searching = (stack.enter_context(Connection(server.port)) for _ in range(4))
        assert "connection" not in kept.ask(HEALTHZ).headers
        half.send(data[:-10])
        searching.send(post(SEARCH))
        wait_until_read(server.port)
        begin_to_stop(server)
        for connection, rest in ((fresh, HEALTHZ), (kept, HEALTHZ), (half, data[-10:]), (searching, b"")):
            connection.send(rest)
        for connection in (fresh, kept, half, searching):
            reply = connection.reply()
            assert (reply.status, reply.headers["connection"]) == (200, "close")
            assert connection.is_closed()
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


def test_clients_that_never_finish_their_request_hold_up_a_stop_no_longer_than_was_set() -> None:
    """A second or two; whatever else ends a worker takes half a minute at least."""
    with patient(workers=1, GRACEFUL_TIMEOUT="1") as server, ExitStack() as unfinished:
        for data in (b"GET /hea", post(BODY)[:-1]) * 2:
            unfinished.enter_context(Connection(server.port)).send(data)
        wait_until_read(server.port)
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(25) == 0


@pytest.mark.parametrize("stop", [signal.SIGTERM, signal.SIGINT, signal.SIGQUIT], ids=lambda stop: stop.name)
def test_a_stop_leaves_no_files_behind(stop: signal.Signals) -> None:
    """Nor does it mind a file of a worker that has begun to create its files, which has no size yet."""
    with Server(workers=2, GRACEFUL_TIMEOUT="5", **UNMEASURED) as server:
        found = re.search(r"(/\S*/move-oracle-[^/]+)/", Path(f"/proc/{server.process.pid}/maps").read_text())
        assert found
        scratch = Path(found[1])
        (scratch / "counter_0.db").touch()
        assert exchange(server.port, request("GET", "/metrics")).status == 200
        server.process.send_signal(stop)
        assert server.process.wait(HUNG_SECONDS) == 0
        assert not scratch.exists()
