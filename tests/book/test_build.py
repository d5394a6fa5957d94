"""A build makes the same book with every executor, and continues where it was interrupted."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from service.book.builder.build import build, make_plan
from service.book.builder.checkpoints import Checkpoints, FolderInUse, locked
from service.games.catalogue import CONNECT_FOUR_5X4
from tests.book.books import no_progress, plan_of
from tests.support import wait_until


class Interrupted(Exception):
    """Ends a build in these tests."""


class CountingExecutor(ThreadPoolExecutor):
    """Counts the tasks, and interrupts the build as soon as the results of so many of them are in its folder."""

    def __init__(self, folder: Path, most: int = 10**6) -> None:
        super().__init__(1)
        self.submitted = 0
        self._folder, self._most = folder, most

    def submit(self, task: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.submitted += 1
        return super().submit(task if self.submitted <= self._most else self._interrupt, *args, **kwargs)

    def _interrupt(self, *_: object) -> None:
        wait_until(lambda: len(leaves(self._folder)) == self._most)
        raise Interrupted


def leaves(folder: Path) -> list[Path]:
    return [*folder.glob("leaves-??????")]


def test_an_interrupted_build_runs_only_the_missing_tasks(tmp_path: Path) -> None:
    plan = plan_of(CONNECT_FOUR_5X4)

    def tasks_run(executor: CountingExecutor) -> int:
        with executor, suppress(Interrupted):
            build(plan, Checkpoints(tmp_path, plan.data(), executor, no_progress))
        return executor.submitted

    first = tasks_run(CountingExecutor(tmp_path, 3))
    assert len(leaves(tmp_path)) == 3
    (tmp_path / "leaves-000004.new").write_bytes(b"torn")
    assert first - 3 < tasks_run(CountingExecutor(tmp_path))  # the other leaves, and the lines
    assert tasks_run(CountingExecutor(tmp_path)) == 0
    assert len(leaves(tmp_path)) == first


def test_a_folder_is_free_again_when_its_build_has_ended_and_checkpoints_of_another_book_are_left_alone(
    tmp_path: Path,
) -> None:
    for _ in range(2):
        with suppress(Interrupted), locked(tmp_path):
            with pytest.raises(FolderInUse, match="Another build is using"), locked(tmp_path):
                pass
            raise Interrupted
    with ThreadPoolExecutor(1) as executor:
        Checkpoints(tmp_path, make_plan(CONNECT_FOUR_5X4, 3).data(), executor, no_progress)
        with pytest.raises(FolderInUse, match="contains a part of another file"):
            Checkpoints(tmp_path, make_plan(CONNECT_FOUR_5X4, 4).data(), executor, no_progress)
