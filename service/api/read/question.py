"""Questions: the game, the position, how to choose among its moves, and the limit of the search."""

import secrets
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from math import prod
from typing import Any, NamedTuple, TypeVar

from service.api.problems import GAMES_LISTED, MAX_SHOWN, Error, faulty, shortened
from service.api.read import notation
from service.api.read.reading import Reading, Where, in_query
from service.api.read.record import read_record
from service.api.read.refusals import refusals
from service.api.wire.requests import (
    MAX_SEED,
    PLAYERS,
    BestMoveQuery,
    BestMoveRequest,
    LineRules,
    NamedGame,
    PositionRequest,
    ProofRequest,
    ReviewRequest,
    SearchLimit,
)
from service.api.wire.rules import GameRules, RulesError, game_by_rules
from service.engine.oracle import Analysis, BestMove, MoveChoice, Oracle
from service.engine.work.limit import Limit
from service.engine.work.slots import Slot
from service.games.catalogue import CATALOGUE, DEFAULT_GAME, game_called
from service.games.families.lines import LineGame
from service.games.game import MAX_CELLS, Game
from service.games.inline import game_by_lines
from service.games.position import Position
from service.kernel.stopping import Poll
from service.settings import Settings

SomeGame = TypeVar("SomeGame", bound=Game)

PERFECT = 100

ALIKE = 0.75
"""The least similarity of two ids to suggest one for the other: most end with ``tic-tac-toe``."""

WEAKER_NODES = 20_000
"""The default limit of nodes for judging a weaker player's move: small, for a quick answer."""


class Question(NamedTuple):
    """A position, the limit of the search, and how to choose among its moves.

    ``move_limit`` is the limit for the best move alone: a small one where a weaker player moves and no limit is given;
    None where the default holds. ``seed_chosen``: the service chose the seed. ``nodes`` is the cost of reading the
    game.
    """

    position: Position
    limit: Limit
    move_limit: Limit | None
    choice: MoveChoice
    seed_chosen: bool
    nodes: int = 0

    def best_move(
        self,
        oracle: Oracle,
        slot: Slot | None = None,
        limit: Limit | None = None,
        *,
        all_best: bool = False,
        lines: bool = True,
    ) -> BestMove:
        """Return the best move, found within the limit of the question or another. Raises a Problem, or Overloaded."""
        limit = limit or self.move_limit or self.limit
        with refusals(self.position.game):
            return oracle.best_move(self.position, self.choice, limit=limit, slot=slot, all_best=all_best, lines=lines)

    def analysis(self, oracle: Oracle, slot: Slot | None = None, limit: Limit | None = None) -> Analysis:
        """Return the value of every move within the limit. Raises a Problem, or Overloaded."""
        with refusals(self.position.game):
            return oracle.analyse(self.position, self.choice, limit=limit or self.limit, slot=slot)


@dataclass(frozen=True, slots=True)
class Played:
    """The moves of a game from its start, the limit of their review, and the nodes that reading the game counts for."""

    start: Position
    moves: Sequence[int]
    limit: Limit
    nodes: int


def read_question(reading: Reading[BestMoveRequest], settings: Settings, stop: Poll) -> Question:
    """Return the question in a request. Raises a Problem that names every fault."""
    wanted = reading.wanted
    found = read_position(reading, read_game(reading))
    limit = read_limit(reading, settings, stop)
    position = reading.checked(found)
    skill = None if wanted.skill in (None, PERFECT) else wanted.skill
    chance = (skill is not None or wanted.tie_break == "random") and bool(position.legal_moves)
    seed_chosen = chance and wanted.seed is None
    seed = draw_seed() if seed_chosen else wanted.seed if chance else None
    move_limit = limit if _is_limited(wanted.limit) else None
    if skill is not None and move_limit is None:
        move_limit = replace(limit, nodes=min(WEAKER_NODES, settings.max_nodes))
    choice = MoveChoice(seed, skill, hardest=wanted.tie_break == "hardest")
    return Question(position, limit, move_limit, choice, seed_chosen, reading_nodes(wanted.game))


def read_played(reading: Reading[ReviewRequest], settings: Settings, stop: Poll) -> Played:
    """Return the game in a request. Raises a Problem that names every fault."""
    wanted, game = reading.wanted, read_game(reading)
    start = None if game is None else begun_by(wanted.first_player, game)
    moves = None if start is None else reading.part(lambda: read_record(start, wanted.moves)[0])
    limit = read_limit(reading, settings, stop)
    return Played(reading.checked(start), reading.checked(moves), limit, reading_nodes(wanted.game))


