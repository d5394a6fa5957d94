"""Results of positions and moves: proven, or bounds."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import tanh
from types import MappingProxyType
from typing import Literal

from service.games.catalogue import CONNECT_FOUR, QUBIC, SCORE_FOUR
from service.games.game import Game
from service.games.position import Position

Outcome = Literal["win", "draw", "loss"]

SCALES: Mapping[bytes, float] = MappingProxyType(
    {CONNECT_FOUR.digest: 100.0, SCORE_FOUR.digest: 100.0, QUBIC.digest: 150.0}
)
"""The scales of estimates in games that are too large for a quick proof, by the digests of their rules."""


@dataclass(frozen=True, slots=True)
class ProvenResult:
    """The proven result of a position, for the player to move.

    ``score`` is 0 for a draw, ``most_plies + 1 - plies`` of the game for a win, its negative for a loss. ``plies`` is
    None for a draw in a game with loops; with ``repetition`` neither player can force the end. ``best_moves`` are
    ascending; they may stop at the first if only one was requested. ``pv`` takes the lowest at every ply, to the end or
    until a position repeats. Both are empty when the game is over; ``pv`` is empty if no line was requested.
    """

    outcome: Outcome
    plies: int | None
    score: int
    best_moves: tuple[int, ...]
    pv: tuple[int, ...]
    repetition: bool = False


@dataclass(frozen=True, slots=True)
class Bounds:
    """The bounds of an unfinished proof: the ``least`` and the ``greatest`` possible score, and a move.

    Scores are for the player to move, as ``ProvenResult.score`` is. If both have the same sign, the outcome is proven;
    if they are equal, so is the distance, and only the line of best play is missing. ``move`` attains the least score;
    among several it is the one that looked best. ``guess`` is the expected result of a look-ahead, from -1 for a loss
    to 1 for a win. ``scores`` are the bounds of each move, the one that looks best first: its least and its greatest
    score, as the kernel counts them.
    """

    least: int
    greatest: int
    move: int
    guess: float = field(default=0.0, compare=False)
    scores: tuple[tuple[int, int, int], ...] = field(default=(), compare=False, repr=False)


Known = ProvenResult | Bounds
"""The result of a position or of a move."""

MoveValues = Mapping[int, Known]
"""The result of every legal move, for the player who makes it."""


class WithResult:
    """Mixin: outcome, score and distance of a ``position``, or a move in it, from its result ``known``."""

    __slots__ = ()
    position: Position
    known: Known

    @property
    def proven(self) -> bool:
        """Whether the outcome is proven."""
        return self.outcome != "unknown"

    @property
    def exact(self) -> bool:
        """Whether everything is proven: outcome, distance, the lowest best move, and the line of best play."""
        return isinstance(self.known, ProvenResult)

    @property
    def repetition(self) -> bool:
        """Whether the result is a draw that neither player can bring to an end."""
        return isinstance(self.known, ProvenResult) and self.known.repetition

    @property
    def outcome(self) -> Outcome | Literal["unknown"]:
        """The outcome under best play, if it is proven."""
        if isinstance(self.known, ProvenResult):
            return self.known.outcome
        least, most = ends(self.known)
        return least if least == most else "unknown"

    @property
    def score(self) -> int | None:
        """The score under best play, if it is proven."""
        return score_bounds(self.known)[0] if self.exact else None

    @property
    def plies(self) -> int | None:
        """The distance to the end of the game under best play, if it is proven and the game ends."""
        if isinstance(self.known, ProvenResult):
            has_none = self.known.outcome == "draw" and self.known.pv and self.position.game.draws_vary
            return None if has_none else self.known.plies
        return self.plies_bounds[0] if self.exact else None

    @property
    def plies_bounds(self) -> tuple[int, int]:
        """The least and the greatest possible distance, if the outcome is proven."""
        return plies_bounds(self.known, self.position)


def outcome_of(score: int) -> Outcome:
    """Return the outcome of a score."""
    return "win" if score > 0 else "loss" if score < 0 else "draw"


def plies_of(score: int, position: Position) -> int:
    """Return the plies from a position to an end with this score; for a draw, the maximum number of plies left.

    In most games a draw fills the board. In games with loops the plies of a draw are 0.
    """
    most = position.game.most_plies
    if score:
        return most + 1 - abs(score)
    return position.remaining


def plies_bounds(known: "Known", position: Position) -> tuple[int, int]:
    """Return the least and the greatest possible distance, if the outcome is proven."""
    if isinstance(known, ProvenResult) and known.plies is not None:
        return known.plies, known.plies
    scores = score_bounds(known)
    first, second = (plies_of(score, position) for score in scores)
    least = 1 if 0 in scores and position.game.draws_vary else min(first, second)
    return least, max(first, second)


def make_proven_result(most_plies: int, score: int, best_moves: tuple[int, ...], pv: tuple[int, ...]) -> ProvenResult:
    """Return the result of a position: its outcome by the kernel's ``score``, its distance by the length of ``pv``.

    ``most_plies`` is that of the game.
    """
    sign = (score > 0) - (score < 0)
    return ProvenResult(outcome_of(score), len(pv), sign * (most_plies + 1 - len(pv)), best_moves, pv)


def finished_value(position: Position) -> ProvenResult:
    """Return the value of a finished position."""
    winner = position.winner
    score = 0 if winner is None else 1 if winner == position.player else -1
    return make_proven_result(position.game.most_plies, score, (), ())


RANK: Mapping[Outcome, int] = MappingProxyType({"loss": -1, "draw": 0, "win": 1})
"""The rank of each outcome: greater is better."""

OPPOSITE: Mapping[Outcome, Outcome] = MappingProxyType({"win": "loss", "draw": "draw", "loss": "win"})
"""The outcome for the other player."""


def nothing_known(position: Position, move: int | None = None) -> Bounds:
    """Return bounds that exclude nothing, with a move: by default the first."""
    first = next(iter(position.legal_moves), 0)
    most = position.game.most_plies
    return Bounds(-most, most, first if move is None else move)


def ends(known: Known) -> tuple[Outcome, Outcome]:
    """Return the least and the greatest possible outcome."""
    least, greatest = score_bounds(known)
    return outcome_of(least), outcome_of(greatest)


def is_decided(known: Known) -> bool:
    """Return whether the outcome is proven."""
    least, greatest = ends(known)
    return least == greatest


def score_bounds(known: Known) -> tuple[int, int]:
    """Return the least and the greatest possible score."""
    return (known.score, known.score) if isinstance(known, ProvenResult) else (known.least, known.greatest)


def expected_result(value: int, game: Game) -> float:
    """Convert the value of a look-ahead to an expected result from -1 to 1, for the same player.

    A value of the game's scale means tanh 1, which is 0.76. ``python -m loadtests strength estimates`` measures the
    error.
    """
    return tanh(value / SCALES.get(game.digest, game.estimate_scale))


def estimate(known: Known) -> float:
    """Return the expected result, from -1 to 1, within the proven bounds."""
    least, most = ends(known)
    guess = known.guess if isinstance(known, Bounds) else 0.0
    return float(min(max(guess, RANK[least]), RANK[most]))


def for_previous_player(known: Known, move: int, most_plies: int) -> Known:
    """Return the value of a ``move``, for the player who makes it, from the value of the position after it.

    ``most_plies`` are those of the game.
    """
    if isinstance(known, Bounds):
        return Bounds(-_ply_later(known.greatest), -_ply_later(known.least), move, -known.guess)
    if known.plies is None:
        return ProvenResult("draw", None, 0, (), (move, *known.pv), known.repetition)
    return make_proven_result(most_plies, -known.score, (), (move, *known.pv))


def _ply_later(score: int) -> int:
    """Return a score as counted one ply earlier, from where the end is one ply further away."""
    return score - 1 if score > 0 else score + 1 if score < 0 else 0


def sharpened(known: Known, values: MoveValues) -> Known:
    """Return the result of a position, improved from ``known`` by the values of all of its moves."""
    if isinstance(known, ProvenResult) or not values:
        return known
    first = max(values, key=lambda move: (value_order(values[move]), move == known.move, -move))
    proven = {move: value for move, value in values.items() if isinstance(value, ProvenResult)}
    if len(proven) == len(values):
        best = proven[first]
        equals = tuple(move for move, value in proven.items() if value.score == best.score)
        return ProvenResult(best.outcome, best.plies, best.score, equals, best.pv)
    least, greatest = (max(score_bounds(value)[end] for value in values.values()) for end in (0, 1))
    return Bounds(least, greatest, first, max(map(estimate, values.values())), known.scores)


def value_order(known: Known) -> tuple[int, float, int, int, int]:
    """Return a sort key of moves, the best last.

    Moves are ordered by their least possible outcome, then by their estimates, then by their greatest possible outcome.
    Moves that are equal in all of these are ordered by their least scores, then by their greatest scores.
    """
    least, most = ends(known)
    return RANK[least], estimate(known), RANK[most], *score_bounds(known)
