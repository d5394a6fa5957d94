"""A line game as frozen data: cells, lines over them, supports, the misère flag and symmetries.

A mask is an integer in which bit ``c`` stands for cell ``c``. Cells are numbered from 0,
row by row from the top left, layer by layer in three dimensions::

    0 1 2
    3 4 5
    6 7 8
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from itertools import permutations, product
from math import lcm, prod
from typing import ClassVar, Literal, cast

from service.games.parameters import MISERE, Parameter, ParameterValue, RuleFault

MAX_CELLS = 64
"""A position is two 64-bit masks, so this is the largest board of the family."""

Line = tuple[int, ...]
"""The cells of one line, ascending."""

Symmetry = tuple[int, ...]
"""A permutation of the cells: cell ``c`` of the board goes to cell ``symmetry[c]``."""


SIDE = range(1, MAX_CELLS + 1)
"""Sides of a board."""

Wrap = bool | Literal["cylinder", "moebius"]
"""How the edges are joined.

False: not at all. True: a torus, every edge with the opposite one. ``cylinder``: the right edge with the left one.
``moebius``: these too, but upside down: right of the last cell of row ``r`` is the first one of row ``rows - 1 - r``.
"""


WRAP = Parameter(
    name="wrap",
    values=(False, True, "cylinder", "moebius"),
    default=False,
    about="How the edges of the board are joined, so that lines continue at the other side.",
    details="`false`: not at all. `true`: all with the opposite ones. `cylinder` and `moebius`: only the right "
    "edge with the left one, as it is or upside down. On a `moebius` strip, right of the last cell of the "
    "first row is the first cell of the last row.",
    choices="JoinedEdges",
)


@dataclass(frozen=True)
class Value:
    """The theoretical value of a game: best play from the empty board, for the first player.

    ``plies`` is None where nobody has published how long best play lasts.
    """

    outcome: str
    plies: int | None
    source: str


@dataclass(frozen=True, eq=False, kw_only=True)
class Game:
    """The rules of one game; compared by identity, which is quick. ``digest`` tells whether two are the same.

    ``in_a_row`` is None where the lines were written by hand. Under gravity the cell at distance
    ``drop`` must be filled before a cell may be played, if the board has such a cell; ``drop`` is 0
    without gravity. ``has_estimates``: results are estimated where they are not proven.
    ``cells_tell_all``: a position is what its cells hold, and a move is its cell.
    """

    family: ClassVar[str] = "line"
    title: ClassVar[str] = "Line games"
    about: ClassVar[str] = (
        "A number of marks in a row completes a line, in any direction. A board has at most 64 cells."
    )
    PARAMETERS: ClassVar[tuple[Parameter, ...]] = (
        Parameter(name="rows", values=SIDE, about="The number of rows.", example=4),
        Parameter(name="columns", values=SIDE, about="The number of columns.", example=3),
        Parameter(name="in_a_row", values=SIDE, about="The number of marks in a row that complete a line.", example=3),
        Parameter(
            name="layers",
            values=SIDE,
            default=1,
            about="The number of layers.",
            details="With several layers, diagonals in all three dimensions count.",
        ),
        Parameter(
            name="gravity",
            values=bool,
            default=False,
            about="Whether marks fall to the lowest empty cell of their column.",
            details="On boards of several layers, marks fall from layer to layer, and each cell of the first layer is "
            "the top of a column.",
        ),
        MISERE,
        WRAP,
    )
    players: ClassVar[tuple[str, str]] = ("X", "O")
    loops: ClassVar[bool] = False
    has_estimates: ClassVar[bool] = True
    cells_tell_all: ClassVar[bool] = True

    id: str
    name: str
    rules: str
    rows: int
    columns: int
    layers: int = 1
    in_a_row: int | None = None
    gravity: bool = False
    misere: bool = False
    wrap: Wrap = False
    lines: tuple[Line, ...]
    drop: int = 0
    symmetries: tuple[Symmetry, ...]
    value: Value | None = None

    @classmethod
    def rule_faults(cls, parameters: Mapping[str, ParameterValue]) -> Iterator[RuleFault]:
        """Yield every reason why there is no game with all of these parameters, each of which is legal alone."""
        rows, columns, layers, in_a_row = (int(parameters[name]) for name in ("rows", "columns", "layers", "in_a_row"))
        cells = rows * columns * layers
        if cells > MAX_CELLS:
            size = f"{rows} x {columns}{f' x {layers}' if layers > 1 else ''}"
            detail = f"A board of {size} has {cells} cells; the maximum is {MAX_CELLS}."
            yield RuleFault("rows", "too-many-cells", detail)
        if in_a_row > longest_line((layers, rows, columns), cast("Wrap", parameters["wrap"])):
            detail = f"No line of {in_a_row} cells fits on the board; give a smaller in_a_row or a larger board."
            yield RuleFault("in_a_row", "no-line-fits", detail)

    @property
    def most_plies(self) -> int:
        """The plies of the longest game: a score is one more than that, less the plies."""
        return self.cells

    @property
    def cells(self) -> int:
        """Number of cells."""
        return self.rows * self.columns * self.layers

    @property
    def has_columns(self) -> bool:
        """Whether a move is a column of the board: marks fall, and there is one layer."""
        return bool(self.drop) and self.layers == 1

    @cached_property
    def digest(self) -> bytes:
        """The same for all games in which the same moves and lines count, whatever they are called."""
        return blake2b(repr((self.cells, self.lines, self.drop, self.misere)).encode(), digest_size=16).digest()

    @cached_property
    def search_digest(self) -> bytes:
        """Digest of all that a search depends on, the known symmetries included.

        Two games with the same ``digest`` have the same values; a search that is limited by nodes finds the same of
        both only if their ``search_digest`` is the same too.
        """
        return blake2b(self.digest + repr(sorted(self.symmetries)).encode(), digest_size=16).digest()

    @cached_property
    def automorphisms(self) -> tuple[Symmetry, ...]:
        """All permutations known to keep the rules: ``symmetries``, and those that are no rotation or reflection.

        Where the lines run from side to side, every coordinate may be renumbered in the same way, if opposite numbers
        stay opposite: 4x4x4 has 192 of them in place of 48 (Silver, 1967). Searches that look at few positions,
        each for long, are worth the time that it takes to compare so many images.
        """
        shape = (self.layers, self.rows, self.columns)
        if self.drop or self.wrap or self.in_a_row is None or not {*shape} <= {1, self.in_a_row} <= {*range(8)}:
            return self.symmetries
        renumbered = [_renumbering(shape, numbers) for numbers in _opposites_kept(self.in_a_row)]
        return tuple(dict.fromkeys(tuple(new[cell] for cell in old) for new in renumbered for old in self.symmetries))

    @cached_property
    def full(self) -> int:
        """The mask of all cells."""
        return (1 << self.cells) - 1

    @cached_property
    def supports(self) -> tuple[int, ...]:
        """For each cell the mask of the cell that must be filled before it; 0 at the bottom or without gravity."""
        below = range(self.drop, self.cells) if self.drop else range(0)
        return tuple(1 << cell for cell in below) + (0,) * (self.cells - len(below))

    def playable(self, occupied: int) -> int:
        """Return the mask of the cells that may be marked when these are ``occupied``."""
        free = self.full & ~occupied
        return free & (~(self.full >> self.drop) | occupied >> self.drop) if self.drop else free

    @cached_property
    def line_masks(self) -> tuple[int, ...]:
        """Each line as a mask, in the order of ``lines``."""
        return tuple(mask(line) for line in self.lines)

    @cached_property
    def lines_through(self) -> tuple[tuple[tuple[Line, int], ...], ...]:
        """For each cell the lines through it, in the order of ``lines``, each with its mask."""
        found: list[list[tuple[Line, int]]] = [[] for _ in range(self.cells)]
        for pair in zip(self.lines, self.line_masks, strict=True):
            for cell in pair[0]:
                found[cell].append(pair)
        return tuple(map(tuple, found))

    def cell_of(self, move: int) -> int:
        """Return the cell of a move, which is the move itself."""
        return move

    def move_name(self, move: int) -> int:
        """Return the name of a move, which is its cell."""
        return move

    def listed(self, move: int) -> int:
        """Return a move as requests list it: its cell, under gravity its column counted from 0."""
        return move % self.drop if self.drop else move

    def move_fields(self, move: int) -> Mapping[str, int]:
        """Return the layer of a move, on boards of several layers."""
        return {"layer": self.layer_of(move)} if self.layers > 1 else {}

    def layer_of(self, cell: int) -> int:
        """Return the layer of a cell, 0 at the top."""
        return cell // (self.rows * self.columns)

    def row_of(self, cell: int) -> int:
        """Return the row of a cell within its layer, 0 at the top."""
        return cell // self.columns % self.rows

    def column_of(self, cell: int) -> int:
        """Return the column of a cell, 0 at the left."""
        return cell % self.columns


def mask(cells: Line) -> int:
    """Return the mask that holds exactly these cells."""
    return sum([1 << cell for cell in cells])


def grid(  # noqa: PLR0913, the rules have that many
    *,
    id: str,
    name: str,
    rules: str,
    rows: int,
    columns: int,
    in_a_row: int,
    layers: int = 1,
    gravity: bool = False,
    misere: bool = False,
    wrap: Wrap | Literal["torus"] = False,
    value: Value | None = None,
) -> Game:
    """Make the game on a board in which ``in_a_row`` marks in any direction complete a line.

    Diagonals count, those of the plane and those of space.
    """
    shape = (layers, rows, columns)
    wrap = True if wrap == "torus" else wrap
    lines = _lines(shape, in_a_row, wrap=wrap)
    drop = prod(shape[_vertical(shape) + 1 :]) if gravity else 0
    return Game(
        id=id,
        name=name,
        rules=rules,
        rows=rows,
        columns=columns,
        layers=layers,
        in_a_row=in_a_row,
        gravity=gravity,
        misere=misere,
        wrap=wrap,
        lines=lines,
        drop=drop,
        symmetries=_symmetries(shape, drop=drop, wrap=wrap),
        value=value,
    )


def hand_written(  # noqa: PLR0913, the rules have that many
    *,
    id: str,
    name: str,
    rules: str,
    cells: int,
    lines: Iterable[Iterable[int]],
    misere: bool = False,
) -> Game:
    """Make the game on ``cells`` cells in which exactly the given ``lines`` count.

    Its board is one row: where people draw the cells is their affair. Symmetries are not looked for.
    """
    return Game(
        id=id,
        name=name,
        rules=rules,
        rows=1,
        columns=cells,
        misere=misere,
        lines=tuple(sorted({tuple(sorted(set(line))) for line in lines})),
        symmetries=(tuple(range(cells)),),
    )


Shape = tuple[int, int, int]
Point = tuple[int, ...]

MOST_SHIFTED = 25
"""Cells of the largest wrapped board whose shifts count as symmetries: on larger ones they are too many to pay."""

STEPS = [step for step in product((-1, 0, 1), repeat=3) if any(step)]
"""The steps from a cell to those around it."""

DIRECTIONS = [step for step in product((-1, 0, 1), repeat=3) if step > (0, 0, 0)]
"""One of each pair of opposite directions in space; those with no step between layers are the plane's."""


