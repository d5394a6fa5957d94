"""One attack on a server, in a process of its own."""

import asyncio
import multiprocessing
import os
import time
from collections import Counter
from dataclasses import dataclass, field

from loadtests.siege.attacks.table import ATTACKS
from loadtests.siege.attacks.target import Target
from loadtests.siege.watch import PROCESSES

NICE = 10
"""The priority of the attackers, which elsewhere have a machine of their own."""

GRACE_SECONDS = 5
"""How much longer than its time an attack may take before it is ended."""


@dataclass
class Report:
    """What the attackers got."""

    outcomes: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)


def strike(name: str, port: int, seconds: float) -> Report:
    """Attack the server on a port for some seconds; all connections are closed at the end."""
    with PROCESSES.Pool(1, os.nice, [NICE]) as pool:
        pool.apply(_strike, [name, port, 0.0])  # imports the modules
        try:
            return pool.apply_async(_strike, [name, port, seconds]).get(seconds + GRACE_SECONDS)
        except multiprocessing.TimeoutError:
            return Report(wrong=[f"the attack {name} did not end in time"])


def _strike(name: str, port: int, seconds: float) -> Report:
    target = Target(port, time.monotonic() + seconds)
    if seconds:
        asyncio.run(ATTACKS[name].run(target))  # type: ignore[arg-type]
    return Report(target.outcomes, target.wrong)
