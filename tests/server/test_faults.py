"""Faults of a server under load, every answer compared with the right one: killed, corrupted, upgraded, starved."""

import re
import signal
import sys
from contextlib import ExitStack
from pathlib import Path
from random import Random

import httpx
import psutil  # type: ignore[import-untyped]
import pytest

from loadtests.drive.traffic import Results, traffic
from loadtests.faults.command import FAULTS, Target, corrupt, kill_worker
from loadtests.faults.inject import corrupt_table
from loadtests.positions.questions import searched_questions, tabled_questions
from loadtests.servers import processes
from tests.hostile import BODY
from tests.isolation import with_open_files
from tests.support import HUNG_SECONDS, Server, wait_until
from tests.wire import Connection, exchange, post

pytestmark = pytest.mark.verify

SMALL_TABLE = {**FAULTS["corrupt"].settings, "DEFAULT_TIME_MS": "60000", "THREADS": "16", "MAX_QUEUED": "64"}
"""With time and room for every search to be proven on the busiest machine."""


def target_of(server: Server) -> Target:
    return Target(processes.Server(server.url, server.process.pid))


def test_workers_that_are_killed_cost_only_what_was_under_way_on_them() -> None:
    with Server() as server:
        target = target_of(server)
        with traffic(server.port, tabled_questions(400)) as results:
            for number in range(1, 5):
                kill_worker(target)
                wait_until(lambda number=number: results.sent > 200 * number)  # type: ignore[misc]
        assert not {killed.pid for killed in target.killed} & set(target.workers())
        assert server.stop() == 0
    # How much is under way while a worker dies depends on how fast it does: its share is for the benchmark to judge.
    assert (results.wrong, [loss for loss in results.lost if not target.excuses(loss)]) == ([], [])


def test_corrupt_entries_of_the_shared_table_change_no_answer() -> None:
    with Server(workers=2, **SMALL_TABLE) as server:
        target = target_of(server)
        with traffic(server.port, searched_questions(1200), rate=120) as results:
            for number in range(1, 21):
                corrupt(target)
                wait_until(lambda number=number: results.sent > 10 * number)  # type: ignore[misc]
    assert (results.wrong, results.lost) == ([], [])


def test_entries_forged_with_their_keys_are_believed_so_the_corrupt_ones_were_asked_for() -> None:
    """A forged entry either changes an answer or contradicts what is proven, which is counted."""
    with (
        Server(workers=2, **SMALL_TABLE) as server,
        traffic(server.port, searched_questions(1200), rate=120) as results,
    ):
        rng = Random(0)

        def is_believed() -> bool:
            corrupt_table(server.process.pid, rng, 2000, forge=True)
            metrics = httpx.get(f"{server.url}/metrics", timeout=HUNG_SECONDS).text
            counted = re.findall(r"^move_oracle_contradictions_total (\S+)$", metrics, re.MULTILINE)
            return bool(results.wrong) or sum(map(float, counted)) > 0

        wait_until(is_believed, every=0.1)


def test_an_upgrade_in_place_loses_no_request() -> None:
    """USR2 starts a second server on the same socket; the first is told to end when that is ready."""
    server = Server()
    # As `make serve` starts it. What was started with -m starts again as a file, which can import nothing.
    server.command[:3] = [sys.executable, str(Path(sys.executable).with_name("gunicorn"))]
    with server:
        with traffic(server.port, tabled_questions(400)) as results:
            wait_for_more(results)
            server.process.send_signal(signal.SIGUSR2)
            successor = second_master(server)
            wait_for_more(results)
            server.process.send_signal(signal.SIGTERM)
            assert server.process.wait(HUNG_SECONDS) == 0
            wait_for_more(results)
        successor.terminate()
        successor.wait(HUNG_SECONDS)
    assert (results.wrong, results.lost) == ([], [])


def wait_for_more(results: Results) -> None:
    """Wait until a hundred more requests were sent."""
    before = results.sent
    wait_until(lambda: results.sent >= before + 100)


def second_master(server: Server) -> psutil.Process:
    """The server that was started by the first, once it is ready."""
    wait_until(lambda: sum("is ready at" in line for line in server.output()) == 2)
    told = [line["message"] for line in server.log() if line["message"].startswith("Listening at")]
    return psutil.Process(int(told[-1].rsplit("(", 1)[1].rstrip(")")))


def test_a_server_without_free_file_descriptors_makes_room_by_those_who_never_asked() -> None:
    server = Server(workers=1)
    server.command = [*with_open_files(128), *server.command]
    with server, ExitStack() as held:
        (worker,) = wait_until(server.workers)
        kept = held.enter_context(Connection(server.port))
        for _ in range(300):
            held.enter_context(Connection(server.port))
            assert kept.ask(post(BODY)).status == 200
        assert exchange(server.port, post(BODY)).status == 200
        assert psutil.Process(worker).cpu_percent(interval=1) < 50
        assert server.stop() == 0
        assert server.workers() == [worker]
