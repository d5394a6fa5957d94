"""The review of a game, move by move: what was best, what was played, and what that gave away."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
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
"""The share that a move keeps if it keeps the outcome: less if it wins later or loses sooner than it could."""

STEP = 0.5
"""The share lost by turning a win into a draw, or a draw into a loss."""


@dataclass(frozen=True, slots=True)
class ReviewedMove:
    """A move of a game; ``before`` is the value of the position, ``worth`` that of the move, both for its player."""

    position: Position
    move: int
    before: Known
    worth: Known
    reason: str

    @property
    def best_moves(self) -> tuple[int, ...]:
        """Every best move if they are proven; else, for a mistake, a move that is proven to be better."""
        if isinstance(self.before, ProvenResult):
            return self.before.best_moves
        return (self.before.move,) if self._steps_lost > 0 else ()

    @property
    def outcome_before(self) -> Outcome | None:
        """The outcome under best play before the move; None if it is not proven."""
        (least, most), (at_least, _) = ends(self.before), ends(self.worth)
        least = max(least, at_least, key=WORTH.__getitem__)
        return least if least == most else None

    @property
    def outcome_after(self) -> Outcome | None:
        """The outcome under best play after the move; None if it is not proven."""
        least, most = ends(self.worth)
        return least if least == most else None

    @property
    def verdict(self) -> Verdict:
        """``slower`` keeps the outcome, but not the distance; ``mistake`` gives the outcome away."""
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
        """The least outcome before a mistake and the greatest after it; None for other moves."""
        (least, _), (_, most) = ends(self.before), ends(self.worth)
        return (least, most) if self._steps_lost > 0 else None

    @property
    def kept(self) -> float | None:
        """The share of the value that the move keeps, from 0 to 1; None if that is not proven."""
        if self.verdict != "mistake":
            return KEPT.get(self.verdict)
        return 1 - STEP * self._steps_lost if self.outcome_before and self.outcome_after else None

    @property
    def _most(self) -> int:
        """The score of a win in one; no move can be worth more."""
        return self.position.game.cells

    @property
    def _steps_lost(self) -> int:
        (least, _), (_, most) = ends(self.before), ends(self.worth)
        return max(0, WORTH[least] - WORTH[most])


@dataclass(frozen=True, slots=True)
class Review:
    """Every move of a game, and the position at its end."""

    moves: tuple[ReviewedMove, ...]
    end: Position

    @property
    def accuracy(self) -> Mapping[Player, float | None]:
        """By player, the mean share that their moves keep, in per cent.

        None if no move of theirs could be judged, or it is not proven how much a mistake of theirs gave away.
        """
        return {player: self._accuracy(player) for player in PLAYERS}

    @property
    def turning_point(self) -> int | None:
        """The index of the last mistake, after which the outcome did not change; None if there was none."""
        mistakes = [index for index, move in enumerate(self.moves) if move.verdict == "mistake"]
        return mistakes[-1] if mistakes else None

    @property
    def proven(self) -> bool:
        """Whether it is proven how much every move keeps."""
        return all(move.kept is not None for move in self.moves)

    def _accuracy(self, player: Player) -> float | None:
        judged = [m for m in self.moves if m.position.player == player and m.verdict != "unknown"]
        kept = [part for m in judged if (part := m.kept) is not None]
        return round(100 * sum(kept) / len(kept), 1) if kept and len(kept) == len(judged) else None


def review(oracle: Oracle, start: Position, moves: Sequence[int], limit: Limit, slot: Slot | None = None) -> Review:
    """Review legal ``moves``, as cells, from a position on.

    The last position is searched first: it is the easiest, and its result helps with those before.
    """
    positions = list(accumulate(moves, Position.play, initial=start))
    budget = Budget(limit, slot)
    known: list[Known] = []
    for left, position in zip(range(len(positions), 0, -1), reversed(positions), strict=True):
        effort = Effort(budget.part(1 / left), slot)
        known.append(oracle.lookup_or_search(position, effort, every=True)[0])
        budget.spend(effort.cost)
    known.reverse()
    plies = zip(positions, moves, known, known[1:], strict=False)
    return Review(tuple(_reviewed(*ply) for ply in plies), positions[-1])


def _reviewed(position: Position, move: int, before: Known, after: Known) -> ReviewedMove:
    worth = for_previous_player(after, move, position.game.cells)
    return ReviewedMove(position, move, before, worth, judgement(position, before, move, worth))
