"""Expected results: what the value of a look-ahead says about the outcome."""

from collections.abc import Mapping
from math import tanh
from types import MappingProxyType

from service.games.catalogue import CONNECT_FOUR, QUBIC
from service.games.lines import LineGame

SCALES: Mapping[bytes, float] = MappingProxyType({CONNECT_FOUR.digest: 100.0, QUBIC.digest: 150.0})
"""The scales of games that are too large to be proven at once, by the digests of their rules."""

OTHER_SCALE = 200.0
"""The scale of all other games."""


def expected_result(value: int, game: LineGame) -> float:
    """Return the result to expect, from -1 to 1, by the value of a look-ahead for the same player."""
    return tanh(value / scale_of(game))


def scale_of(game: LineGame) -> float:
    """Return the value that means an expected result of tanh 1, which is 0.76.

    ``python -m loadtests strength estimates`` measures the error of the estimates.
    """
    return SCALES.get(game.digest, OTHER_SCALE)
