"""A worker for each core means those that the process may use, not those that the machine has."""

import os
from pathlib import Path

import pytest

from service.cores import cores
from service.settings import Settings

MACHINE = 4
OWN = "proc/self/cgroup"
V2, V1 = "sys/fs/cgroup/", "sys/fs/cgroup/cpu/"
QUOTA, PERIOD = "cpu.cfs_quota_us", "cpu.cfs_period_us"

SYSTEMS: dict[str, tuple[int, dict[str, str]]] = {
    "no control groups": (4, {}),
    "version 2, a container without a limit": (4, {OWN: "0::/\n", f"{V2}cpu.max": "max 100000\n"}),
    "version 2, half a core": (1, {OWN: "0::/\n", f"{V2}cpu.max": "50000 100000\n"}),
    "version 2, a thousandth of a core": (1, {OWN: "0::/\n", f"{V2}cpu.max": "1000 1000000\n"}),
    "version 2, a core and a half": (2, {OWN: "0::/\n", f"{V2}cpu.max": "150000 100000\n"}),
    "version 2, two cores": (2, {OWN: "0::/\n", f"{V2}cpu.max": "200000 100000\n"}),
    "version 2, more than there are": (4, {OWN: "0::/\n", f"{V2}cpu.max": "6400000 100000\n"}),
    "version 2, a service of systemd": (
        3,
        {OWN: "0::/system.slice/oracle.service\n", f"{V2}system.slice/oracle.service/cpu.max": "300000 100000\n"},
    ),
    "version 2, a limit around the own group": (
        2,
        {OWN: "0::/a/b\n", f"{V2}a/b/cpu.max": "max 100000\n", f"{V2}a/cpu.max": "200000 100000\n"},
    ),
    "version 2, a path of the host that the container does not see": (
        1,
        {OWN: "0::/docker/0123456789ab\n", f"{V2}cpu.max": "100000 100000\n"},
    ),
    "version 1, no limit": (4, {OWN: "4:cpu,cpuacct:/\n", f"{V1}{QUOTA}": "-1\n", f"{V1}{PERIOD}": "100000\n"}),
    "version 1, a core and a bit": (
        2,
        {OWN: "5:memory:/m\n4:cpu,cpuacct:/\n0::/\n", f"{V1}{QUOTA}": "100001\n", f"{V1}{PERIOD}": "100000\n"},
    ),
    "version 1, a group of its own": (
        3,
        {OWN: "4:cpu:/pod/c\n", f"{V1}pod/c/{QUOTA}": "250000\n", f"{V1}pod/c/{PERIOD}": "100000\n"},
    ),
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
    assert 1 <= Settings().workers == cores() <= len(os.sched_getaffinity(0))
