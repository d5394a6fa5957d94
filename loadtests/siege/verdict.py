"""The row of an attack in the table, and which budgets it breaks.

Times are those beyond a bare server, which was asked at the same moments by the same process: what that takes longer is
the machine's delay. They are judged by the best round, so that other load on the machine fails no attack by chance.
Everything else is judged by the worst round.
"""

from collections import Counter
from collections.abc import Iterator

from loadtests.budgets import Verdicts
from loadtests.siege.manifest import Bounds
from loadtests.siege.rounds import Round, Siege
from loadtests.tables import Row

HEAD: Row = (
    "attack",
    "peak, MB",
    "of a worker",
    "after",
    "threads",
    "/readyz p50, ms",
    "p99",
    "slowest",
    "bare, slowest",
    "3x3 p99",
    "idle",
    "outcomes",
    "verdict",
)

MOST_OUTCOMES = 4
MOST_FAULTS = 3


def row(siege: Siege, *, held: bool) -> Row:
    """Return the row of the table: the worst of all rounds."""
    readings = [each.readings for each in siege.rounds]
    return (
        siege.name,
        f"{siege.peak.container:.0f}",
        f"{siege.peak.worker:.0f}",
        f"{siege.rounds[-1].after.container:.0f}",
        f"{siege.peak.threads}",
        f"{max(each.ready.quantile(0.5) for each in readings):.0f}",
        f"{max(each.ready.quantile(0.99) for each in readings):.0f}",
        f"{max(each.ready.worst for each in readings):.0f}",
        f"{max(each.bare.worst for each in readings):.0f}",
        f"{max(each.small.quantile(0.99) for each in readings):.0f}",
        f"{siege.idle.small.quantile(0.99):.0f}",
        ", ".join(f"{times} {outcome}" for outcome, times in siege.outcomes.most_common(MOST_OUTCOMES)),
        "held" if held else "FAILED",
    )


def failures(siege: Siege, bounds: Bounds, allowance: float) -> list[str]:
    """Return a sentence for each budget that the attack breaks, and for each kind of fault that was seen.

    Times may exceed their budgets by the ``allowance``.
    """
    counts, times = Verdicts(), Verdicts(allowance)
    counts.judge("siege memory", siege.peak.container / bounds.memory_mb)
    counts.judge("siege threads", siege.peak.threads / bounds.threads)
    counts.judge("siege growth", siege.growth_mb)
    counts.judge("siege workers", sum(each.replaced for each in siege.rounds))
    times.judge("siege readyz", min(map(_ready_ms, siege.rounds)))
    times.judge("siege slowest readyz", min(map(_slowest_ready_ms, siege.rounds)))
    times.judge("siege 3x3", min(_small_ms(siege, each) for each in siege.rounds))
    sentences = (*counts.missed, *times.missed, *_remains(siege), *_faults(siege))
    return [f"{siege.name}: {sentence}" for sentence in sentences]


def _ready_ms(each: Round) -> float:
    return each.readings.ready.quantile(0.99) - each.readings.bare.quantile(0.99)


def _slowest_ready_ms(each: Round) -> float:
    return each.readings.ready.worst - each.readings.bare.worst


def _small_ms(siege: Siege, each: Round) -> float:
    """Return by how much 3x3 was later than before the attack, beyond what the bare server was."""
    small, bare = (
        during.quantile(0.99) - before.quantile(0.99)
        for during, before in ((each.readings.small, siege.idle.small), (each.readings.bare, siege.idle.bare))
    )
    return small - max(0.0, bare)


def _remains(siege: Siege) -> Iterator[str]:
    for each in siege.rounds:
        if each.unrecovered:
            yield f"after the clients were gone there were still {', '.join(each.unrecovered)}"


def _faults(siege: Siege) -> Iterator[str]:
    seen = {
        "attackers": [fault for each in siege.rounds for fault in each.report.wrong],
        "other clients": [fault for each in siege.rounds for fault in each.readings.faults],
        "the log": siege.errors,
    }
    for place, faults in seen.items():
        for fault, times in Counter(faults).most_common(MOST_FAULTS):
            yield f"{place}, {times} of {len(faults)} faults: {fault}"
