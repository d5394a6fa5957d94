"""The wire types of answers about positions.

``openapi.yaml`` says the same; a test compares them. ``status``, ``proven`` and ``exact`` tell four kinds apart: the
game is over; outcome and distance are proven; only the outcome is; or not even that.
"""

from collections.abc import Sequence
from typing import Annotated, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypeAliasType, TypedDict

from service.api.requests import Seed
from service.engine.result import Outcome
from service.explain.reason import Code
from service.explain.review import Verdict
from service.families.game import MoveName
from service.games.position import Player, Status

Unknown = Literal["unknown"]

Distance = Annotated[int, Field(ge=1)]
"""Plies to the end of a game that is not over."""

Estimate = Annotated[float, Field(ge=-1, le=1)]
"""The result to expect where it is not proven, from -1 for a loss to 1 for a win."""

Nothing = Annotated[Sequence[int], Field(max_length=0)]
"""The moves of a game that is over."""


class _Read(TypedDict):
    """The position that was understood."""

    game: str
    position: str
    player: Player


class PositionAnswer(_Read):
    """The position that was understood, and how its game stands."""

    status: Status
    winner: Player | None
    winning_line: Sequence[int] | None


class _InProgress(_Read):
    """A position whose game goes on."""

    status: Literal["in_progress"]
    winner: None
    winning_line: None


class _Exact(TypedDict):
    """A value of which outcome, distance and best play to the end are proven."""

    outcome: Outcome
    score: int
    plies: Distance
    proven: Literal[True]
    exact: Literal[True]


class _Proven(TypedDict):
    """A value of which the outcome is proven, and the distance or best play to the end is not."""

    outcome: Outcome
    score: None
    plies: None
    proven: Literal[True]
    exact: Literal[False]
    plies_at_least: Distance
    plies_at_most: Distance


class _Unproven(TypedDict):
    """A value of which the outcome is not proven."""

    outcome: Unknown
    score: None
    plies: None
    proven: Literal[False]
    exact: Literal[False]
    at_least: Outcome
    at_most: Outcome
    estimate: Estimate


class _Move(TypedDict):
    """A move, the line that begins with it, and what it leads to.

    ``layer`` is left out on flat boards, ``pv_columns`` unless moves are columns.
    """

    move: int
    row: int
    column: int
    layer: NotRequired[int]
    pv: Sequence[int]
    pv_columns: NotRequired[Sequence[int]]
    next_position: str
    next_status: Status


class FinishedAnswer(_Read):
    """The answer of ``/best-move`` if the game is over. Fields are left out as for a move."""

    status: Literal["won", "drawn"]
    winner: Player | None
    winning_line: Sequence[int] | None
    move: None
    row: None
    column: None
    layer: NotRequired[None]
    outcome: Outcome
    score: int
    plies: Literal[0]
    pv: Nothing
    pv_columns: NotRequired[Nothing]
    proven: Literal[True]
    exact: Literal[True]
    next_position: None
    next_status: None
    reason: str


class _MoveAnswer(_InProgress, _Move):
    """An answer without its value; ``seed`` is left out unless chance decided, ``skill`` unless it was below 100."""

    reason: str
    seed: NotRequired[Seed]
    skill: NotRequired[Annotated[int, Field(ge=0, le=99)]]


class ExactAnswer(_MoveAnswer, _Exact):
    """The answer of ``/best-move`` if outcome and distance are proven."""


class ProvenAnswer(_MoveAnswer, _Proven):
    """The answer of ``/best-move`` if only the outcome is proven."""


class UnprovenAnswer(_MoveAnswer, _Unproven):
    """The answer of ``/best-move`` if the outcome is not proven."""


BestMoveAnswer = TypeAliasType("BestMoveAnswer", FinishedAnswer | ExactAnswer | ProvenAnswer | UnprovenAnswer)
"""The answer of ``/best-move``."""


class ReasonAnswer(TypedDict):
    """Something true about a move, by its code, in words, and with the lines that it speaks of."""

    code: Code
    detail: str
    lines: Sequence[Sequence[int]]


class _RankedMove(_Move):
    """A legal move, and why it is worth what it is to the player who makes it, without the value."""

    best: bool
    reasons: list[ReasonAnswer]


