"""How answers about games of families are made of what the oracle finds."""

from collections.abc import Iterable
from typing import Any, cast

from service.api.family_answer_types import (
    FamilyAnalysisAnswer,
    FamilyBestMoveAnswer,
    FamilyReviewAnswer,
    ReviewedFamilyMove,
)
from service.api.values import judgement_fields, proof_fields, reasons_answer, value_fields
from service.engine.oracle import Analysis, BestMove
from service.explain.ranking import RankedMove, rank
from service.explain.reasons import reason
from service.explain.review import Review, ReviewedMove
from service.families.game import FamilyGame, MoveName
from service.families.position import FamilyPosition

MOVE_FIELDS = {"board": "board_number"}
"""What a family calls a field of its moves, and what answers do, in which ``board`` is what the cells hold."""


def family_best_move_answer(best: BestMove[FamilyPosition]) -> FamilyBestMoveAnswer:
    """Return the answer of ``/best-move``."""
    answer = {
        **family_position_fields(best.position),
        **family_move_fields(best.position, best.move),
        **_worth(best),
        **_next(best.position, best.move),
        "reason": reason(best),
    }
    if best.seed is not None:
        answer["seed"] = best.seed
    if best.skill is not None:
        answer["skill"] = best.skill
    return cast("FamilyBestMoveAnswer", answer)


def family_analysis_answer(analysis: Analysis[FamilyPosition]) -> FamilyAnalysisAnswer:
    """Return the answer of ``/analysis``."""
    answer = {
        **family_best_move_answer(analysis.best),
        "moves": [_ranked(move) for move in rank(analysis)],
    }
    return cast("FamilyAnalysisAnswer", answer)


def family_review_answer(review: Review[FamilyPosition]) -> FamilyReviewAnswer:
    """Return the answer of ``/review``."""
    turn = review.turning_point
    answer = {
        **family_position_fields(review.end),
        "plies": [reviewed_family_move(move) for move in review.moves],
        "accuracy": dict(review.accuracy),
        "turning_point": None if turn is None else turn + 1,
        "proven": review.proven,
    }
    return cast("FamilyReviewAnswer", answer)


def reviewed_family_move(move: ReviewedMove[FamilyPosition]) -> ReviewedFamilyMove:
    """Return what the answer of ``/review`` says of one move."""
    position = move.position
    answer = {
        "ply": move.ply,
        "player": position.player,
        "position": str(position),
        **family_move_fields(position, move.move),
        "best_moves": move_names(position.game, move.best_moves),
        **judgement_fields(move),
    }
    return cast("ReviewedFamilyMove", answer)


def family_position_fields(position: FamilyPosition) -> dict[str, Any]:
    """Return how a position was understood, and how its game stands."""
    return {
        "game": position.game.id,
        "family": position.game.family,
        "position": str(position),
        "board": position.contents,
        "player": position.player,
        "status": position.status,
        "winner": position.winner,
        "winning_line": position.winning_line,
    }


def family_move_fields(position: FamilyPosition, move: int | None) -> dict[str, Any]:
    """Return a move of a position, by its cell and by its name; without a move, the same fields with null."""
    game = position.game
    own = {MOVE_FIELDS.get(name, name): value for name, value in game.move_fields(move or 0).items()}
    if move is None:
        return dict.fromkeys(("move", "row", "column", *own, "name"))
    cell = game.cell_of(move)
    return {"move": cell, "row": game.row_of(cell), "column": game.column_of(cell), **own, "name": game.move_name(move)}


def move_names(game: FamilyGame, moves: Iterable[int]) -> list[MoveName]:
    """Return the names of moves, as requests take them."""
    return [game.move_name(move) for move in moves]


def _worth(found: BestMove[FamilyPosition] | RankedMove[FamilyPosition]) -> dict[str, Any]:
    position = found.position
    return {
        **value_fields(found),
        "pv": move_names(position.game, found.pv),
        **proof_fields(found),
        "repetition": found.repetition,
    }


def _ranked(ranked: RankedMove[FamilyPosition]) -> dict[str, Any]:
    return {
        **family_move_fields(ranked.position, ranked.move),
        **_worth(ranked),
        **_next(ranked.position, ranked.move),
        "best": ranked.best,
        "reasons": reasons_answer(ranked),
    }


def _next(position: FamilyPosition, move: int | None) -> dict[str, Any]:
    """Return what the move leads to."""
    if move is None:
        return {"next_position": None, "next_status": None}
    after = position.play(move)
    return {"next_position": str(after), "next_status": after.status}
