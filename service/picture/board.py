"""The board of a picture: on paper or upright, with its marks and what sets some of them off."""

from collections.abc import Iterator
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from service.games.position import Position
from service.picture import marks, paper, rack
from service.picture.layout import CELL, Layout
from service.picture.strokes import stroke
from service.picture.svg import node

FAINT = 0.45
"""How much is seen of a mark that is not there yet."""

DASHES = "13 9"


@dataclass(frozen=True, slots=True)
class Board:
    """What is drawn of a position, and where its cells are."""

    position: Position
    layout: Layout
    last_move: int | None
    best_move: int | None

    def drawn(self) -> Iterator[Element]:
        """Yield the parts of the board, the hindmost first."""
        yield from paper.names(self.layout)
        yield from self._upright() if self.position.game.has_columns else self._flat()

    def _flat(self) -> Iterator[Element]:
        won = self.position.winning_line or ()
        for cell in won:
            yield self._background("tint", cell)
        if self.last_move is not None and self.last_move not in won:
            yield self._background("newest", self.last_move)
        yield from paper.grid(self.layout)
        yield from self._marks()
        if self.best_move is not None:
            yield self._mark(self.best_move, faint=True)
            yield self._target(self.best_move)
        yield from self._stroke("win")
        if self.last_move is not None:
            yield self._dot(self.last_move)

    def _upright(self) -> Iterator[Element]:
        yield rack.holes(self.layout)
        yield from self._marks()
        if self.best_move is not None:
            yield self._mark(self.best_move, faint=True)
        yield rack.front(self.layout)
        for cell in self.position.winning_line or ():
            yield self._ring("ring", cell)
        if self.best_move is not None:
            yield self._ring("ring", self.best_move, dashes=DASHES)
        yield from self._stroke("ring")
        if self.last_move is not None:
            x, y = self.layout.centre(self.last_move)
            yield node("circle", class_="spot", cx=x, cy=y, r=9, stroke_width=4)

    def _marks(self) -> Iterator[Element]:
        occupied = self.position.occupied
        for cell in range(self.layout.game.cells):
            if occupied >> cell & 1:
                yield self._mark(cell)

    def _mark(self, cell: int, *, faint: bool = False) -> Element:
        """Return the mark in a cell; in an empty one that of the player to move."""
        x, y = self.layout.corner(cell)
        content = str(self.position)[cell]
        player = self.position.player if content == "." else content
        turned = marks.smaller() if self.layout.numbered else ""
        if not self.layout.game.has_columns:
            turned += marks.leaning(cell)
        opacity = FAINT if faint else None
        return node("use", href=f"#{player}", transform=f"translate({x} {y}){turned}", opacity=opacity)

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

    def _stroke(self, kind: str) -> Iterator[Element]:
        line = self.position.winning_line
        path = stroke(self.layout, line) if line else None
        if path:
            look = {"fill": "none", "stroke_width": 11, "stroke_linecap": "round", "opacity": 0.8}
            yield node("path", class_=kind, d=path, **look)
