"""The protocol of engines: one for games of lines (searches), one for all others (tables and searches of states)."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from typing import Generic, Literal, TypeVar

from service.engine.certificates.certificate import (
    MOST_ENTRIES,
    Certificate,
    Certified,
    Strategy,
    Unfinished,
    Unproven,
    claims,
)
from service.engine.certificates.strategy import StrategyBuilder
from service.engine.result import Known, MoveValues, ProvenResult, ends, is_decided, nothing_known
from service.engine.skill import difficulty
from service.engine.solver import Solver, SomeSearch
from service.engine.work.limit import Effort, NewSearch
from service.games.game import Game
from service.games.position import Position
from service.kernel.memory import private_memory
from service.kernel.stopping import ContradictoryBoundsError, Stopped

Source = Literal["table", "book", "cache", "search"]
"""The source of a result. The result of a finished game follows from the rules; its source is ``table``."""

Found = tuple[Known, Source]
"""The result for a position, and its source."""

FoundMoves = tuple[MoveValues, Source]

Result = TypeVar("Result")

SomeGame = TypeVar("SomeGame", bound=Game)

HARDEST_NODES = 20_000
"""The nodes of the look-ahead for the move that is hardest to answer, about 10 ms: no proof depends on it."""

REPEATED_NODES = 500_000
"""The number of nodes for which a repeated search gets memory: 8 MB."""


class Engine(ABC, Generic[SomeSearch, SomeGame]):
    """Finds the values of positions and moves of some games, by look-ups or by searches.

    Searches use ``table``, which other threads and processes share. With a limit of nodes they use memory of their own,
    so that the answer does not depend on earlier requests. If a search finds contradictory bounds, the engine calls
    ``on_contradiction`` and repeats the search with an empty table. After a second contradiction, the result is bounds
    that exclude nothing.
    """

    def __init__(self, table: memoryview, on_contradiction: Callable[[Position], None]) -> None:
        self._table = table
        self._on_contradiction = on_contradiction

    @abstractmethod
    def waits_for_table(self, position: Position[SomeGame]) -> bool:
        """Return whether only a complete table can answer positions of the game, so that requests wait for it."""

    @abstractmethod
    def look_up(self, position: Position[SomeGame], effort: Effort, *, all_best: bool) -> Found | None:
        """Return the result of a position if it needs no search, else None.

        The result has ``all_best`` moves, or only the lowest best move. If a table has to be made first, wait for it
        within the effort. Raises Overloaded, TooLargeError, and UnreachableError for a position that no play leads to.
        """

    @abstractmethod
    def look_up_moves(
        self, position: Position[SomeGame], moves: Iterable[int], effort: Effort, *, lines: bool
    ) -> FoundMoves | None:
        """Return the values of legal moves, for the player who makes them; None if any of them needs a search.

        Without ``lines``, the values may lack the lines of best play, and draws their plies.
        """

    @abstractmethod
    def _has_table(self, position: Position[SomeGame]) -> bool:
        """Return whether the game has a complete table."""

    def hardest(self, position: Position[SomeGame], known: ProvenResult, effort: Effort) -> tuple[int, bool]:
        """Return which of all best moves is the hardest to answer, and whether the clock let the choice finish.

        In a game with a complete table it is the move of the greatest ``difficulty``, in others the one that looks best
        to a look-ahead. In games without estimates it is the lowest, and in a won position too: every reply loses.
        """
        moves = known.best_moves
        if len(moves) == 1 or known.outcome == "win":
            return moves[0], True
        if self._has_table(position):
            return max(moves, key=lambda move: self._difficulty(position.play(move), effort)), True
        if not position.game.has_estimates:
            return moves[0], True
        new = self._new_search(position, private_memory(HARDEST_NODES), secret=False)

        def look() -> int:
            search = effort.search(new, 1, HARDEST_NODES)
            return Solver(search, position).best_looking(search, moves)

        return effort.run(look), not effort.spent(1)()

    def _difficulty(self, position: Position[SomeGame], effort: Effort) -> float:
        """Return how difficult the move to a position is to answer; 0 if the table is not ready."""
        found = self.look_up_moves(position, position.legal_moves, effort, lines=False)
        if found is None or not all(map(is_decided, found[0].values())):
            return 0.0
        return difficulty(found[0], position.game.most_plies)

    def prove(self, position: Position[SomeGame], effort: Effort, *, all_best: bool) -> Found:
        """Return the proven result of a position by searches, or bounds if the effort ends before the proof.

        A proven result has ``all_best`` moves, or only the lowest best move.
        """
        known = self._run(position, effort, lambda new: self._prove(position, effort, new, all_best=all_best))
        known = known or nothing_known(position)
        return known, self._source(position, known)

    def settle(self, position: Position[SomeGame], known: Known, effort: Effort) -> MoveValues:
        """Return the value of every legal move, exact or as bounds, given the result ``known`` of the position."""
        values = self._run(position, effort, lambda new: self._settle(position, known, effort, new))
        return values or {move: nothing_known(position, move) for move in position.legal_moves}

    @abstractmethod
    def weaker_move(self, position: Position[SomeGame], effort: Effort, *, skill: int, seed: int) -> int | None:
        """Return the move of a player of this ``skill``, from 0 to 99; None if a table is not ready in time.

        A pure function of position, skill and seed.
        """

    def certify(self, position: Position[SomeGame], known: Known, effort: Effort) -> Certified:
        """Return the certificate of a position with the result ``known``, or the reason why there is none."""
        outcome, most = ends(known)
        if outcome != most:
            return Unproven(known)
        strategies: list[Strategy] = []
        entries = 0
        for holder, wins in claims(position, outcome):
            if not position.legal_moves:
                strategies.append(Strategy(holder, wins, {}))
                continue
            make = self._strategy_builder(position, holder, effort, wins=wins)
            left = MOST_ENTRIES - entries
            found = make and self._run(position, effort, lambda new: make(new).build(left))  # noqa: B023, called here
            entries += 0 if found is None else len(found.entries)
            if found is None or found.ended != "complete":
                return Unfinished(outcome, entries, found is not None and found.ended == "too many")
            strategies.append(found)
        return Certificate(position, outcome, tuple(strategies))

    def strategy_builder(
        self, position: Position[SomeGame], holder: str, effort: Effort, *, wins: bool
    ) -> StrategyBuilder:
        """Return the builder of the strategy that gives the holder a proven outcome, for as long as ``effort`` lives.

        Its searches take no slot: it is not for requests. Raises TooLargeError, or Stopped if a table is not ready.
        """
        make = self._strategy_builder(position, holder, effort, wins=wins)
        if make is None:
            raise Stopped
        return make(self._new_search(position, self._table, secret=False))

    @abstractmethod
    def _strategy_builder(
        self, position: Position[SomeGame], holder: str, effort: Effort, *, wins: bool
    ) -> Callable[[NewSearch[SomeSearch]], StrategyBuilder] | None:
        """Return a function that makes the builder of a strategy by new searches; None if a table is not ready."""

    @abstractmethod
    def _new_search(self, position: Position[SomeGame], memory: memoryview, *, secret: bool) -> NewSearch[SomeSearch]:
        """Return a function that makes searches with ``memory`` as table; for a shared table, with ``secret`` keys."""

    @abstractmethod
    def _prove(
        self, position: Position[SomeGame], effort: Effort, new: NewSearch[SomeSearch], *, all_best: bool
    ) -> Known:
        """Return the result of ``prove`` by new searches. Raises ContradictoryBoundsError."""

    @abstractmethod
    def _settle(
        self, position: Position[SomeGame], known: Known, effort: Effort, new: NewSearch[SomeSearch]
    ) -> MoveValues:
        """Return the values of ``settle`` by new searches. Raises ContradictoryBoundsError."""

    def _source(self, position: Position[SomeGame], known: Known) -> Source:  # noqa: ARG002
        """Return the source from which most of the result of a search comes."""
        return "search"

    def _run(
        self, position: Position[SomeGame], effort: Effort, work: Callable[[NewSearch[SomeSearch]], Result]
    ) -> Result | None:
        """Return the result of ``work``, which gets a function that makes searches; None after two contradictions.

        After the first contradiction, repeat the work with an empty table. Each call starts from the beginning, because
        the second phase of an effort calls ``work`` again.
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
