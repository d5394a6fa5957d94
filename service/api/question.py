"""What a request about one position asks, understood: the position, how to choose, and how long to search."""

import secrets
from dataclasses import dataclass, replace

from service.api.models import MAX_SEED, BestMoveRequest
from service.api.notation import read_position
from service.api.reading import Where
from service.api.request_context import RequestContext
from service.api.rules import read_game, read_limit
from service.engine.limit import Limit
from service.games.position import Position
from service.settings import Settings

PERFECT = 100

WEAKER_NODES = 20_000
"""Positions searched for what a weaker player's move leads to, where no limit is given: little, for a quick answer."""


@dataclass(frozen=True, slots=True)
class Question:
    """A position, the limit of the search, and how to choose among its moves.

    ``move_limit`` is the limit for the best move alone: a small one where a weaker player moves and no limit is given;
    None where the default holds.
    ``seed`` is None where chance has no part; ``drawn``: the service drew it. ``skill`` is None for perfect play.
    """

    position: Position
    limit: Limit
    move_limit: Limit | None
    seed: int | None
    skill: int | None
    drawn: bool


def read_question(wanted: BestMoveRequest, settings: Settings, client: RequestContext, where: Where) -> Question:
    """Return the question in a request. Raises a Problem that names every fault."""
    position = read_position(wanted, read_game(wanted.game, where))
    skill = None if wanted.skill in (None, PERFECT) else wanted.skill
    chance = bool(position.legal_moves) and (skill is not None or wanted.tie_break == "random")
    drawn = chance and wanted.seed is None
    seed = secrets.randbelow(MAX_SEED + 1) if drawn else wanted.seed if chance else None
    limit = read_limit(wanted.limit, settings, client, where)
    move_limit = None if wanted.limit is None else limit
    if skill is not None and wanted.limit is None:
        move_limit = replace(limit, nodes=min(WEAKER_NODES, settings.max_nodes))
    return Question(position, limit, move_limit, seed, skill, drawn)
