"""Verification of books: random samples of their entries are checked with the kernel.

In a strategy book its player has a move after every reply that is in the book, or that a search finds.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from service.book.book import NOTHING, UNKNOWN
from service.book.builder.holding_build import finds_reply
from service.book.builder.strategy_build import prove_live
from service.book.builder.tasks import make_search
from service.book.file import BookFile
from service.book.indexing import positions
from service.book.strategy import HoldingBook, Masks, StrategyBook, after_replies
from service.book.strategy_file import StrategyFile
from service.book.variation import principal_variation
from service.games.families.lines import LineGame
from service.kernel.alpha_beta.search import ContradictoryBoundsError


@dataclass(frozen=True, slots=True)
class Sample:
    """A position of a book, by its masks; its entry in words, and whether the entry is right."""

    mine: int
    theirs: int
    entry: str
    right: bool


class Checker:
    """Verifies random entries of a book.

    A score of the last layer is verified by a search. One of a lower layer, which could take hours to search, is
    compared with the scores of the layer above, from which it follows. A line is searched for again.
    """

    def __init__(self, found: BookFile, random: Random) -> None:
        self._book = found.book
        self._random = random
        self._search = make_search(found.game)

    def last(self, samples: int) -> Iterator[Sample]:
        """Verify ``samples`` scores of the last layer."""
        return self._scores(samples, [self._book.plies])

    def before(self, samples: int) -> Iterator[Sample]:
        """Verify ``samples`` scores of the lower layers. All layers are equally likely: small ones are used most."""
        return self._scores(samples, range(self._book.plies))

    def lines(self, samples: int) -> Iterator[Sample]:
        """Verify ``samples`` lines of best play, or all if there are fewer."""
        count = len(self._book.lines)
        for index in self._random.sample(range(count), min(samples, count)):
            mine, theirs = self._book.lines.position(index)
            line = self._book.line(mine, theirs)
            yield Sample(mine, theirs, f"line {line}", line == self._line(mine, theirs))

    def _scores(self, samples: int, marks: Sequence[int]) -> Iterator[Sample]:
        known = [count for count in marks if any(score != UNKNOWN for score in self._book.layers[count].scores)]
        while samples and known:
            mine, theirs = self._position(self._random.choice(known))
            score = self._book.score(mine, theirs)
            if score is not None:
                samples -= 1
                yield Sample(mine, theirs, f"score {score}", self._is_score(mine, theirs, score))

    def _position(self, marks: int) -> tuple[int, int]:
        """Return a random position of a layer."""
        shape = self._random.choice(self._book.layers[marks].shapes)
        return self._random.choice(list(positions(shape)))

    def _is_score(self, mine: int, theirs: int, score: int) -> bool:
        decided = self._search.decided(mine, theirs)
        if decided is not None:
            return decided == score
        if (mine | theirs).bit_count() < self._book.plies:
            return score == self._best_after(mine, theirs)
        lower, upper = (self._search.bound(mine, theirs, alpha, alpha + 1) for alpha in (score - 1, score))
        return upper <= score <= lower

    def _best_after(self, mine: int, theirs: int) -> int | None:
        """Return the score that follows from the layer above."""
        scores = [self._book.score(theirs, mine | 1 << move) for move in self._search.moves(mine, theirs)]
        known = [-score for score in scores if score is not None]
        return max(known) if len(known) == len(scores) else None

    def _line(self, mine: int, theirs: int) -> list[int] | None:
        score = self._book.score(mine, theirs)
        try:
            return None if score is None else list(principal_variation(self._search, NOTHING, mine, theirs, score))
        except ContradictoryBoundsError:
            return None


def check_strategy(found: StrategyFile, samples: int, random: Random) -> Iterator[Sample]:
    """Verify ``samples`` random positions of a strategy book, or all if there are fewer: replay every defence."""
    book, game = found.book, found.game
    entries = sorted(book.held if isinstance(book, HoldingBook) else book.lost)
    for mine, theirs in random.sample(entries, min(samples, len(entries))):
        after = after_replies(game, book.canonical, theirs, mine)
        if isinstance(book, HoldingBook):
            yield Sample(mine, theirs, "held", all(_holds(book, game, masks) for masks in after))
        else:
            plies = book.lost[mine, theirs]
            right = all(_wins_within(book, game, masks, plies) for masks in after)
            yield Sample(mine, theirs, f"lost in {plies} plies", right)


def _wins_within(book: StrategyBook, game: LineGame, masks: Masks, plies: int) -> bool:
    """Return whether the player to move wins in fewer than ``plies`` plies."""
    won = win_in(book, game, *masks)
    return won is not None and won < plies


def _holds(book: HoldingBook, game: LineGame, masks: Masks) -> bool:
    """Return whether the player to move can hold the other one, by the book or by a search."""
    own, other = masks
    empty = (cell for cell in range(game.cells) if not (own | other) >> cell & 1)
    known = any(book.at_most(other, own | 1 << cell) is not None for cell in empty)
    return known or finds_reply(game, own, other)


def win_in(book: StrategyBook, game: LineGame, own: int, other: int) -> int | None:
    """Return the maximum plies in which the player to move wins, by the book or by a quick search."""
    after = (own | 1 << cell for cell in range(game.cells) if not (own | other) >> cell & 1)
    known = [lost for marks in after if (lost := book.lost_in(other, marks)) is not None]
    return 1 + min(known) if known else prove_live(game, *book.canonical.of(own, other))
