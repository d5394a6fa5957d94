"""One attack on a server, in a process of its own."""

import asyncio
import os
import time
from collections import Counter
from dataclasses import dataclass, field
from multiprocessing.connection import Connection

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
    ours, theirs = PROCESSES.Pipe(duplex=False)
    process = PROCESSES.Process(target=_strike, args=(name, port, seconds, theirs), daemon=True)
    process.start()
    theirs.close()
    ours.recv()  # the modules are imported: the time begins
    try:
        if ours.poll(seconds + GRACE_SECONDS):
            report: Report = ours.recv()
            return report
    except EOFError:
        return Report(wrong=[f"the attack {name} failed"])
    finally:
        process.kill()
        process.join()
    return Report(wrong=[f"the attack {name} did not end in time"])


def _strike(name: str, port: int, seconds: float, connection: Connection) -> None:
    os.nice(NICE)
    connection.send(None)
    target = Target(port, time.monotonic() + seconds)
    asyncio.run(ATTACKS[name].run(target))  # type: ignore[arg-type]
    connection.send(Report(target.outcomes, target.wrong))
