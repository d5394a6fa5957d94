"""The lines and the symmetries of a grid of cells, whose edges may be joined.

Cells are numbered from 0, row by row from the top left, layer by layer in three dimensions::

    0 1 2
    3 4 5
    6 7 8
"""

from functools import lru_cache
from itertools import permutations, product
from math import lcm, prod
from typing import Literal

Line = tuple[int, ...]
"""The cells of one line, ascending."""

Symmetry = tuple[int, ...]
"""A permutation of the cells: cell ``c`` of the board goes to cell ``symmetry[c]``."""

Wrap = bool | Literal["cylinder", "moebius"]
"""The joined edges of a board.

False: none. True: a torus, every edge with the opposite one. ``cylinder``: the right edge with the left one.
``moebius``: these too, but upside down: right of the last cell of row ``r`` is the first one of row ``rows - 1 - r``.
"""

Shape = tuple[int, int, int]
Point = tuple[int, ...]

MOST_SHIFTED = 25
"""The maximum cells of a wrapped board whose shifts count as symmetries: larger boards have too many."""

SHAPES = 32
"""The number of boards whose lines and symmetries are cached: games of the catalogue share them."""

STEPS = [step for step in product((-1, 0, 1), repeat=3) if any(step)]
"""The steps from a cell to its neighbours."""

DIRECTIONS = [step for step in product((-1, 0, 1), repeat=3) if step > (0, 0, 0)]
"""One of each pair of opposite directions in space; those without a step between layers are in the plane."""


def _points(shape: Shape) -> list[Point]:
    """Return all (layer, row, column), in the order of the cells."""
    return list(product(*map(range, shape)))


def _cell(shape: Shape, point: Point) -> int:
    layer, row, column = point
    return (layer * shape[1] + row) * shape[2] + column


def join(shape: Shape, point: Point, wrap: Wrap) -> Point | None:
    """Map a point beyond joined edges onto the board; return None for one beyond any other edge."""
    layer, row, column = point
    times = column // shape[2]  # how often the seam is crossed
    if wrap == "moebius" and times % 2:
        row = shape[1] - 1 - row
    if wrap:
        column %= shape[2]
    if wrap is True:
        layer, row = layer % shape[0], row % shape[1]
    is_inside = 0 <= layer < shape[0] and 0 <= row < shape[1] and 0 <= column < shape[2]
    return (layer, row, column) if is_inside else None


def walk(shape: Shape, start: Point, step: Point, length: int, wrap: Wrap) -> Line:
    """Return the cells of ``length`` equal steps, including the start; fewer if an edge comes before."""
    cells = []
    for i in range(length):
        point = join(shape, tuple(p + i * d for p, d in zip(start, step, strict=True)), wrap)
        if point is None:
            break
        cells.append(_cell(shape, point))
    return tuple(cells)


@lru_cache(SHAPES)
def lines_of(shape: Shape, in_a_row: int, *, wrap: Wrap) -> tuple[Line, ...]:
    """Return every set of ``in_a_row`` cells in a straight line, each once, in ascending order."""
    found = set()
    if in_a_row > longest_line(shape, wrap):
        return ()
    # A line across the seam of a Moebius strip has another direction at its other end, so start at both.
    for start, step in product(_points(shape), STEPS if wrap == "moebius" else DIRECTIONS):
        end = tuple(p + (in_a_row - 1) * d for p, d in zip(start, step, strict=True))
        if join(shape, end, wrap) is not None:
            cells = set(walk(shape, start, step, in_a_row, wrap))
            if len(cells) == in_a_row:
                found.add(tuple(sorted(cells)))
    return tuple(sorted(found))


def longest_line(shape: Shape, wrap: Wrap) -> int:
    """Return the maximum number of different cells that equal steps can reach."""
    if wrap == "moebius":
        return max(shape[0], shape[1], shape[2] * (2 if shape[1] > 1 else 1))
    return lcm(*shape) if wrap is True else max(shape)


