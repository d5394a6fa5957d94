"""The row of an attack in the table, and which budgets it breaks.

Times are those beyond the twin, a server under no attack that was asked the same at the same moments: what delays both
is the machine. They are judged by the better round, so that other load on the machine fails no attack by chance.
Everything else is judged by the worse round.
"""

from collections import Counter
from collections.abc import Iterator

from loadtests.budgets import Verdicts
from loadtests.siege.manifest import Bounds
from loadtests.siege.rounds import Siege
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
    "of the twin",
    "3x3 p99",
    "of the twin",
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
        f"{max(each.attacked.ready.quantile(0.5) for each in readings):.0f}",
        f"{max(each.attacked.ready.quantile(0.99) for each in readings):.0f}",
        f"{max(each.attacked.ready.worst for each in readings):.0f}",
        f"{max(each.twin.ready.worst for each in readings):.0f}",
        f"{max(each.attacked.small.quantile(0.99) for each in readings):.0f}",
        f"{max(each.twin.small.quantile(0.99) for each in readings):.0f}",
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
    pairs = [(each.readings.attacked, each.readings.twin) for each in siege.rounds]
    times.judge("siege readyz", min(one.ready.quantile(0.99) - twin.ready.quantile(0.99) for one, twin in pairs))
    times.judge("siege slowest readyz", min(one.ready.worst - twin.ready.worst for one, twin in pairs))
    times.judge("siege 3x3", min(one.small.quantile(0.99) - twin.small.quantile(0.99) for one, twin in pairs))
    sentences = (*counts.missed, *times.missed, *_remains(siege), *_faults(siege))
    return [f"{siege.name}: {sentence}" for sentence in sentences]


def _remains(siege: Siege) -> Iterator[str]:
    for each in siege.rounds:
        if each.unrecovered:
            yield f"after the clients were gone there were still {', '.join(each.unrecovered)}"


def _faults(siege: Siege) -> Iterator[str]:
    seen = {
        "attackers": [fault for each in siege.rounds for fault in each.report.wrong],
        "other clients": [fault for each in siege.rounds for fault in each.readings.attacked.faults],
        "the log": siege.errors,
    }
    for place, faults in seen.items():
        for fault, times in Counter(faults).most_common(MOST_FAULTS):
            yield f"{place}, {times} of {len(faults)} faults: {fault}"
