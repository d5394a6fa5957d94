"""Strategies of certificates: for every position that a defence can reach, a move that keeps the claim."""

from collections.abc import Callable, Iterator

from service.book.book import Knowledge
from service.engine.certificates.certificate import Entry, Strategy
from service.engine.certificates.settled import Settled
from service.engine.images import Images
from service.games.boards.pairing import find_pairs
from service.games.families.lines import LinePosition, Player
from service.kernel.alpha_beta.search import ContradictoryBoundsError, Search, Stopped

MOST_PAIRED = 8
"""The maximum number of marks at which pairs are searched."""

SEARCHED = 25
"""The maximum empty cells of a board on which alpha-beta proves wins fast enough to try the most promising move."""

THREAT_NODES = 1000
"""The maximum number of positions in a search for a win by threats."""

FORCE_NODES = 1 << 22
"""The nodes of a search for a forced win: far more than positions outside of strategy books need."""

Masks = tuple[int, int]
"""The cells of the holder and those of the opponent."""


class StrategyBuilder:
    """Builds the strategy of a ``holder``, who provably wins or holds a draw, from a position on.

    Every choice depends on facts only, so the strategy is always the same: whether the lines or pairs settle a
    position, and the outcomes that the ``book`` or the ``search`` prove. ``count`` is called for every visited
    position, and may raise Stopped. A strategy has at most ``most`` entries.
    """

    def __init__(  # noqa: PLR0913, the parts are put together in one place
        self,
        position: LinePosition,
        holder: Player,
        *,
        wins: bool,
        search: Search,
        book: Knowledge,
        images: Images,
        count: Callable[[], None],
        most: int,
    ) -> None:
        self._root = position
        self._holder = holder
        self._game = position.game
        self._settled = Settled(position.game, wins=wins)
        self._wins = wins
        self._search = search
        self._book = book
        self._images = images
        self._count = count
        self._most = most
        self._entries: dict[Masks, Entry] = {}
        self._used: dict[int, None] = {}

    def build(self) -> Strategy:
        """Return the strategy; it is incomplete if the search is stopped, or the maximum of entries is reached."""
        complete = True
        try:
            self._visit_root()
        except Stopped:
            complete = False
        symmetries = tuple(self._images.symmetries[number] for number in self._used)
        return Strategy(self._holder, self._wins, self._entries, symmetries, complete)

    def _visit_root(self) -> None:
        position = self._root
        if position.player == self._holder:
            self._visit(*position.state)
        else:
            self._visit_replies(position.state[1], position.state[0])

    def _visit(self, own: int, other: int) -> None:
        """Add the entry of a position with the holder to move, if it needs one, and those of all positions after it."""
        self._count()
        if self._settled.before_holder(own, other) or self._has_entry(own, other):
            return
        if len(self._entries) == self._most:
            raise Stopped
        entry = self._choose(own, other)
        self._entries[own, other] = entry
        if not entry.pairs:
            marks = [sum(1 << cell for cell in cells) for cells in (entry.cells[::2], entry.cells[1::2])]
            self._visit_replies(own | marks[0], other | marks[1])

    def _visit_replies(self, own: int, other: int) -> None:
        """Visit the positions after all moves of the opponent."""
        if own | other == self._game.full or self._settled.before_opponent(own, other):
            return
        for cell in self._cells(own, other):
            reply = other | 1 << cell
            if not self._settled.completed_by(cell, reply):
                self._visit(own, reply)
            elif not self._game.misere:
                raise ContradictoryBoundsError

    def _has_entry(self, own: int, other: int) -> bool:
        """Return whether the position or a symmetric one has an entry; record the symmetry."""
        if (own, other) in self._entries:
            return True
        for number, image in self._images.of(own, other):
            if image in self._entries:
                self._used[number] = None
                return True
        return False

    def _choose(self, own: int, other: int) -> Entry:
        """Return the holder's play: threats that win, a move after which no entry is needed, or a proven move."""
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
        for cell in cells:
            if self._keeps(own | 1 << cell, other):
                return Entry((cell,))
        raise ContradictoryBoundsError

    def _forced(self, own: int, other: int) -> tuple[int, ...]:
        """Return threats that win; on a large board also a move of a strategy book, or the first of a forced win."""
        if not self._wins or self._game.drop or self._game.misere:
            return ()
        threats = tuple(self._search.winning_threats(own, other, THREAT_NODES))
        if threats or self._game.cells - (own | other).bit_count() <= SEARCHED:
            return threats
        for cell in self._cells(own, other):
            if self._book.lost_in(other, own | 1 << cell) is not None:
                return (cell,)
        won = self._search.forced_win(own, other, FORCE_NODES, to_move=True)
        return () if won is None else won[1:]

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

        Without gravity all moves count the same, unless the holder threatens to win.
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
