"""A folder beside a book that is being built: what is done stays done, whatever ends the process."""

import fcntl
import json
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol, TypeVar

from service.book.tasks import Task

Thing = TypeVar("Thing")

Crew = Callable[[Sequence[Task]], Iterator[tuple[int, bytes]]]
"""Who does tasks, in any order: the index of each, and what came back, as soon as it is done."""


class Watch(Protocol):
    """Who is shown how far it is; ``done`` of ``total`` pieces were done before."""

    def __call__(self, label: str, things: Iterator[Thing], *, total: int, done: int = 0) -> Iterator[Thing]:
        """The same things, one by one."""


class OtherWork(ValueError):
    """There is a folder of another book, or of a build that still runs, in the way."""


def alone(tasks: Sequence[Task]) -> Iterator[tuple[int, bytes]]:
    """Does them in this process, one after the other."""
    return ((index, task.run()) for index, task in enumerate(tasks))


@contextmanager
def claimed(folder: Path) -> Iterator[None]:
    """Keeps other builds away from a folder; the system forgets it with the process. Raises OtherWork if one is there.

    Two in one folder would move away what the other is writing, and the first to end would remove it all.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("wb") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise OtherWork(f"Another build is at work in {folder}; wait for it, or write to another file.") from None
        yield


class Work:
    """A folder for the results of tasks. ``plan`` is all that they depend on.

    Raises OtherWork where the folder was made for another plan.
    """

    def __init__(self, folder: Path, plan: Mapping[str, Any], crew: Crew, watch: Watch) -> None:
        self._folder = folder
        self._crew = crew
        self.watch = watch
        folder.mkdir(parents=True, exist_ok=True)
        note = folder / "plan.json"
        text = json.dumps(plan, sort_keys=True)
        if not note.exists():
            _write(note, text.encode())
        elif note.read_text(encoding="utf-8") != text:
            raise OtherWork(f"{folder} holds the beginnings of another book; remove it, or write to another file.")

    def results(self, label: str, tasks: Sequence[Task]) -> Iterator[bytes]:
        """What comes back from each task, in their order; only those are done that were not done before."""
        files = [self._folder / f"{label}-{index:06}" for index in range(len(tasks))]
        missing = [index for index, file in enumerate(files) if not _holds(file, tasks[index].size)]
        done = self._crew([tasks[index] for index in missing])
        for place, result in self.watch(label, done, total=len(tasks), done=len(tasks) - len(missing)):
            _write(files[missing[place]], result)
        return (file.read_bytes() for file in files)

    def remove(self) -> None:
        """Removes the folder, when the book is written."""
        shutil.rmtree(self._folder)


def _holds(file: Path, size: int) -> bool:
    return file.exists() and file.stat().st_size == size


def _write(file: Path, data: bytes) -> None:
    """Writes a file that is there whole or not at all."""
    unfinished = file.with_name(file.name + ".new")
    unfinished.write_bytes(data)
    unfinished.replace(file)
