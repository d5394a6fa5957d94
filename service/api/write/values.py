"""Fields with the value of a position or a move, and with its reasons."""

from typing import Any

from service.engine.result import Known, WithResult, ends, estimate, score_bounds
from service.explain.ranking import RankedMove
from service.explain.review import JudgedMove
from service.games.position import Position

ESTIMATE_DIGITS = 3
"""The decimals of an estimate."""


def value_fields(found: WithResult) -> dict[str, Any]:
    """Return the fields with the value of a position or a move; None for unproven ones."""
    return {"outcome": found.outcome, "score": found.score, "plies": found.plies}


def proof_fields(found: WithResult) -> dict[str, Any]:
    """Return the fields that say how much of a value is proven, with the bounds of the rest."""
    fields: dict[str, Any] = {"proven": found.proven, "exact": found.exact}
    if not found.proven:
        at_least, at_most = ends(found.known)
        return {
            **fields,
            "at_least": at_least,
            "at_most": at_most,
            **_estimate_fields("estimate", found.position, found.known),
        }
    if not found.exact:
        fields["plies_at_least"], fields["plies_at_most"] = found.plies_bounds
    return fields


def reasons_answer(ranked: RankedMove) -> list[dict[str, Any]]:
    """Return the reasons for a move, each with its code, sentence and lines."""
    return [{"code": why.code, "detail": why.sentence, "lines": why.lines} for why in ranked.reasons]


def judgement_fields(move: JudgedMove) -> dict[str, Any]:
    """Return the judgement of a move in a review, without the fields of the move."""
    before, after = move.outcome_before, move.outcome_after
    return {
        "outcome_before": before or "unknown",
        "outcome_after": after or "unknown",
        "score_before": _score(move.before),
        "score_after": _score(move.value),
        **({} if before else _estimate_fields("estimate_before", move.position, move.before)),
        **({} if after else _estimate_fields("estimate_after", move.position, move.value)),
        "verdict": move.verdict,
        "gave_away": " -> ".join(move.gave_away) if move.gave_away else None,
        "reason": move.reason,
    }


def _estimate_fields(name: str, position: Position, known: Known) -> dict[str, float]:
    """Return the field of an estimate; none in games without estimates."""
    if not position.game.has_estimates:
        return {}
    return {name: round(estimate(known), ESTIMATE_DIGITS) + 0.0}  # never -0.0


def _score(known: Known) -> int | None:
    least, greatest = score_bounds(known)
    return least if least == greatest else None
