"""The files of the metrics: their room is allotted before it is used, and where there is none nothing is lost."""

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from prometheus_client.mmap_dict import MmapedDict

from service.metrics_files import ReservedFile

NUMBERS = {f'["a_metric", "a_name", {{"label": "{number:05}"}}, "help"]': float(number) for number in range(3000)}
"""More than the first and the second size of a file can hold."""


def full(after: int) -> Callable[[int, int, int], None]:
    """``os.posix_fallocate`` of a disk that takes no more than so many bytes for any file but those in memory."""
    allot = os.posix_fallocate

    def allotted(file: int, start: int, size: int) -> None:
        if size > after and "memfd:" not in str(Path(f"/proc/self/fd/{file}").readlink()):
            raise OSError(errno.ENOSPC, "No space left on device")
        allot(file, start, size)

    return allotted


def written(path: Path) -> dict[str, float]:
    """What a process reads back that has counted all the numbers."""
    file = ReservedFile(str(path))
    for key, number in NUMBERS.items():
        file.write_value(key, number, 0.0)  # type: ignore[no-untyped-call]
    return {key: value for key, value, _ in file.read_all_values()}  # type: ignore[no-untyped-call]


def seen_by_others(path: Path) -> dict[str, float]:
    found = MmapedDict.read_all_values_from_file(str(path))  # type: ignore[no-untyped-call]
    return {key.rstrip(): value for key, value, *_ in found}


def test_others_read_every_number_of_a_file_that_has_grown(tmp_path: Path) -> None:
    path = tmp_path / "counter_1.db"
    assert {key.rstrip(): value for key, value in written(path).items()} == NUMBERS
    assert seen_by_others(path) == NUMBERS


def test_every_page_of_a_file_is_allotted(tmp_path: Path) -> None:
    path = tmp_path / "counter_1.db"
    written(path)
    assert path.stat().st_blocks * 512 >= path.stat().st_size > 100_000


@pytest.mark.parametrize("after", [0, 65536, 131072])
def test_no_number_is_lost_on_a_disk_that_is_full(
    after: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(os, "posix_fallocate", full(after))
    kept = written(tmp_path / "counter_1.db")
    assert {key.rstrip(): value for key, value in kept.items()} == NUMBERS
    assert ["no longer shared" in record.message for record in caplog.records] == [True]


def test_a_file_is_taken_up_again_where_it_was_left(tmp_path: Path) -> None:
    path = tmp_path / "counter_1.db"
    first = ReservedFile(str(path))
    first.write_value("a", 7.0, 0.0)  # type: ignore[no-untyped-call]
    assert ReservedFile(str(path)).read_value("a") == (7.0, 0.0)  # type: ignore[no-untyped-call]