def _points(shape: Shape) -> list[Point]:
    """All (layer, row, column), in the order of the cells."""
    return list(product(*map(range, shape)))


def _cell(shape: Shape, point: Point) -> int:
    layer, row, column = point
    return (layer * shape[1] + row) * shape[2] + column


def join(shape: Shape, point: Point, wrap: Wrap) -> Point | None:
    """Return the point of the board on which a point beyond joined edges lies; None beyond an edge of the board."""
    layer, row, column = point
    times = column // shape[2]  # that the seam was crossed
    if wrap == "moebius" and times % 2:
        row = shape[1] - 1 - row
    if wrap:
        column %= shape[2]
    if wrap is True:
        layer, row = layer % shape[0], row % shape[1]
    found = layer, row, column
    return found if all(0 <= p < size for p, size in zip(found, shape, strict=True)) else None


def walk(shape: Shape, start: Point, step: Point, length: int, wrap: Wrap) -> Line:
    """Return the cells of ``length`` equal steps, the first one where it starts; fewer if an edge comes before."""
    cells = []
    for i in range(length):
        point = join(shape, tuple(p + i * d for p, d in zip(start, step, strict=True)), wrap)
        if point is None:
            break
        cells.append(_cell(shape, point))
    return tuple(cells)


def _lines(shape: Shape, in_a_row: int, *, wrap: Wrap) -> tuple[Line, ...]:
    """Every set of ``in_a_row`` cells in a straight line, each once, in ascending order."""
    found = set()
    if in_a_row > longest_line(shape, wrap):
        return ()
    # A line across the seam of a Moebius strip has another direction at its other end: start at both.
    for start, step in product(_points(shape), STEPS if wrap == "moebius" else DIRECTIONS):
        end = tuple(p + (in_a_row - 1) * d for p, d in zip(start, step, strict=True))
        if join(shape, end, wrap) is not None:
            cells = set(walk(shape, start, step, in_a_row, wrap))
            if len(cells) == in_a_row:
                found.add(tuple(sorted(cells)))
    return tuple(sorted(found))


