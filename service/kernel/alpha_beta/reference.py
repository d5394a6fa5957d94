"""The slow, obvious reference: plain minimax without pruning, memory or masks.

It shares no code with the search that it checks; only tests and benchmarks import it. A board is a list with ``True``
for the player to move, ``False`` for the other, None for empty.
"""

from collections.abc import Sequence
from dataclasses import dataclass

WIN, DRAW, LOSS = 1, 0, -1


@dataclass(frozen=True)
class Verdict:
    """The value of a position for the player to move.

    ``plies`` is the distance to the end, ``best`` the moves that attain it (none when the game is over), and ``nodes``
    the size of the game tree from the position on, itself included.
    """

    outcome: int
    plies: int
    best: frozenset[int]
    nodes: int

    @property
    def sort_key(self) -> tuple[int, int]:
        """A sort key, greater for better verdicts: wins, draws, losses; fast wins and slow losses are better."""
        return self.outcome, -self.outcome * self.plies


@dataclass(frozen=True)
class Reference:
    """Plain minimax for a game given by its lines, each a sequence of cells.

    ``below[c]`` is the cell that must be filled before cell ``c``; None if there is none.
    """

    cells: int
    lines: Sequence[Sequence[int]]
    misere: bool = False
    below: Sequence[int | None] = ()

    def solve(self, board: list[bool | None]) -> Verdict:
        """Return the verdict on a board by playing out every possible game."""
        if any(all(board[cell] is False for cell in line) for line in self.lines):
            return Verdict(WIN if self.misere else LOSS, 0, frozenset(), 1)
        if None not in board:
            return Verdict(DRAW, 0, frozenset(), 1)
        children = {move: self.solve(self._after(board, move)) for move in self._moves(board)}
        worst_for_them = min(child.sort_key for child in children.values())
        best = frozenset(move for move, child in children.items() if child.sort_key == worst_for_them)
        chosen = children[min(best)]
        nodes = 1 + sum(child.nodes for child in children.values())
        return Verdict(-chosen.outcome, chosen.plies + 1, best, nodes)

    def _moves(self, board: list[bool | None]) -> list[int]:
        return [cell for cell in range(self.cells) if board[cell] is None and self._rests(board, cell)]

    def _rests(self, board: list[bool | None], cell: int) -> bool:
        below = self.below[cell] if self.below else None
        return below is None or board[below] is not None

    def _after(self, board: list[bool | None], move: int) -> list[bool | None]:
        """Return the board after ``move``, with ``True`` for the marks of the other player, who is then to move."""
        played = [*board]
        played[move] = True
        return [None if mark is None else not mark for mark in played]
