"""Answers about positions, from the oracle's results. The keys are in the order of the JSON."""

from collections.abc import Iterable
from typing import Any, cast

from service.api.wire.analysis_types import AnalysisAnswer
from service.api.wire.answer_types import BestMoveAnswer, PositionValue
from service.api.wire.groups import PositionAnswer
from service.api.wire.review_types import ReviewAnswer, ReviewedMove
from service.api.write.values import judgement_fields, proof_fields, reasons_answer, value_fields
from service.engine.oracle import Analysis, BestMove
from service.engine.result import Known, ProvenResult
from service.explain import review
from service.explain.ranking import RankedMove, rank
from service.explain.reasons import reason
from service.games.game import Game
from service.games.notation.moves import MoveName
from service.games.position import Position


def best_move_answer(best: BestMove) -> BestMoveAnswer:
    """Return the answer of ``/best-move``."""
    position, move = best.position, best.move
    answer = {
        **position_answer(position),
        **move_fields(position.game, move),
        **_value_and_line(best),
        **_next(position, move),
        "reason": reason(best),
    }
    if best.seed is not None:
        answer["seed"] = best.seed
    if best.skill is not None:
        answer["skill"] = best.skill
    return cast("BestMoveAnswer", answer)


def value_answer(best: BestMove) -> PositionValue:
    """Return the value of a position and its best move, in few fields and without the line."""
    position = best.position
    answer = {
        "position": str(position),
        "player": position.player,
        **short_move_fields(position.game, best.move),
        **value_fields(best),
        **proof_fields(best),
    }
    return cast("PositionValue", answer)


def best_moves_fields(game: Game, known: Known) -> dict[str, Any]:
    """Return the fields with all best moves of a position; empty lists if they are not proven."""
    moves = known.best_moves if isinstance(known, ProvenResult) else ()
    columns = {"best_columns": _columns(game, moves)} if game.has_columns else {}
    return {"best_moves": move_names(game, moves), **columns}


def analysis_answer(analysis: Analysis) -> AnalysisAnswer:
    """Return the answer of ``/analysis``."""
    game, threats = analysis.best.position.game, analysis.threats
    answer = {**best_move_answer(analysis.best), "moves": [_ranked(move) for move in rank(analysis)]}
    if threats:
        answer["threats"] = threats
    if game.has_columns:
        answer["threat_columns"] = {player: _columns(game, cells) for player, cells in threats.items()}
    return cast("AnalysisAnswer", answer)


def review_answer(found: review.Review) -> ReviewAnswer:
    """Return the answer of ``/review``."""
    turn = found.turning_point
    return {
        **position_answer(found.end),
        "plies": [reviewed_move_answer(move) for move in found.moves],
        "accuracy": dict(found.accuracy),
        "turning_point": None if turn is None else turn + 1,
        "proven": found.proven,
    }


def reviewed_move_answer(move: review.JudgedMove) -> ReviewedMove:
    """Return the part of a review about one move."""
    game = move.position.game
    answer = {
        "ply": move.ply,
        "player": move.position.player,
        "position": str(move.position),
        **move_fields(game, move.move),
        "best_moves": move_names(game, move.best_moves),
        **({"best_columns": _columns(game, move.best_moves)} if game.has_columns else {}),
        **judgement_fields(move),
    }
    return cast("ReviewedMove", answer)


def position_answer(position: Position) -> PositionAnswer:
    """Return the position as it was understood, and the status of its game."""
    game = position.game
    answer = {
        "game": game.id,
        **({} if game.cells_tell_all else {"family": game.family}),
        "position": str(position),
        **({} if game.cells_tell_all else {"board": position.contents}),
        "player": position.player,
        "status": position.status,
        "winner": position.winner,
        "winning_line": position.winning_line,
    }
    return cast("PositionAnswer", answer)


def move_fields(game: Game, move: int | None) -> dict[str, Any]:
    """Return the fields of a move; without a move, the same fields with null."""
    if move is None:
        return dict.fromkeys(("move", "row", "column", *game.move_fields(0), "name"))
    cell, more = game.cell_of(move), game.move_fields(move)
    return {"move": cell, "row": game.row_of(cell), "column": game.column_of(cell), **more, "name": game.names[move]}


def short_move_fields(game: Game, move: int | None) -> dict[str, Any]:
    """Return the cell of a move, and its column or name if the game has these; null without a move."""
    fields: dict[str, Any] = {"move": None if move is None else game.cell_of(move)}
    if game.has_columns:
        fields["column"] = None if move is None else game.column_of(move)
    return {**fields, "name": None if move is None else game.names[move]}


def move_names(game: Game, moves: Iterable[int]) -> list[MoveName]:
    """Return moves in the form of requests."""
    return [game.move_name(move) for move in moves]


def _columns(game: Game, cells: Iterable[int]) -> list[int]:
    return [game.column_of(cell) for cell in cells]


def _value_and_line(found: BestMove | RankedMove) -> dict[str, Any]:
    """Return the value of a position or a move, its line, and which of it is proven."""
    game = found.position.game
    return {
        **value_fields(found),
        "pv": move_names(game, found.pv),
        **({"pv_columns": _columns(game, found.pv)} if game.has_columns else {}),
        **proof_fields(found),
        **({} if game.cells_tell_all else {"repetition": found.repetition}),
    }


def _next(position: Position, move: int | None) -> dict[str, Any]:
    """Return the position and the status after the move."""
    if move is None:
        return {"next_position": None, "next_status": None, "next_winning_line": None}
    after = position.play(move)
    return {"next_position": str(after), "next_status": after.status, "next_winning_line": after.winning_line}


def _ranked(ranked: RankedMove) -> dict[str, Any]:
    return {
        **move_fields(ranked.position.game, ranked.move),
        **_value_and_line(ranked),
        **_next(ranked.position, ranked.move),
        "best": ranked.best,
        "reasons": reasons_answer(ranked),
    }
