"""The wire models of answers about positions, and how they are made of what the oracle finds.

``openapi.yaml`` says the same as the models; a test compares them.
"""

from collections.abc import Iterable
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from service.api.requests import Seed
from service.engine.oracle import Analysis, BestMove
from service.engine.result import Known, Outcome, ProvenResult
from service.explain.ranking import RankedMove, rank
from service.explain.reasons import Code, reason
from service.explain.review import Review, ReviewedMove, Verdict
from service.games.game import Game
from service.games.position import Player, Position, Status

Unknown = Literal["unknown"]


class Answer(BaseModel):
    """What every answer has in common."""

    model_config = ConfigDict(extra="forbid", frozen=True, from_attributes=True)


class PositionAnswer(Answer):
    """The position that was understood, and how its game stands."""

    game: str
    position: str
    player: Player
    status: Status
    winner: Player | None
    winning_line: list[int] | None


class BestMoveAnswer(PositionAnswer):
    """The answer of ``/best-move``.

    Left unset, and out: ``seed`` unless chance decided, ``skill`` unless it was below 100, ``at_least`` and
    ``at_most`` unless the outcome is unknown, ``layer`` on flat boards, ``pv_columns`` unless moves are columns.
    """

    move: int | None
    row: int | None
    column: int | None
    layer: int | None = None
    outcome: Outcome | Unknown
    score: int | None
    plies: Annotated[int, Field(ge=0)] | None
    pv: list[int]
    pv_columns: list[int] = []
    proven: bool
    at_least: Outcome = "loss"
    at_most: Outcome = "win"
    next_position: str | None
    next_status: Status | None
    reason: str
    seed: Seed = 0
    skill: Annotated[int, Field(ge=0, le=99)] = 0


class ReasonAnswer(Answer):
    """Something true about a move, by its code, in words, and with the lines that it speaks of."""

    code: Code
    detail: str
    lines: list[list[int]]


class RankedMoveAnswer(Answer):
    """What one legal move is worth to the player who makes it, and why. Fields are left out as above."""

    move: int
    row: int
    column: int
    layer: int = 0
    outcome: Outcome | Unknown
    score: int | None
    plies: Annotated[int, Field(ge=1)] | None
    pv: list[int]
    pv_columns: list[int] = []
    proven: bool
    at_least: Outcome = "loss"
    at_most: Outcome = "win"
    best: bool
    reasons: list[ReasonAnswer]


class Threats(Answer):
    """The cells, or their columns, where each player would complete a line, were it their move now."""

    X: list[int]
    O: list[int]  # noqa: E741, the name of a player


class AnalysisAnswer(BestMoveAnswer):
    """The answer of ``/analysis``: that of ``/best-move``, every legal move, and the threats.

    ``threat_columns`` are left out unless moves are columns.
    """

    moves: list[RankedMoveAnswer]
    threats: Threats
    threat_columns: Threats = Threats(X=[], O=[])


class ReviewedMoveAnswer(Answer):
    """One move of a game, judged for the player who made it. ``layer`` is left out on flat boards.

    ``best_columns`` are left out unless moves are columns.
    """

    ply: int
    player: Player
    position: str
    move: int
    row: int
    column: int
    layer: int = 0
    best_moves: list[int]
    best_columns: list[int] = []
    outcome_before: Outcome | Unknown
    outcome_after: Outcome | Unknown
    score_before: int | None
    score_after: int | None
    verdict: Verdict
    gave_away: Literal["win -> draw", "win -> loss", "draw -> loss"] | None
    reason: str


class Accuracy(Answer):
    """How much of what there was each player's moves have kept, in per cent."""

    X: float | None
    O: float | None  # noqa: E741, the name of a player


class ReviewAnswer(PositionAnswer):
    """The answer of ``/review``."""

    plies: list[ReviewedMoveAnswer]
    accuracy: Accuracy
    turning_point: int | None
    proven: bool


def best_move_answer(best: BestMove) -> BestMoveAnswer:
    """Return the answer of ``/best-move``."""
    return BestMoveAnswer(**_best_move(best))