def longest_line(shape: Shape, wrap: Wrap) -> int:
    """Return the number of different cells that equal steps can reach at most."""
    if wrap == "moebius":
        return max(shape[0], shape[1], shape[2] * (2 if shape[1] > 1 else 1))
    return lcm(*shape) if wrap is True else max(shape)


def _vertical(shape: Shape) -> int:
    """Return the axis along which marks fall: from layer to layer, or from row to row where there is one layer."""
    return 0 if shape[0] > 1 else 1


def _symmetries(shape: Shape, *, drop: int, wrap: Wrap) -> tuple[Symmetry, ...]:
    """Return the rotations, reflections and, on wrapped boards, shifts of a grid; the identity first.

    Axes of equal length may change places and each may be reversed: at most 8 in the plane, 48 in
    space. All of them keep the lines, which run in all directions. A cylinder and a Moebius strip keep
    the axis along which they are joined; under gravity what was below a cell stays below it.
    """
    motions = product(_permuted_axes(shape, wrap), product((False, True), repeat=3), _shifts(shape, wrap))
    candidates = dict.fromkeys(_moved(shape, *motion, wrap) for motion in motions)
    return tuple(symmetry for symmetry in candidates if _keeps_gravity(symmetry, drop))


def _permuted_axes(shape: Shape, wrap: Wrap) -> list[Point]:
    """Return the orders of the axes that show the same board."""
    kept = {"cylinder": (2,), "moebius": (1, 2)}.get(str(wrap), ())
    return [
        axes
        for axes in permutations(range(3))
        if tuple(shape[axis] for axis in axes) == shape and all(axes[axis] == axis for axis in kept)
    ]


