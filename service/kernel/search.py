"""Alpha-beta with memory over any game of cells and lines.

A position is two masks: ``mine``, the cells of the player to move, and ``theirs``. Who is called X
plays no part, so one search serves both players.

Scores count from the far end of the game, so that a position has one score however it was reached:
a game that ends with ``n`` marks on the board is worth ``cells + 1 - n`` to its winner, the negative
of that to its loser, and 0 if it is drawn. The faster win scores more, the slower loss less badly.
"""

from collections.abc import Iterator, Sequence

KERNEL = "interpreted"
"""How this file runs; a build that compiles it says ``compiled``."""


class Search:
    """One game's rules and the memory of what has been proven about its positions.

    ``lines`` are masks; ``supports[c]`` is the mask that must be filled before cell ``c`` may be
    marked. In ``misere`` games the player who completes a line loses.
    """

    def __init__(self, cells: int, lines: Sequence[int], supports: Sequence[int], *, misere: bool) -> None:
        self._cells = cells
        self._full = (1 << cells) - 1
        self._misere = misere
        self._supports = tuple(supports)
        self._lines_through = tuple(tuple(line for line in lines if line >> cell & 1) for cell in range(cells))
        self._lines = tuple(lines)
        self._memory: dict[int, tuple[int, int]] = {}

    def score(self, mine: int, theirs: int) -> int:
        """The exact score for the player to move."""
        ended = self.ended(mine, theirs)
        if ended is not None:
            return ended
        win = self._cells + 1
        return self.bound(mine, theirs, -win, win)

    def ended(self, mine: int, theirs: int) -> int | None:
        """The score of a finished game for the player who would move; None while it goes on.

        Only ``theirs``, which moved last, is looked at for lines, and before a full board is called a draw.
        """
        occupied = mine | theirs
        if any(line & theirs == line for line in self._lines):
            return self._completed(occupied.bit_count())
        return 0 if occupied == self._full else None

    def moves(self, mine: int, theirs: int) -> Iterator[int]:
        """The cells that may be marked, ascending, as long as the game goes on."""
        occupied = mine | theirs
        for cell, support in enumerate(self._supports):
            if not occupied >> cell & 1 and support & occupied == support:
                yield cell

    def bound(self, mine: int, theirs: int, alpha: int, beta: int) -> int:
        """A bound ``b`` on the true score ``s`` of an unfinished position, for ``alpha < beta``.

        * ``b <= alpha``: ``s <= b``. No move is worth more than ``b``.
        * ``alpha < b < beta``: ``s == b``.
        * ``b >= beta``: ``s >= b``. Some move is worth at least ``b``.

        Fail-soft negamax (Knuth and Moore, 1975) that remembers a lower and an upper bound of
        each position, so that a later call with another window starts from what is known.
        """
        key = mine << self._cells | theirs
        lower, upper = self._memory.get(key, (-self._cells - 1, self._cells + 1))
        if lower >= beta or lower == upper:
            return lower
        if upper <= alpha:
            return upper
        low, high = max(alpha, lower), min(beta, upper)
        best = self._best_bound(mine, theirs, low, high)
        if best > low:
            lower = best
        if best < high:
            upper = best
        self._memory[key] = (lower, upper)
        return best

    def _best_bound(self, mine: int, theirs: int, alpha: int, beta: int) -> int:
        best = -self._cells - 1
        for cell in self.moves(mine, theirs):
            best = max(best, self._bound_after(cell, mine, theirs, max(alpha, best), beta))
            if best >= beta:
                break
        return best

    def _bound_after(self, cell: int, mine: int, theirs: int, alpha: int, beta: int) -> int:
        """``bound`` of the position for the same player, once that player has marked ``cell``."""
        mine |= 1 << cell
        occupied = mine | theirs
        if any(line & mine == line for line in self._lines_through[cell]):
            return -self._completed(occupied.bit_count())
        if occupied == self._full:
            return 0
        return -self.bound(theirs, mine, -beta, -alpha)

    def _completed(self, marks: int) -> int:
        """The score, for the player who did not move last, of a line completed with ``marks`` on the board."""
        worth = self._cells + 1 - marks
        return worth if self._misere else -worth
