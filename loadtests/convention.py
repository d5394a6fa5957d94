"""The scores in which solvers of Connect Four usually tell what a position is worth."""


def usual_score(outcome: str, end: int, cells: int) -> int:
    """The discs that the winner has left before the one that completes the line; 0 for a draw, negative for a loss.

    ``end`` is the ply on which the game ends, counted from the empty board.
    """
    left = (cells + 2 - end) // 2
    return {"win": left, "draw": 0, "loss": -left}[outcome]
