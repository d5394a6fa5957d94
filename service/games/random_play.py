"""Random play: games in which each move is drawn from the legal ones, all of them equally likely."""

from collections.abc import Iterator, Sequence
from itertools import count, islice
from random import Random
from typing import TypeVar

from service.games.game import Game

MOST_GAMES = 1000
"""Games that are played in search of an unfinished position; fewer if a game has more than ``FEW_LINES`` lines."""

FEW_LINES = 100

Item = TypeVar("Item")


def drawn(dice: Random, items: Sequence[Item]) -> Item:
    """Return one of the items. Python promises the same numbers for ever only for ``random()`` itself."""
    return items[int(dice.random() * len(items))]


def random_game(game: Game, dice: Random) -> Iterator[tuple[int, bool]]:
    """Yield the cells of a random game, each with whether the game goes on after it."""
    playable = game.playable(0)
    free = [cell for cell in range(game.cells) if playable >> cell & 1]
    marks = [0, 0]
    for ply in count():
        place = int(dice.random() * len(free))
        cell = free[place]
        marks[ply % 2] |= 1 << cell
        above = cell - game.drop
        if game.drop and above >= 0:
            free[place] = above
        else:
            free[place] = free[-1]
            free.pop()
        goes_on = bool(free) and all(line & ~marks[ply % 2] for _, line in game.lines_through[cell])
        yield cell, goes_on
        if not goes_on:
            return


def unfinished(game: Iterator[tuple[int, bool]], plies: int) -> list[int] | None:
    """Return the first cells of a random game; None if it is over by then."""
    played = list(islice(game, plies))
    return [cell for cell, _ in played] if len(played) == plies and all(goes_on for _, goes_on in played) else None


def random_unfinished_games(game: Game, plies: range, dice: Random) -> Iterator[list[int] | None]:
    """Yield the cells of random games that go on after as many plies as are drawn from a range.

    Where a game ends before, yield None, and draw everything again; after some hundred games give up.
    """
    games = MOST_GAMES * FEW_LINES // max(FEW_LINES, len(game.lines))
    return (unfinished(random_game(game, dice), drawn(dice, plies)) for _ in range(games))
