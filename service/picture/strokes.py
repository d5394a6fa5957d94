"""The stroke through a winning line."""

from collections.abc import Iterator
from itertools import pairwise
from math import hypot

from service.games.game import DIRECTIONS, Game, Line
from service.picture.layout import CELL, Layout

OVERHANG = 26
"""How far a stroke goes beyond the centres of the first and the last cell."""

Point = tuple[float, float]
Steps = tuple[int, int, int]


def stroke(layout: Layout, line: Line) -> str | None:
    """Return the path of a stroke through a line; None if its cells are not on one layer of a grid, or only one."""
    game = layout.game
    if game.in_a_row is None or len(line) == 1 or len({game.layer_of(cell) for cell in line}) > 1:
        return None
    if not game.wrap:
        return _path(*_lengthened(layout.centre(line[0]), layout.centre(line[-1])))
    return "".join(_path(*ends) for ends in _around(layout, line))


def _path(start: Point, end: Point) -> str:
    return "M{:.4g} {:.4g}L{:.4g} {:.4g}".format(*start, *end)


def _lengthened(start: Point, end: Point) -> tuple[Point, Point]:
    length = hypot(end[0] - start[0], end[1] - start[1])
    dx, dy = ((end[axis] - start[axis]) / length * OVERHANG for axis in (0, 1))
    return (start[0] - dx, start[1] - dy), (end[0] + dx, end[1] + dy)


def _around(layout: Layout, line: Line) -> Iterator[tuple[Point, Point]]:
    """Yield the parts of a stroke on a wrapped board: where it leaves at one edge, it comes in at the other."""
    order, step = _in_order(layout.game, line)
    dx, dy = step[2] * CELL / 2, step[1] * CELL / 2
    for cell, following in pairwise(order):
        (x, y), (to_x, to_y) = layout.centre(cell), layout.centre(following)
        if (x + 2 * dx, y + 2 * dy) == (to_x, to_y):
            yield (x, y), (to_x, to_y)
        else:
            yield (x, y), (x + dx, y + dy)
            yield (to_x - dx, to_y - dy), (to_x, to_y)


def _in_order(game: Game, line: Line) -> tuple[list[int], Steps]:
    """Return the cells of a line on a wrapped board in the order in which a step leads from each to the next."""
    for layer, down, right in DIRECTIONS:
        for first in line:
            order = [first]
            while len(order) < len(line) and (following := _beside(game, order[-1], down, right)) in line:
                order.append(following)
            if layer == 0 and len(set(order)) == len(line):
                return order, (layer, down, right)
    raise ValueError(f"no step leads along {line}")


def _beside(game: Game, cell: int, down: int, right: int) -> int:
    row = (game.row_of(cell) + down) % game.rows
    column = (game.column_of(cell) + right) % game.columns
    return (game.layer_of(cell) * game.rows + row) * game.columns + column
