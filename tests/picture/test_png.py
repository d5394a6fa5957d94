"""Images: what they show at each cell, and how many are drawn at once."""

import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from PIL import Image

from service.engine.work.slots import Overloaded, SearchSlots
from service.games.catalogue import LINE_GAMES, QUBIC, WRAPPED_TIC_TAC_TOE
from service.games.families.lines import LineGame, LinePosition, line_position
from service.games.inline import grid_by_rules
from service.picture import png
from service.picture.card import card
from service.picture.colours import DARK, LIGHT, Palette, Theme
from service.picture.layout import CELL, lay_out
from service.picture.picture import Picture
from service.picture.png import CAPACITY, CardImages, draw
from tests.engine.slots import Counts, taken
from tests.picture.test_card import place_of_board
from tests.picture.test_picture import SVG
from tests.support import HUNG_SECONDS, wait_until

GAMES = [
    *(LINE_GAMES[name] for name in ("tic-tac-toe", "connect-four", "qubic", "wrapped-tic-tac-toe-4x4")),
    grid_by_rules(rows=3, columns=9, in_a_row=3, layers=1, gravity=False, misere=True, wrap="moebius"),
]

NEAR = 40
"""How far each part of a colour may be off at the edge of a mark."""


def opened(image: bytes) -> Image.Image:
    return Image.open(BytesIO(image)).convert("RGB")


def near(pixel: Any, colour: str) -> bool:
    parts = [int(colour[place : place + 2], 16) for place in (1, 3, 5)]
    return all(abs(part - wanted) < NEAR for part, wanted in zip(pixel, parts, strict=True))


def seen(position: LinePosition, theme: Theme) -> str:
    """What each cell of the image of a card shows: by the colours of its middle, which hold no line of the grid."""
    svg = card(Picture(position, theme=theme))
    board = ET.fromstring(svg).find(f"{SVG}g[@transform]")
    assert board is not None
    left, top, scale = place_of_board(board)
    image, layout = opened(draw(svg)), lay_out(position.game)
    palette = DARK if theme == "dark" else LIGHT
    kinds = ("red", "yellow") if position.game.has_columns else ("x", "o")

    def shows(cell: int) -> str:
        x, y = layout.corner(cell)
        box = (
            round(left + (x + 0.15 * CELL) * scale),
            round(top + (y + 0.15 * CELL) * scale),
            round(left + (x + 0.85 * CELL) * scale),
            round(top + (y + 0.85 * CELL) * scale),
        )
        return _mark(image.crop(box), palette, kinds)

    return "".join(shows(cell) for cell in range(position.game.cells))


def _mark(cell: Image.Image, palette: Palette, kinds: tuple[str, str]) -> str:
    colours = cell.getcolors(cell.width * cell.height) or []
    for player, kind in zip("XO", kinds, strict=True):
        found = sum(count for count, pixel in colours if near(pixel, palette[kind]))
        if found > 0.05 * cell.width * cell.height:
            return player
    return "."


def played(game: LineGame, plies: int) -> LinePosition:
    position = line_position(game, 0, 0, "X")
    for ply in range(plies):
        position = position.play(position.legal_moves[ply * 5 % len(position.legal_moves)])
    return position


@pytest.mark.parametrize("game", GAMES, ids=lambda game: f"{game.id}-{game.cells}")
def test_an_image_shows_every_mark_in_its_cell(game: LineGame) -> None:
    position = played(game, 5)
    assert seen(position, "dark" if game.has_columns else "light") == str(position)


def test_an_image_has_the_size_of_its_document_and_no_part_that_shines_through() -> None:
    image = Image.open(BytesIO(draw(card(Picture(line_position(WRAPPED_TIC_TAC_TOE, 0, 0, "X"))))))
    assert (image.format, image.size) == ("PNG", (1200, 630))
    assert image.convert("RGBA").getchannel("A").getextrema() == (255, 255)


