"""The line of best play: from the book if it has it, else by a null-window search of every move."""

from collections.abc import Iterator

from service.book.book import Knowledge
from service.kernel.search import ContradictoryBoundsError, Search


def principal_variation(search: Search, book: Knowledge, mine: int, theirs: int, score: int) -> Iterator[int]:
    """Yield the moves of best play from a position with this exact score, the lowest of the best at every ply.

    A proven win therefore ends with a line of the winner on the promised ply, a draw with a full board. Raises
    ContradictoryBoundsError if a move is worth more than the score, none is worth as much, or the game ends otherwise.
    """
    while (ended := search.ended(mine, theirs)) is None:
        line = book.line(mine, theirs)
        if line is not None:
            yield from line
            return
        for move in search.moves(mine, theirs):
            after = theirs, mine | 1 << move
            known = book.score(*after)
            worth = -(search.bound(*after, -score, 1 - score) if known is None else known)
            if worth >= score:
                break
        if worth != score:
            raise ContradictoryBoundsError
        yield move
        (mine, theirs), score = after, -score
    if ended != score:
        raise ContradictoryBoundsError
