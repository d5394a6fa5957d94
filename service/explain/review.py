"""A game, move by move: what was best, what was played, and what that gave away."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from service.engine.limit import Budget, Effort, Limit
from service.engine.oracle import Oracle
from service.engine.result import WORTH, Known, Outcome, ProvenResult, ends, for_previous_player
from service.engine.slots import Slot
from service.explain.reasons import judgement
from service.games.position import PLAYERS, Player, Position

Verdict = Literal["best", "slower", "mistake", "unknown"]

KEPT: Mapping[Verdict, float] = MappingProxyType({"best": 1.0, "slower": 0.9})
"""How much a move has kept that keeps the outcome; less if it wins later or loses sooner than it could."""

STEP = 0.5
"""What it costs to turn a win into a draw, or a draw into a loss."""


@dataclass(frozen=True, slots=True)
class ReviewedMove:
    """One move of a game; all that is known is for the player who made it.

    ``before`` is what is known of the position, ``worth`` what is known of the move.
    """

    position: Position
    move: int
    before: Known
    worth: Known
    reason: str

    @property
    def best_moves(self) -> tuple[int, ...]:
        """Every best move, where they are proven; else, after a mistake, a move that is proven to be better."""
        if isinstance(self.before, ProvenResult):
            return self.before.best_moves
        return (self.before.move,) if self._steps_lost > 0 else ()

    @property
    def outcome_before(self) -> Outcome | None:
        """How the game ended under best play before the move; None if it is not proven."""
        (least, most), (at_least, _) = ends(self.before), ends(self.worth)
        least = max(least, at_least, key=WORTH.__getitem__)
        return least if least == most else None

    @property
    def outcome_after(self) -> Outcome | None:
        """How the game ends under best play after the move; None if it is not proven."""
        least, most = ends(self.worth)
        return least if least == most else None

    @property
    def verdict(self) -> Verdict:
        """``best``; ``slower``: the outcome kept, but not the distance; ``mistake``: the outcome given away."""
        if self._steps_lost > 0:
            return "mistake"
        if len(self.position.legal_moves) == 1 or (
            isinstance(self.worth, ProvenResult) and self.worth.score == self._most
        ):
            return "best"
        if isinstance(self.before, ProvenResult) and isinstance(self.worth, ProvenResult):
            return "best" if self.worth.score == self.before.score else "slower"
        return "best" if self.outcome_before == self.outcome_after == "draw" else "unknown"

    @property
    def gave_away(self) -> tuple[Outcome, Outcome] | None:
        """What a mistake had at least and what it has left at most; None for other moves."""
        (least, _), (_, most) = ends(self.before), ends(self.worth)
        return (least, most) if self._steps_lost > 0 else None

    @property
    def kept(self) -> float | None:
        """How much of what there was the move has kept, from 0 to 1; None where that is not proven."""
        if self.verdict != "mistake":
            return KEPT.get(self.verdict)
        return 1 - STEP * self._steps_lost if self.outcome_before and self.outcome_after else None

    @property
    def _most(self) -> int:
        """The score of a win in one: no move can be worth more."""
        return self.position.game.cells

    @property
    def _steps_lost(self) -> int:
        (least, _), (_, most) = ends(self.before), ends(self.worth)
        return max(0, WORTH[least] - WORTH[most])


@dataclass(frozen=True, slots=True)
class Review:
    """Every move of a game, how well each player played, and the move after which nothing changed any more.

    ``accuracy`` is the part of what there was that a player's moves have kept, in per cent; None where no
    move of theirs could be judged, or it is not proven how much one of their mistakes gave away. ``turning_point``
    is the index of the last mistake.
    """

    moves: tuple[ReviewedMove, ...]
    end: Position

    @property
    def accuracy(self) -> Mapping[Player, float | None]:
        """By player: 100 where every move was best."""
        return {player: self._accuracy(player) for player in PLAYERS}

    @property
    def turning_point(self) -> int | None:
        """The index of the last mistake; None if there was none."""
        mistakes = [index for index, move in enumerate(self.moves) if move.verdict == "mistake"]
        return mistakes[-1] if mistakes else None

    @property
    def proven(self) -> bool:
        """Whether every move could be judged, and every mistake weighed."""
        return all(move.kept is not None for move in self.moves)

    def _accuracy(self, player: Player) -> float | None:
        judged = [m for m in self.moves if m.position.player == player and m.verdict != "unknown"]
        kept = [part for m in judged if (part := m.kept) is not None]
        return round(100 * sum(kept) / len(kept), 1) if kept and len(kept) == len(judged) else None


def review(oracle: Oracle, start: Position, moves: Sequence[int], limit: Limit, slot: Slot | None = None) -> Review:
    """The review of legal ``moves``, as cells, from a position on.

    The last position is looked at first: it is the easiest, and what is found there helps with the ones before.
    """
    positions = list(_positions(start, moves))
    budget = Budget(limit, slot)
    known: list[Known] = []
    for left, position in zip(range(len(positions), 0, -1), reversed(positions), strict=True):
        effort = Effort(budget.part(1 / left), slot)
        known.append(oracle.lookup_or_search(position, effort, every=True)[0])
        budget.spend(effort.cost)
    known.reverse()
    played = zip(positions, moves, known, known[1:], strict=False)
    return Review(tuple(_reviewed(*ply) for ply in played), positions[-1])


def _positions(start: Position, moves: Iterable[int]) -> Iterable[Position]:
    yield start
    for move in moves:
        start = start.play(move)
        yield start


def _reviewed(position: Position, move: int, before: Known, after: Known) -> ReviewedMove:
    worth = for_previous_player(after, move, position.game.cells)
    return ReviewedMove(position, move, before, worth, judgement(position, before, move, worth))
