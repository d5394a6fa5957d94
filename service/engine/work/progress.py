"""The progress of a search, for clients that follow it."""

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any, Protocol

from service.engine.result import Known, WithResult, nothing_known, score_bounds
from service.engine.solver import Solver
from service.games.position import Position


class Counted(Protocol):
    """A search, or other work that counts nodes."""

    @property
    def nodes(self) -> int:
        """Positions searched so far."""


@dataclass(frozen=True, slots=True)
class Step(WithResult):
    """The state of a search: ``depth`` plies looked ahead, ``nodes`` searched, and the results ``known`` so far.

    ``move`` is the best so far, None at first; ``settled`` of the ``moves`` have an exact score.
    """

    position: Position
    known: Known
    depth: int
    nodes: int
    move: int | None
    settled: int
    moves: int

    @property
    def exact(self) -> bool:
        """Whether the distance is proven. The line of best play is only there at the end of the search."""
        least, greatest = score_bounds(self.known)
        return least == greatest


@dataclass
class Progress:
    """The searches for a position, and its solver. Another thread may look at them while they run.

    ``ply`` is the number of the next move, if the position belongs to a game under review.
    """

    position: Position
    ply: int | None = None
    searches: list[Counted] = field(default_factory=list)
    solver: Solver[Any] | None = None

    def forget(self, searches: Collection[object]) -> None:
        """Stop counting the nodes of these searches."""
        self.searches = [search for search in self.searches if search not in searches]

    def now(self) -> Step:
        """Return the state of the search; nothing is known while it has no solver yet."""
        nodes = sum(search.nodes for search in self.searches)
        if self.solver is None:
            return Step(self.position, nothing_known(self.position), 0, nodes, None, 0, len(self.position.legal_moves))
        known = self.solver.known()
        return Step(
            position=self.position,
            known=known,
            depth=self.solver.depth,
            nodes=nodes,
            move=known.move,
            settled=self.solver.settled(),
            moves=self.solver.moves,
        )
