"""A worker for each core means those that the process may use, not those that the machine has."""

import os
from pathlib import Path

import pytest

from service.cores import cores
from service.settings import Settings

MACHINE = 4
OWN = "proc/self/cgroup"
V2 = "sys/fs/cgroup/"


def v1(group: str, quota: int, own: str = "4:cpu,cpuacct:/\n") -> dict[str, str]:
    """The files of version 1 that limit a group."""
    folder = f"sys/fs/cgroup/cpu/{group}"
    return {OWN: own, f"{folder}cpu.cfs_quota_us": f"{quota}\n", f"{folder}cpu.cfs_period_us": "100000\n"}


SYSTEMS: dict[str, tuple[int, dict[str, str]]] = {
    "no control groups": (4, {}),
    "version 2, a container without a limit": (4, {OWN: "0::/\n", f"{V2}cpu.max": "max 100000\n"}),
    "version 2, half a core": (1, {OWN: "0::/\n", f"{V2}cpu.max": "50000 100000\n"}),
    "version 2, a core and a half": (2, {OWN: "0::/\n", f"{V2}cpu.max": "150000 100000\n"}),
    "version 2, two cores": (2, {OWN: "0::/\n", f"{V2}cpu.max": "200000 100000\n"}),
    "version 2, more than there are": (4, {OWN: "0::/\n", f"{V2}cpu.max": "6400000 100000\n"}),
    "version 2, a limit around the own group": (
        2,
        {OWN: "0::/a/b\n", f"{V2}a/b/cpu.max": "max 100000\n", f"{V2}a/cpu.max": "200000 100000\n"},
    ),
    "version 2, a path of the host": (1, {OWN: "0::/docker/0123456789ab\n", f"{V2}cpu.max": "100000 100000\n"}),
    "version 1, no limit": (4, v1("", -1)),
    "version 1, a core and a bit": (2, v1("", 100_001, "5:memory:/m\n4:cpu,cpuacct:/\n0::/\n")),
    "version 1, a group of its own": (3, v1("pod/c/", 250_000, "4:cpu:/pod/c\n")),
    "files that hold something else": (4, {OWN: "0::/\n", f"{V2}cpu.max": "nonsense\n"}),
}
"""How many of four cores may be used, and the files of the system that say so."""


def use(root: Path, monkeypatch: pytest.MonkeyPatch, allowed: set[int], files: dict[str, str]) -> int:
    """How many cores are used by a process that is allowed to run on some, on a system with these files."""
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: allowed)
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    return cores(root)


@pytest.mark.parametrize("name", SYSTEMS)
def test_the_quota_of_a_container_counts_and_is_rounded_up(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected, files = SYSTEMS[name]
    assert use(tmp_path, monkeypatch, {*range(MACHINE)}, files) == expected


def test_a_quota_gives_no_core_that_the_process_is_not_to_run_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert use(tmp_path, monkeypatch, {3}, SYSTEMS["version 2, two cores"][1]) == 1


def test_the_workers_of_this_machine_are_as_many_as_its_cores_or_fewer() -> None:
    assert 1 <= Settings().workers == Settings().max_searches == cores() <= len(os.sched_getaffinity(0))
