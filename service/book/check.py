"""A book held against the kernel, entry by entry: nothing in it is believed."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from service.book.book import NOTHING, UNKNOWN, Book
from service.book.file import BookFile
from service.book.slots import positions
from service.book.variation import principal_variation
from service.games.game import Game
from service.kernel.layout import lay_out
from service.kernel.memory import shared_memory
from service.kernel.search import ContradictoryBoundsError, Search

MEMORY_MB = 128


@dataclass(frozen=True, slots=True)
class Sample:
    """A position of a book, by its masks, and whether what the book says of it is right."""

    mine: int
    theirs: int
    about: str
    right: bool


class Checker:
    """Draws entries of a book at random and tries them.

    A score of the last layer is tried against the kernel, one of a layer before it against those of the layer after
    it, from which it follows: to search for it would take hours. Lines are searched for anew.
    """

    def __init__(self, found: BookFile, random: Random) -> None:
        self._book: Book = found.book
        self._game: Game = found.game
        self._random = random
        self._search = Search(lay_out(found.game), shared_memory(MEMORY_MB))

    def last(self, samples: int) -> Iterator[Sample]:
        """So many scores of the last layer."""
        return self._scores(samples, [len(self._book.layers) - 1])

    def before(self, samples: int) -> Iterator[Sample]:
        """So many scores of the layers before it, of every layer alike: the small ones are asked for most."""
        return self._scores(samples, range(len(self._book.layers) - 1))

    def lines(self, samples: int) -> Iterator[Sample]:
        """So many lines of best play, or all there are."""
        masks = self._book.lines.masks
        count = len(masks) // 2
        for place in self._random.sample(range(count), min(samples, count)):
            mine, theirs = masks[2 * place], masks[2 * place + 1]
            line = self._book.line(mine, theirs)
            yield Sample(mine, theirs, f"line {line}", line == self._line(mine, theirs))

    def _scores(self, samples: int, marks: Sequence[int]) -> Iterator[Sample]:
        known = [count for count in marks if any(score != UNKNOWN for score in self._book.layers[count].scores)]
        while samples and known:
            mine, theirs = self._position(self._random.choice(known))
            said = self._book.score(mine, theirs)
            if said is not None:
                samples -= 1
                yield Sample(mine, theirs, f"score {said}", self._is_score(mine, theirs, said))

    def _position(self, marks: int) -> tuple[int, int]:
        """What stands on some slot of a layer."""
        shape = self._random.choice(self._book.layers[marks].shapes)
        return self._random.choice(list(positions(shape)))

    def _is_score(self, mine: int, theirs: int, said: int) -> bool:
        decided = self._search.decided(mine, theirs)
        if decided is not None:
            return decided == said
        if (mine | theirs).bit_count() < len(self._book.layers) - 1:
            return said == self._best_after(mine, theirs)
        above, below = (self._search.bound(mine, theirs, alpha, alpha + 1) for alpha in (said - 1, said))
        return below <= said <= above

    def _best_after(self, mine: int, theirs: int) -> int | None:
        """The score that follows from the layer after."""
        scores = [self._book.score(theirs, mine | 1 << move) for move in self._search.moves(mine, theirs)]
        known = [-score for score in scores if score is not None]
        return max(known) if len(known) == len(scores) else None

    def _line(self, mine: int, theirs: int) -> list[int] | None:
        score = self._book.score(mine, theirs)
        try:
            return None if score is None else list(principal_variation(self._search, NOTHING, mine, theirs, score))
        except ContradictoryBoundsError:
            return None
