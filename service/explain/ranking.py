"""The legal moves of a position, best first, each with its value and the reasons for it."""

from dataclasses import dataclass

from service.engine.oracle import Analysis
from service.engine.result import Known, ProvenResult, WithResult, score_bounds, value_order
from service.explain.forks import Tactics
from service.explain.reasons import Reason, reasons


@dataclass(frozen=True, slots=True)
class RankedMove(WithResult):
    """A legal move; outcome, score and plies are for the player who makes it, counted from before the move.

    ``best``: it is proven that no move is better. ``pv`` begins with the move.
    """

    move: int
    known: Known
    best: bool
    reasons: tuple[Reason, ...]

    @property
    def pv(self) -> tuple[int, ...]:
        """The move and best play after it, as far as it is known."""
        return self.known.pv if isinstance(self.known, ProvenResult) else (self.move,)


def rank(analysis: Analysis) -> tuple[RankedMove, ...]:
    """Return the legal moves, best first; equals by index or, if that is not proven, by how promising they look."""
    known, worths = analysis.known, analysis.move_values
    looks = () if isinstance(known, ProvenResult) else (known.move, *(move for move, _, _ in known.scores))
    most = known.score if isinstance(known, ProvenResult) else max(score_bounds(worth)[1] for worth in worths.values())
    best = {move: score_bounds(worth)[0] >= most for move, worth in worths.items()}
    order = sorted(
        dict.fromkeys((*looks, *worths)), key=lambda move: (best[move], value_order(worths[move])), reverse=True
    )
    tactics = Tactics(analysis.best.position)
    return tuple(RankedMove(move, worths[move], best[move], reasons(tactics, known, move, worths)) for move in order)
