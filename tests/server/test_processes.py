"""The processes of a server: what is left when one of them ends before its time."""

import os
import signal
import socket
import sys
from pathlib import Path

import psutil  # type: ignore[import-untyped]
import pytest

from tests.hostile import BODY
from tests.programs import run
from tests.support import GUNICORN, Server, listens, wait_until
from tests.wire import Connection, exchange, post, request

pytestmark = pytest.mark.verify

LONG = b'{"game":"qubic","moves":[1],"limit":{"nodes":300000,"time_ms":60000}}'


def workers_of(server: Server) -> list[int]:
    """Both workers of a server, once they run."""
    wait_until(lambda: len(server.workers()) == 2)
    return server.workers()


def test_workers_end_when_their_master_is_gone_and_answer_what_they_have_accepted() -> None:
    with Server(workers=2) as server:
        workers = workers_of(server)
        with Connection(server.port) as client:
            assert client.ask(post(BODY)).status == 200
            client.send(post(LONG))
            os.kill(server.process.pid, signal.SIGKILL)
            assert client.reply().status == 200
        wait_until(lambda: not any(map(psutil.pid_exists, workers)))
        assert not listens(server.port)
        told = [line["message"] for line in server.log()]
        assert told.count("The master process is gone; this worker ends") == 2


def test_a_worker_that_ends_leaves_the_folder_of_the_metrics_to_the_others() -> None:
    with Server(workers=2) as server:
        worker, _ = workers_of(server)
        os.kill(worker, signal.SIGTERM)
        wait_until(lambda: not psutil.pid_exists(worker))
        for _ in range(10):
            assert exchange(server.port, request("GET", "/metrics")).status == 200
        assert server.stop() == 0
    assert server.faults() == []


NOTING = """
import sys, tempfile
from gunicorn.app.wsgiapp import run
make = tempfile.mkdtemp
def noting(*args, **options):
    made = make(*args, **options)
    print("made", made, flush=True)
    return made
tempfile.mkdtemp = noting
run()
"""
"""A program that runs gunicorn and prints which folders it makes."""


@pytest.mark.parametrize(
    ("variable", "value", "told"),
    [
        ("WEB_CONCURRENCY", "0", "move-oracle: WEB_CONCURRENCY='0': must be a whole number from 1 to 256"),
        ("RATE_LIMIT_STORAGE", "redis://:hunter2@127.0.0.1?socket_timeout=soon", "move-oracle: RATE_LIMIT_STORAGE="),
        ("BOOKS", "{broken}", "move-oracle: "),
        ("PORT", "{taken}", "Connection in use: "),
    ],
)
def test_a_start_that_fails_says_why_in_one_line_tells_no_password_and_leaves_no_folder_behind(
    tmp_path: Path, variable: str, value: str, told: str
) -> None:
    (tmp_path / "broken.book").write_bytes(b"no book")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        value = value.format(broken=tmp_path / "broken.book", taken=taken.getsockname()[1])
        environment = {"PORT": "0", "RATE_LIMIT": "1 per hour", variable: value}
        ended = run(sys.executable, "-c", NOTING, *GUNICORN[3:], environment=environment)
    assert ended.returncode != 0
    said = ended.stdout + ended.stderr
    assert told in said
    assert "\n" not in ended.stderr.strip()
    assert "hunter2" not in said
    made = [Path(line.removeprefix("made ")) for line in ended.stdout.splitlines() if line.startswith("made ")]
    assert made or variable == "WEB_CONCURRENCY"
    assert not any(folder.exists() for folder in made)
