"""A board as a client describes it, and every reason why it is impossible.

Either player may have begun. The marks of the two differ by one at most, and the player to move has
no more than the other. Only the player who moved last can own completed lines, and one cell, the
last move, lies on all of them. Under gravity nothing floats.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, reduce
from operator import and_, or_

from service.games.game import Game
from service.games.position import OPPONENT, PLAYERS, Player, Position


@dataclass(frozen=True)
class Violation:
    """One broken rule: a stable ``code``, a sentence, and where it shows: a cell, the player, or the board."""

    code: str
    detail: str
    cell: int | None = None
    about_player: bool = False


@dataclass(frozen=True)
class Setup:
    """A board as it was given, legal or not. ``player`` is None where it was left open."""

    game: Game
    x: int
    o: int
    player: Player | None = None

    def violations(self) -> list[Violation]:
        """Return every reason why this is not a position of the game; empty when it is one."""
        return [
            *self._miscounted(),
            *self._wrong_player(),
            *self._two_winners(),
            *self._impossible_last_move(),
            *self._floating(),
        ]

    def position(self) -> Position:
        """Return the position, and infer the player to move where it was left open.

        The player with fewer marks moves; with equal counts the one who has no line, else X. Call it when there are
        no violations.
        """
        return Position(self.game, self.x, self.o, self.player or self._player_to_move())

    def _player_to_move(self) -> Player:
        if self._count["X"] != self._count["O"]:
            return "X" if self._count["X"] < self._count["O"] else "O"
        return "O" if self._completed["X"] else "X"

    @cached_property
    def _count(self) -> dict[Player, int]:
        return {"X": self.x.bit_count(), "O": self.o.bit_count()}

    @cached_property
    def _completed(self) -> dict[Player, list[int]]:
        """The masks of the lines that each player has completed."""
        marks: dict[Player, int] = {"X": self.x, "O": self.o}
        return {p: [line for line in self.game.line_masks if line & marks[p] == line] for p in PLAYERS}

    def _miscounted(self) -> Iterator[Violation]:
        x, o = self._count["X"], self._count["O"]
        if abs(x - o) > 1:
            yield Violation(
                "mark-count", f"X has {_marks(x)} and O has {o}; players take turns, so they differ by one at most."
            )

    def _wrong_player(self) -> Iterator[Violation]:
        player = self.player
        if player is None:
            return
        other = OPPONENT[player]
        mine, theirs = self._count[player], self._count[other]
        if mine > theirs:
            yield Violation(
                "player-not-to-move",
                f"{player} has {_marks(mine)} and {other} has {theirs}, so {other} is to move.",
                about_player=True,
            )
        if self._completed[player] and not self._completed[other]:
            yield Violation(
                "player-not-to-move",
                f"{player} has completed a line, which ended the game, so {other} would be next.",
                about_player=True,
            )

    def _two_winners(self) -> Iterator[Violation]:
        if self._completed["X"] and self._completed["O"]:
            yield Violation("two-winners", "Both players have completed a line; the game ends with the first.")

    def _impossible_last_move(self) -> Iterator[Violation]:
        for player in PLAYERS:
            other = OPPONENT[player]
            if not self._completed[player]:
                continue
            if self._count[player] < self._count[other]:
                yield Violation(
                    "played-after-the-end",
                    f"{player} has completed a line, yet {other} has a mark more: {other} played on after that.",
                )
            if not self._last_moves(player):
                yield Violation(
                    "no-last-move",
                    f"No single move of {player} can have completed all of {player}'s lines at once.",
                )

    def _last_moves(self, player: Player) -> int:
        """Return the mask of the cells whose marking can have completed all lines of the player at once."""
        shared = reduce(and_, self._completed[player])
        occupied = self.x | self.o
        supports = (support for cell, support in enumerate(self.game.supports) if occupied >> cell & 1)
        return shared & ~reduce(or_, supports, 0)

    def _floating(self) -> Iterator[Violation]:
        occupied = self.x | self.o
        for cell, support in enumerate(self.game.supports if self.game.drop else ()):
            if occupied >> cell & 1 and support & ~occupied:
                yield Violation("floating-mark", f"The mark in cell {cell} floats above an empty cell.", cell=cell)


def _marks(count: int) -> str:
    return f"{count} mark{'' if count == 1 else 's'}"
