"""The cores that this process may use, limited by its container: Python ignores that quota."""

import math
import os
from collections.abc import Iterator
from pathlib import Path


def cores(root: Path = Path("/")) -> int:
    """Return the number of usable cores: the quota, rounded up, or the affinity if that is less.

    ``root`` is the folder of the system's files.
    """
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    quota = min(map(_quota, _groups(root)), default=math.inf)
    return allowed if quota >= allowed else max(1, math.ceil(quota))


def _groups(root: Path) -> Iterator[Path]:
    """Yield the control groups (versions 1 and 2) that limit the process: its own and their parents."""
    for line in _text(root / "proc/self/cgroup").splitlines():
        _, controllers, path = line.split(":", 2)
        if not controllers or "cpu" in controllers.split(","):
            mount = root / "sys/fs/cgroup" / ("cpu" if controllers else "")
            group = mount / path.lstrip("/")
            yield from (folder for folder in (group, *group.parents) if folder.is_relative_to(mount))


def _quota(group: Path) -> float:
    """Return the seconds of processor time per second that a group may use; infinity without a limit."""
    both = _text(group / "cpu.max") or _text(group / "cpu.cfs_quota_us") + _text(group / "cpu.cfs_period_us")
    match both.split():
        case [quota, period] if quota.isdecimal() and period.isdecimal():  # or it is "max", or -1
            return int(quota) / int(period)
    return math.inf


def _text(path: Path) -> str:
    try:
        return path.read_text()
    except OSError:
        return ""
