"""A round robin of skill levels, and the ratings that follow from their scores."""

import math
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from itertools import combinations
from multiprocessing.pool import Pool
from random import Random

from service.engine.limit import Limit
from service.engine.oracle import Oracle
from service.engine.skill import weaker_move
from service.games.catalogue import CATALOGUE, TIC_TAC_TOE
from service.games.game import Game
from service.games.position import Position
from service.kernel.layout import lay_out

PERFECT = 100
"""The level that plays the best move."""

NODES = 20_000
"""The limit of a best move where the game is too large to be solved."""

CHUNK = 25
"""Games of a task, so few that all processes are busy until the end."""

ROUNDS = 2_000
"""Iterations of the fit of the ratings."""

Pair = tuple[int, int]
Play = tuple[str, Pair, range]
Scores = Mapping[Pair, float]
"""The part of the points that the first level of a pair took; a draw is half a point."""


def round_robin(pool: Pool, game: str, levels: Sequence[int], games: int) -> Scores:
    """Play so many games of each pair, in half of which each level begins; return the scores."""
    pairs = list(combinations(levels, 2))
    plays = [(game, pair, range(n, min(n + CHUNK, games))) for n in range(0, games, CHUNK) for pair in pairs]
    points = dict.fromkeys(pairs, 0.0)
    for pair, won in pool.imap_unordered(_play, plays):
        points[pair] += won
    return {pair: won / games for pair, won in points.items()} | {
        (b, a): 1 - won / games for (a, b), won in points.items()
    }


def score(scores: Scores, level: int) -> float:
    """Return the part of the points that a level took from all others."""
    taken = [part for (own, _), part in scores.items() if own == level]
    return sum(taken) / len(taken)


def ratings(scores: Scores, levels: Sequence[int]) -> dict[int, float]:
    """Return the ratings, 400 points for odds of 10 to 1, counted from the first level.

    They are the maximum likelihood in the model of Bradley and Terry, with draws as half a win, found by the
    iteration of Hunter (2004).
    """
    strength = dict.fromkeys(levels, 1.0)
    for _ in range(ROUNDS):
        for own in levels:
            taken = sum(scores[own, other] for other in levels if other != own)
            expected = sum(1 / (strength[own] + strength[other]) for other in levels if other != own)
            strength[own] = taken / expected
    return {level: 400 * math.log10(strength[level] / strength[levels[0]]) for level in levels}


def choose(position: Position, level: int, seed: int) -> int:
    """Return the move of a level in an unfinished position."""
    if level < PERFECT:
        return weaker_move(position, rules_of(position.game), skill=level, seed=seed)
    return _best_move(position)


rules_of = cache(lay_out)
"""The rules of a game, laid out for the search."""


@cache
def _oracle() -> Oracle:
    return Oracle([TIC_TAC_TOE], table_mb=1)


@lru_cache(200_000)
def _best_move(position: Position) -> int:
    """Return the answer of the service: the first of the best moves."""
    move = _oracle().best_move(position, limit=Limit(seconds=600, nodes=NODES)).move
    assert move is not None
    return move


def _play(play: Play) -> tuple[Pair, float]:
    """Return the points of the first of a pair in some of its games; the other begins those with odd numbers."""
    name, pair, numbers = play
    return pair, sum(_points(CATALOGUE[name], pair, number) for number in numbers)


def _points(game: Game, pair: Pair, number: int) -> float:
    own = "OX"[number % 2 == 0]
    sides = dict(zip(own + "XO".replace(own, ""), pair, strict=True))
    dice = Random(f"{game.id} {pair} {number}")
    seeds = {level: dice.getrandbits(32) for level in pair}
    position = Position(game, 0, 0, "X")
    while position.legal_moves:
        level = sides[position.player]
        position = position.play(choose(position, level, seeds[level]))
    return 0.5 if position.winner is None else float(position.winner == own)
