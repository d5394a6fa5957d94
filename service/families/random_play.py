"""Random play of games of families: each move is drawn from the legal ones, all of them equally likely."""

from collections.abc import Iterator
from random import Random

from service.families.game import FamilyGame
from service.families.position import FamilyPosition
from service.games.random_play import drawn

MOST_GAMES = 300
"""Games that are played in search of an unfinished position."""


def random_unfinished_games(game: FamilyGame, plies: range, dice: Random) -> Iterator[list[int] | None]:
    """Yield the moves of random games that go on after as many plies as are drawn from a range.

    Where a game ends before, yield None, and draw everything again; after some hundred games give up.
    """
    return (_moves(FamilyPosition(game), drawn(dice, plies), dice) for _ in range(MOST_GAMES))


def _moves(position: FamilyPosition, plies: int, dice: Random) -> list[int] | None:
    """Return so many random moves; None if the game is over by then."""
    moves: list[int] = []
    while position.legal_moves and len(moves) < plies:
        moves.append(drawn(dice, position.legal_moves))
        position = position.play(moves[-1])
    return moves if position.legal_moves else None
