"""The marks of the players: X and O as a pen draws them, and as discs that differ in more than their colour."""

from xml.etree.ElementTree import Element

from service.games.position import Player
from service.picture.svg import node

PEN = {
    "X": "M25 24C40 39 59 58 76 77M75 25C61 40 41 58 24 75",
    "O": "M55 22C36 19 22 33 23 51C24 69 36 78 51 77C67 76 79 65 77 48C75 32 62 22 46 24",
}
"""The strokes of a pen within a cell."""

PEN_WIDTH = 9

EMBOSSED = {"X": "M35 35L65 65M65 35L35 65", "O": "M50 33a17 17 0 1 0 .1 0z"}
"""What is embossed on a disc."""

DISC = 43
"""The radius of a disc: a little more than that of a hole, so that the board holds it."""

STEEPEST = 7
"""Degrees by which a mark may lean: nobody draws the same mark twice."""


def definitions(*, discs: bool) -> list[Element]:
    """Return both marks, once, for every cell to refer to."""
    return [_disc(player) if discs else _drawn(player) for player in ("X", "O")]


def smaller() -> str:
    """Return the transformation of a mark that leaves room for a number in its cell."""
    return "translate(14 18)scale(.76)"


def leaning(cell: int) -> str:
    """Return the rotation of the mark in a cell: always the same."""
    return f"rotate({(cell * 37 + 5) % (2 * STEEPEST + 1) - STEEPEST} 50 50)"


def _drawn(player: Player) -> Element:
    look = {"fill": "none", "stroke_width": PEN_WIDTH, "stroke_linecap": "round"}
    return node("path", id=player, class_=player.lower(), d=PEN[player], **look)


def _disc(player: Player) -> Element:
    shape = node("path", d=EMBOSSED[player], fill="none", stroke_width=7, stroke_linecap="round")
    face = node("circle", cx=50, cy=50, r=DISC, stroke="none")
    return node("g", face, shape, id=player, class_=f"disc-{player.lower()}")