class ExactMove(_RankedMove, _Exact):
    """A legal move whose outcome and distance are proven."""


class ProvenMove(_RankedMove, _Proven):
    """A legal move whose outcome is proven, but not all of best play after it."""


class UnprovenMove(_RankedMove, _Unproven):
    """A legal move whose outcome is not proven."""


RankedMoveAnswer = TypeAliasType("RankedMoveAnswer", ExactMove | ProvenMove | UnprovenMove)
"""What one legal move is worth to the player who makes it, and why."""


class Threats(TypedDict):
    """The cells, or their columns, where each player would complete a line, were it their move now."""

    X: Sequence[int]
    O: Sequence[int]  # noqa: E741, the name of a player


class _Threats(TypedDict):
    """The threats of both players. ``threat_columns`` are left out unless moves are columns."""

    threats: Threats
    threat_columns: NotRequired[Threats]


class _Moves(_Threats):
    """What ``/analysis`` answers beyond ``/best-move``."""

    moves: list[RankedMoveAnswer]


class FinishedAnalysis(FinishedAnswer, _Threats):
    """The answer of ``/analysis`` if the game is over."""

    moves: Annotated[list[RankedMoveAnswer], Field(max_length=0)]


class ExactAnalysis(ExactAnswer, _Moves):
    """The answer of ``/analysis`` if outcome and distance are proven."""


class ProvenAnalysis(ProvenAnswer, _Moves):
    """The answer of ``/analysis`` if only the outcome is proven."""


class UnprovenAnalysis(UnprovenAnswer, _Moves):
    """The answer of ``/analysis`` if the outcome is not proven."""


AnalysisAnswer = TypeAliasType("AnalysisAnswer", FinishedAnalysis | ExactAnalysis | ProvenAnalysis | UnprovenAnalysis)
"""The answer of ``/analysis``: that of ``/best-move``, every legal move, and the threats."""


class _Progress(TypedDict):
    """Where a search stands, without the value of the position so far. ``ply`` is left out but in reviews."""

    ply: NotRequired[int]
    depth: int
    nodes: int
    settled: int
    moves: int


class _FoundMove(TypedDict):
    """The best move so far. ``column`` is left out unless moves are columns, ``name`` but in games of families."""

    move: int
    column: NotRequired[int]
    name: NotRequired[MoveName]


class ExactProgress(_Progress, _FoundMove, _Exact):
    """The progress of a search that has proven outcome and distance."""


class ProvenProgress(_Progress, _FoundMove, _Proven):
    """The progress of a search that has proven only the outcome."""


class UnprovenProgress(_Progress, _Unproven):
    """The progress of a search that has not proven the outcome. The move is None before there is one."""

    move: int | None
    column: NotRequired[int | None]
    name: NotRequired[MoveName]


ProgressAnswer = TypeAliasType("ProgressAnswer", ExactProgress | ProvenProgress | UnprovenProgress)
"""Where a search stands, with what is known of the position so far."""


class ReviewedMoveAnswer(TypedDict):
    """One move of a game, judged for the player who made it. ``layer`` is left out on flat boards.

    ``best_columns`` are left out unless moves are columns, estimates unless the outcome is unknown.
    """

    ply: int
    player: Player
    position: str
    move: int
    row: int
    column: int
    layer: NotRequired[int]
    best_moves: Sequence[int]
    best_columns: NotRequired[Sequence[int]]
    outcome_before: Outcome | Unknown
    outcome_after: Outcome | Unknown
    score_before: int | None
    score_after: int | None
    estimate_before: NotRequired[Estimate]
    estimate_after: NotRequired[Estimate]
    verdict: Verdict
    gave_away: Literal["win -> draw", "win -> loss", "draw -> loss"] | None
    reason: str


class Accuracy(TypedDict):
    """How much of what there was each player's moves have kept, in per cent; by estimates where it is not proven."""

    X: float | None
    O: float | None  # noqa: E741, the name of a player


class ReviewAnswer(PositionAnswer):
    """The answer of ``/review``."""

    plies: list[ReviewedMoveAnswer]
    accuracy: Accuracy
    turning_point: int | None
    proven: bool
