"""The board of a picture: paper or rack, marks, highlights, and the winning line."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import hypot
from xml.etree.ElementTree import Element

from service.games.boards.grid import DIRECTIONS, STEPS, Line, Point, walk
from service.games.families.lines import PLAYERS
from service.games.game import Game
from service.games.position import Position
from service.picture import grounds, marks
from service.picture.layout import CELL, Layout, lay_out
from service.picture.svg import node
from service.picture.words import fading

FAINT = 0.45
"""The opacity of marks that the best move makes, or that disappear next."""

LARGE = 0.6
"""The opacity of the large mark on a won board."""

DASHES = "13 9"

OVERHANG = 26
"""The length of a stroke beyond the centres of the first and the last cell."""

Place = tuple[float, float]


@dataclass(frozen=True, slots=True)
class BoardDrawing:
    """The contents of a board: what the cells hold, as characters, and the highlights.

    ``path`` is the stroke through the ``line`` that has ended the game. ``best_cells`` are those that the best move
    changes, ``best_mark`` is the mark that it makes in the last of them, if any. ``dead``: lines of boards that are
    over. ``owners``: the winner of each sheet. ``lit``: the sheets that can be played on.
    """

    layout: Layout
    contents: str
    line: Line
    path: str | None
    last_cell: int | None
    best_cells: Sequence[int] = ()
    best_mark: str | None = None
    fading: Sequence[int] = ()
    dead: Sequence[Line] = ()
    owners: str = ""
    lit: Sequence[int] = ()

    def elements(self) -> Iterator[Element]:
        """Yield the parts of the board, from back to front."""
        yield from grounds.names(self.layout)
        yield from self._upright() if self.layout.upright else self._flat()

    def _flat(self) -> Iterator[Element]:
        if not self.layout.point_lines:
            yield from self._backgrounds()
        yield from grounds.grid(self.layout)
        yield from self._marks()
        yield from [self._ring("grid", cell, dashes=DASHES) for cell in self.fading]
        if self.best_cells:
            yield from self._best_mark()
            yield from [self._target(cell) for cell in self.best_cells]
        for line in self.dead:
            yield self._stroke("dead", straight(self.layout, line))
        for sheet, owner in enumerate(self.owners):
            if owner != ".":
                yield self._large_mark(sheet, owner)
        if self.path:
            yield self._stroke("win", self.path)
        if self.last_cell is not None:
            yield self._dot(self.last_cell)

    def _upright(self) -> Iterator[Element]:
        yield grounds.holes(self.layout)
        yield from self._marks()
        yield from self._best_mark()
        yield grounds.front(self.layout)
        for cell in self.line:
            yield self._ring("ring", cell)
        for cell in self.best_cells:
            yield self._ring("ring", cell, dashes=DASHES)
        if self.path:
            yield self._stroke("ring", self.path)
        if self.last_cell is not None:
            x, y = self.layout.centre(self.last_cell)
            yield node("circle", class_="spot", cx=x, cy=y, r=9, stroke_width=4)

    def _large_mark(self, sheet: int, owner: str) -> Element:
        """Return the mark of the player who has won a sheet, over all of it."""
        place, sides = self.layout.sheets[sheet], (self.layout.rows, self.layout.columns)
        move = f"translate({place.x} {place.y}) scale({min(sides)})"
        return node("use", href=f"#{owner}", transform=move, opacity=LARGE)

    def _backgrounds(self) -> Iterator[Element]:
        for sheet in self.lit:
            place, room = self.layout.sheets[sheet], CELL // 10
            sides = {"width": self.layout.columns * CELL + 2 * room, "height": self.layout.rows * CELL + 2 * room}
            yield node("rect", class_="newest", x=place.x - room, y=place.y - room, rx=room, **sides)
        for cell in self.line:
            yield self._background("tint", cell)
        if self.last_cell is not None and self.last_cell not in self.line:
            yield self._background("newest", self.last_cell)

    def _marks(self) -> Iterator[Element]:
        for cell, content in enumerate(self.contents):
            if content != ".":
                yield self._mark(cell, content, FAINT if cell in self.fading else None)

    def _best_mark(self) -> Iterator[Element]:
        if self.best_mark is not None:
            yield self._mark(self.best_cells[-1], self.best_mark, FAINT)

    def _mark(self, cell: int, content: str, opacity: float | None) -> Element:
        """Return a mark in a cell."""
        x, y = self.layout.corner(cell)
        if content.isdigit():
            return marks.digit(content, x, y, opacity)
        turned = marks.smaller() if self.layout.numbered else ""
        if not self.layout.upright and not self.layout.point_lines:
            turned += marks.leaning(cell)
        return node("use", href=f"#{content}", transform=f"translate({x} {y}){turned}", opacity=opacity)

    def _background(self, kind: str, cell: int) -> Element:
        x, y = self.layout.corner(cell)
        return node("rect", class_=kind, x=x + 6, y=y + 6, width=CELL - 12, height=CELL - 12, rx=10)

    def _dot(self, cell: int) -> Element:
        """Return the dot that marks the last move without relying on colour."""
        x, y = self.layout.corner(cell)
        return node("circle", class_="ink", cx=x + CELL - 16, cy=y + 16, r=6)

    def _target(self, cell: int) -> Element:
        """Return the highlight of the best move: a ring, or a border that leaves the cell's number visible."""
        if not self.layout.numbered:
            return self._ring("win", cell, dashes=DASHES)
        x, y = self.layout.corner(cell)
        box = {"x": x + 5, "y": y + 5, "width": CELL - 10, "height": CELL - 10, "rx": 12}
        return node("rect", class_="win", fill="none", stroke_width=6, stroke_dasharray=DASHES, **box)

    def _ring(self, kind: str, cell: int, dashes: str | None = None) -> Element:
        x, y = self.layout.centre(cell)
        return node("circle", class_=kind, cx=x, cy=y, r=43, fill="none", stroke_width=7, stroke_dasharray=dashes)

    def _stroke(self, kind: str, path: str) -> Element:
        look = {"fill": "none", "stroke_width": 11, "stroke_linecap": "round", "opacity": 0.8}
        return node("path", class_=kind, d=path, **look)


