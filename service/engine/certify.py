"""From a proven outcome to its certificate."""

from service.engine.certificate import MOST_ENTRIES, Certificate, Strategy, Unfinished, Unproven, claims
from service.engine.limit import Effort
from service.engine.prover import Prover
from service.engine.result import Known, ends
from service.games.lines import LinePosition

Certified = Certificate | Unproven | Unfinished
"""A certificate, or why there is none."""


def certify(prover: Prover, position: LinePosition, known: Known, effort: Effort) -> Certified:
    """Return the certificate of what is ``known`` of a position, as far as the effort suffices."""
    outcome, most = ends(known)
    if outcome != most:
        return Unproven(known)
    strategies: list[Strategy] = []
    entries = 0
    for holder, wins in claims(position, outcome):
        if not position.legal_moves:
            strategies.append(Strategy(holder, wins, {}))
            continue
        found = prover.strategy(position, holder, effort, wins=wins, most=MOST_ENTRIES - entries)
        entries += 0 if found is None else len(found.entries)
        if found is None or not found.complete:
            return Unfinished(outcome, entries, entries == MOST_ENTRIES)
        strategies.append(found)
    return Certificate(position, outcome, tuple(strategies))
