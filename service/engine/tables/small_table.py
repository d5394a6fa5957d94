"""The complete table of a small game in memory: each entry is computed when it is first looked up."""

from collections.abc import Iterator
from functools import cache
from threading import RLock

from service.engine.result import ProvenResult, make_proven_result
from service.games.families.lines import LineGame, LinePosition
from service.kernel.alpha_beta.search import Search

MEMORY_BYTES = 1 << 18
"""The bytes of the search's transposition table: room for twice as many positions as 3x3 has."""


class SmallTable:
    """Every position of a game, keyed by the masks of the player to move and the other player.

    One entry serves both colours and either first player. The positions are those reachable from the empty board: 5,478
    in tic-tac-toe.
    """

    def __init__(self, game: LineGame) -> None:
        self._cells = game.cells
        self._search = Search(game.lay_out(), memoryview(bytearray(MEMORY_BYTES)).cast("Q"))
        self._lock = RLock()
        self._entries: dict[tuple[int, int], ProvenResult] = {}

    def __getitem__(self, position: LinePosition) -> ProvenResult:
        return self._entry(position.state)

    def __iter__(self) -> Iterator[tuple[int, int]]:
        return reversed(_reachable(self._search))

    def _entry(self, masks: tuple[int, int]) -> ProvenResult:
        """Return the entry of a position; its line of best play is a move and the line of the position after it."""
        if masks not in self._entries:
            with self._lock:  # a search runs in one thread at a time
                self._entries[masks] = self._solved(*masks)
        return self._entries[masks]

    def _solved(self, mine: int, theirs: int) -> ProvenResult:
        score = self._search.score(mine, theirs)
        if self._search.ended(mine, theirs) is not None:
            return make_proven_result(self._cells, score, (), ())
        children = {cell: (theirs, mine | 1 << cell) for cell in self._search.moves(mine, theirs)}
        best = tuple(cell for cell, masks in children.items() if self._search.score(*masks) == -score)
        return make_proven_result(self._cells, score, best, (best[0], *self._entry(children[best[0]]).pv))


@cache
def complete_table(game: LineGame) -> SmallTable:
    """Return the complete table of a small game; a process makes only one table for a game."""
    return SmallTable(game)


def _reachable(search: Search) -> list[tuple[int, int]]:
    """Return the masks of every reachable position, each once, by ascending number of marks."""
    found = [(0, 0)]
    frontier = found
    while frontier:
        frontier = list(
            dict.fromkeys(
                (theirs, mine | 1 << cell)
                for mine, theirs in frontier
                if search.ended(mine, theirs) is None
                for cell in search.moves(mine, theirs)
            )
        )
        found = found + frontier
    return found
