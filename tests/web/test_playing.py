"""Games played to their ends, against the oracle, another person or by the oracle alone."""

import re

from playwright.sync_api import expect

from tests.web.page import Visit, cells, marks, play


def test_a_game_of_two_people_is_won_and_its_line_is_drawn(visit: Visit) -> None:
    page = visit("?you=both")
    play(page, 0, 3, 1, 4, 2)
    expect(page.locator("#status")).to_have_text("X has won")
    expect(page.locator("#story")).to_have_text("X has completed a1, b1, c1.")
    expect(page.locator(".won")).to_have_count(3)
    expect(page.locator(".won-line")).to_have_attribute("d", "M0.5 0.5L1.5 0.5M1.5 0.5L2.5 0.5")
    cells(page).nth(8).click(force=True)
    assert marks(page) == "XXXOO...."


def test_a_weak_oracle_plays_itself_and_repeats_its_moves_with_the_seed_of_the_link(visit: Visit) -> None:
    first, second = (visit("?you=none&skill=0&seed=7") for _ in range(2))
    for page in (first, second):
        expect(page.locator("#status")).to_have_text(re.compile("draw|won"))
    assert first.url == second.url
    assert "moves=" in first.url
