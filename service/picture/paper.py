"""Boards on paper: lines drawn with a pen, and cells between them."""

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from service.explain.names import column_name
from service.games.game import Game
from service.picture.layout import CELL, NAMES, UNNAMED, Layout, Sheet
from service.picture.svg import node, text

NAME_SIZE = 34
NUMBER_SIZE = 22


def grid(layout: Layout) -> Iterator[Element]:
    """Yield the lines between the cells of each layer, or the cells themselves where there is no grid."""
    if layout.numbered:
        yield from _numbered_cells(layout)
        return
    for sheet in layout.sheets:
        yield node("path", class_="grid", d=_lines(layout, sheet), fill="none", stroke_width=5, stroke_linecap="round")
        if _is_framed(layout.game):
            yield _frame(layout, sheet)


def names(layout: Layout) -> Iterator[Element]:
    """Yield the names of layers, rows and columns, where a board has names."""
    for sheet in layout.sheets if layout.named else ():
        bottom = sheet.y + layout.rows * CELL + NAMES - 8
        for column in range(layout.columns):
            yield _name(column_name(layout.game, column), sheet.x + column * CELL + CELL // 2, bottom)
        for row in range(0 if layout.game.has_columns else layout.rows):
            yield _name(str(row + 1), sheet.x - NAMES // 2 - 2, sheet.y + row * CELL + CELL // 2 + 12)
        if layout.game.layers > 1:
            yield _name(f"Layer {sheet.layer + 1}", sheet.x + layout.columns * CELL // 2, sheet.y - 22)


def _is_framed(game: Game) -> bool:
    return bool(game.wrap) or game.layers > 1 or max(game.rows, game.columns) > UNNAMED


def _lines(layout: Layout, sheet: Sheet) -> str:
    """Return the lines between rows and between columns, each a little bent and a little askew."""
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
    """Return the edge of the board: broken where lines go on at the other side."""
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
        stroke_dasharray="4 16" if layout.game.wrap else None,
        stroke_linecap="round",
    )


def _numbered_cells(layout: Layout) -> Iterator[Element]:
    for cell in range(layout.game.cells):
        x, y = layout.corner(cell)
        yield node("rect", class_="grid", x=x + 5, y=y + 5, width=90, height=90, rx=12, fill="none", stroke_width=4)
        yield text("text", str(cell), class_="quiet", x=x + 14, y=y + 30, font_size=NUMBER_SIZE)


def _name(name: str, x: int, y: int) -> Element:
    return text("text", name, class_="quiet", x=x, y=y, font_size=NAME_SIZE, text_anchor="middle")
