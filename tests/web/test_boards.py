"""Boards of every size and kind, on wide screens and narrow phones."""

import re

import pytest
from playwright.sync_api import Locator, expect

from service.games.catalogue import CATALOGUE, LINE_GAMES, STATE_GAMES
from service.games.position import Position
from tests.support import some
from tests.web.page import PHONE, Visit, at_sizes, barriers, bottom, box, cells, choose, play, press

pytestmark = pytest.mark.verify


def test_a_board_of_layers_is_walked_and_played_through(visit: Visit) -> None:
    page = visit("?game=qubic&you=both")
    expect(page.get_by_role("grid")).to_have_count(4)
    play(page, 21)
    cells(page).nth(21).focus()
    press(page, "PageDown", "ArrowRight", "ArrowRight", "ArrowRight", "Enter")
    assert "moves=21,52" in page.url
    expect(cells(page).nth(52)).to_have_attribute("aria-label", "4:a2, O")


def test_boards_of_every_game_fit_a_phone_without_a_barrier(visit: Visit) -> None:
    page = visit("?you=both", size=PHONE)
    for name in [*some(LINE_GAMES, 6), *some(STATE_GAMES, 4)]:
        game = CATALOGUE[name]
        choose(page, name)
        expect(cells(page)).to_have_count(game.cells)
        move = str(game.move_name(Position(game).legal_moves[game.columns // 2]))
        play(page, *map(int, move.split(">") if ">" in move else [game.columns // 2]))
        expect(page.locator("#sheet li")).to_have_count(1)
        assert page.evaluate("document.documentElement.scrollWidth") == PHONE[0], name
        assert name in LINE_GAMES or barriers(page) == [], name


@pytest.mark.parametrize(("motion", "animation"), [("no-preference", "fall"), ("reduce", "none")])
def test_marks_fall_visibly_unless_one_prefers_less_motion(visit: Visit, motion: str, animation: str) -> None:
    page = visit("?game=connect-four&you=both", reduced_motion=motion)
    play(page, 3)
    expect(cells(page).nth(38).locator(".mark-X")).to_have_css("animation-name", animation)


SIZES = some([(320, 640), (1440, 900), PHONE, (360, 740), (844, 390)], 2)

SPILLING = "nodes => nodes.filter(node => node.scrollWidth > node.clientWidth).map(node => node.textContent)"
"""JavaScript for the texts that are wider than their places."""


def middle(place: Locator) -> tuple[float, float]:
    x, y, width, height = box(place)
    return x + width / 2, y + height / 2


@pytest.mark.parametrize(
    "query",
    [
        "?game=connect-four&you=both&drops=4444435326625533&hints=values,line",
        "?rows=4&columns=6&in_a_row=4&gravity=true&wrap=true&drops=3434&you=both&hints=values",
    ],
)
def test_the_values_of_a_board_stand_above_their_columns(visit: Visit, query: str) -> None:
    page = visit(query, size=SIZES[0])
    for width, _ in at_sizes(page, SIZES):
        assert page.evaluate("document.documentElement.scrollWidth") == width
        for column in range(page.locator(".score").count()):
            shown = (page.locator(".score"), cells(page), page.locator(".column-names span"))
            above, cell, below = (middle(nodes.nth(column))[0] for nodes in shown)
            assert above == pytest.approx(cell, abs=2) == below
    if "wrap" in query:
        expect(page.locator(".echo .disc")).to_have_count(2)
        assert box(page.locator(".echo .disc").first)[1] < box(page.locator(".squares"))[1]
        expect(page.locator(".squares")).to_have_css("overflow", "visible")


def test_labels_fit_their_places_and_points_in_no_rows_are_told_by_their_numbers(visit: Visit) -> None:
    page = visit("?game=picaria&moves=4,0&you=both&hints=values,line", size=SIZES[0])
    expect(page.locator(".point-name")).to_have_text([str(point) for point in range(13)])
    expect(page.locator("#sheet .name")).to_have_text(["4", "0"])
    expect(cells(page).nth(12)).to_have_attribute("aria-label", re.compile("^12, empty"))
    for size in at_sizes(page, SIZES):
        assert page.locator(".tint, .tools button").evaluate_all(SPILLING) == [], size
    sideways = visit("?game=connect-four&you=both&hints=values", size=(844, 390))
    assert bottom(sideways.locator(".column-names")) <= 390


MISSED = """() => {
  const { left, top } = document.querySelector("#board").getBoundingClientRect();
  const drawn = document.querySelector(".space .won-line").getAttribute("d").slice(1).split("L");
  return [...document.querySelectorAll(".cell.won")].filter((cell, index) => {
    const box = cell.getBoundingClientRect();
    const [x, y] = drawn[index].split(" ").map(Number);
    return Math.hypot(box.left + box.width / 2 - left - x, box.top + box.height / 2 - top - y) > 2;
  }).length;
}"""
"""JavaScript for the number of cells that the line through the layers misses."""

TURNED = """() => document.querySelector("#board").getAnimations({ subtree: true })
  .every(({ transitionProperty }) => transitionProperty !== "transform")"""


def test_the_line_that_has_won_turns_with_the_layers(visit: Visit) -> None:
    page = visit("?game=qubic&you=both&moves=0,1,21,2,42,3,63", reduced_motion="no-preference")
    expect(page.locator(".cell.won")).to_have_count(4)
    page.get_by_role("button", name="Turn the board").click()
    page.wait_for_function(TURNED)
    page.wait_for_function(f"({MISSED})() === 0", timeout=5_000)
