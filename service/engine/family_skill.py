"""Opponents of any strength in games of families: what a player of limited sight would choose.

How many plies ahead the player sees is drawn as in line games. A win or a loss within those plies is seen for certain,
and every other move looks like a draw. Of the moves that look best one is drawn.
"""

from collections.abc import Mapping
from random import Random

from service.engine.result import ProvenResult
from service.engine.skill import sight
from service.families.position import FamilyPosition


def weaker_family_move(position: FamilyPosition, values: Mapping[int, ProvenResult], *, skill: int, seed: int) -> int:
    """Return the move of a player of this ``skill``, at least 0 and below 100, by the ``values`` of all legal moves."""
    # The position is part of the draw: a bot that keeps one seed would else see equally far all game long.
    dice = Random(f"{seed} {position}")  # noqa: S311, chance in a game guards nothing
    _, plies = sight(skill, dice)
    return dice.choice(looks_best(values, plies))


def looks_best(values: Mapping[int, ProvenResult], plies: int) -> list[int]:
    """Return the moves that look best to a player who sees so many plies ahead."""
    seen = {move: _seen_score(value, plies) for move, value in values.items()}
    most = max(seen.values())
    return [move for move, score in seen.items() if score == most]


def _seen_score(value: ProvenResult, plies: int) -> int:
    return value.score if value.plies is not None and value.plies <= plies else 0
