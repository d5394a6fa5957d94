"""The board of a picture: on paper or upright, with its marks and what sets some of them off."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from service.games.game import Game
from service.games.grid import Line
from service.games.lines import PLAYERS, is_line
from service.games.position import Position
from service.picture import grounds, marks
from service.picture.layout import CELL, Layout, lay_out
from service.picture.strokes import straight, stroke
from service.picture.svg import node
from service.picture.words import fading

FAINT = 0.45
"""How much is seen of a mark that is not there yet, or not for long."""

DASHES = "13 9"


@dataclass(frozen=True, slots=True)
class BoardDrawing:
    """What is drawn of a position: what its cells hold, as characters, and what sets some of them off.

    ``path`` is that of the stroke through the ``line`` that has ended the game. ``best_cells`` are those that the best
    move changes, ``best_mark`` what it makes in the last of them, if anything. ``dead``: lines of boards that are over.
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

    def drawn(self) -> Iterator[Element]:
        """Yield the parts of the board, the hindmost first."""
        yield from grounds.names(self.layout)
        yield from self._upright() if self.layout.upright else self._flat()

    def _flat(self) -> Iterator[Element]:
        if not self.layout.drawn:
            yield from self._backgrounds()
        yield from grounds.grid(self.layout)
        yield from self._marks()
        yield from [self._ring("grid", cell, dashes=DASHES) for cell in self.fading]
        if self.best_cells:
            yield from self._best_mark()
            yield from [self._target(cell) for cell in self.best_cells]
        for line in self.dead:
            yield self._stroke("dead", straight(self.layout, line))
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

    def _backgrounds(self) -> Iterator[Element]:
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
        if not self.layout.upright and not self.layout.drawn:
            turned += marks.leaning(cell)
        return node("use", href=f"#{content}", transform=f"translate({x} {y}){turned}", opacity=opacity)

    def _background(self, kind: str, cell: int) -> Element:
        x, y = self.layout.corner(cell)
        return node("rect", class_=kind, x=x + 6, y=y + 6, width=CELL - 12, height=CELL - 12, rx=10)

    def _dot(self, cell: int) -> Element:
        """Return the dot by which the last move is known without its colour."""
        x, y = self.layout.corner(cell)
        return node("circle", class_="ink", cx=x + CELL - 16, cy=y + 16, r=6)

    def _target(self, cell: int) -> Element:
        """Return what sets the best move off: a ring, or a border that leaves the number of the cell free."""
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
    """Return the board of a position, with its last move and its best one if they are to be seen."""
    layout, line = lay_out(position.game), position.winning_line or ()
    path = stroke(layout, position.game, line)
    if is_line(position):
        best = () if best_move is None else (best_move,)
        return BoardDrawing(layout, str(position), line, path, last_move, best, position.player if best else None)
    game = position.game
    return BoardDrawing(
        layout,
        position.contents,
        line,
        path,
        last_cell=None if last_move is None else game.cell_of(last_move),
        best_cells=() if best_move is None else _changed(game, best_move),
        best_mark=None if best_move is None else _made(position, best_move),
        fading=fading(position),
        dead=[dead for dead in game.dead_lines(position.words) if dead != line],
    )


def _changed(game: Game, move: int) -> Sequence[int]:
    """Return the cells that a move changes: where a piece was, and where it or a mark is then."""
    start = game.move_fields(move).get("from")
    return (game.cell_of(move),) if start is None else (int(start), game.cell_of(move))


def _made(position: Position, move: int) -> str | None:
    """Return the mark that a move makes; None if it takes a disc out. Players without a mark of their own write X."""
    fields = position.game.move_fields(move)
    if fields.get("pop"):
        return None
    return str(fields.get("mark") or (position.player if position.player in PLAYERS else "X"))
