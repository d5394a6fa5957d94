"""Checkpoints: the result of every finished task in a file, so that an interrupted build continues where it stopped."""

import fcntl
import json
import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, as_completed
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol, TypeVar

Item = TypeVar("Item")

Task = Callable[[], bytes]


class ShowProgress(Protocol):
    """Reports how many of ``total`` items are done."""

    def __call__(self, label: str, items: Iterable[Item], total: int) -> Iterator[Item]:
        """Yield the items, and report each."""


class FolderInUse(ValueError):
    """The folder holds the checkpoints of another file, or of a build that still runs."""


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Lock a folder against other builds; the system releases the lock of a dead process. Raises FolderInUse.

    Two builds in one folder would rename each other's unfinished files, and the first to end would delete them all.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("wb") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise FolderInUse(f"Another build is using {folder}; wait for its end, or write to another file.") from None
        yield


class Checkpoints:
    """Runs tasks in an executor and keeps their results in a folder.

    ``plan`` is everything that the results depend on. Raises FolderInUse if the folder belongs to another plan.
    """

    def __init__(self, folder: Path, plan: Mapping[str, Any], executor: Executor, show_progress: ShowProgress) -> None:
        self.folder = folder
        self._executor = executor
        self.show_progress = show_progress
        folder.mkdir(parents=True, exist_ok=True)
        description, text = folder / "plan.json", json.dumps(plan, sort_keys=True)
        if not description.exists():
            _write(description, text.encode())
        elif description.read_text(encoding="utf-8") != text:
            raise FolderInUse(f"{folder} contains a part of another file; remove it, or write to another file.")

    def results(self, label: str, tasks: Sequence[Task]) -> Iterator[bytes]:
        """Return the results of the tasks, in order; run only the tasks without a stored result."""
        files = [self.folder / f"{label}-{index:06}" for index in range(len(tasks))]
        missing = [(task, file) for task, file in zip(tasks, files, strict=True) if not file.exists()]
        futures = {self._executor.submit(task): file for task, file in missing}
        for future in self.show_progress(label, as_completed(futures), len(missing)):
            _write(futures[future], future.result())
        return (file.read_bytes() for file in files)

    def remove(self) -> None:
        """Remove the folder."""
        shutil.rmtree(self.folder)


def _write(path: Path, data: bytes) -> None:
    """Write a file atomically, also across a power failure."""
    unfinished = path.with_name(path.name + ".new")
    with unfinished.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    unfinished.replace(path)