def board_of(position: Position, last_move: int | None, best_move: int | None) -> BoardDrawing:
    """Return the board of a position, with its last move and its best one if they are to be shown."""
    game, line = position.game, position.winning_line or ()
    layout, owners = lay_out(game), game.owners(position.state, position.turn)
    return BoardDrawing(
        layout,
        position.contents,
        line,
        stroke(layout, game, line),
        last_cell=None if last_move is None else game.cell_of(last_move),
        best_cells=() if best_move is None else _changed(game, best_move),
        best_mark=None if best_move is None else _made(position, best_move),
        fading=fading(position),
        dead=[] if owners else [dead for dead in game.dead_lines(position.state) if dead != line],
        owners=owners,
        lit=game.lit(position.state),
    )


def _changed(game: Game, move: int) -> Sequence[int]:
    """Return the cells that a move changes: the cell that a piece leaves, and the one that it or a mark takes."""
    start = game.move_fields(move).get("from")
    return (game.cell_of(move),) if start is None else (int(start), game.cell_of(move))


def _made(position: Position, move: int) -> str | None:
    """Return the mark that a move makes; None if it removes a disc. Players without a mark of their own write X."""
    fields = position.game.move_fields(move)
    if fields.get("pop"):
        return None
    return str(fields.get("mark") or (position.player if position.player in PLAYERS else "X"))


def stroke(layout: Layout, game: Game, line: Line) -> str | None:
    """Return the path of a stroke through a line; None if it has one cell, or lies on no single layer of a grid."""
    if layout.numbered or len({game.layer_of(cell) for cell in line}) > 1 or len(line) <= 1:
        return None
    if game.wrap:
        return "".join(_path(*ends) for ends in _around(layout, game, line))
    return straight(layout, line)


def straight(layout: Layout, line: Line) -> str:
    """Return the path of a stroke from the first cell of a line to the last."""
    return _path(*_lengthened(layout.centre(line[0]), layout.centre(line[-1])))


def _path(start: Place, end: Place) -> str:
    return "M{:.4g} {:.4g}L{:.4g} {:.4g}".format(*start, *end)


def _lengthened(start: Place, end: Place) -> tuple[Place, Place]:
    length = hypot(end[0] - start[0], end[1] - start[1])
    dx, dy = ((end[axis] - start[axis]) / length * OVERHANG for axis in (0, 1))
    return (start[0] - dx, start[1] - dy), (end[0] + dx, end[1] + dy)


def _around(layout: Layout, game: Game, line: Line) -> Iterator[tuple[Place, Place]]:
    """Yield the parts of a stroke on a wrapped board: it leaves at one edge and enters at the opposite one."""
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


def _in_order(game: Game, line: Line) -> tuple[Line, Point]:
    """Return the cells of a line on a wrapped board, ordered so that each is one step from the next."""
    shape = game.layers, game.rows, game.columns
    for step in STEPS if game.wrap == "moebius" else DIRECTIONS:
        for first in line:
            start = game.layer_of(first), game.row_of(first), game.column_of(first)
            order = walk(shape, start, step, len(line), game.wrap)
            if step[0] == 0 and set(order) == set(line):
                return order, step
    raise ValueError(f"no step leads along {line}")
