"""Decides which positions of a certificate need no entry: a checker proves their claim from the lines alone.

The *holder* is the player of the claim: to win, or to hold at least a draw. ``own`` are the cells of the holder,
``other`` those of the opponent.
"""

from collections.abc import Iterator

from service.games.families.lines import LineGame


class Settled:
    """Decides which positions need no entry for the claim of a holder: a win, or at least a draw."""

    def __init__(self, game: LineGame, *, wins: bool) -> None:
        self.game = game
        self.wins = wins
        self.lines = game.line_masks
        self.breakable = not (game.drop or game.misere or wins)
        """Whether breaker arguments apply: the holder only has to keep the opponent from completing a line."""
        self.unit = 1 << max(map(int.bit_count, self.lines))
        self._through = [tuple(line for _, line in through) for through in game.lines_through]
        tops = range(game.drop)
        self._columns = [[1 << cell for cell in range(game.cells - game.drop + top, -1, -game.drop)] for top in tops]
        """The cells of each column, as masks, from the bottom up; none without gravity."""

    def before_holder(self, own: int, other: int) -> bool:
        """Return whether a position with the holder to move needs no entry."""
        occupied = own | other
        if occupied == self.game.full or (not self.game.misere and self.completions(own, occupied)):
            return True
        return not self.wins and (self._cannot_lose(own, other) or self._is_low(self.potential(own, other)))

    def before_opponent(self, own: int, other: int) -> bool:
        """Return whether an unfinished position with the opponent to move needs no entry."""
        if not self.wins and (self._cannot_lose(own, other) or self._is_low(2 * self.potential(own, other))):
            return True
        return self._follow_up_holds(own, other)

    def completions(self, marks: int, occupied: int) -> int:
        """Return the playable cells that complete a line of ``marks``."""
        found = 0
        for line in self.lines:
            missing = line & ~marks
            if not missing & (missing - 1) and not missing & occupied:
                found |= missing
        return found & self.game.playable(occupied)

    def completed_by(self, cell: int, marks: int) -> bool:
        """Return whether the mark in a cell completes a line of ``marks``."""
        return any(line & marks == line for line in self._through[cell])

    def open_to(self, own: int) -> Iterator[int]:
        """Yield the lines without a cell of ``own``: those that the opponent of this player can still complete."""
        return (line for line in self.lines if not line & own)

    def potential(self, own: int, other: int) -> int:
        """Return the potential: the sum, over the opponent's open lines, of ``unit`` halved for each missing cell."""
        return sum(self.unit >> (line & ~other).bit_count() for line in self.open_to(own))

    def _is_low(self, potential: int) -> bool:
        """Return whether the holder, as breaker, holds by always marking the cell that lowers the potential most.

        That is proven if the potential is below ``unit`` with the holder to move, or below half of it with the opponent
        to move (Erdős and Selfridge, 1973). For the second case, callers double the potential.
        """
        return self.breakable and potential < self.unit

    def _cannot_lose(self, own: int, other: int) -> bool:
        """Return whether no open line is left by which the holder could lose."""
        against = other if self.game.misere else own
        return all(line & against for line in self.lines)

    def _follow_up_holds(self, own: int, other: int) -> bool:
        """Return whether the holder keeps the claim by answering each move in the same column.

        Claim-even and zugzwang (Allis, 1988): the opponent gets the lowest empty cell of each column, the holder the
        one above, and so on. A column ends where the holder's answers in it complete a line. Any other column must have
        an even number of empty cells, so that there is always an answer. False without gravity and in misère games.
        """
        if not self._columns or self.game.misere:
            return False
        empty, theirs, ours, ends = self.game.full & ~(own | other), other, own, False
        for column in self._columns:
            free = [cell for cell in column if cell & empty]
            here = own
            for below, above in zip(free[::2], free[1::2], strict=False):
                theirs |= below
                here |= above
                if self.completed_by(above.bit_length() - 1, here):
                    ends = True
                    break
            else:
                if len(free) % 2:
                    return False
            ours |= here
        if any(line & theirs == line for line in self.lines):
            return False
        return not self.wins or ends or any(line & ours == line for line in self.lines)
