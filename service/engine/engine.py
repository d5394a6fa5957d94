"""The protocol of engines: one for games of lines (searches), one for all others (tables and searches of states)."""

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
"""The source of a result; what the rules say of a finished game counts as ``table``."""

Found = tuple[Known, Source]
"""The result for a position, and its source."""

FoundMoves = tuple[MoveValues, Source]

Certified = Certificate | Unproven | Unfinished
"""A certificate, or the reason why there is none."""

Result = TypeVar("Result")

SomeGame = TypeVar("SomeGame", bound=Game)

REPEATED_NODES = 500_000
"""The memory, in nodes, of a repeated search: 8 MB."""


class Engine(ABC, Generic[SomeSearch, SomeGame]):
    """The values of positions and moves of its games, by look-ups or by searches.

    Searches use ``table``, which other threads and processes share. With a limit of nodes they use memory of their own,
    so that the answer does not depend on earlier requests. A search that finds contradictory bounds calls
    ``on_contradiction``, and is repeated with an empty table; if that fails too, nothing is claimed.
    """

    certifies: ClassVar[bool] = False
    """Whether it can make certificates of outcomes."""

    def __init__(self, table: memoryview, on_contradiction: Callable[[Position], None]) -> None:
        self._table = table
        self._on_contradiction = on_contradiction

    @abstractmethod
    def waits_for_table(self, position: Position[SomeGame]) -> bool:
        """Return whether only a complete table can answer positions of the game, so that requests wait for it."""

    @abstractmethod
    def look_up(self, position: Position[SomeGame], effort: Effort, *, all_best: bool) -> Found | None:
        """Return the result if it needs no search, with ``all_best`` moves or the lowest one; None if it needs one.

        Waits within the effort for a table that must be made. Raises Overloaded, TooLargeError, and UnreachableError
        for a position that no play leads to.
        """

    @abstractmethod
    def look_up_moves(self, position: Position[SomeGame], moves: Iterable[int], effort: Effort) -> FoundMoves | None:
        """Return the values of some legal moves, for the player who makes them; None unless all can be looked up."""

    def prove(self, position: Position[SomeGame], effort: Effort, *, all_best: bool) -> Found:
        """Return a proof, with ``all_best`` moves or the lowest; at the end of the effort, return bounds."""
        known = self._run(position, effort, lambda new: self._prove(position, effort, new, all_best=all_best))
        known = known or nothing_known(position)
        return known, self._source(position, known)

    def settle(self, position: Position[SomeGame], known: Known, effort: Effort) -> MoveValues:
        """Return the value of every legal move, exact or bounds at the end of the effort, given what is ``known``."""
        values = self._run(position, effort, lambda new: self._settle(position, known, effort, new))
        return values or {move: nothing_known(position, move) for move in position.legal_moves}

    @abstractmethod
    def weaker_move(self, position: Position[SomeGame], effort: Effort, *, skill: int, seed: int) -> int | None:
        """Return the move of a player of this ``skill``, from 0 to 99; None if a table is not ready in time.

        A pure function of position, skill and seed.
        """

    def certify(self, position: Position[SomeGame], known: Known, effort: Effort) -> Certified | Unsupported:  # noqa: ARG002
        """Return the certificate of a position, given what is ``known`` of it, within the effort."""
        return Unsupported(position.game.family)

    @abstractmethod
    def _new_search(self, position: Position[SomeGame], memory: memoryview, *, secret: bool) -> NewSearch[SomeSearch]:
        """Return a function that makes searches of a game in ``memory``; with ``secret`` keys in a shared table."""

    @abstractmethod
    def _prove(
        self, position: Position[SomeGame], effort: Effort, new: NewSearch[SomeSearch], *, all_best: bool
    ) -> Known:
        """Prove by searches. Raises ContradictoryBoundsError."""

    @abstractmethod
    def _settle(
        self, position: Position[SomeGame], known: Known, effort: Effort, new: NewSearch[SomeSearch]
    ) -> MoveValues:
        """Settle all moves by searches. Raises ContradictoryBoundsError."""

    def _source(self, position: Position[SomeGame], known: Known) -> Source:  # noqa: ARG002
        """Return the source of most of a search's result."""
        return "search"

    def _run(
        self, position: Position[SomeGame], effort: Effort, work: Callable[[NewSearch[SomeSearch]], Result]
    ) -> Result | None:
        """Return the result of work with searches; repeat it once with an empty table, None if both contradict.

        Each call of ``work`` starts from the beginning, because the second phase of an effort calls it again.
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
