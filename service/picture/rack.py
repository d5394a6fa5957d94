"""The upright board of games in which marks fall: discs behind a board with holes."""

from xml.etree.ElementTree import Element

from service.picture.layout import CELL, Layout
from service.picture.svg import node

EDGE = 14
"""What the board is larger than its cells, on each side."""

ROUND = 22
"""The radius of its corners."""

HOLE = 40
"""The radius of a hole."""


def holes(layout: Layout) -> Element:
    """Return what is seen through the holes where there is no disc."""
    return node("rect", class_="hole", width=layout.columns * CELL, height=layout.rows * CELL)


def front(layout: Layout) -> Element:
    """Return the board, which covers all but the holes."""
    cut = "".join(_hole(*layout.corner(cell)) for cell in range(len(layout.corners)))
    return node("path", class_="rack", d=_outline(layout) + cut, fill_rule="evenodd", stroke_width=4)


def _outline(layout: Layout) -> str:
    across, down = (cells * CELL + 2 * (EDGE - ROUND) for cells in (layout.columns, layout.rows))
    corner = f"a{ROUND} {ROUND} 0 0 1"
    return (
        f"M{ROUND - EDGE} {-EDGE}h{across}{corner} {ROUND} {ROUND}v{down}{corner}-{ROUND} {ROUND}"
        f"h-{across}{corner}-{ROUND}-{ROUND}v-{down}{corner} {ROUND}-{ROUND}z"
    )


def _hole(x: int, y: int) -> str:
    return f"M{x + 50 - HOLE} {y + 50}a{HOLE} {HOLE} 0 1 0 {2 * HOLE} 0a{HOLE} {HOLE} 0 1 0-{2 * HOLE} 0z"
