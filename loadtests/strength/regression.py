"""Logistic regression by Newton's method."""

from collections.abc import Sequence
from math import exp

ROUNDS = 12
RIDGE = 0.01
"""What is added to the curvature, so that a feature that never varies gets the weight 0."""


def fit(features: Sequence[Sequence[float]], results: Sequence[float]) -> list[float]:
    """Return the weights by which features give the most likely results, from 0 to 1."""
    weights = [0.0] * len(features[0])
    for _ in range(ROUNDS):
        gradient = [-RIDGE * weight for weight in weights]
        curvature = [[RIDGE * (row == column) for column in range(len(weights))] for row in range(len(weights))]
        for values, result in zip(features, results, strict=True):
            expected = _logistic(sum(weight * value for weight, value in zip(weights, values, strict=True)))
            _add(gradient, values, result - expected)
            for row, value in zip(curvature, values, strict=True):
                if value:
                    _add(row, values, value * expected * (1 - expected))
        weights = [weight + step for weight, step in zip(weights, solve(curvature, gradient), strict=True)]
    return weights


def solve(matrix: Sequence[Sequence[float]], right: Sequence[float]) -> list[float]:
    """Return the solution of linear equations whose matrix is positive definite, by elimination."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for place, pivot in enumerate(rows):
        pivot[:] = [value / pivot[place] for value in pivot]
        for row in rows:
            if row is not pivot:
                _add(row, pivot, -row[place])
    return [row[-1] for row in rows]


def _add(row: list[float], other: Sequence[float], factor: float) -> None:
    """Add a multiple of another row."""
    for place, value in enumerate(other):
        row[place] += factor * value


def _logistic(value: float) -> float:
    return 1 / (1 + exp(-max(-30.0, min(30.0, value))))
