"""Forks: two threats at once, of which the opponent can answer one."""

from collections import Counter

from service.games.game import Line
from service.games.position import OPPONENT, Position

Threats = dict[int, tuple[Line, ...]]
"""The lines that a player would complete, by the cell that completes them."""


def fork(position: Position) -> Threats:
    """The threats of the player who moved last, if they are a fork; else none.

    A fork is two cells or more to win on, while the opponent, whose move it is, has none.
    """
    if position.game.misere or position.completions(position.player):
        return {}
    threats = position.completions(OPPONENT[position.player])
    return threats if len(threats) > 1 else {}


def forks(position: Position) -> dict[int, Threats]:
    """The moves with which the player to move makes a fork, each with its threats."""
    if position.game.misere:
        return {}
    found = {move: fork(position.play(move)) for move in _candidates(position)}
    return {move: threats for move, threats in found.items() if threats}


def passed(position: Position) -> Position:
    """The same board with the opponent to move."""
    return Position(position.game, position.x, position.o, OPPONENT[position.player])


def stopped_forks(position: Position, move: int) -> dict[int, Threats]:
    """The forks that the opponent could make, were it their move now, if after ``move`` they can make none.

    Empty too where the opponent threatens to win at once: that is what there is to stop then.
    """
    if position.completions(OPPONENT[position.player]):
        return {}
    feared = forks(passed(position))
    return feared if feared and not forks(position.play(move)) else {}


def _candidates(position: Position) -> list[int]:
    """The moves among which the forks are: without gravity or a threat of old, those that make two threats at once."""
    game, occupied = position.game, position.occupied
    if game.drop or position.completions(position.player):
        return list(position.legal_moves)
    made: Counter[int] = Counter()
    for line, mask in zip(game.lines, game.line_masks, strict=True):
        if (mask & occupied).bit_count() == len(line) - 2 and not mask & position.theirs:
            made.update(cell for cell in line if not occupied >> cell & 1)
    return [move for move in position.legal_moves if made[move] > 1]