def _opposites_kept(size: int) -> list[tuple[int, ...]]:
    """Return the ways to renumber a coordinate such that opposite numbers stay opposite."""
    numbers = range(size)
    return [way for way in permutations(numbers) if all(way[p] + way[size - 1 - p] == size - 1 for p in numbers)]


def _renumbering(shape: Shape, numbers: tuple[int, ...]) -> Symmetry:
    """Return where the cells go if every coordinate is renumbered."""
    points = (
        tuple(numbers[p] if size > 1 else 0 for p, size in zip(point, shape, strict=True)) for point in _points(shape)
    )
    return tuple(_cell(shape, point) for point in points)


def _shifts(shape: Shape, wrap: Wrap) -> list[Point]:
    """Return the shifts that show the same board: on a Moebius strip twice as many as there are columns."""
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
    """Return where the cells go when axes change places, some are reversed and the board is shifted."""
    images = (
        tuple(
            (size - 1 - point[axis] if flip else point[axis]) + by
            for axis, size, flip, by in zip(axes, shape, flips, shift, strict=True)
        )
        for point in _points(shape)
    )
    return tuple(_cell(shape, joined) for joined in (join(shape, image, wrap) for image in images) if joined)


def permute(cells: int, symmetry: Symmetry) -> int:
    """Return the mask of ``cells`` after the symmetry."""
    return sum(1 << to for cell, to in enumerate(symmetry) if cells >> cell & 1)
