"""The card of a link: a position beside its game in words, in the format of link previews."""

from collections.abc import Iterator
from textwrap import wrap
from xml.etree.ElementTree import Element

from service.games.families.lines import PLAYERS
from service.picture import marks
from service.picture.board import BoardDrawing, board_of
from service.picture.colours import Theme, class_prefix, stylesheet
from service.picture.evaluation import HEIGHT as BAR
from service.picture.evaluation import bar
from service.picture.grounds import EDGE
from service.picture.layout import CELL
from service.picture.picture import Picture
from service.picture.svg import document, node, scoped, text
from service.picture.words import game_name, standing

WIDTH, HEIGHT = 1200, 630
"""The usual size of link previews in pixels: 1.91 to 1."""

BOARD = (56, 50, 560, 530)
"""The left, top, width and height of the area for the board."""

LEFT, ROOM = 684, 460
"""The left and the width of the text."""

NAMES = ((64, 12), (56, 14), (48, 17), (40, 21))
"""Font sizes of the game's name, each with the letters that fit into a line."""

MOST_LINES = 2
"""The maximum lines of the name; with more, a smaller size is used."""

MARK, STANDING, SMALL = 76, 46, 32
"""The sizes of the player's mark, of the text beside it, and of the text below."""

GAP = 40

MIDDLE = 276
"""The vertical middle of the text: slightly above that of the card, because the service's name is below."""

BOTTOM = 578
"""The bottom of the service's name, aligned with that of the board."""

SERVICE = "Move Oracle"


def card(picture: Picture) -> bytes:
    """Return the card of a picture as an SVG document. The theme ``auto`` means light; ``size`` is ignored."""
    theme: Theme = "dark" if picture.theme == "dark" else "light"
    return document(scoped(_element(picture, theme), class_prefix(theme)))


def _element(picture: Picture, theme: Theme) -> Element:
    board = board_of(picture.position, picture.last_move, picture.best_move)
    return node(
        "svg",
        text("style", stylesheet(theme)),
        node("defs", *marks.definitions(board.layout)),
        node("rect", class_="ground", width=WIDTH, height=HEIGHT),
        _placed(board),
        *_words(picture, discs=board.layout.upright),
        *_service(),
        xmlns="http://www.w3.org/2000/svg",
        width=WIDTH,
        height=HEIGHT,
        font_family="sans-serif",
    )


def _placed(board: BoardDrawing) -> Element:
    """Return the board, centred and as large as its area allows."""
    layout = board.layout
    left, top, width, height = BOARD
    scale = min(width / (layout.width + 2 * EDGE), height / (layout.height + 2 * EDGE))
    x = left + (width - layout.width * scale) / 2
    y = top + (height - layout.height * scale) / 2
    return node("g", *board.elements(), transform=f"translate({x:.4g} {y:.4g})scale({scale:.4g})")


def _words(picture: Picture, *, discs: bool) -> Iterator[Element]:
    """Yield the name of the game, its status, and the value if it is shown."""
    size, lines = _lines(game_name(picture.position.game))
    value = 0 if picture.value is None else GAP + BAR + SMALL * 3 // 2
    top = MIDDLE - (len(lines) * size * 9 // 8 + GAP + MARK + value) // 2
    for line in lines:
        top += size * 9 // 8
        yield text("text", line, class_="ink", x=LEFT, y=top - size // 4, font_size=size, font_weight=600)
    top += GAP
    yield from _standing(picture, top)
    if picture.value is not None:
        top += MARK + GAP
        yield node("g", *bar(picture.value, 0, ROOM, discs=discs), transform=f"translate({LEFT} {top})")
        below = top + BAR + SMALL * 3 // 2
        yield text("text", picture.value.words, class_="quiet", x=LEFT, y=below, font_size=SMALL)


def _lines(name: str) -> tuple[int, list[str]]:
    """Return the size and the lines of a name: the largest size at which it fits into few lines, else the smallest."""
    tries = [(size, letters, _wrapped(name, letters)) for size, letters in NAMES]
    fitting = ((size, lines) for size, letters, lines in tries if _fits(lines, letters))
    return next(fitting, (tries[-1][0], tries[-1][2]))


def _fits(lines: list[str], letters: int) -> bool:
    return len(lines) <= MOST_LINES and max(map(len, lines)) <= letters


def _wrapped(name: str, letters: int) -> list[str]:
    return wrap(name, letters, break_long_words=False, break_on_hyphens=False)


def _standing(picture: Picture, top: int) -> Iterator[Element]:
    """Yield the status of the game in words, beside the mark of the player to move or of the winner, if any."""
    position, left = picture.position, LEFT
    player = position.winner or position.player
    if position.status != "drawn" and player in PLAYERS:
        place = f"translate({LEFT - MARK // 10} {top})scale({MARK / CELL:.4g})"
        yield node("use", href=f"#{player}", transform=place)
        left += MARK + MARK // 10
    middle = top + MARK // 2 + STANDING * 3 // 8
    yield text("text", standing(position), class_="ink", x=left, y=middle, font_size=STANDING)


def _service() -> Iterator[Element]:
    """Yield the name of the service with its icon."""
    size = 44
    ring = node("circle", cx=16, cy=16, r=8.5, fill="none", stroke="#f0a04b", stroke_width=3.5)
    cross = node(
        "path", d="M12.8 12.8l6.4 6.4m0-6.4l-6.4 6.4", stroke="#9cc4f5", stroke_width=3, stroke_linecap="round"
    )
    ground = node("rect", width=32, height=32, rx=7, fill="#24364b")
    place = f"translate({LEFT} {BOTTOM - size})scale({size / 32:.4g})"
    yield node("g", ground, ring, cross, transform=place)
    yield text("text", SERVICE, class_="quiet", x=LEFT + size + 16, y=BOTTOM - 11, font_size=SMALL, font_weight=600)
