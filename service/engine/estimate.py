"""Expected results: what the raw value of a look-ahead says about the outcome."""

from math import tanh

LINE = 1 << 48
"""What a completed line is worth in raw values; one that lacks ``n`` marks is worth half as much, ``n`` times over."""


def expected_result(value: int) -> float:
    """Return the result to expect, from -1 to 1, by the raw value of a look-ahead for the same player."""
    return tanh(value / LINE)
