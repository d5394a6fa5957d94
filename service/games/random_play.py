"""Random play: games in which every legal move is equally likely."""

from collections.abc import Iterator
from itertools import islice
from random import Random

from service.games.game import Game, choice


def unfinished(game: Iterator[tuple[int, bool]], plies: int) -> list[int] | None:
    """Return the first moves of a random game; None if it is over by then."""
    played = list(islice(game, plies))
    return [move for move, _ in played] if len(played) == plies and all(goes_on for _, goes_on in played) else None


def random_unfinished_games(game: Game, plies: range, dice: Random) -> Iterator[list[int] | None]:
    """Yield the moves of random games that continue after a random number of plies of a range.

    If a game ends before, yield None and choose everything again; give up after some hundred games.
    """
    return (unfinished(game.random_game(dice), choice(dice, plies)) for _ in range(game.random_games))
