"""The plies to the end of a game in words, as far as they are proven."""

from service.engine.result import Known, plies_bounds
from service.games.position import Position


def distance(position: Position, known: Known) -> str:
    """Return the plies to the end: ``1 ply``, ``7 plies`` or, as far as proven, ``7 to 19 plies``."""
    return f"{plies_range(position, known)} {'ply' if plies_bounds(known, position)[1] == 1 else 'plies'}"


def plies_range(position: Position, known: Known) -> str:
    """Return the number of plies, or the least and the greatest."""
    least, greatest = plies_bounds(known, position)
    return f"{least}" if least == greatest else f"{least} to {greatest}"


def counted(plies: int) -> str:
    """Return a number of plies in words."""
    return f"{plies} {'ply' if plies == 1 else 'plies'}"
