"""Opponents of any strength in games of families: what a player of limited sight would choose.

How many plies ahead the player sees is drawn as in line games. A win or a loss within those plies is seen for certain.
Every other move looks like a draw, and so does one of which too little is proven. Of the moves that look best one is
drawn.
"""

from random import Random

from service.engine.result import Bounds, Known, MoveValues
from service.engine.skill import sight
from service.games.position import Position


def weaker_family_move(position: Position, values: MoveValues, *, skill: int, seed: int) -> int:
    """Return the move of a player of this ``skill``, at least 0 and below 100, by the ``values`` of all legal moves."""
    # The position is part of the draw: a bot that keeps one seed would else see equally far all game long.
    dice = Random(f"{seed} {position}")  # noqa: S311, chance in a game guards nothing
    _, plies = sight(skill, dice)
    return dice.choice(looks_best(values, plies))


def looks_best(values: MoveValues, plies: int) -> list[int]:
    """Return the moves that look best to a player who sees so many plies ahead."""
    seen = {move: _seen_score(value, plies) for move, value in values.items()}
    most = max(seen.values())
    return [move for move, score in seen.items() if score == most]


def _seen_score(value: Known, plies: int) -> int:
    if isinstance(value, Bounds) or value.plies is None or value.plies > plies:
        return 0
    return value.score
