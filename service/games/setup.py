"""A board as a client gives it, and every reason why it is impossible.

Either player may have begun. The numbers of marks differ by one at most, and the player to move has no more than the
other. Only the last mover can own completed lines, and one cell, the last move, lies on all of them. Under gravity
every mark is supported.
"""

from collections.abc import Iterator
from functools import reduce
from operator import and_, or_
from typing import TYPE_CHECKING

from service.games.game import Violation

if TYPE_CHECKING:
    from service.games.families.lines import LineGame


class Setup:
    """A given board, legal or not. ``player`` is None if it was not given."""

    __slots__ = ("_completed", "_marks", "game", "o", "player", "x")

    def __init__(self, game: "LineGame", x: int, o: int, player: str | None = None) -> None:
        self.game = game
        self.x = x
        self.o = o
        self.player = player
        self._marks: dict[str, int] = {"X": x.bit_count(), "O": o.bit_count()}
        masks = game.line_masks
        self._completed: dict[str, list[int]] = {
            player: [line for line in masks if line & marks == line] if game.has_line(marks) else []
            for player, marks in (("X", x), ("O", o))
        }

    def violations(self) -> list[Violation]:
        """Return every reason why this is not a position of the game; empty if it is one."""
        found: list[Violation] = []
        x, o = self._marks["X"], self._marks["O"]
        if abs(x - o) > 1:
            detail = f"X has {_marks(x)} and O has {o}; players take turns, so the numbers differ by at most one."
            found.append(Violation("mark-count", detail))
        if self.player is not None:
            found += self._wrong_player(self.player)
        winners = [player for player in "XO" if self._completed[player]]
        if len(winners) > 1:
            detail = "Both players have completed a line; the first line ends the game."
            found.append(Violation("two-winners", detail))
        for winner in winners:
            found += self._impossible_last_move(winner)
        if self.game.drop:
            found += self._floating()
        return found

    @property
    def player_to_move(self) -> str:
        """The player to move, if there are no violations.

        By default it is the player with fewer marks; with equal counts the one without a line, else X.
        """
        if self.player is not None:
            return self.player
        if self._marks["X"] != self._marks["O"]:
            return "X" if self._marks["X"] < self._marks["O"] else "O"
        return "O" if self._completed["X"] else "X"

    def _wrong_player(self, player: str) -> Iterator[Violation]:
        other = _other(player)
        mine, theirs = self._marks[player], self._marks[other]
        if mine > theirs:
            yield Violation(
                "player-not-to-move",
                f"{player} has {_marks(mine)} and {other} has {theirs}, so {other} is to move.",
                about_player=True,
            )
        if self._completed[player] and not self._completed[other]:
            yield Violation(
                "player-not-to-move",
                f"{player} has completed a line, which ended the game, so player must be {other}.",
                about_player=True,
            )

    def _impossible_last_move(self, winner: str) -> Iterator[Violation]:
        other = _other(winner)
        if self._marks[winner] < self._marks[other]:
            yield Violation(
                "played-after-the-end",
                f"{winner} has completed a line, but {other} has one mark more: {other} moved after the end.",
            )
        if not self._last_moves(winner):
            yield Violation("no-last-move", f"{winner} has lines that no single last move can complete together.")

    def _last_moves(self, player: str) -> int:
        """Return the mask of the cells that may be the last move: they lie on all lines of the player."""
        shared = reduce(and_, self._completed[player])
        occupied = self.x | self.o
        supports = (support for cell, support in enumerate(self.game.supports) if occupied >> cell & 1)
        return shared & ~reduce(or_, supports, 0)

    def _floating(self) -> Iterator[Violation]:
        occupied = self.x | self.o
        for cell, support in enumerate(self.game.supports):
            if occupied >> cell & 1 and support & ~occupied:
                yield Violation("floating-mark", f"The mark in cell {cell} floats above an empty cell.", cell=cell)


def _other(player: str) -> str:
    return "O" if player == "X" else "X"


def _marks(count: int) -> str:
    return f"{count} mark{'' if count == 1 else 's'}"
