"""The command line as a process of its own: in terminals and pipes, interrupted, and as a server."""

import os
import signal
import subprocess

import httpx
import psutil  # type: ignore[import-untyped]
import pytest

from tests.cli.processes import MOVE_ORACLE, SECONDS, start
from tests.support import ROOT, UNMEASURED, Server, wait_until

pytestmark = pytest.mark.verify

WORK_SECONDS = 1.5
"""Of a processor's time, three times what the imports of a command take."""


def test_a_terminal_without_lines_gets_plain_ones() -> None:
    plain = {**os.environ, "PYTHONIOENCODING": "latin-1"}
    arguments = [*MOVE_ORACLE, "tree", "O.XX.X.OO", "--depth", "1"]
    done = subprocess.run(arguments, cwd=ROOT, env=plain, capture_output=True, timeout=SECONDS, check=True)
    assert done.stdout.decode("latin-1").splitlines()[:2] == ["1  O | · | X", "  ---+---+---"]
    assert done.stdout.decode("latin-1").splitlines()[-1] == "`- a3  loss in 2 plies"


def test_it_runs_as_a_module_and_reads_a_pipe() -> None:
    process = start("play")
    shown, errors = process.communicate("4\nq\n", timeout=SECONDS)
    assert (process.returncode, errors) == (0, "")
    assert shown.endswith("X to move: q\nThe game was left unfinished.\n")


@pytest.mark.parametrize(
    "arguments",
    [
        "stats -g qubic --most 1000000000",
        "tree -g qubic --time-ms 3600000",
        "solve -g qubic -m 1",
        "best-move -g qubic -m 1 --time-ms 3600000",
    ],
    ids=lambda arguments: arguments.split()[0],
)
def test_an_interrupt_ends_a_command_in_a_pipe_at_once_and_without_a_word(arguments: str) -> None:
    process = start(*arguments.split(), **UNMEASURED)
    try:
        wait_until(lambda: sum(psutil.Process(process.pid).cpu_times()[:2]) >= WORK_SECONDS)
        process.send_signal(signal.SIGINT)
        shown, errors = process.communicate(timeout=SECONDS)
    finally:
        process.kill()
    assert (process.returncode, shown) == (130, "")
    assert [line for line in errors.splitlines() if line and not line.startswith("[")] == []  # but its progress


@pytest.mark.parametrize("arguments", ["play --as none -g connect-four-5x4", "best-move --json ........."])
def test_a_reader_that_has_gone_is_no_reason_to_complain(arguments: str) -> None:
    process = start(*arguments.split(), PYTHONUNBUFFERED="1")
    assert process.stdout
    process.stdout.close()
    assert process.stderr
    assert process.stderr.read() == ""
    assert process.wait(SECONDS) == 1


def test_serve_runs_the_service_until_it_is_stopped() -> None:
    with Served("serve", "--port", "0", "--workers", "1", "--threads", "2") as server:
        assert httpx.post(f"{server.url}/best-move", json={"board": "O.XX.X.OO"}).json()["move"] == 4
        assert server.stop() == 0
    assert sum(line["message"].startswith("Booting worker") for line in server.log()) == 1


class Served(Server):
    """The service as the command line starts it."""

    def __init__(self, *args: str) -> None:
        super().__init__()
        self.command = [*MOVE_ORACLE, *args]
