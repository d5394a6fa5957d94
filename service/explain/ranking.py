"""The legal moves of a position, best first, each with its value and the reasons for it."""

from dataclasses import dataclass

from service.engine.oracle import Analysis
from service.engine.result import Known, ProvenResult, WithResult, score_bounds, value_order
from service.explain.reasons import reasons
from service.explain.statements import MoveReason
from service.games.position import Position


@dataclass(frozen=True, slots=True)
class RankedMove(WithResult):
    """A legal move; outcome, score and plies are for the player who makes it, counted from before the move.

    ``best``: it is proven that no move is better. ``pv`` begins with the move.
    """

    position: Position
    move: int
    known: Known
    best: bool
    reasons: tuple[MoveReason, ...]

    @property
    def pv(self) -> tuple[int, ...]:
        """The move and best play after it, as far as proven."""
        return self.known.pv if isinstance(self.known, ProvenResult) else (self.move,)


def rank(analysis: Analysis) -> tuple[RankedMove, ...]:
    """Return the legal moves, best first. Equal ones are ordered by index, unproven ones by their estimates.

    The order is that of ``value_order``. A move that is proven best comes first: no other move can be better.
    """
    position, known, values = analysis.best.position, analysis.known, analysis.move_values
    looks = (
        () if isinstance(known, ProvenResult) or not values else (known.move, *(move for move, _, _ in known.scores))
    )
    most = max(score_bounds(value)[1] for value in values.values()) if values else 0
    tactics = position.game.tactics(position.state)
    return tuple(
        RankedMove(
            position,
            move,
            values[move],
            best=score_bounds(values[move])[0] >= most,
            reasons=reasons(position, tactics, known, move, values),
        )
        for move in sorted(dict.fromkeys((*looks, *values)), key=lambda move: value_order(values[move]), reverse=True)
    )
