"""The weight of each feature in the evaluation: 100 points multiply the odds of a win by about e.

The weights were fitted to games of the look-ahead against itself (docs/how-it-works/search.md). All games without
gravity share one set. Games with gravity have one set for columns of even height, because a player who always answers
in the same column gets the same rows of every column only there, and another one for the rest. Columns of four cells
and less have the other one as well, which is nearer to the results of games of Score Four.
"""

from typing import NamedTuple


class FreeWeights(NamedTuple):
    """Weights of games without gravity, mostly of open lines by the number of their missing cells.

    ``own_`` is for lines of the player to move, ``other_`` for lines of the opponent. Lines that lack four cells only
    count if they have a mark. ``fork`` is for a cell on two lines of the player to move that lack two cells each.
    ``to_move`` is the value of being the player to move.
    """

    to_move: int
    fork: int
    own_two: int
    own_three: int
    own_four: int
    other_two: int
    other_three: int
    other_four: int


class GravityWeights(NamedTuple):
    """Weights of games with gravity, the same for both players.

    ``two`` and ``three`` are for lines that lack this number of cells. ``near_`` is added for lines whose missing cells
    are all near. ``got_`` is added for lines whose missing cells the player gets by move or zugzwang, and for threats
    in cells that the player gets by zugzwang. See ``evaluation``.
    """

    to_move: int
    zugzwang: int
    threat: int
    got_threat: int
    double_threat: int
    two: int
    three: int
    near_two: int
    near_three: int
    got_two: int
    got_three: int


FREE = FreeWeights(
    to_move=10,
    fork=320,
    own_two=64,
    own_three=25,
    own_four=8,
    other_two=50,
    other_three=18,
    other_four=6,
)

EVEN_COLUMNS = GravityWeights(
    to_move=60,
    zugzwang=100,
    threat=-10,
    got_threat=60,
    double_threat=310,
    two=23,
    three=9,
    near_two=8,
    near_three=11,
    got_two=26,
    got_three=7,
)

OTHER_COLUMNS = GravityWeights(
    to_move=40,
    zugzwang=45,
    threat=40,
    got_threat=5,
    double_threat=220,
    two=12,
    three=3,
    near_two=15,
    near_three=13,
    got_two=5,
    got_three=0,
)


LOW = 4
"""Columns of at most this height never have the weights of even height."""


def weights_of(cells: int, drop: int) -> FreeWeights | GravityWeights:
    """Return the weights of a game of ``cells`` cells; those of a column are ``drop`` apart, 0 without gravity."""
    if not drop:
        return FREE
    height = cells // drop
    return OTHER_COLUMNS if height % 2 or height <= LOW else EVEN_COLUMNS
