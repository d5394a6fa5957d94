"""Verification of a strategy book: after every reply the winner has a move that is in the book, or wins by a search."""

from collections.abc import Iterator
from random import Random

from service.book.check import Sample
from service.book.strategy import StrategyBook
from service.book.strategy_build import prove_live
from service.book.strategy_file import StrategyFile
from service.games.lines import LineGame


def check_strategy(found: StrategyFile, samples: int, random: Random) -> Iterator[Sample]:
    """Verify so many positions, drawn at random, or all that there are: replay every defence."""
    entries = sorted(found.book.lost.items())
    for (mine, theirs), plies in random.sample(entries, min(samples, len(entries))):
        right = all(_is_refuted(found, theirs, reply, plies) for reply in _replies(found.game, mine, theirs))
        yield Sample(mine, theirs, f"lost in {plies} plies", right)


def _replies(game: LineGame, mine: int, theirs: int) -> Iterator[int]:
    """Yield the marks of the player to move after each move."""
    return (mine | 1 << cell for cell in range(game.cells) if not (mine | theirs) >> cell & 1)


def _is_refuted(found: StrategyFile, own: int, other: int, plies: int) -> bool:
    """Return whether the owner of ``own``, to move, wins in fewer than so many plies."""
    won = win_in(found.book, found.game, own, other)
    return won is not None and won < plies


def win_in(book: StrategyBook, game: LineGame, own: int, other: int) -> int | None:
    """Return in how many plies at most the player to move wins, by the book or by a quick search."""
    after = (own | 1 << cell for cell in range(game.cells) if not (own | other) >> cell & 1)
    known = [lost for marks in after if (lost := book.lost_in(other, marks)) is not None]
    return 1 + min(known) if known else prove_live(game, *book.canonical.of(own, other))
