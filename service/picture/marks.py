"""The marks of the players: X and O in pen strokes, and as discs that differ in more than their colour."""

from xml.etree.ElementTree import Element

from service.games.families.lines import Player
from service.picture.layout import CELL, Layout
from service.picture.svg import node, text

PEN = {
    "X": "M25 24C40 39 59 58 76 77M75 25C61 40 41 58 24 75",
    "O": "M55 22C36 19 22 33 23 51C24 69 36 78 51 77C67 76 79 65 77 48C75 32 62 22 46 24",
}
"""The pen strokes in a cell."""

PEN_WIDTH = 9

EMBOSSED = {"X": "M35 35L65 65M65 35L35 65", "O": "M50 33a17 17 0 1 0 .1 0z"}
"""The emboss on a disc."""

DISC = 43
"""The radius of a disc: slightly larger than a hole, so that the board holds it."""

PIECE = 34
"""The radius of a piece on a point."""

DIGIT_SIZE = 72

STEEPEST = 7
"""The maximum tilt of a mark in degrees, which makes marks look hand-drawn."""


def definitions(layout: Layout) -> list[Element]:
    """Return both marks once, for references by the cells: discs, pieces on points, or pen strokes."""
    return [_mark(layout, player) for player in ("X", "O")]


def digit(content: str, x: int, y: int, opacity: float | None) -> Element:
    """Return the digit in the cell with its corner at ``x`` and ``y``: odd ones in the colour of X, even ones of O."""
    side = "side-x" if int(content) % 2 else "side-o"
    place = {"x": x + CELL // 2, "y": y + CELL // 2 + DIGIT_SIZE * 3 // 8, "text_anchor": "middle"}
    return text("text", content, class_=side, font_size=DIGIT_SIZE, font_weight=600, opacity=opacity, **place)


def smaller() -> str:
    """Return the transformation of a mark that leaves space for a number in its cell."""
    return "translate(14 18)scale(.76)"


def leaning(cell: int) -> str:
    """Return the rotation of the mark in a cell, the same every time."""
    return f"rotate({(cell * 37 + 5) % (2 * STEEPEST + 1) - STEEPEST} 50 50)"


def _mark(layout: Layout, player: Player) -> Element:
    if layout.upright:
        return _round(player, DISC, f"disc-{player.lower()}")
    return _round(player, PIECE, f"piece-{player.lower()}") if layout.point_lines else _pen_mark(player)


def _pen_mark(player: Player) -> Element:
    look = {"fill": "none", "stroke_width": PEN_WIDTH, "stroke_linecap": "round"}
    return node("path", id=player, class_=player.lower(), d=PEN[player], **look)


def _round(player: Player, radius: int, look: str) -> Element:
    shape = node("path", d=EMBOSSED[player], fill="none", stroke_width=7, stroke_linecap="round")
    face = node("circle", cx=50, cy=50, r=radius, stroke="none")
    return node("g", face, shape, id=player, class_=look)
