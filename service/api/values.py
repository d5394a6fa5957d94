"""The fields of answers with the value of a position or of a move."""

from typing import Any

from service.engine.result import Known, WithResult, ends, estimate

ESTIMATE_DIGITS = 3
"""Decimals of an estimate."""


def value_fields(found: WithResult) -> dict[str, Any]:
    """Return the fields with the value of a position or a move; None where it is not proven."""
    return {"outcome": found.outcome, "score": found.score, "plies": found.plies}


def proof_fields(found: WithResult) -> dict[str, Any]:
    """Return the fields that tell how much of a value is proven, and what lies between the bounds of the rest."""
    fields: dict[str, Any] = {"proven": found.proven, "exact": found.exact}
    if not found.proven:
        at_least, at_most = ends(found.known)
        return {**fields, "at_least": at_least, "at_most": at_most, "estimate": rounded_estimate(found.known)}
    if not found.exact:
        fields["plies_at_least"], fields["plies_at_most"] = found.plies_bounds
    return fields


def rounded_estimate(known: Known) -> float:
    """Return the result to expect as answers give it."""
    return round(estimate(known), ESTIMATE_DIGITS)
