"""How answers about positions are made of what the oracle finds. The keys of an answer are in the order of its JSON."""

from collections.abc import Iterable
from typing import Any, cast

from service.api.answer_types import (
    AnalysisAnswer,
    BestMoveAnswer,
    PositionAnswer,
    RankedMoveAnswer,
    ReviewAnswer,
    ReviewedMoveAnswer,
)
from service.api.values import judgement_fields, proof_fields, reasons_answer, value_fields
from service.engine.oracle import Analysis, BestMove
from service.explain.ranking import RankedMove, rank
from service.explain.reasons import reason
from service.explain.review import Review, ReviewedMove
from service.games.game import Game
from service.games.position import Position


def best_move_answer(best: BestMove) -> BestMoveAnswer:
    """Return the answer of ``/best-move``."""
    position, move = best.position, best.move
    after = None if move is None else position.play(move)
    answer = {
        **position_answer(position),
        **_move(position.game, move),
        **_worth(position.game, best),
        "next_position": None if after is None else str(after),
        "next_status": None if after is None else after.status,
        "reason": reason(best),
    }
    if best.seed is not None:
        answer["seed"] = best.seed
    if best.skill is not None:
        answer["skill"] = best.skill
    return cast("BestMoveAnswer", answer)


def analysis_answer(analysis: Analysis) -> AnalysisAnswer:
    """Return the answer of ``/analysis``."""
    game, threats = analysis.best.position.game, analysis.threats
    answer = {
        **best_move_answer(analysis.best),
        "moves": [_ranked(game, move) for move in rank(analysis)],
        "threats": threats,
    }
    if game.has_columns:
        answer["threat_columns"] = {player: _columns(game, cells) for player, cells in threats.items()}
    return cast("AnalysisAnswer", answer)


def review_answer(review: Review) -> ReviewAnswer:
    """Return the answer of ``/review``."""
    turn, accuracy = review.turning_point, review.accuracy
    return {
        **position_answer(review.end),
        "plies": [reviewed_move_answer(move) for move in review.moves],
        "accuracy": {"X": accuracy["X"], "O": accuracy["O"]},
        "turning_point": None if turn is None else turn + 1,
        "proven": review.proven,
    }


def position_answer(position: Position) -> PositionAnswer:
    """Return how a position was understood, and how its game stands."""
    return {
        "game": position.game.id,
        "position": str(position),
        "player": position.player,
        "status": position.status,
        "winner": position.winner,
        "winning_line": position.winning_line,
    }


def _move(game: Game, move: int | None) -> dict[str, int | None]:
    if move is None:
        return dict.fromkeys(("move", "row", "column", "layer") if game.layers > 1 else ("move", "row", "column"))
    fields: dict[str, int | None] = {"move": move, "row": game.row_of(move), "column": game.column_of(move)}
    return fields if game.layers == 1 else {**fields, "layer": game.layer_of(move)}


def _columns(game: Game, cells: Iterable[int]) -> list[int]:
    return [game.column_of(cell) for cell in cells]


def _worth(game: Game, found: BestMove | RankedMove) -> dict[str, Any]:
    line: dict[str, Any] = {"pv": found.pv}
    if game.has_columns:
        line["pv_columns"] = _columns(game, found.pv)
    return {**value_fields(found), **line, **proof_fields(found)}


def _ranked(game: Game, ranked: RankedMove) -> RankedMoveAnswer:
    after = ranked.position.play(ranked.move)
    answer = {
        **_move(game, ranked.move),
        **_worth(game, ranked),
        "next_position": str(after),
        "next_status": after.status,
        "best": ranked.best,
        "reasons": reasons_answer(ranked),
    }
    return cast("RankedMoveAnswer", answer)


def reviewed_move_answer(move: ReviewedMove) -> ReviewedMoveAnswer:
    """Return what the answer of ``/review`` says of one move."""
    game = move.position.game
    answer = {
        "ply": move.ply,
        "player": move.position.player,
        "position": str(move.position),
        **_move(game, move.move),
        "best_moves": move.best_moves,
        **({"best_columns": _columns(game, move.best_moves)} if game.has_columns else {}),
        **judgement_fields(move),
    }
    return cast("ReviewedMoveAnswer", answer)
