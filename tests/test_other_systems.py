"""What only Linux has is not needed: elsewhere the service does without."""

import os
import sys
from pathlib import Path

import pytest

from service.cores import cores
from service.engine.work import slots
from service.kernel import memory
from tests.programs import run


@pytest.mark.parametrize(("counted", "expected"), [(4, 4), (None, 1)])
def test_without_affinity_all_cores_count(
    counted: int | None, expected: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: counted)
    assert cores(tmp_path) == expected


def test_where_threads_have_no_priority_of_their_own_none_is_lowered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.delattr(os, "setpriority")
    slots.lower_priority()


def test_memory_of_one_search_is_zero_where_mappings_have_no_flags(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "ALONE", {})
    words = memory.private_words(memory.LEAST_MAPPED // 8)
    assert (len(words), any(words)) == (memory.LEAST_MAPPED // 8, False)


def test_without_shared_memory_small_files_go_where_temporary_ones_do(tmp_path: Path) -> None:
    program = """
import os, pathlib
has = os.access
os.access = lambda path, *mode: path != "/dev/shm" and has(path, *mode)
import service.gunicorn_conf
print(pathlib.Path(os.environ["PROMETHEUS_MULTIPROC_DIR"]).parent)
"""
    done = run(sys.executable, "-c", program, environment={"TMPDIR": str(tmp_path)})
    assert (done.returncode, done.stdout.strip(), done.stderr) == (0, str(tmp_path), "")
    assert [*tmp_path.iterdir()] == []
