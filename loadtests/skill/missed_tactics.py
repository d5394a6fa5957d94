"""How often a skill level misses a win in one, a block or a fork."""

from collections.abc import Mapping, Sequence
from functools import cache
from multiprocessing.pool import Pool
from random import Random

from loadtests.skill.tournament import rules_of
from service.engine.skill import weaker_move
from service.games.catalogue import CATALOGUE
from service.games.position import OPPONENT, Player, Position

WIN, BLOCK, FORK = "win in one", "block", "fork"
KINDS = (WIN, BLOCK, FORK)

Rates = Mapping[int, Mapping[str, float]]
"""For each level, the part of the positions of each kind in which it plays a wrong move."""


def missed_tactics(pool: Pool, game: str, levels: Sequence[int], count: int) -> Rates:
    """Return the rates in so many random positions of each kind."""
    return dict(pool.starmap(_rates, [(game, level, count) for level in levels]))


def _rates(game: str, level: int, count: int) -> tuple[int, dict[str, float]]:
    rules = rules_of(CATALOGUE[game])
    return level, {
        kind: sum(
            weaker_move(position, rules, skill=level, seed=seed) not in right
            for seed, (position, right) in enumerate(positions)
        )
        / count
        for kind, positions in puzzles(game, count).items()
    }


@cache
def puzzles(game: str, count: int) -> dict[str, list[tuple[Position, tuple[int, ...]]]]:
    """Draw so many positions of each kind from random games, with the right moves."""
    found: dict[str, list[tuple[Position, tuple[int, ...]]]] = {kind: [] for kind in KINDS}
    dice = Random(game)
    while any(len(positions) < count for positions in found.values()):
        position = Position(CATALOGUE[game], 0, 0, "X")
        for _ in range(dice.randrange(position.game.cells)):
            if position.legal_moves:
                position = position.play(dice.choice(position.legal_moves))
        kind, right = puzzle(position)
        if kind in found and 0 < len(right) < len(position.legal_moves) and len(found[kind]) < count:
            found[kind].append((position, right))
    return found


def puzzle(position: Position) -> tuple[str, tuple[int, ...]]:
    """Return the tactic of a position and the moves that play it, if there are any."""
    moves = position.legal_moves
    wins = completing(position, position.player)
    if wins:
        return WIN, wins
    blocks = completing(position, OPPONENT[position.player])
    if blocks:
        return BLOCK, blocks if len(blocks) == 1 and _holds(position.play(*blocks)) else ()
    return FORK, tuple(move for move in moves if _forks(position.play(move), position.player))


def completing(position: Position, player: Player) -> tuple[int, ...]:
    """Return the legal moves with which this player would complete a line."""
    return tuple(move for move in position.legal_moves if position.completed_by(player, move))


def _holds(after: Position) -> bool:
    """Return whether the opponent cannot win by the next move: under gravity a block can make room for that."""
    return not completing(after, after.player)


def _forks(after: Position, player: Player) -> bool:
    """Return whether ``player`` can complete a line whatever the opponent, who cannot now, replies."""
    return all(completing(after.play(reply), player) for reply in after.legal_moves)
