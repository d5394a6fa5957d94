"""Images: what they show at each cell, and how many are drawn at once."""

import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from xml.etree import ElementTree as ET

import pytest
from PIL import Image, ImageColor

from service.engine.work.slots import Overloaded, SearchSlots
from service.games.catalogue import CONNECT_FOUR, LINE_GAMES, QUBIC, WRAPPED_TIC_TAC_TOE
from service.games.families.lines import LineGame, LinePosition, line_position, position_after
from service.picture import png
from service.picture.card import card
from service.picture.colours import LIGHT
from service.picture.layout import CELL, lay_out
from service.picture.picture import Picture
from service.picture.png import CAPACITY, PictureImages, draw
from tests.engine.slots import Counts, taken
from tests.picture.test_card import place_of_board
from tests.picture.test_picture import SVG, initial
from tests.support import HUNG_SECONDS, wait_until


def opened(image: bytes) -> Image.Image:
    return Image.open(BytesIO(image)).convert("RGB")


def shown(position: LinePosition) -> str:
    """Return the marks that the image of a card shows, each by its colour in the middle of a cell."""
    svg = card(Picture(position))
    board = ET.fromstring(svg).find(f"{SVG}g[@transform]")
    assert board is not None
    left, top, scale = place_of_board(board)
    image, layout = opened(draw(svg)), lay_out(position.game)
    kinds = ("red", "yellow") if position.game.has_columns else ("x", "o")
    marks = {ImageColor.getrgb(LIGHT[kind]): mark for kind, mark in zip(kinds, "XO", strict=True)}

    def seen(cell: int) -> str:
        x, y = layout.corner(cell)
        near, far = 0.15 * CELL, 0.85 * CELL  # the middle, which holds no line of the grid
        sides = left + scale * (x + near), top + scale * (y + near), left + scale * (x + far), top + scale * (y + far)
        found = {marks[colour] for _, colour in image.crop(sides).getcolors(1 << 16) or () if colour in marks}
        return "".join(found) or "."

    return "".join(map(seen, range(position.game.cells)))


@pytest.mark.parametrize("game", [LINE_GAMES["tic-tac-toe"], CONNECT_FOUR, QUBIC], ids=lambda game: game.id)
def test_an_image_shows_every_mark_in_its_cell(game: LineGame) -> None:
    last = game.cells - 1
    position = position_after(game, [last, last - 1, last - 2])
    assert shown(position) == str(position)


def test_an_image_has_the_size_of_its_document_no_part_that_shines_through_and_words() -> None:
    """In a font of the package: there may be none on the machine."""
    document = card(Picture(initial(WRAPPED_TIC_TAC_TOE)))
    drawn = draw(document)
    image, other = opened(drawn), opened(draw(document.replace(b">Wrapped<", b"><")))
    assert (Image.open(BytesIO(drawn)).format, image.size) == ("PNG", (1200, 630))
    assert Image.open(BytesIO(drawn)).convert("RGBA").getchannel("A").getextrema() == (255, 255)
    left, right = (0, 0, 684, 630), (684, 0, 1200, 630)
    assert image.crop(right) != other.crop(right)
    assert image.crop(left) == other.crop(left)


def numbered(number: int) -> Picture:
    """One of many pictures."""
    return Picture(line_position(QUBIC, number, 0, "X"))


class Drawing:
    """Drawing without a process, which goes on until it is let go."""

    def __init__(self) -> None:
        self.begun: list[bytes] = []
        self.go = threading.Event()

    def __call__(self, svg: bytes) -> bytes:
        self.begun.append(svg)
        number = len(self.begun)
        assert self.go.wait(HUNG_SECONDS)
        return b"image %d" % number


@pytest.fixture
def drawing(monkeypatch: pytest.MonkeyPatch) -> Iterator[Drawing]:
    drawing = Drawing()
    monkeypatch.setattr(png, "draw", drawing)
    yield drawing
    drawing.go.set()


def test_an_image_is_drawn_once_and_kept_while_there_is_room(drawing: Drawing) -> None:
    drawing.go.set()
    images = PictureImages(None)
    for number in range(CAPACITY):
        images.image(numbered(number))
    assert images.image(numbered(0)) == b"image 1"
    for number in range(CAPACITY):
        images.image(numbered(CAPACITY + number))
    assert images.image(numbered(0)) == b"image %d" % (2 * CAPACITY + 1)


def test_images_take_the_slots_and_the_queue_of_all_work_and_one_that_several_wait_for_is_drawn_once(
    drawing: Drawing,
) -> None:
    counts = Counts()
    images = PictureImages(SearchSlots(1, 2, 6, counts.tallies))
    with ThreadPoolExecutor(8) as clients:
        asked = [clients.submit(images.image, numbered(0)) for _ in range(8)]
        wait_until(lambda: sum(image.done() for image in asked) == 5 and drawing.begun)
        assert counts.now == (1, 2, 5)
        refused = [image for image in asked if image.done()]
        drawing.go.set()
        for image in refused:
            with pytest.raises(Overloaded):
                image.result()
        assert [image.result() for image in asked if image not in refused] == [b"image 1"] * 3
    assert drawing.begun == [card(numbered(0))]
    assert counts.now == (0, 0, 5)


def test_no_image_is_drawn_where_work_has_all_slots_or_its_client_has_left_the_queue(drawing: Drawing) -> None:
    for slots, has_left in ((SearchSlots(1, 0, 1), False), (SearchSlots(1, 1, 2), True)):
        with taken(slots), pytest.raises(Overloaded):
            PictureImages(slots).image(numbered(0), lambda has_left=has_left: has_left)  # type: ignore[misc]
    assert drawing.begun == []


def test_an_image_that_has_got_its_slot_is_drawn_though_its_client_has_left(drawing: Drawing) -> None:
    drawing.go.set()
    assert PictureImages(SearchSlots(1, 0, 1)).image(numbered(0), lambda: True) == b"image 1"


@pytest.mark.skipif(sys.platform != "linux", reason="threads have no priority of their own")
def test_an_image_is_drawn_at_low_priority(monkeypatch: pytest.MonkeyPatch) -> None:
    ask = "import os; print(os.nice(0))"
    monkeypatch.setattr(png, "_command", lambda: (sys.executable, "-c", ask))
    assert int(PictureImages(SearchSlots(1, 0, 1)).image(numbered(0))) >= 10


@pytest.mark.parametrize(
    "command",
    [
        ("/nowhere/python",),
        (sys.executable, "-c", "import os, signal; os.kill(os.getpid(), signal.SIGKILL)"),
        (sys.executable, "-c", "import sys, threading; sys.stdin.read(); threading.Event().wait()"),
    ],
    ids=["not started", "killed", "hanging"],
)
def test_a_machine_that_has_no_room_to_draw_is_overloaded(
    monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    monkeypatch.setattr(png, "_command", lambda: command)
    monkeypatch.setattr(png, "DRAW_SECONDS", 0.5)
    with pytest.raises(Overloaded):
        draw(b"<svg/>")


def test_a_document_that_cannot_be_drawn_is_a_fault_that_tells_why() -> None:
    with pytest.raises(RuntimeError, match="ValueError"):
        draw(b"<svg")
