"""Drawn boards: spaces or bars between cells, lines between rows, names at the edges, code fences."""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, groupby, pairwise, product

from service.api.read.signs import without_selectors
from service.api.wire.boards import LONGEST_DRAWING
from service.games.game import Game

FENCE = "```"
BAR = re.compile("[|│┃║]")
CONTENT = re.compile("[^|│┃║]?|[0-9]{2}|([0-9]:)?[a-z][0-9]{1,2}")
TITLE = re.compile(r"\s*((layer|board)\s*[0-9]+(:( play here| [xo] has won)?)?\s*)+", re.IGNORECASE)
"""A line above layers or boards, which may stand side by side."""

RULE = re.compile(r"\s*|(?=.*[-=─━═][-=─━═+┼╋╬├┤┌┬┐└┴┘])[-=─━═+┼╋╬|│┃║├┤╠╣┌┬┐╔╦╗└┴┘╚╩╝:\s]+")
"""A line between rows. A line that has the length of a row is a row instead."""

Row = Sequence[str | int]


def undecorated(text: str) -> str:
    """Return a text without the code fence around it, and without newlines at its ends."""
    opening, _, fenced = text.strip().partition("\n")
    language = opening.removeprefix(FENCE).strip()
    if opening.startswith(FENCE) and fenced.endswith(FENCE) and (not language or language.isalnum()):
        rows, _, last = fenced.removesuffix(FENCE).rpartition("\n")
        text = f"{rows}\n{last}" if last.strip() else rows
    return text.strip("\r\n")


def cells_of_drawing(board: object, game: Game) -> Row | None:
    """Return the contents of the cells of a drawn board; None if the text is no drawing of a board of this size."""
    if isinstance(board, list) and all(isinstance(row, str) and not re.search("[/\n]", row) for row in board):
        board = "\n".join(board)
    if not isinstance(board, str) or len(board) > LONGEST_DRAWING:
        return None
    lines = re.split(r"/|\r?\n", without_selectors(undecorated(board)))
    cells = _read(lines, game, game.cells) or _in_sheets(lines, game)
    return cells and ["." if _is_name(content, game.cell_name(cell)) else content for cell, content in enumerate(cells)]


def _is_name(content: str | int, name: str) -> bool:
    """Return whether an empty cell shows its own name. A single digit is no name: ``signs`` reads numbers."""
    return content == name and len(name) > 1


def _read(lines: Sequence[str], game: Game, size: int) -> Row | None:
    """Return the contents of ``size`` cells that are drawn below each other."""
    columns = size if len(lines) == 1 else game.columns
    for candidate, style in product(_without_names(lines, game), STYLES):
        read = [(line, style(line, columns)) for line in candidate]
        rows = [row for line, row in read if row is not None or not RULE.fullmatch(line)]
        if len(rows) * columns == size and None not in rows:
            return [*chain.from_iterable(row for row in rows if row is not None)]
    return None


def _in_sheets(lines: Sequence[str], game: Game) -> Row | None:
    """Return the contents of the cells of several layers or boards, which are drawn apart."""
    sheets = len(game.surface.sheets)
    groups = [[*group] for apart, group in groupby(lines, key=_stands_apart) if not apart]
    for gap in ("  +", " +") if sheets > 1 else ():
        blocks = [block for group in groups for block in _side_by_side(group, gap)]
        read = [_read(block, game, game.cells // sheets) for block in blocks]
        if len(read) == sheets and None not in read:
            return [*chain.from_iterable(cells for cells in read if cells is not None)]
    return None


def _stands_apart(line: str) -> bool:
    return not line.strip() or TITLE.fullmatch(line) is not None


def _side_by_side(lines: Sequence[str], gap: str) -> list[list[str]]:
    """Return the boards that are drawn beside each other, with gaps between them in which no line has a character."""
    width = max(map(len, lines))
    if len(lines) * width > 4 * LONGEST_DRAWING:  # a long line among many short ones
        return [[*lines]]
    filled = "".join(
        "x" if "".join(column).strip() else " " for column in zip(*(line.ljust(width) for line in lines), strict=True)
    )
    gaps = [(0, 0), *(found.span() for found in re.finditer(f"(?<=x){gap}(?=x)", filled)), (width, width)]
    return [[line[start:end] for line in lines] for (_, start), (end, _) in pairwise(gaps)]


def _without_names(lines: Sequence[str], game: Game) -> Iterator[Sequence[str]]:
    """Yield the lines unchanged, then without the names of rows and columns, then without those of the columns alone.

    Beside a cell that is drawn empty, the number of a row would else be taken for what the cell contains.
    """
    yield lines
    surface = game.surface
    rows = [line for line in lines if "".join(line.lower().split()) != "".join(surface.column_names)]
    heads = [line.split()[0] for line in rows if not RULE.fullmatch(line)]
    if heads and heads == [*surface.row_names]:
        yield [line if RULE.fullmatch(line) else line.lstrip().lstrip("0123456789") for line in rows]
    yield rows


def _plain(line: str, columns: int) -> Row | None:
    return next((row for row in (line, line.strip()) if len(row) == columns), None)


def _spaced(line: str, columns: int) -> Row | None:
    return None if line[1::2].strip() else _contents([*line[::2]], columns)


def _in_words(line: str, columns: int) -> Row | None:
    return _contents(line.split(), columns)


def _barred(line: str, columns: int) -> Row | None:
    """Return the cells between bars. A row has bars at both edges or at none; at one only if it is clear at which."""
    cells = [cell.strip() for cell in BAR.split(line)]
    at_left, at_right = not cells[0], not cells[-1]
    if len(cells) - columns == at_left + at_right:
        cells = cells[at_left : len(cells) - at_right]
    return _contents(cells, columns)


def _contents(words: list[str], columns: int) -> Row | None:
    """Return the contents of cells: single characters, with or without brackets, or numbers."""
    cells = [word[1:-1] if re.fullmatch(r"\[.+\]", word) else word for word in words]
    if len(cells) != columns or not all(CONTENT.fullmatch(cell) for cell in cells):
        return None
    return [int(cell) if len(cell) > 1 and cell.isdigit() else cell for cell in cells]


STYLES: tuple[Callable[[str, int], Row | None], ...] = (_plain, _spaced, _in_words, _barred)
"""The readers of a row, one for each style; all rows of a board have the same style."""
