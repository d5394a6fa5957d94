"""What the oracle says, as the wire models say it."""

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from service.api.models import (
    Accuracy,
    AnalysisAnswer,
    BestMoveAnswer,
    ProgressAnswer,
    RankedMoveAnswer,
    ReasonAnswer,
    ReviewAnswer,
    ReviewedMoveAnswer,
    Threats,
)
from service.engine.oracle import Analysis, BestMove
from service.engine.progress import Step
from service.engine.result import Known, ProvenResult
from service.explain.ranking import RankedMove, rank
from service.explain.reasons import reason
from service.explain.review import Review, ReviewedMove
from service.games.game import Game
from service.games.position import Position


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


def progress_answer(game: Game, step: Step) -> ProgressAnswer:
    """Return the progress that a line of a stream reports."""
    column = None if step.move is None else game.column_of(step.move)
    return ProgressAnswer(**asdict(step), **({"column": column} if game.has_columns else {}))


def _position(position: Position) -> dict[str, Any]:
    line = position.winning_line
    return {
        "game": position.game.id,
        "position": str(position),
        "player": position.player,
        "status": position.status,
        "winner": position.winner,
        "winning_line": None if line is None else list(line),
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
