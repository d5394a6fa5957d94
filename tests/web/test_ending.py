"""The end of a game, and what the next one remembers of it."""

import pytest
from playwright.sync_api import expect

from tests.web.page import PHONE, Visit, box, cells, fresh, marks, settled

pytestmark = pytest.mark.verify


@pytest.mark.parametrize("size", [PHONE, (844, 390), (1280, 720)], ids=str)
def test_the_card_of_the_end_leads_on_without_scrolling_and_covers_no_cell(visit: Visit, size: tuple[int, int]) -> None:
    page = visit("?moves=0,3,1,4&you=X&skill=100", size=size)
    cells(page).nth(2).click()
    card = page.locator("#ending")
    for told in ("You have won as X", "You 1, oracle 0, draws 0.", "Accuracy: X "):
        expect(card).to_contain_text(told)
    for name in ("Rematch", "Review", "Share"):
        expect(card.get_by_role("button", name=name)).to_be_in_viewport(ratio=1)
    x, y, width, height = box(card)
    for cell in cells(page).all():
        left, top, wide, high = box(cell)
        assert left + wide <= x + 1 or left >= x + width - 1 or top + high <= y + 1 or top >= y + height - 1
    card.get_by_role("button", name="Review").click()
    expect(page.locator("#review-now")).to_be_visible()
    expect(card).to_be_hidden()


def test_a_rematch_begins_at_once_as_the_game_before(visit: Visit) -> None:
    page = visit("?moves=0,3,1,4&you=X&skill=60")
    cells(page).nth(2).click()
    page.get_by_role("button", name="Rematch").click()
    assert marks(settled(page)) == "........."
    assert "skill=60" in page.url
    expect(page.locator("#ending")).to_be_hidden()


def test_side_and_level_are_those_of_the_visit_before(visit: Visit) -> None:
    fresh(visit(), side="O, second", level="Expert")
    page = visit()
    assert marks(page).count("X") == 1
    expect(page.get_by_label("O, second")).to_be_checked()
    expect(page.get_by_label("Expert")).to_be_checked()
