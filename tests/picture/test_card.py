"""Cards of links: everything that they say, within their edges."""

from dataclasses import replace
from functools import cache
from itertools import pairwise
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from PIL import ImageFont

from service.games.inline import grid_by_rules
from service.picture.card import HEIGHT, LEFT, SERVICE, WIDTH, card
from service.picture.colours import LIGHT, RULES
from service.picture.layout import lay_out
from service.picture.picture import Picture
from service.picture.png import FONTS
from service.picture.words import game_name, standing
from tests.picture.test_picture import ALL, HARMLESS, PREFIX, SVG, initial, pictures
from tests.worlds import read_position

EDGE = 24
"""What stays free at the right of a card."""

LONG_NAMES = [
    grid_by_rules(rows=8, columns=8, in_a_row=8, layers=1, misere=True, gravity=True, wrap=False),
    grid_by_rules(rows=4, columns=4, layers=4, in_a_row=4, misere=True, gravity=False, wrap=False),
    grid_by_rules(rows=3, columns=21, in_a_row=3, layers=1, misere=True, gravity=False, wrap="moebius"),
]


def parsed(picture: Picture) -> ET.Element:
    return ET.fromstring(PREFIX.sub("", card(picture).decode()))


@cache
def font(weight: str, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(FONTS / f"inter-{weight}.ttf", size)


@given(pictures(), st.integers(64, 2048))
@hypothesis_settings(deadline=None)
def test_a_card_says_what_the_picture_says_and_loads_nothing(picture: Picture, size: int) -> None:
    root = parsed(picture)
    said = [element.text or "" for element in root.findall(f"{SVG}text")]
    value = [] if picture.value is None else [picture.value.words]
    assert " ".join(said) == " ".join([game_name(picture.position.game), standing(picture.position), *value, SERVICE])
    assert {element.tag.removeprefix(SVG) for element in root.iter()} <= HARMLESS
    assert {element.attrib["class"] for element in root.iter() if "class" in element.attrib} <= set(RULES)
    assert (root.attrib["width"], root.attrib["height"]) == (str(WIDTH), str(HEIGHT)) == ("1200", "630")
    auto = card(replace(picture, theme="auto", size=size))
    assert auto == card(replace(picture, theme="light"))
    assert LIGHT["ground"].encode() in auto
    assert LIGHT["ground"].encode() not in card(replace(picture, theme="dark"))


def test_the_board_and_all_words_fit_beside_each_other() -> None:
    for game in [*ALL, *LONG_NAMES]:
        root = parsed(Picture(initial(game)))
        texts = root.findall(f"{SVG}text")
        for element in texts:
            drawn = font(element.attrib.get("font-weight", "400"), int(element.attrib["font-size"]))
            right = int(element.attrib["x"]) + drawn.getlength(element.text or "")
            assert LEFT <= int(element.attrib["x"]) < right <= WIDTH - EDGE, game.name
        for upper, lower in pairwise(texts):
            assert int(lower.attrib["y"]) - int(upper.attrib["y"]) > int(lower.attrib["font-size"]), game.name
        assert int(texts[0].attrib["y"]) > int(texts[0].attrib["font-size"])
        board = root.find(f"{SVG}g[@transform]")
        assert board is not None
        left, top, scale = place_of_board(board)
        layout = lay_out(game)
        assert EDGE < left < left + layout.width * scale < LEFT - EDGE, game.name
        assert EDGE < top < top + layout.height * scale < HEIGHT - EDGE, game.name


def test_the_fonts_have_every_letter_that_cards_need() -> None:
    needed = {letter for game in [*LONG_NAMES, *ALL] for letter in game_name(game)}
    needed |= {*"Draw with best play", *"Estimate for X: +-0123456789", *"abcdefghijklmnopqrstuvwxyz", *SERVICE}
    for weight in ("400", "600"):
        missing = bytes(font(weight, 40).getmask("\u4e00"))
        assert [letter for letter in sorted(needed - {" "}) if bytes(font(weight, 40).getmask(letter)) == missing] == []


@pytest.mark.parametrize(
    ("board", "mark"), [("X.. ... ...", "#O"), ("XXX OO. ...", "#X"), ("XXO OOX XOX", None), ("XX. OOO X..", "#O")]
)
def test_the_mark_beside_the_words_is_that_of_the_player_to_move_or_of_the_winner(board: str, mark: str | None) -> None:
    position = read_position(board)
    marks = [use.attrib["href"] for use in parsed(Picture(position)).findall(f"{SVG}use")]
    assert marks == ([] if mark is None else [mark])


def place_of_board(board: ET.Element) -> tuple[float, float, float]:
    """The left and the top of the board, and its scale."""
    moved, scale = board.attrib["transform"].removeprefix("translate(").removesuffix(")").split(")scale(")
    x, y = map(float, moved.split())
    return x, y, float(scale)
