"""The picture of a position: the board, the status, and optionally the best move and the value."""

from collections.abc import Iterator
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from service.engine.result import Known
from service.games.position import Position
from service.picture import marks
from service.picture.board import board_of
from service.picture.colours import Theme, class_prefix, stylesheet
from service.picture.evaluation import HEIGHT, BarValue, bar, evaluation
from service.picture.layout import Layout
from service.picture.svg import document, node, scoped, text
from service.picture.words import description, standing, title

DEFAULT_SIZE = 480
"""The default longer side of a picture in pixels."""

MARGIN = 44
"""The margin around the picture."""

NARROWEST = 300
"""The minimum width of the text below a board."""

BELOW = 34
"""The gap between the board and the text."""

FONT = "system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans',sans-serif"

FONT_SIZES = (30, 58)
"""The smallest and the largest font size of the text below a board."""


@dataclass(frozen=True, slots=True)
class Picture:
    """The contents of a picture: a position, its last move if known, and optionally the best move and the value.

    Moves are cells in line games, and the numbers of moves in other families. ``size`` is the longer side in pixels;
    the drawing is the same at every size.
    """

    position: Position
    last_move: int | None = None
    best_move: int | None = None
    known: Known | None = None
    theme: Theme = "auto"
    size: int = DEFAULT_SIZE

    @property
    def value(self) -> BarValue | None:
        """The value for the first player, if it is shown."""
        return None if self.known is None else evaluation(self.known, self.position)

    def svg(self) -> bytes:
        """Return the picture as an SVG document; the same picture has the same bytes."""
        return document(scoped(_element(self), class_prefix(self.theme)))


def _element(picture: Picture) -> Element:
    position = picture.position
    board = board_of(position, picture.last_move, picture.best_move)
    layout = board.layout
    width = max(layout.width, NARROWEST)
    words, bottom = _words(picture, layout, width)
    whole = width + 2 * MARGIN, bottom + 2 * MARGIN
    scale = picture.size / max(whole)
    return node(
        "svg",
        text("title", title(position), id="title"),
        text("desc", " ".join(_described(picture)), id="description"),
        text("style", stylesheet(picture.theme)),
        node("defs", *marks.definitions(layout)),
        node("rect", class_="ground", x=-MARGIN, y=-MARGIN, width=whole[0], height=whole[1], rx=24),
        node("g", *board.elements(), transform=f"translate({(width - layout.width) // 2} 0)"),
        *words,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"{-MARGIN} {-MARGIN} {whole[0]} {whole[1]}",
        width=max(1, round(whole[0] * scale)),
        height=max(1, round(whole[1] * scale)),
        role="img",
        aria_labelledby="title",
        aria_describedby="description",
        font_family=FONT,
    )


def _described(picture: Picture) -> Iterator[str]:
    yield from description(picture.position, picture.last_move, picture.best_move)
    if picture.value is not None and picture.position.status == "in_progress":
        yield f"{picture.value.words}."


def _words(picture: Picture, layout: Layout, width: int) -> tuple[list[Element], int]:
    """Return the caption below the board, with the bar, and its bottom."""
    least, most = FONT_SIZES
    size = min(most, max(least, width // 12))
    place = {"x": width // 2, "text_anchor": "middle"}
    line = layout.height + BELOW + size * 3 // 4
    words = [text("text", standing(picture.position), class_="ink", y=line, font_size=size, font_weight=600, **place)]
    if picture.value is None:
        return words, line
    gap = size // 2
    words += bar(picture.value, line + gap, width, discs=layout.upright)
    smaller = size * 4 // 5
    line += gap + HEIGHT + gap // 2 + smaller * 3 // 4
    return [*words, text("text", picture.value.words, class_="quiet", y=line, font_size=smaller, **place)], line
