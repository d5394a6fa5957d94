"""Builds of books in processes of their own and on a Dask cluster: interrupted, killed, and continued."""

import os
import signal
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import click
import psutil  # type: ignore[import-untyped]
import pytest
from distributed import LocalCluster

from service.book.builder.checkpoints import FolderInUse, locked
from service.cli.commands.executors import open_executor
from service.games.catalogue import CONNECT_FOUR_5X4
from tests.book.books import book_of, build_at
from tests.cli.processes import SECONDS, start
from tests.support import UNMEASURED, wait_until

pytestmark = pytest.mark.verify

LONG = ("connect-four-6x5", "--plies", "8", "--pv-depth", "1")
"""A build that takes longer than any of these tests."""

SHORT = ("connect-four-5x5", "--plies", "6", "--pv-depth", "0")
"""A build of some seconds."""


def start_build(path: Path, *args: str) -> subprocess.Popen[str]:
    return start("book", "build", "-o", str(path), *args, **UNMEASURED)


@pytest.fixture
def building(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """A long build by two processes, which has finished some tasks."""
    with start_build(tmp_path / "a.book", *LONG, "--workers", "2") as process:
        wait_until(lambda: len(finished(tmp_path)) >= 2, SECONDS)
        yield process
        process.kill()


def finished(folder: Path) -> list[Path]:
    return sorted((folder / "a.book.parts").glob("leaves-??????"))


def is_free(folder: Path) -> bool:
    try:
        with locked(folder):
            return True
    except FolderInUse:
        return False


def is_alive(process: psutil.Process) -> bool:
    try:
        return bool(process.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


@pytest.mark.parametrize("send", [os.killpg, os.kill], ids=["as a terminal does", "to the command alone"])
def test_an_interrupted_build_ends_quietly_with_its_workers(
    building: subprocess.Popen[str], send: Callable[[int, int], None]
) -> None:
    workers = psutil.Process(building.pid).children()
    assert len(workers) == 2
    send(building.pid, signal.SIGINT)
    _, said = building.communicate(timeout=SECONDS)
    assert (building.returncode, said.split()) == (130, ["leaves"])
    wait_until(lambda: not any(map(is_alive, workers)), SECONDS)


def test_a_worker_that_is_killed_ends_the_build_in_words(building: subprocess.Popen[str]) -> None:
    psutil.Process(building.pid).children()[0].kill()
    _, said = building.communicate(timeout=SECONDS)
    assert building.returncode == 1
    assert "Error: A worker process died; the same command continues where this one stopped." in said


def test_the_workers_of_a_killed_build_end_and_free_its_folder(building: subprocess.Popen[str], tmp_path: Path) -> None:
    workers = psutil.Process(building.pid).children()
    assert not is_free(tmp_path / "a.book.parts")
    building.kill()
    wait_until(lambda: is_free(tmp_path / "a.book.parts"), SECONDS)
    wait_until(lambda: not any(map(is_alive, workers)), SECONDS)


def test_a_killed_build_continues_where_it_stopped(tmp_path: Path) -> None:
    def whole_build(path: Path) -> bytes:
        with start_build(path, *SHORT) as process:
            said = process.communicate(timeout=SECONDS)
        assert process.returncode == 0, said
        return path.read_bytes()

    with start_build(tmp_path / "a.book", *SHORT, "--workers", "1") as process:
        wait_until(lambda: len(finished(tmp_path)) >= 3, SECONDS)
        process.kill()
    assert not (tmp_path / "a.book").exists()
    wait_until(lambda: is_free(tmp_path / "a.book.parts"), SECONDS)
    assert whole_build(tmp_path / "a.book") == whole_build(tmp_path / "b.book")


def test_the_workers_of_a_scheduler_build_the_same_book(tmp_path: Path) -> None:
    with (
        LocalCluster(n_workers=1, threads_per_worker=2, processes=True, dashboard_address="127.0.0.1:0") as cluster,  # type: ignore[no-untyped-call]
        open_executor(None, cluster.scheduler_address) as executor,
    ):
        found = build_at(tmp_path / "a.book", CONNECT_FOUR_5X4, executor)
    assert found.checksum == book_of(CONNECT_FOUR_5X4).checksum


def test_a_scheduler_that_goes_away_ends_the_build_in_words(tmp_path: Path) -> None:
    with (
        LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address="127.0.0.1:0") as cluster,  # type: ignore[no-untyped-call]
        start_build(tmp_path / "a.book", *LONG, "--scheduler", cluster.scheduler_address) as process,
    ):
        wait_until(lambda: len(finished(tmp_path)) >= 1, SECONDS)
        cluster.close()
        _, said = process.communicate(timeout=SECONDS)
    assert process.returncode == 1
    assert "Error: The connection to the Dask cluster was lost" in said


def test_a_scheduler_that_does_not_answer_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.cli.commands.executors.CONNECT_SECONDS", 0.5)
    with (
        pytest.raises(click.ClickException, match=r"No Dask scheduler answers at tcp://127\.0\.0\.1:1"),
        open_executor(None, "tcp://127.0.0.1:1"),
    ):
        pass


def test_only_a_scheduler_needs_dask(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.cli.commands.executors.find_spec", lambda _: None)
    with open_executor(1, None) as executor:
        assert executor.submit(bytes, 3).result() == bytes(3)
    with (
        pytest.raises(click.UsageError, match=r"pip install 'move-oracle\[book\]'"),
        open_executor(None, "tcp://127.0.0.1:1"),
    ):
        pass
