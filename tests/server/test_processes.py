"""The processes of a server: what is left when one of them ends before its time."""

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import psutil  # type: ignore[import-untyped]
import pytest

from tests.programs import run
from tests.support import GUNICORN, HUNG_SECONDS, ROOT, Server, listens, wait_until
from tests.wire import Connection, exchange, post, request

pytestmark = pytest.mark.verify

BODY = b'{"board":"X...O...."}'
LONG = b'{"game":"qubic","moves":[1],"limit":{"nodes":300000,"time_ms":60000}}'


def workers_of(server: Server) -> list[psutil.Process]:
    """Both workers of a server, once they run."""
    master = psutil.Process(server.process.pid)
    return wait_until(lambda: found if len(found := master.children()) == 2 else None) or []


def test_workers_end_when_their_master_is_gone_and_answer_what_they_have_accepted() -> None:
    with Server(workers=2) as server:
        workers = workers_of(server)
        with Connection(server.port) as client:
            assert client.ask(post(BODY)).status == 200
            client.send(post(LONG))
            os.kill(server.process.pid, signal.SIGKILL)
            assert client.reply().status == 200
        wait_until(lambda: not any(map(psutil.pid_exists, (worker.pid for worker in workers))))
        assert not listens(server.port)
        told = [line["message"] for line in server.log()]
        assert told.count("The master process is gone; this worker ends") == 2


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


@pytest.mark.parametrize("setting", ["PORT", "BOOKS"])
def test_a_start_that_fails_leaves_no_folder_behind(setting: str, tmp_path: Path) -> None:
    broken = tmp_path / "broken.book"
    broken.write_bytes(b"no book")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        values = {"PORT": str(taken.getsockname()[1]), "BOOKS": str(broken)}
        environment = {**os.environ, "PORT": "0", setting: values[setting]}
        ended = subprocess.run(
            [sys.executable, "-c", NOTING, *GUNICORN[3:]],
            cwd=ROOT,
            env=environment,
            capture_output=True,
            text=True,
            timeout=HUNG_SECONDS,
            check=False,
        )
    assert ended.returncode != 0
    made = [Path(line.removeprefix("made ")) for line in ended.stdout.splitlines() if line.startswith("made ")]
    assert made
    assert not any(folder.exists() for folder in made)


def test_a_worker_that_ends_leaves_the_folder_of_the_metrics_to_the_others() -> None:
    with Server(workers=2) as server:
        worker, _ = workers_of(server)
        worker.terminate()
        wait_until(lambda: not psutil.pid_exists(worker.pid))
        for _ in range(10):
            assert exchange(server.port, request("GET", "/metrics")).status == 200
        assert server.stop() == 0
    assert [line for line in server.log() if line["level"] in ("error", "critical")] == []


def test_the_contract_is_converted_before_a_worker_starts() -> None:
    program = "import service.asgi; from service.api.documents import contract_as_json as f; print(f.cache_info())"
    done = run(sys.executable, "-c", program)
    assert "currsize=1" in done.stdout, done.stderr
