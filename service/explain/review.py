"""The review of a game, move by move: the best move, the played one, and the outcome that it gave away."""

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from types import MappingProxyType
from typing import Any, Literal

from service.engine.oracle import Oracle
from service.engine.result import (
    RANK,
    Known,
    Outcome,
    ProvenResult,
    ends,
    estimate,
    for_previous_player,
    score_bounds,
)
from service.engine.work.limit import Budget, Effort, Limit
from service.engine.work.slots import Slot
from service.explain.reasons import judgement
from service.games.position import Position

Verdict = Literal["best", "slower", "mistake", "unknown"]

KEPT: Mapping[Verdict, float] = MappingProxyType({"best": 1.0, "slower": 0.9})
"""The share that a move keeps if it keeps the outcome: less if it wins later or loses sooner than possible."""

STEP = 0.5
"""The share lost by turning a win into a draw, or a draw into a loss."""

JUDGE_NODES = 100
"""The nodes that a position counts for beside its search: the cost of judging the move."""


@dataclass(frozen=True, slots=True)
class JudgedMove:
    """A move of a game; ``before`` is the value of the position, ``value`` that of the move, both for its player.

    ``ply`` is its number in the game, counted from 1.
    """

    ply: int
    position: Position
    move: int
    before: Known
    value: Known
    reason: str

    @property
    def best_moves(self) -> tuple[int, ...]:
        """All best moves if they are proven; else a better move if one is proven."""
        if isinstance(self.before, ProvenResult):
            return self.before.best_moves
        return (self.before.move,) if self._is_worse else ()

    @property
    def outcome_before(self) -> Outcome | None:
        """The outcome under best play before the move; None if it is not proven."""
        return _proven_outcome(self.before)

    @property
    def outcome_after(self) -> Outcome | None:
        """The outcome under best play after the move; None if it is not proven."""
        return _proven_outcome(self.value)

    @property
    def verdict(self) -> Verdict:
        """``slower`` keeps the outcome, but not the distance; ``mistake`` gives the outcome away."""
        if self._steps_lost > 0:
            return "mistake"
        if len(self.position.legal_moves) == 1 or score_bounds(self.value)[0] >= self._most:
            return "best"
        return "slower" if self._is_worse and self.outcome_before == self.outcome_after else "unknown"

    @property
    def gave_away(self) -> tuple[Outcome, Outcome] | None:
        """The least outcome before a mistake and the greatest one after it; None for other moves."""
        (least, _), (_, most) = ends(self.before), ends(self.value)
        return (least, most) if self._steps_lost > 0 else None

    @property
    def judged(self) -> bool:
        """Whether the share that the move keeps is proven."""
        return self.verdict in KEPT or (self.outcome_before is not None and self.outcome_after is not None)

    @property
    def has_share(self) -> bool:
        """Whether the share that the move keeps is known: without a proof, only games of lines have estimates."""
        return self.judged or self.position.game.has_estimates

    @property
    def kept(self) -> float:
        """The share of the value that the move keeps, from 0 to 1; if it is not proven, by the estimates."""
        if self.verdict in KEPT:
            return KEPT[self.verdict]
        return 1 - STEP * max(0.0, estimate(self.before) - estimate(self.value))

    @property
    def _most(self) -> int:
        """The greatest possible score of the move: that of a win in one, if nothing less is proven."""
        return min(self.position.game.most_plies, score_bounds(self.before)[1])

    @property
    def _is_worse(self) -> bool:
        """Whether it is proven that another move scores more."""
        return score_bounds(self.value)[1] < score_bounds(self.before)[0]

    @property
    def _steps_lost(self) -> int:
        (least, _), (_, most) = ends(self.before), ends(self.value)
        return max(0, RANK[least] - RANK[most])


def _proven_outcome(known: Known) -> Outcome | None:
    least, most = ends(known)
    return least if least == most else None


@dataclass(frozen=True, slots=True)
class Review:
    """Every move of a game, and the position at its end."""

    moves: tuple[JudgedMove, ...]
    end: Position

    @property
    def accuracy(self) -> Mapping[str, float | None]:
        """By player, the mean share that their moves keep, in per cent; None if none of them can be judged."""
        return {player: self._accuracy(player) for player in self.end.game.players}

    @property
    def turning_point(self) -> int | None:
        """The index of the last mistake, after which the outcome did not change; None without a mistake."""
        mistakes = [index for index, move in enumerate(self.moves) if move.verdict == "mistake"]
        return mistakes[-1] if mistakes else None

    @property
    def proven(self) -> bool:
        """Whether the share that every move keeps is proven."""
        return all(move.judged for move in self.moves)

    def _accuracy(self, player: str) -> float | None:
        kept = [move.kept for move in self.moves if move.position.player == player and move.has_share]
        return round(100 * sum(kept) / len(kept), 1) if kept else None


Watch = Callable[[Any, Limit, int], Limit]
"""Returns the limit for the search of a position, with a progress if it is followed.

The last argument is the number of the next move in the game.
"""

EmitMove = Callable[[JudgedMove], None]
"""Emits a move as soon as it is judged."""


def review(  # noqa: PLR0913, the parts of a review
    oracle: Oracle,
    start: Position,
    moves: Sequence[int],
    limit: Limit,
    slot: Slot | None = None,
    *,
    watch: Watch = lambda _position, limit, _ply: limit,
    emit: EmitMove = lambda _: None,
) -> Review:
    """Review legal ``moves``, as cells, from a position on; ``emit`` each reviewed move, the last one first.

    The last position is searched first: it is the easiest, and its result helps with the earlier ones, since a position
    is worth at least as much as the move played in it.
    """
    positions = list(accumulate(moves, _play, initial=start))
    budget = Budget(limit, slot)

    def look(position: Position, ply: int) -> Known:
        # All positions of a game wait for the same table.
        share = 1.0 if oracle.waits_for_table(position) else 1 / ply
        effort = Effort(watch(position, budget.part(share), ply), slot)
        known, _ = oracle.lookup_or_search(position, effort, all_best=True)
        budget.spend(effort.cost)
        return known

    reviewed: deque[JudgedMove] = deque()

    def steps() -> Iterator[int]:
        after = look(positions[-1], len(positions))
        for ply in range(len(moves), 0, -1):
            yield JUDGE_NODES
            position, move = positions[ply - 1], moves[ply - 1]
            value = for_previous_player(after, move, position.game.most_plies)
            after = before = _at_least(look(position, ply), value, move)
            why = judgement(position, before, move, value)
            reviewed.appendleft(JudgedMove(ply, position, move, before, value, why))
            emit(reviewed[0])

    budget.work(steps())
    return Review(tuple(reviewed), positions[-1])


def _play(position: Position, move: int) -> Position:
    return position.play(move)


def _at_least(known: Known, value: Known, move: int) -> Known:
    """Return the result of a position in which a move has this value."""
    least, _ = score_bounds(value)
    if isinstance(known, ProvenResult) or least <= known.least:
        return known
    return replace(known, least=least, move=move)