def test_words_are_drawn() -> None:
    """In a font of the package: there may be none on the machine."""
    with_words = card(Picture(line_position(WRAPPED_TIC_TAC_TOE, 0, 0, "X")))
    without = with_words.replace(b">Wrapped<", b"><")
    image, other = opened(draw(with_words)), opened(draw(without))
    right = (684, 0, 1200, 630)
    assert image.crop(right) != other.crop(right)
    left = (0, 0, 684, 630)
    assert image.crop(left) == other.crop(left)


def numbered(number: int) -> Picture:
    """One of many pictures."""
    return Picture(line_position(QUBIC, number, 0, "X"))


@pytest.fixture
def drawing(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """What is drawn, without a process."""
    drawn: list[bytes] = []

    def draw_quickly(svg: bytes) -> bytes:
        drawn.append(svg)
        return b"image %d" % len(drawn)

    monkeypatch.setattr(png, "draw", draw_quickly)
    return drawn


def test_an_image_is_drawn_once_and_kept_while_there_is_room(drawing: list[bytes]) -> None:
    images = CardImages(None)
    assert [images.card(numbered(0)), images.card(numbered(0))] == [b"image 1"] * 2
    for number in range(1, CAPACITY):
        images.card(numbered(number))
    assert images.card(numbered(0)) == b"image 1"
    for number in range(CAPACITY):
        images.card(numbered(CAPACITY + number))
    assert images.card(numbered(0)) == b"image %d" % (2 * CAPACITY + 1)
    assert len(drawing) == 2 * CAPACITY + 1


class Held:
    """Drawing that goes on until it is let go."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.begun: list[bytes] = []
        self.go = threading.Event()
        monkeypatch.setattr(png, "draw", self._draw)

    def _draw(self, svg: bytes) -> bytes:
        self.begun.append(svg)
        assert self.go.wait(HUNG_SECONDS)
        return b"image"


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Iterator[Held]:
    held = Held(monkeypatch)
    yield held
    held.go.set()


def test_those_that_wait_for_the_same_image_get_it_drawn_once(held: Held) -> None:
    images = CardImages(SearchSlots(1, 3, 4))
    with ThreadPoolExecutor(4) as clients:
        asked = [clients.submit(images.card, numbered(0)) for _ in range(4)]
        wait_until(lambda: held.begun)
        held.go.set()
        assert [image.result() for image in asked] == [b"image"] * 4
    assert held.begun == [card(numbered(0))]


def test_images_take_the_slots_and_the_queue_of_all_work(held: Held) -> None:
    counts = Counts()
    slots = SearchSlots(1, 2, 6, counts.tallies)
    images = CardImages(slots)
    with ThreadPoolExecutor(8) as clients:
        asked = [clients.submit(images.card, numbered(number)) for number in range(8)]
        wait_until(lambda: sum(image.done() for image in asked) == 5 and held.begun)
        assert counts.now == (1, 2, 5)
        assert len(held.begun) == 1
        refused = [image for image in asked if image.done()]
        held.go.set()
        for image in refused:
            with pytest.raises(Overloaded):
                image.result()
        assert len([image.result() for image in asked if image not in refused]) == 3
    assert counts.now == (0, 0, 5)


def test_no_image_is_drawn_where_work_has_all_slots_or_its_client_has_left_the_queue(drawing: list[bytes]) -> None:
    slots = SearchSlots(1, 0, 1)
    images = CardImages(slots)
    with taken(slots), pytest.raises(Overloaded):
        images.card(numbered(0))
    waiting = SearchSlots(1, 1, 2)
    with taken(waiting), pytest.raises(Overloaded):
        CardImages(waiting).card(numbered(0), lambda: True)
    assert drawing == []
    assert images.card(numbered(0))


@pytest.mark.skipif(sys.platform != "linux", reason="threads have no priority of their own")
def test_an_image_is_drawn_at_low_priority(monkeypatch: pytest.MonkeyPatch) -> None:
    ask = "import os; print(os.nice(0))"
    monkeypatch.setattr(png, "_command", lambda: (sys.executable, "-c", ask))
    assert int(CardImages(SearchSlots(1, 0, 1)).card(numbered(0))) >= 10


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
