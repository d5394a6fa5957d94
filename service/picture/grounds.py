"""The grounds of boards: paper with pen lines, or an upright rack with holes, behind which discs fall."""

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from service.games.boards.grid import Line
from service.picture.layout import CELL, NAMES, UNNAMED, Layout, Sheet
from service.picture.svg import node, text

NAME_SIZE = 34
NUMBER_SIZE = 22

EDGE = 14
"""The margin of a rack around its cells."""

ROUND = 22
"""The radius of the corners of a rack."""

HOLE = 40
"""The radius of a hole."""


def grid(layout: Layout) -> Iterator[Element]:
    """Yield the lines between the cells of each layer; without a grid, the cells themselves."""
    if layout.numbered:
        yield from _numbered_cells(layout)
        return
    if layout.point_lines:
        path = "".join(_through(layout, line) for line in layout.point_lines)
        yield node("path", class_="grid", d=path, fill="none", stroke_width=5, stroke_linecap="round")
        return
    for sheet in layout.sheets:
        yield node("path", class_="grid", d=_lines(layout, sheet), fill="none", stroke_width=5, stroke_linecap="round")
        if _is_framed(layout):
            yield _frame(layout, sheet)


def names(layout: Layout) -> Iterator[Element]:
    """Yield the names of layers, rows and columns, on boards that have names."""
    for sheet in layout.sheets if layout.column_names else ():
        bottom = sheet.y + layout.rows * CELL + NAMES - 8
        for column, name in enumerate(layout.column_names):
            yield _name(name, sheet.x + column * CELL + CELL // 2, bottom)
        for row, name in enumerate(layout.row_names):
            yield _name(name, sheet.x - NAMES // 2 - 2, sheet.y + row * CELL + CELL // 2 + 12)
        if sheet.name:
            yield _name(sheet.name, sheet.x + layout.columns * CELL // 2, sheet.y - 22)


def holes(layout: Layout) -> Element:
    """Return the background of a rack, visible through holes without a disc."""
    return node("rect", class_="hole", width=layout.columns * CELL, height=layout.rows * CELL)


def front(layout: Layout) -> Element:
    """Return the front of a rack, which covers everything but the holes."""
    cut = "".join(_hole(*layout.corner(cell)) for cell in range(len(layout.corners)))
    return node("path", class_="rack", d=_outline(layout) + cut, fill_rule="evenodd", stroke_width=4)


def _is_framed(layout: Layout) -> bool:
    return layout.joined or bool(layout.sheets[0].name) or max(layout.rows, layout.columns) > UNNAMED


def _through(layout: Layout, line: Line) -> str:
    """Return the stroke from the first to the last point."""
    (x, y), (to_x, to_y) = layout.centre(line[0]), layout.centre(line[-1])
    return f"M{x} {y}L{to_x} {to_y}"


def _lines(layout: Layout, sheet: Sheet) -> str:
    """Return the lines between rows and between columns, each slightly bent and tilted."""
    width, height = layout.columns * CELL, layout.rows * CELL
    upright = (
        f"M{sheet.x + x + bend} {sheet.y + 5}q{-2 * bend} {height // 2} {-bend} {height - 10}"
        for number, x in enumerate(range(CELL, width, CELL))
        for bend in [_bend(number)]
    )
    level = (
        f"M{sheet.x + 5} {sheet.y + y - bend}q{width // 2} {2 * bend} {width - 10} {bend}"
        for number, y in enumerate(range(CELL, height, CELL))
        for bend in [_bend(number)]
    )
    return "".join([*upright, *level])


def _bend(number: int) -> int:
    return (2, -2, 1, -1)[number % 4]


def _frame(layout: Layout, sheet: Sheet) -> Element:
    """Return the edge of the board, broken where lines continue at the opposite side."""
    return node(
        "rect",
        class_="grid",
        x=sheet.x,
        y=sheet.y,
        width=layout.columns * CELL,
        height=layout.rows * CELL,
        rx=8,
        fill="none",
        stroke_width=5,
        stroke_dasharray="4 16" if layout.joined else None,
        stroke_linecap="round",
    )


def _numbered_cells(layout: Layout) -> Iterator[Element]:
    for cell, (x, y) in enumerate(layout.corners):
        yield node("rect", class_="grid", x=x + 5, y=y + 5, width=90, height=90, rx=12, fill="none", stroke_width=4)
        yield text("text", str(cell), class_="quiet", x=x + 14, y=y + 30, font_size=NUMBER_SIZE)


def _name(name: str, x: int, y: int) -> Element:
    return text("text", name, class_="quiet", x=x, y=y, font_size=NAME_SIZE, text_anchor="middle")


def _outline(layout: Layout) -> str:
    across, down = (cells * CELL + 2 * (EDGE - ROUND) for cells in (layout.columns, layout.rows))
    corner = f"a{ROUND} {ROUND} 0 0 1"
    return (
        f"M{ROUND - EDGE} {-EDGE}h{across}{corner} {ROUND} {ROUND}v{down}{corner}-{ROUND} {ROUND}"
        f"h-{across}{corner}-{ROUND}-{ROUND}v-{down}{corner} {ROUND}-{ROUND}z"
    )


def _hole(x: int, y: int) -> str:
    return f"M{x + 50 - HOLE} {y + 50}a{HOLE} {HOLE} 0 1 0 {2 * HOLE} 0a{HOLE} {HOLE} 0 1 0-{2 * HOLE} 0z"