def analysis_answer(analysis: Analysis) -> AnalysisAnswer:
    """Return the answer of ``/analysis``."""
    game = analysis.best.position.game
    threats = {player: list(cells) for player, cells in analysis.threats.items()}
    columns = {player: _columns(game, cells) for player, cells in threats.items()}
    return AnalysisAnswer(
        **_best_move(analysis.best),
        moves=[_ranked(game, move) for move in rank(analysis)],
        threats=Threats(**threats),
        **({"threat_columns": Threats(**columns)} if game.has_columns else {}),
    )


def review_answer(review: Review) -> ReviewAnswer:
    """Return the answer of ``/review``."""
    turn, accuracy = review.turning_point, review.accuracy
    return ReviewAnswer(
        **_position(review.end),
        plies=[_reviewed(ply, move) for ply, move in enumerate(review.moves, 1)],
        accuracy=Accuracy(X=accuracy["X"], O=accuracy["O"]),
        turning_point=None if turn is None else turn + 1,
        proven=review.proven,
    )


def _position(position: Position) -> dict[str, Any]:
    return {
        "game": position.game.id,
        "position": str(position),
        "player": position.player,
        "status": position.status,
        "winner": position.winner,
        "winning_line": position.winning_line,
    }


def _best_move(best: BestMove) -> dict[str, Any]:
    position, move = best.position, best.move
    game = position.game
    after = None if move is None else position.play(move)
    fields = {
        **_position(position),
        **({"move": None, "row": None, "column": None} if move is None else _move(game, move)),
        **_worth(best.known),
        **_pv(game, best.pv),
        "next_position": None if after is None else str(after),
        "next_status": None if after is None else after.status,
        "reason": reason(best),
    }
    if move is None and game.layers > 1:
        fields["layer"] = None
    if best.seed is not None:
        fields["seed"] = best.seed
    if best.skill is not None:
        fields["skill"] = best.skill
    return fields


def _move(game: Game, move: int) -> dict[str, int]:
    fields = {"move": move, "row": game.row_of(move), "column": game.column_of(move)}
    return fields if game.layers == 1 else {**fields, "layer": game.layer_of(move)}


def _pv(game: Game, pv: Iterable[int]) -> dict[str, list[int]]:
    fields = {"pv": list(pv)}
    return {**fields, "pv_columns": _columns(game, fields["pv"])} if game.has_columns else fields


def _columns(game: Game, cells: Iterable[int]) -> list[int]:
    return [game.column_of(cell) for cell in cells]


def _worth(known: Known) -> dict[str, Any]:
    if isinstance(known, ProvenResult):
        return {"outcome": known.outcome, "score": known.score, "plies": known.plies, "proven": True}
    unknown = {"outcome": "unknown", "score": None, "plies": None, "proven": False}
    return {**unknown, "at_least": known.at_least, "at_most": known.at_most}


def _ranked(game: Game, ranked: RankedMove) -> RankedMoveAnswer:
    return RankedMoveAnswer(
        **_move(game, ranked.move),
        **_worth(ranked.known),
        **_pv(game, ranked.pv),
        best=ranked.best,
        reasons=[
            ReasonAnswer(code=why.code, detail=why.sentence, lines=[list(line) for line in why.lines])
            for why in ranked.reasons
        ],
    )


def _reviewed(ply: int, move: ReviewedMove) -> ReviewedMoveAnswer:
    game, before, after = move.position.game, move.outcome_before, move.outcome_after
    return ReviewedMoveAnswer(
        ply=ply,
        player=move.position.player,
        position=str(move.position),
        **_move(game, move.move),
        best_moves=list(move.best_moves),
        **({"best_columns": _columns(game, move.best_moves)} if game.has_columns else {}),
        outcome_before=before or "unknown",
        outcome_after=after or "unknown",
        score_before=_score(move.before),
        score_after=_score(move.worth),
        verdict=move.verdict,
        gave_away=" -> ".join(move.gave_away) if move.gave_away else None,
        reason=move.reason,
    )


def _score(known: Known) -> int | None:
    return known.score if isinstance(known, ProvenResult) else None
