"""Strategies of line games: wins by threats, pairs, and moves that the lines, the book or searches prove."""

from collections.abc import Callable, Iterable, Iterator

from service.book.book import Knowledge
from service.book.strategy import canonical_positions
from service.engine.certificates.certificate import Entry
from service.engine.certificates.settled import Settled
from service.engine.certificates.strategy import StrategyBuilder
from service.games.boards.pairing import find_pairs
from service.games.families.lines import LinePosition
from service.kernel.alpha_beta.search import Search
from service.kernel.states.family import State
from service.kernel.stopping import ContradictoryBoundsError

MOST_PAIRED = 8
"""The maximum number of moves of a position after which pairs are searched."""

SEARCHED = 25
"""The maximum number of empty cells with which alpha-beta proves wins fast enough.

With more empty cells, a move of a strategy book or of a forced win is tried first.
"""

THREAT_NODES = 1000
"""The maximum number of positions in a search for a win by threats."""

FORCE_NODES = 1 << 22
"""The nodes of a search for a forced win or a move that holds: far more than positions outside of books need."""


class LineStrategyBuilder(StrategyBuilder):
    """Builds a strategy of a line game. A state has the cells of the player to move, then those of the other.

    Moves are those that the lines or pairs settle, and those that the ``book`` or a search proves.
    """

    def __init__(  # noqa: PLR0913, the parts are put together in one place
        self,
        position: LinePosition,
        holder: str,
        *,
        wins: bool,
        new_search: Callable[[], Search],
        book: Knowledge,
        count: Callable[[], None],
    ) -> None:
        super().__init__(position, holder, wins=wins, count=count)
        self._game = position.game
        self._settled = Settled(position.game, wins=wins)
        self._new_search = new_search
        self._search = new_search()
        self._book = book
        self._canonical = canonical_positions(position.game)

    def _needs_entry(self, state: State) -> bool:
        return not self._settled.before_holder(*state)

    def _least_image(self, state: State) -> State:
        return self._canonical.of(*state)

    def _replies(self, state: State) -> Iterator[State]:
        other, own = state
        if own | other == self._game.full or self._settled.before_opponent(own, other):
            return
        for cell in self._cells(own, other):
            reply = other | 1 << cell
            if not self._settled.completed_by(cell, reply):
                yield own, reply
            elif not self._game.misere:
                raise ContradictoryBoundsError

    def _after(self, state: State, entry: Entry) -> Iterable[State]:
        if entry.pairs:
            return ()
        own, other = (sum(1 << cell for cell in cells) for cells in (entry.moves[::2], entry.moves[1::2]))
        return self._replies((state[1] | other, state[0] | own))

    def _choose(self, state: State) -> Entry:
        """Return the holder's play: a win by threats, a move that the lines or pairs settle, or a proven move."""
        own, other = state
        forced = self._forced(own, other)
        if forced:
            return Entry(forced)
        cells = self._candidates(own, other)
        for cell in cells:
            if self._settled.before_opponent(own | 1 << cell, other):
                return Entry((cell,))
        if self._settled.breakable:
            for cell in cells[:MOST_PAIRED]:
                pairs = find_pairs([line & ~other for line in self._settled.open_to(own | 1 << cell)])
                if pairs:
                    return Entry((cell,), pairs)
            held = self._holding_move(own, other, cells)
            if held is not None:
                return Entry((held,))
        for cell in cells:
            if self._keeps(own | 1 << cell, other):
                return Entry((cell,))
        raise ContradictoryBoundsError

    def _forced(self, own: int, other: int) -> tuple[int, ...]:
        """Return the cells of a win by threats, else the first move of another proven win; empty if none is found.

        Other wins are those of a strategy book and forced wins, with more than ``SEARCHED`` empty cells.
        """
        if not self._wins or self._game.drop or self._game.misere:
            return ()
        threats = tuple(self._search.winning_threats(own, other, THREAT_NODES))
        if threats or self._game.cells - (own | other).bit_count() <= SEARCHED:
            return threats
        for cell in self._cells(own, other):
            most = self._book.at_most(other, own | 1 << cell)
            if most is not None and most < 0:
                return (cell,)
        won = self._search.forced_win(own, other, FORCE_NODES, to_move=True)
        if won is None:  # what it knows of other positions may lead it astray
            self._search = self._new_search()
            won = self._search.forced_win(own, other, FORCE_NODES, to_move=True)
        return () if won is None else won[1:]

    def _holding_move(self, own: int, other: int, cells: Iterable[int]) -> int | None:
        """Return a move, of ``cells`` if a book has one, after which the opponent never completes a line, or None."""
        for cell in cells:
            if self._book.at_most(other, own | 1 << cell) is not None:
                return cell
        return self._search.holding_move(own, other, FORCE_NODES)

    def _keeps(self, own: int, other: int) -> bool:
        """Return whether the claim is proven for a position with the opponent to move."""
        known = self._book.score(other, own)
        if known is None:
            known = self._search.bound(other, own, -1, 0) if self._wins else self._search.bound(other, own, 0, 1)
        return known < 0 if self._wins else known <= 0

    def _candidates(self, own: int, other: int) -> list[int]:
        """Return the moves to try; those that are likely to lead to a small strategy come first."""
        forced = 0 if self._game.misere else self._settled.completions(other, own | other)
        cells = [cell for cell in self._cells(own, other) if not forced or forced >> cell & 1]
        if self._game.misere:
            return [cell for cell in cells if not self._settled.completed_by(cell, own | 1 << cell)]
        if self._settled.breakable:
            return sorted(cells, key=lambda cell: self._settled.potential(own | 1 << cell, other))
        order = {cell: place for place, cell in enumerate(self._search.promising_moves(own, other))}
        return sorted(cells, key=lambda cell: (self._open_replies(own | 1 << cell, other), order[cell]))

    def _open_replies(self, own: int, other: int) -> int:
        """Return the number of the opponent's moves after which the holder cannot win at once.

        Without gravity, return the number of all cells unless the holder threatens to win.
        """
        occupied = own | other
        threats = self._settled.completions(own, occupied)
        if threats & (threats - 1):
            return 0
        if threats or not self._game.drop:
            return 1 if threats else self._game.cells
        return sum(not self._settled.completions(own, occupied | 1 << cell) for cell in self._cells(own, other))

    def _cells(self, own: int, other: int) -> Iterator[int]:
        """Yield the playable cells, ascending."""
        playable = self._game.playable(own | other)
        return (cell for cell in range(self._game.cells) if playable >> cell & 1)
