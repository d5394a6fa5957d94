"""The row of an attack in the table, and which budgets it breaks.

Times are those beyond the twin, a server under no attack that was asked the same at the same moments: what delays both
is the machine. They are judged by the better round, so that other load on the machine fails no attack by chance.
Everything else is judged by the worse round.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping

from loadtests.budgets import Verdicts
from loadtests.drive.traffic import quantile
from loadtests.siege.manifest import Bounds
from loadtests.siege.rounds import Siege
from loadtests.siege.watch import Readings, Seen
from loadtests.tables import Row

MOST_OUTCOMES = 4
MOST_FAULTS = 3

COLUMNS: Mapping[str, Callable[[Siege], object]] = {
    "attack": lambda siege: siege.name,
    "peak, MB": lambda siege: round(siege.peak.container),
    "of a worker": lambda siege: round(siege.peak.worker),
    "after": lambda siege: round(siege.rounds[-1].after.container),
    "threads": lambda siege: siege.peak.threads,
    "/readyz p50, ms": lambda siege: worst(siege, lambda seen: seen.attacked.ready_ms, 0.5),
    "p99": lambda siege: worst(siege, lambda seen: seen.attacked.ready_ms, 0.99),
    "slowest": lambda siege: worst(siege, lambda seen: seen.attacked.ready_ms, 1),
    "of the twin": lambda siege: worst(siege, lambda seen: seen.twin.ready_ms, 1),
    "3x3 p99": lambda siege: worst(siege, lambda seen: seen.attacked.small_ms, 0.99),
    "of its twin": lambda siege: worst(siege, lambda seen: seen.twin.small_ms, 0.99),
    "outcomes": lambda siege: ", ".join(f"{times} {how}" for how, times in siege.outcomes.most_common(MOST_OUTCOMES)),
}
"""The cells of the table by their heads."""

HEAD: Row = (*COLUMNS, "verdict")


def worst(siege: Siege, times: Callable[[Readings], list[float]], share: float) -> int:
    """Return the milliseconds that this share did not exceed in the worst round."""
    return round(max(quantile(times(each.readings), share) for each in siege.rounds))


def row(siege: Siege, *, held: bool) -> Row:
    """Return the row of the table: the worst of all rounds."""
    return (*(str(cell(siege)) for cell in COLUMNS.values()), "held" if held else "FAILED")


def failures(siege: Siege, bounds: Bounds, allowance: float) -> list[str]:
    """Return a sentence for each budget that the attack breaks, and for each kind of fault that was seen.

    Times may exceed their budgets by the ``allowance``.
    """
    counts, times = Verdicts(), Verdicts(allowance)
    counts.judge("siege memory", siege.peak.container / bounds.memory_mb)
    counts.judge("siege threads", siege.peak.threads / bounds.threads)
    counts.judge("siege growth", siege.growth_mb)
    counts.judge("siege workers", sum(each.replaced for each in siege.rounds))
    times.judge("siege readyz", _late(siege, lambda seen: seen.ready_ms, 0.99))
    times.judge("siege slowest readyz", _late(siege, lambda seen: seen.ready_ms, 1))
    times.judge("siege 3x3", _late(siege, lambda seen: seen.small_ms, 0.99))
    sentences = (*counts.missed, *times.missed, *_remains(siege), *_faults(siege))
    return [f"{siege.name}: {sentence}" for sentence in sentences]


def _late(siege: Siege, times: Callable[[Seen], list[float]], share: float) -> float:
    """Return by how many milliseconds the server was later than its twin in the better round."""
    readings = [each.readings for each in siege.rounds]
    return min(quantile(times(each.attacked), share) - quantile(times(each.twin), share) for each in readings)


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
