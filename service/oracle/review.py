"""A game, move by move: what was best, what was played, and what that gave away."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from service.games.position import PLAYERS, Player, Position
from service.oracle.entry import WORTH, Bounds, Entry, Outcome, ends, seen_from_before
from service.oracle.limit import Budget, Effort, Limit
from service.oracle.oracle import Oracle
from service.oracle.reasons import judgement

Verdict = Literal["best", "slower", "mistake", "unknown"]

SLOWER = 0.9
"""What a move is worth that keeps the outcome, but wins later or loses sooner than it could."""

STEP = 0.5
"""What it costs to turn a win into a draw, or a draw into a loss."""


@dataclass(frozen=True, slots=True)
class ReviewedMove:
    """One move of a game; all that is known is for the player who made it.

    ``before`` is what is known of the position, ``worth`` what is known of the move.
    """

    position: Position
    move: int
    before: Entry | Bounds
    worth: Entry | Bounds
    reason: str

    @property
    def best_moves(self) -> tuple[int, ...]:
        """Every best move; none where they are not proven."""
        return self.before.best_moves if isinstance(self.before, Entry) else ()

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
        if len(self.position.legal_moves) == 1 or (isinstance(self.worth, Entry) and self.worth.score == self._most):
            return "best"
        if isinstance(self.before, Entry) and isinstance(self.worth, Entry):
            return "best" if self.worth.score == self.before.score else "slower"
        return "best" if self.outcome_before == self.outcome_after == "draw" else "unknown"

    @property
    def kept(self) -> float:
        """How much of what there was the move has kept, from 0 to 1."""
        return SLOWER if self.verdict == "slower" else 1 - STEP * self._steps_lost

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
    move of theirs could be judged. ``turning_point`` is the index of the last mistake.
    """

    moves: tuple[ReviewedMove, ...]
    end: Position

    @property
    def accuracy(self) -> Mapping[Player, float | None]:
        """By player: 100 where every move was best."""
        return {player: _mean(self._judged(player)) for player in PLAYERS}

    @property
    def turning_point(self) -> int | None:
        """The index of the last mistake; None if there was none."""
        mistakes = [index for index, move in enumerate(self.moves) if move.verdict == "mistake"]
        return mistakes[-1] if mistakes else None

    @property
    def proven(self) -> bool:
        """Whether every move could be judged."""
        return all(move.verdict != "unknown" for move in self.moves)

    def _judged(self, player: Player) -> list[float]:
        return [m.kept for m in self.moves if m.position.player == player and m.verdict != "unknown"]


def review(oracle: Oracle, start: Position, moves: Sequence[int], limit: Limit) -> Review:
    """The review of legal ``moves``, as cells, from a position on.

    The last position is looked at first: it is the easiest, and what is found there helps with the ones before.
    """
    positions = list(_positions(start, moves))
    budget = Budget(limit)
    known: list[Entry | Bounds] = []
    for left, position in zip(range(len(positions), 0, -1), reversed(positions), strict=True):
        effort = Effort(budget.part(1 / left))
        known.append(oracle.know(position, effort, every=True)[0])
        budget.spend(effort.cost)
    known.reverse()
    played = zip(positions, moves, known, known[1:], strict=False)
    return Review(tuple(_reviewed(*ply) for ply in played), positions[-1])


def _positions(start: Position, moves: Iterable[int]) -> Iterable[Position]:
    yield start
    for move in moves:
        start = start.play(move)
        yield start


def _reviewed(position: Position, move: int, before: Entry | Bounds, after: Entry | Bounds) -> ReviewedMove:
    worth = seen_from_before(after, move, position.game.cells)
    return ReviewedMove(position, move, before, worth, judgement(position, before, move, worth))


def _mean(parts: Sequence[float]) -> float | None:
    return round(100 * sum(parts) / len(parts), 1) if parts else None