def drop_of(shape: Shape) -> int:
    """Return the distance of a cell from the one below it: in the next layer, or on a single layer in the next row."""
    return prod(shape[(0 if shape[0] > 1 else 1) + 1 :])


@lru_cache(SHAPES)
def symmetries_of(shape: Shape, *, drop: int, wrap: Wrap) -> tuple[Symmetry, ...]:
    """Return the rotations, reflections and, on wrapped boards, shifts of a grid; the identity first.

    Axes of equal length may change places and each may be reversed: at most 8 in the plane, 48 in
    space. All of them keep the lines, which run in all directions. A cylinder and a Moebius strip keep
    the axis along which they are joined; under gravity what was below a cell stays below it.
    """
    motions = product(_permuted_axes(shape, wrap), product((False, True), repeat=3), _shifts(shape, wrap))
    candidates = dict.fromkeys(_moved(shape, *motion, wrap) for motion in motions)
    return tuple(symmetry for symmetry in candidates if _keeps_gravity(symmetry, drop))


def _permuted_axes(shape: Shape, wrap: Wrap) -> list[Point]:
    """Return the orders of the axes that leave the shape of the board unchanged."""
    kept = {"cylinder": (2,), "moebius": (1, 2)}.get(str(wrap), ())
    return [
        axes
        for axes in permutations(range(3))
        if tuple(shape[axis] for axis in axes) == shape and all(axes[axis] == axis for axis in kept)
    ]


def renumberings(shape: Shape, size: int) -> list[Symmetry]:
    """Return the images of the cells if every coordinate below ``size`` is renumbered, and opposites stay opposite."""
    return [_renumbering(shape, numbers) for numbers in _opposites_kept(size)]


def _opposites_kept(size: int) -> list[tuple[int, ...]]:
    """Return the permutations of a coordinate that keep opposite numbers opposite."""
    numbers = range(size)
    return [way for way in permutations(numbers) if all(way[p] + way[size - 1 - p] == size - 1 for p in numbers)]


def _renumbering(shape: Shape, numbers: tuple[int, ...]) -> Symmetry:
    """Return the images of the cells if every coordinate is renumbered."""
    points = (
        tuple(numbers[p] if size > 1 else 0 for p, size in zip(point, shape, strict=True)) for point in _points(shape)
    )
    return tuple(_cell(shape, point) for point in points)


def _shifts(shape: Shape, wrap: Wrap) -> list[Point]:
    """Return the shifts along joined edges, by which the board looks the same.

    A Moebius strip has two for each column, because one turn around it reverses the rows.
    """
    if not wrap or prod(shape) > MOST_SHIFTED:
        return [(0, 0, 0)]
    if wrap is True:
        return list(product(*map(range, shape)))
    return [(0, 0, column) for column in range(shape[2] * (2 if wrap == "moebius" else 1))]


def _keeps_gravity(symmetry: Symmetry, drop: int) -> bool:
    """Return whether each cell stays above the one below it; ``drop`` is 0 without gravity."""
    falling = range(len(symmetry) - drop) if drop else ()
    return all(symmetry[cell + drop] == symmetry[cell] + drop for cell in falling)


def _moved(shape: Shape, axes: Point, flips: tuple[bool, ...], shift: Point, wrap: Wrap) -> Symmetry:
    """Return the images of the cells if axes change places, some are reversed, and the board is shifted."""
    images = (
        tuple(
            (size - 1 - point[axis] if flip else point[axis]) + by
            for axis, size, flip, by in zip(axes, shape, flips, shift, strict=True)
        )
        for point in _points(shape)
    )
    return tuple(_cell(shape, joined) for joined in (join(shape, image, wrap) for image in images) if joined)


def mask(cells: Line) -> int:
    """Return the mask of exactly these cells."""
    return sum([1 << cell for cell in cells])


def permute(cells: int, symmetry: Symmetry) -> int:
    """Return the image of the mask ``cells`` under a symmetry."""
    return sum(1 << to for cell, to in enumerate(symmetry) if cells >> cell & 1)
