"""Whether an entry that comes from elsewhere can be true of a position."""

from service.engine.result import Outcome, ProvenResult
from service.games.position import Position


def can_be_true(position: Position, entry: ProvenResult, *, every: bool) -> bool:
    """Return whether nothing short of a search speaks against the entry of an unfinished position.

    Its best moves are legal, ascending and, unless ``every`` one was asked for, only one. Its principal variation
    begins with the lowest, is legal to its last move and ends the game there, with the outcome that it promises.
    That no other move is better only a search could tell.
    """
    best = entry.best_moves
    if not best or entry.pv[:1] != best[:1] or best != tuple(sorted({*best} & {*position.legal_moves})):
        return False
    return (every or len(best) == 1) and _outcome(position, entry.pv) == entry.outcome


def _outcome(position: Position, pv: tuple[int, ...]) -> Outcome | None:
    """Return how the game ends for the player to move after these moves; None if it does not, or a move is illegal."""
    end = position
    for move in pv:
        if move not in end.legal_moves:
            return None
        end = end.play(move)
    if end.status == "in_progress":
        return None
    return "draw" if end.winner is None else "win" if end.winner == position.player else "loss"
