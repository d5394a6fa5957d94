"""The executors of a build, processes on this machine or the workers of a Dask cluster, and its checkpoints."""

import logging
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import BrokenExecutor, CancelledError, Executor, ProcessPoolExecutor
from contextlib import contextmanager
from importlib.util import find_spec
from multiprocessing import active_children, parent_process
from pathlib import Path
from signal import SIG_IGN, SIGINT, signal
from threading import Thread
from typing import Any, TypeVar

import click

from service.book.builder.checkpoints import Checkpoints, FolderInUse, locked
from service.cores import cores

CONNECT_SECONDS = 5
"""The maximum seconds that a scheduler may take to answer."""

CONTINUES = "the same command continues where this one stopped."

Item = TypeVar("Item")

scheduler_option = click.option(
    "--scheduler", metavar="ADDRESS", help="Address of a Dask scheduler whose workers build the file."
)
workers_option = click.option(
    "--workers", type=click.IntRange(1), metavar="N", help="Worker processes; by default one per core."
)


@contextmanager
def open_checkpoints(
    path: Path, plan: Mapping[str, Any], workers: int | None, scheduler: str | None
) -> Iterator[Checkpoints]:
    """Yield the checkpoints of the build of a file, in a folder beside it; remove them at the end.

    After an interruption they stay, so that the build of the same ``plan`` continues. Faults end the command.
    """
    folder = path.with_name(path.name + ".parts")
    try:
        with open_executor(workers, scheduler) as executor, locked(folder):
            checkpoints = Checkpoints(folder, plan, executor, show_progress)
            yield checkpoints
            checkpoints.remove()
    except FolderInUse as error:
        raise click.UsageError(str(error)) from None
    except ModuleNotFoundError as error:
        raise click.ClickException(f"A worker needs a package that is not installed: {error}.") from None
    except OSError as error:
        raise click.ClickException(f"The file cannot be written to {path}: {error}.") from None


def show_progress(label: str, items: Iterable[Item], total: int) -> Iterator[Item]:
    """Yield the items and count them on standard error: with a bar on a terminal, elsewhere with the label only."""
    with click.progressbar(items, length=total, label=f"{label:<6}", file=sys.stderr, show_pos=True) as bar:
        yield from bar


@contextmanager
def open_executor(workers: int | None, scheduler: str | None) -> Iterator[Executor]:
    """Yield the executor of a Dask ``scheduler``; without one, processes on this machine, by default one per core."""
    with _dask_executor(scheduler) if scheduler else _process_pool(workers or cores()) as executor:
        yield executor


@contextmanager
def _process_pool(workers: int) -> Iterator[Executor]:
    pool = ProcessPoolExecutor(workers, initializer=_follow_parent)
    try:
        yield pool
    except BrokenExecutor:
        raise click.ClickException(f"A worker process died; {CONTINUES}") from None
    except BaseException:
        for process in active_children():
            process.terminate()  # a task may take minutes
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _follow_parent() -> None:
    """Let the parent process end this worker: ignore Ctrl-C, and exit when the parent has died."""
    signal(SIGINT, SIG_IGN)  # a terminal sends it to all processes
    Thread(target=_exit_after_parent, daemon=True).start()


def _exit_after_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


@contextmanager
def _dask_executor(scheduler: str) -> Iterator[Executor]:
    if find_spec("distributed") is None:
        raise click.UsageError("--scheduler needs Dask: pip install 'move-oracle[book]'.")
    from distributed import Client, KilledWorker  # noqa: PLC0415, optional, and its import takes a second
    from distributed.comm.core import CommClosedError  # noqa: PLC0415, as above

    try:
        client = Client(scheduler, timeout=CONNECT_SECONDS)  # type: ignore[no-untyped-call]
    except (OSError, ValueError) as error:
        raise click.ClickException(f"No Dask scheduler answers at {scheduler}: {error}.") from None
    logging.getLogger("distributed.client").setLevel(logging.CRITICAL)  # the message below reports losses
    with client:
        try:
            yield client.get_executor()  # type: ignore[no-untyped-call]
        except (CancelledError, CommClosedError, KilledWorker) as error:
            raise click.ClickException(
                f"The connection to the Dask cluster was lost, or its workers died; {CONTINUES} {error}".rstrip()
            ) from None
