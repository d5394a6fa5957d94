"""Who does the work for a book: this process, others on this machine, or those of a Dask cluster on many."""

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from importlib.util import find_spec
from signal import SIG_IGN, SIGINT, default_int_handler, getsignal, signal
from typing import Any, NoReturn

import click

from service.book.tasks import Task
from service.book.work import Crew, alone
from service.cores import cores

FAILURES = 1000
"""How many workers may die over one piece of work before it is given up: it is hardly ever the work that kills them."""

LOST = "The Dask cluster is lost, or its workers die; the same command goes on where this one was."

REACH_SECONDS = 5
"""How long a scheduler has to answer."""


@contextmanager
def crew(workers: int | None, scheduler: str | None) -> Iterator[Crew]:
    """Those who work for a Dask ``scheduler``, or else so many processes here, by default one for each core."""
    has_dask = find_spec("distributed") is not None
    if scheduler is None and (workers == 1 or (workers is None and not has_dask)):
        yield alone
        return
    if not has_dask:
        raise click.UsageError("Several workers need Dask: pip install 'move-oracle[book]'.")
    with _quiet_interrupts(), _client(workers or cores(), scheduler) as client:
        yield partial(_spread, client)


@contextmanager
def _client(workers: int, scheduler: str | None) -> Iterator[Any]:
    from dask import config  # noqa: PLC0415, a second that nothing else should take, and not everybody has it
    from distributed import Client, LocalCluster  # noqa: PLC0415

    if scheduler is not None:
        with _reached(scheduler, Client) as client:
            yield client
        return
    with (
        config.set({"distributed.scheduler.allowed-failures": FAILURES}),
        LocalCluster(  # type: ignore[no-untyped-call]
            n_workers=workers,
            threads_per_worker=1,
            processes=True,
            memory_limit=0,
            dashboard_address="127.0.0.1:0",
            silence_logs=logging.ERROR,
        ) as cluster,
        Client(cluster) as client,  # type: ignore[no-untyped-call]
    ):
        client.run(_ignore_interrupts)
        yield client


@contextmanager
def _quiet_interrupts() -> Iterator[None]:
    """Lets Dask log nothing from an interrupt on: what it is at then fails, in another thread, and is lost anyway.

    Where interrupts are ignored, as in the background of a script, they still are.
    """
    if getsignal(SIGINT) is not default_int_handler:
        yield
        return
    signal(SIGINT, _interrupt_quietly)
    try:
        yield
    finally:
        signal(SIGINT, default_int_handler)
        logging.disable(logging.NOTSET)


def _interrupt_quietly(*_: object) -> NoReturn:
    logging.disable()
    raise KeyboardInterrupt


def _ignore_interrupts() -> None:
    """Leaves it to the process that has started a worker to end it: a terminal interrupts all of them."""
    signal(SIGINT, SIG_IGN)


def _reached(scheduler: str, client: Any) -> Any:
    try:
        return client(scheduler, timeout=REACH_SECONDS)
    except (OSError, ValueError) as error:
        raise click.ClickException(f"No Dask scheduler answers at {scheduler}: {error}.") from None


def _spread(client: Any, tasks: Sequence[Task]) -> Iterator[tuple[int, bytes]]:
    """What comes back from the workers; tasks of one that dies are done by others."""
    from distributed import CancelledError, KilledWorker, as_completed  # noqa: PLC0415, see above

    futures = client.map(_run, tasks, pure=False)
    places = {future.key: place for place, future in enumerate(futures)}
    for future in as_completed(futures):  # type: ignore[no-untyped-call]
        try:
            result = future.result()
        except (CancelledError, KilledWorker, OSError) as error:  # the last where a connection breaks
            raise click.ClickException(f"{LOST} {error}") from None
        yield places[future.key], result
        future.release()


def _run(task: Task) -> bytes:
    return task.run()
