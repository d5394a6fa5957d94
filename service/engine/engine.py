"""What an oracle asks of the engine of a game: by searches of lines, or by tables and searches of states."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from typing import ClassVar, Generic, Literal, TypeVar

from service.engine.certificates.certificate import Certificate, Unfinished, Unproven, Unsupported
from service.engine.result import Known, MoveValues, nothing_known
from service.engine.solver import SomeSearch
from service.engine.work.limit import Effort, NewSearch
from service.games.game import Game
from service.games.position import Position
from service.kernel.memory import private_memory
from service.kernel.stopping import ContradictoryBoundsError

Source = Literal["table", "book", "cache", "search"]
"""Where something was found; what the rules tell of a finished game counts as a table."""

Found = tuple[Known, Source]
"""What is known of a position, and where it was found."""

FoundMoves = tuple[MoveValues, Source]

Certified = Certificate | Unproven | Unfinished
"""A certificate, or why there is none."""

Result = TypeVar("Result")

SomeGame = TypeVar("SomeGame", bound=Game)

REPEATED_NODES = 500_000
"""The nodes that a search which is repeated has memory for: 8 MB."""


class Engine(ABC, Generic[SomeSearch, SomeGame]):
    """The values of positions and moves of some games, free where they are looked up, or by searches.

    Searches run in ``table``, which other threads and processes share, or in memory of their own where nodes are
    limited: such an answer does not depend on what was asked before. A search that comes upon contradictory bounds is
    repeated with an empty table, after a call of ``on_contradiction``; if that does not help, nothing is claimed.
    """

    certifies: ClassVar[bool] = False
    """Whether there are certificates of outcomes."""

    def __init__(self, table: memoryview, on_contradiction: Callable[[Position], None]) -> None:
        self._table = table
        self._on_contradiction = on_contradiction

    @abstractmethod
    def waits_for_table(self, position: Position[SomeGame]) -> bool:
        """Return whether only a table answers positions of the game, so that all wait until it is made."""

    @abstractmethod
    def look_up(self, position: Position[SomeGame], effort: Effort, *, every: bool) -> Found | None:
        """Return what is known of a position without a search, with ``every`` best move or the lowest.

        A table that has to be made is waited for within the effort. Return None where only a search helps.
        Raises Overloaded, TooLargeError, and UnreachableError for what no play leads to.
        """

    @abstractmethod
    def look_up_moves(self, position: Position[SomeGame], moves: Iterable[int], effort: Effort) -> FoundMoves | None:
        """Return the values of some legal moves, for the player who makes them; None unless all can be looked up."""

    def prove(self, position: Position[SomeGame], effort: Effort, *, every: bool) -> Found:
        """Return a proof, with ``every`` best move or the lowest, or bounds if the effort does not suffice for one."""
        known = self._run(position, effort, lambda new: self._prove(position, effort, new, every=every))
        known = known or nothing_known(position)
        return known, self._source(position, known)

    def settle(self, position: Position[SomeGame], known: Known, effort: Effort) -> MoveValues:
        """Return the value of every legal move as far as the effort suffices, after what is ``known`` already."""
        values = self._run(position, effort, lambda new: self._settle(position, known, effort, new))
        return values or {move: nothing_known(position, move) for move in position.legal_moves}

    @abstractmethod
    def weaker_move(self, position: Position[SomeGame], effort: Effort, *, skill: int, seed: int) -> int | None:
        """Return the move of a player of this ``skill``, at least 0 and below 100; None if a table is not made in time.

        A pure function of position, skill and seed.
        """

    def certify(self, position: Position[SomeGame], known: Known, effort: Effort) -> Certified | Unsupported:  # noqa: ARG002
        """Return the certificate of what is ``known`` of a position, as far as the effort suffices."""
        return Unsupported(position.game.family)

    @abstractmethod
    def _new_search(self, position: Position[SomeGame], memory: memoryview, *, secret: bool) -> NewSearch[SomeSearch]:
        """Return what makes searches of a game in a memory; ``secret`` in one that other people's games share."""

    @abstractmethod
    def _prove(self, position: Position[SomeGame], effort: Effort, new: NewSearch[SomeSearch], *, every: bool) -> Known:
        """Prove by searches. Raises ContradictoryBoundsError."""

    @abstractmethod
    def _settle(
        self, position: Position[SomeGame], known: Known, effort: Effort, new: NewSearch[SomeSearch]
    ) -> MoveValues:
        """Settle all moves by searches. Raises ContradictoryBoundsError."""

    def _source(self, position: Position[SomeGame], known: Known) -> Source:  # noqa: ARG002
        """Return what a search has found the most by."""
        return "search"

    def _run(
        self, position: Position[SomeGame], effort: Effort, work: Callable[[NewSearch[SomeSearch]], Result]
    ) -> Result | None:
        """Return what work with searches gives, at the second try with an empty table; None if both contradict.

        Each call of ``work`` begins anew, because the second phase of an effort calls it again.
        """

        def first_try() -> Result:
            if effort.nodes is None:
                return work(self._new_search(position, self._table, secret=True))
            return work(self._new_search(position, private_memory(effort.nodes), secret=False))

        def second_try() -> Result:
            return work(self._new_search(position, private_memory(REPEATED_NODES), secret=False))

        for attempt in (first_try, second_try):
            try:
                return effort.run(attempt)
            except ContradictoryBoundsError:
                self._on_contradiction(position)
        return None
