"""Answers as plain text: the board, the move with its reason, and the board after the move."""

from service.engine.oracle import Analysis, BestMove
from service.explain.drawing import draw
from service.explain.ranking import rank
from service.explain.reasons import reason


def best_move_text(best: BestMove) -> str:
    """Return the answer of ``/best-move`` as text."""
    return _joined(_parts(best))


def analysis_text(analysis: Analysis) -> str:
    """Return the answer of ``/analysis`` as text: that of ``/best-move``, and each move with the reasons for it."""
    names = analysis.best.position.game.names
    said = [(names[ranked.move], " ".join(why.sentence for why in ranked.reasons)) for ranked in rank(analysis)]
    width = max((len(name) for name, _ in said), default=0)
    lines = "\n".join(f"{name:<{width}}  {why}" for name, why in said)
    return _joined([*_parts(analysis.best), *([lines] if lines else [])])


def _parts(best: BestMove) -> list[str]:
    position, move = best.position, best.move
    if move is None:
        return [draw(position), reason(best)]
    cell, name = position.game.cell_of(move), position.game.names[move]
    return [draw(position, cell), f"{position.player} plays {name}. {reason(best)}", draw(position.play(move), cell)]


def _joined(parts: list[str]) -> str:
    return "\n\n".join(parts) + "\n"
