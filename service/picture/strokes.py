"""The stroke through a winning line."""

from collections.abc import Iterator
from itertools import pairwise
from math import hypot

from service.games.game import Game
from service.games.grid import DIRECTIONS, STEPS, Line, Point, walk
from service.games.lines import LineGame
from service.picture.layout import CELL, Layout

OVERHANG = 26
"""How far a stroke goes beyond the centres of the first and the last cell."""

Place = tuple[float, float]


def stroke(layout: Layout, game: Game, line: Line) -> str | None:
    """Return the path of a stroke through a line; None if its cells are not on one layer of a grid, or only one."""
    if isinstance(game, LineGame):
        if game.in_a_row is None or len({game.layer_of(cell) for cell in line}) > 1:
            return None
        if game.wrap and len(line) > 1:
            return "".join(_path(*ends) for ends in _around(layout, game, line))
    return straight(layout, line) if len(line) > 1 else None


def straight(layout: Layout, line: Line) -> str:
    """Return the path of a stroke from the first cell of a line to the last."""
    return _path(*_lengthened(layout.centre(line[0]), layout.centre(line[-1])))


def _path(start: Place, end: Place) -> str:
    return "M{:.4g} {:.4g}L{:.4g} {:.4g}".format(*start, *end)


def _lengthened(start: Place, end: Place) -> tuple[Place, Place]:
    length = hypot(end[0] - start[0], end[1] - start[1])
    dx, dy = ((end[axis] - start[axis]) / length * OVERHANG for axis in (0, 1))
    return (start[0] - dx, start[1] - dy), (end[0] + dx, end[1] + dy)


def _around(layout: Layout, game: LineGame, line: Line) -> Iterator[tuple[Place, Place]]:
    """Yield the parts of a stroke on a wrapped board: where it leaves at one edge, it comes in at the other."""
    order, step = _in_order(game, line)
    dx, dy = step[2] * CELL / 2, step[1] * CELL / 2
    for cell, following in pairwise(order):
        (x, y), (to_x, to_y) = layout.centre(cell), layout.centre(following)
        if (x + 2 * dx, y + 2 * dy) == (to_x, to_y):
            yield (x, y), (to_x, to_y)
        else:
            yield (x, y), (x + dx, y + dy)
            dy = -dy if game.wrap == "moebius" else dy
            yield (to_x - dx, to_y - dy), (to_x, to_y)


def _in_order(game: LineGame, line: Line) -> tuple[Line, Point]:
    """Return the cells of a line on a wrapped board in the order in which a step leads from each to the next."""
    shape = game.layers, game.rows, game.columns
    for step in STEPS if game.wrap == "moebius" else DIRECTIONS:
        for first in line:
            start = game.layer_of(first), game.row_of(first), game.column_of(first)
            order = walk(shape, start, step, len(line), game.wrap)
            if step[0] == 0 and set(order) == set(line):
                return order, step
    raise ValueError(f"no step leads along {line}")