def read_claim(reading: Reading[ProofRequest], settings: Settings, stop: Poll) -> tuple[Position, Limit]:
    """Return the position whose outcome is to be certified, and the limit. Raises a Problem that names every fault."""
    position = read_position(reading, read_game(reading))
    limit = read_limit(reading, settings, stop)
    return reading.checked(position), limit


def begun_by(player: str | None, game: Game) -> Position:
    """Return the initial position of a game; in line games, either player may be the first to move."""
    start = Position(game)
    return start if PLAYERS[player] in (None, start.player) else start.passed()


def read_position(reading: Reading[PositionRequest], game: SomeGame | None) -> Position[SomeGame] | None:
    """Return the position of a game in a request; None if the position or the game has a fault."""
    if game is None:
        return None
    wanted = reading.wanted
    drops = wanted.drops if isinstance(wanted, BestMoveQuery) else None
    is_query = reading.where is in_query
    return reading.part(
        lambda: notation.read_position(game, wanted.board, wanted.moves, wanted.player, drops, in_query=is_query)
    )


def draw_seed() -> int:
    """Return an unpredictable seed."""
    return secrets.randbelow(MAX_SEED + 1)


def checked_position(reading: Reading[PositionRequest]) -> Position:
    """Return the position in a request. Raises a Problem that names every fault."""
    return reading.checked(read_position(reading, read_game(reading)))


def read_game(reading: Reading[Any]) -> Game | None:
    """Return the game of a request; None if it has a fault."""
    if not reading.game_is_known:
        return None
    return reading.part(lambda: game_named(reading.wanted.game, reading.where))


def game_named(named: NamedGame | None, where: Where) -> Game:
    """Return the game that a request names or describes. Raises a Problem with the reason if there is no such game."""
    if named is None:
        return DEFAULT_GAME
    if isinstance(named, GameRules):
        return _by_rules(named, where)
    if isinstance(named, LineRules):
        return _lines(named, where)
    game = game_called(named)
    if game is None:
        raise faulty("unknown-game", [Error(where("game"), "unknown-game", no_such_game(named))])
    return game


def reading_nodes(named: NamedGame | None) -> int:
    """Return the nodes that reading the game counts for: none if it has an id."""
    if named is None or isinstance(named, str):
        return 0
    if isinstance(named, LineRules):
        return sum(map(len, named.lines))
    cells: int = prod(getattr(named, side, None) or 1 for side in ("rows", "columns", "layers", "boards"))
    return min(cells, MAX_CELLS) ** 2  # each line starts at a cell, and each symmetry maps all of them


def no_such_game(id: str) -> str:
    """Return the sentence about an id that is not in the catalogue."""
    close = get_close_matches(id[:MAX_SHOWN], CATALOGUE, 1, ALIKE)
    return f"There is no game {shortened(id)}. {f'Did you mean {close[0]}?' if close else GAMES_LISTED}"


def _by_rules(rules: GameRules, where: Where) -> Game:
    """Return the game with these rules. Raises a Problem that names every fault."""
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


def read_limit(reading: Reading[Any], settings: Settings, stop: Poll, default: SearchLimit | None = None) -> Limit:
    """Return the limit that a request asks for, or ``default``. Add a fault if the service does not allow it."""
    asked = reading.wanted.limit or default
    if asked is None:
        return default_limit(settings, stop)
    for error in _limit_faults(asked, settings, reading.where):
        reading.refuse(error)
    # With a limit of nodes, the clock only protects the service.
    usual = settings.default_time_ms if asked.nodes is None else settings.max_time_ms
    return Limit((asked.time_ms or usual) / 1000, asked.nodes, stop, outcome=asked.prove == "outcome")


def _is_limited(asked: SearchLimit | None) -> bool:
    """Return whether a request says how long a search may go on."""
    return asked is not None and (asked.time_ms, asked.nodes) != (None, None)


def default_limit(settings: Settings, stop: Poll) -> Limit:
    """Return the limit of a request without one."""
    return Limit(settings.default_time_ms / 1000, None, stop)


def _limit_faults(asked: SearchLimit, settings: Settings, where: Where) -> Iterator[Error]:
    """Yield a fault for each part of a limit that exceeds the maximum of the service."""
    for name, ceiling in (("time_ms", settings.max_time_ms), ("nodes", settings.max_nodes)):
        value = getattr(asked, name)
        if value is not None and value > ceiling:
            detail = f"{name} is {value}; this service allows at most {ceiling}."
            yield Error(where("limit", name), "out-of-range", detail)
