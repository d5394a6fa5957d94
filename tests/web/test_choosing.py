"""Choosing what to play: the catalogue, own rules, a position that is set up, a level, puzzles, colours."""

import pytest
from playwright.sync_api import expect

from service.games.catalogue import CATALOGUE
from tests.web.page import PHONE, Visit, answer, barriers, box, choose, fresh, marks, more, play, settled, shows


def test_the_first_visit_is_a_game_that_can_be_won(visit: Visit) -> None:
    page = visit("?fbclid=abc")
    expect(page.get_by_label("Casual")).to_be_checked()
    fresh(page, level="Expert")
    assert "skill=90" in page.url


@pytest.mark.verify
def test_the_catalogue_shows_every_game_with_its_rules_and_what_best_play_gives_and_is_searched(visit: Visit) -> None:
    page = visit("?you=both", size=PHONE)
    page.locator("#game").click()
    tiles = page.locator("#catalogue .tile")
    expect(tiles).to_have_count(len(CATALOGUE))
    assert {tile.get_attribute("data-game") for tile in tiles.all()} == set(CATALOGUE)
    value = page.locator("#catalogue .tile[data-game=connect-four] .tile-value")
    expect(value).to_have_text("The first player wins in 21 moves.")
    for tile in ("tapatan", "achi", "three-mens-morris"):
        expect(page.locator(f"#catalogue .tile[data-game={tile}] .tile-rules")).not_to_be_empty()
    looks = {page.locator(f"#catalogue .tile[data-game={name}]").inner_html() for name in CATALOGUE}
    assert len(looks) == len(CATALOGUE)
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE[0]
    assert barriers(page) == []
    page.get_by_label("Search games").fill("four gravity")
    expect(page.locator("#catalogue .tile:visible")).to_have_count(0)
    page.get_by_label("Search games").fill("CONNECT four")
    expect(page.locator("#catalogue .tile:visible").first).to_have_attribute("data-game", "connect-four")
    expect(page.locator("#catalogue .tile:visible")).to_have_count(7)


def test_a_game_is_not_thrown_away_without_a_question(visit: Visit) -> None:
    page = visit("?you=both")
    play(page, 4, 0)
    page.locator("#game").click()
    page.locator("#catalogue .tile[data-game=connect-four]").click()
    answer(page, "Keep playing")
    assert marks(page) == "O...X...."
    choose(page, "connect-four")
    assert marks(page) == "." * 42


def test_a_position_is_set_up_and_an_impossible_one_explained_in_its_place(visit: Visit, complaints: list[str]) -> None:
    page = visit("?you=both", size=PHONE)
    more(page)
    page.get_by_role("button", name="Set up a position").click()
    squares = page.locator("#editor .cell")
    for cell in (0, 1, 2):
        squares.nth(cell).click()
    place = box(page.locator("#editor"))
    page.get_by_role("button", name="Use this position").click()
    expect(page.locator("#editor .fault")).to_contain_text("X has 3 marks and O has 0")
    assert box(page.locator("#editor")) == place
    squares.nth(1).click()
    squares.nth(2).click()
    squares.nth(2).click()
    page.get_by_role("button", name="Use this position").click()
    expect(page.locator("#editor")).to_be_hidden()
    shows(page, "XO.......")  # what shows an analysis is fetched first
    play(settled(page), 4)
    assert "board=XO.......&player=X&moves=4" in page.url
    complaints.clear()


@pytest.mark.parametrize(
    ("game", "pressed", "link"),
    [
        ("pop-out-4x4", [0, 12, 0], "board=........X...O...&player=X"),  # marks fall
        ("vanishing-tic-tac-toe", [8, 0, 4, 4], "board=X8-0/O4&player=O"),  # the order counts
        ("notakto-2", [13], "board=........./....X....&player=second"),
    ],
)
def test_a_position_of_a_family_is_set_up_on_its_board(visit: Visit, game: str, pressed: list[int], link: str) -> None:
    page = visit(f"?game={game}&you=both")
    more(page)
    page.get_by_role("button", name="Set up a position").click()
    for cell in pressed:
        page.locator("#editor .cell").nth(cell).click()
    page.get_by_role("button", name="Use this position").click()
    expect(page.locator("#editor")).to_be_hidden()
    page.wait_for_url(lambda url: link in url)
    settled(page).reload()
    assert link in settled(page).url


def test_sides_are_swapped_in_a_game_and_after_it_and_not_where_nobody_plays_the_oracle(visit: Visit) -> None:
    page = visit("?skill=100")
    page.get_by_role("button", name="Swap sides").click()
    assert marks(settled(page)).count("X") == 1
    expect(page.get_by_label("O, second")).to_be_checked()
    over = visit("?moves=0,3,1,4,2&skill=100&you=X")
    over.get_by_role("button", name="Swap sides").click()
    assert marks(settled(over)).count("X") == 1
    alone = visit("?you=none&moves=4,0&ply=1")
    expect(alone.get_by_role("button", name="Swap sides")).to_have_attribute("aria-disabled", "true")


def test_colours_are_chosen_and_remembered(visit: Visit) -> None:
    page = visit("?you=both")
    light = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Dark").check()
    page.get_by_role("button", name="Done").click()
    page.reload()
    expect(page.locator("body")).not_to_have_css("background-color", light)
