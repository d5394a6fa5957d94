"""Random games of Connect Four on 7 columns of 6: the columns from 0, a digit for each ply."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from random import Random

from loadtests.search.known import connect_four
from service.games.families.lines import PLAYERS, LinePosition

EMPTY = connect_four("").position


@dataclass(frozen=True, slots=True)
class Options:
    """How many positions of which kind, and how often."""

    positions: int
    plies: int
    cases: int
    rounds: int
    seed: int
    long: bool


def random_games(count: int, plies: Sequence[int], seed: int, *, quiet: bool = False) -> list[str]:
    """Return unfinished games whose lengths are ``plies`` in turn, the same for the same ``seed``; some may repeat.

    Nobody completes a line. In ``quiet`` games neither player could complete one now.
    """
    rng = Random(seed)
    return [_game(length, rng, quiet=quiet) for length in islice(cycle(plies), count)]


def _game(plies: int, rng: Random, *, quiet: bool) -> str:
    return next(game for game in _attempts(plies, rng) if not quiet or _is_quiet(game))


def _attempts(plies: int, rng: Random) -> Iterator[str]:
    """Yield games of this length without end; those in which every move would complete a line are given up."""
    while True:
        game, position = "", EMPTY
        while len(game) < plies and (moves := _moves_without_line(position)):
            move = rng.choice(moves)
            game, position = f"{game}{EMPTY.game.column_of(move)}", position.play(move)
        if len(game) == plies:
            yield game


def _moves_without_line(position: LinePosition) -> list[int]:
    return [move for move in position.legal_moves if not position.game.completed_by(position, position.player, move)]


def _is_quiet(game: str) -> bool:
    position = connect_four(game).position
    return not any(position.game.completions(position, player) for player in PLAYERS)
