"""What a request asks: the game, the position, how to choose among its moves, and how long to search."""

import secrets
from collections.abc import Iterator
from dataclasses import dataclass, replace
from difflib import get_close_matches
from math import prod

from service.api.problems import MAX_SHOWN, Error, Problem, faulty, shortened
from service.api.read import notation
from service.api.read.reading import Where, in_query
from service.api.wire.requests import (
    MAX_SEED,
    BestMoveQuery,
    BestMoveRequest,
    LineRules,
    NamedGame,
    PositionRequest,
    SearchLimit,
)
from service.api.wire.rules import GameRules, RulesError, game_by_rules
from service.engine.work.limit import Limit
from service.games.catalogue import CATALOGUE, DEFAULT_GAME
from service.games.families.lines import LineGame
from service.games.game import MAX_CELLS, Game
from service.games.inline import game_by_lines
from service.games.position import Position
from service.kernel.stopping import Poll
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
    ``nodes`` is what it took to read the game.
    """

    position: Position
    limit: Limit
    move_limit: Limit | None
    seed: int | None
    skill: int | None
    drawn: bool
    nodes: int = 0


def read_question(wanted: BestMoveRequest, settings: Settings, stop: Poll, where: Where) -> Question:
    """Return the question in a request. Raises a Problem that names every fault."""
    faults = [] if wanted.limit is None else [*_limit_faults(wanted.limit, settings, where)]
    try:
        position = read_position(wanted, where)
    except Problem as problem:
        if not faults or not problem.errors:
            raise
        raise faulty("invalid-request", [*problem.errors, *faults]) from None
    skill = None if wanted.skill in (None, PERFECT) else wanted.skill
    chance = (skill is not None or wanted.tie_break == "random") and bool(position.legal_moves)
    drawn = chance and wanted.seed is None
    seed = draw_seed() if drawn else wanted.seed if chance else None
    limit = read_limit(wanted.limit, settings, stop, where)
    move_limit = None if wanted.limit is None else limit
    if skill is not None and wanted.limit is None:
        move_limit = replace(limit, nodes=min(WEAKER_NODES, settings.max_nodes))
    return Question(position, limit, move_limit, seed, skill, drawn, reading_nodes(wanted.game))


def read_position(wanted: PositionRequest, where: Where) -> Position:
    """Return the position in a request. Raises a Problem that names every fault."""
    game = read_game(wanted.game, where)
    drops = wanted.drops if isinstance(wanted, BestMoveQuery) else None
    is_query = where is in_query
    return notation.read_position(game, wanted.board, wanted.moves, wanted.player, drops, in_query=is_query)


def draw_seed() -> int:
    """Return a seed that nobody can foresee."""
    return secrets.randbelow(MAX_SEED + 1)


def read_game(named: NamedGame | None, where: Where) -> Game:
    """Return the game that a request names or describes. Raises a Problem that says why there is none."""
    if named is None:
        return DEFAULT_GAME
    if isinstance(named, GameRules):
        return _by_rules(named, where)
    if isinstance(named, LineRules):
        return _lines(named, where)
    if named not in CATALOGUE:
        raise faulty("unknown-game", [Error(where("game"), "unknown-game", no_such_game(named))])
    return CATALOGUE[named]


def read_line_game(named: NamedGame | None, where: Where) -> LineGame:
    """Return the line game that a request names or describes. Raises a Problem for a game of another family."""
    game = read_game(named, where)
    if isinstance(game, LineGame):
        return game
    told = f"{named} is a game" if isinstance(named, str) else "The rules describe a game"
    detail = f"{told} of the family {game.family}, which this route does not support. It supports line games."
    raise faulty("invalid-request", [Error(where("game"), "unsupported-family", detail)])


def reading_nodes(named: NamedGame | None) -> int:
    """Return about how many nodes are visited while a game is read: none if it has an id."""
    if named is None or isinstance(named, str):
        return 0
    if isinstance(named, LineRules):
        return sum(map(len, named.lines))
    cells: int = prod(getattr(named, side, None) or 1 for side in ("rows", "columns", "layers", "boards"))
    return min(cells, MAX_CELLS) ** 2  # each line starts at a cell, and each symmetry moves all of them


def no_such_game(id: str) -> str:
    """Return the sentence about an id that is not in the catalogue."""
    close = get_close_matches(id[:MAX_SHOWN], CATALOGUE, n=1)
    guess = f"Did you mean {close[0]}?" if close else "GET /games lists the games."
    return f"There is no game {shortened(id)}. {guess}"


def _by_rules(rules: GameRules, where: Where) -> Game:
    """Return the game that rules describe. Raises a Problem that says everything that is wrong with them."""
    try:
        return game_by_rules(rules)
    except RulesError as error:
        errors = [Error(where("game", fault.parameter), fault.code, fault.detail) for fault in error.faults]
        raise faulty("invalid-request", errors) from None


def _lines(rules: LineRules, where: Where) -> LineGame:
    errors = list(_line_errors(rules, where))
    if errors:
        raise faulty("invalid-request", errors)
    lines = tuple(tuple(sorted(line)) for line in rules.lines)
    return game_by_lines(cells=rules.cells, lines=lines, misere=bool(rules.misere))


def _line_errors(rules: LineRules, where: Where) -> Iterator[Error]:
    for number, line in enumerate(rules.lines):
        if 0 <= min(line) <= max(line) < rules.cells and len(set(line)) == len(line):
            continue
        for place, cell in enumerate(line):
            if not 0 <= cell < rules.cells:
                detail = f"There is no cell {shortened(str(cell))}; the game has cells 0 to {rules.cells - 1}."
                yield Error(where("game", "lines", number, place), "no-such-cell", detail)
            elif cell in line[:place]:
                detail = f"The line contains cell {cell} twice."
                yield Error(where("game", "lines", number, place), "repeated-cell", detail)


def read_limit(asked: SearchLimit | None, settings: Settings, stop: Poll, where: Where) -> Limit:
    """Return the limit that a request asks for. Raises a Problem if the service does not allow so much."""
    if asked is None:
        return Limit(settings.default_time_ms / 1000, None, stop)
    errors = [*_limit_faults(asked, settings, where)]
    if errors:
        raise faulty("invalid-request", errors)
    # Where nodes are the limit, the clock is only there to keep the service alive.
    default = settings.default_time_ms if asked.nodes is None else settings.max_time_ms
    return Limit((asked.time_ms or default) / 1000, asked.nodes, stop)


def _limit_faults(asked: SearchLimit, settings: Settings, where: Where) -> Iterator[Error]:
    """Yield each part of a limit that is more than the service allows."""
    for name, ceiling in (("time_ms", settings.max_time_ms), ("nodes", settings.max_nodes)):
        value = getattr(asked, name)
        if value is not None and value > ceiling:
            detail = f"{name} is {value}; this service allows at most {ceiling}."
            yield Error(where("limit", name), "out-of-range", detail)
