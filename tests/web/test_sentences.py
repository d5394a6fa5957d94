"""The sentences above the board: whole on every phone, in both languages."""

import pytest
from playwright.sync_api import expect

from tests.support import some
from tests.web.page import Visit, at_sizes, settled

pytestmark = pytest.mark.verify

PHONES = some([(320, 640), (844, 390), (390, 844)], 2)

CUT = """() => [...document.querySelectorAll("#status, #story")]
  .filter(node => node.scrollHeight > node.clientHeight || node.scrollWidth > node.clientWidth)
  .map(node => node.textContent)"""
"""JavaScript for the sentences of which a part is not seen."""

LINES = """node => Math.round(node.clientHeight / parseFloat(getComputedStyle(node).lineHeight))"""
"""JavaScript for the lines of a sentence."""


@pytest.mark.parametrize(
    ("language", "query", "thinking"),
    [
        ("en", "game=three-mens-morris&moves=0", "the oracle is thinking"),
        ("de", "game=connect-four&drops=444", "Das Orakel denkt"),
    ],
)
def test_sentences_are_seen_whole_and_the_thinking_of_the_oracle_in_one_line(
    visit: Visit, language: str, query: str, thinking: str
) -> None:
    page = visit(f"?lang={language}&{query}&you=X&hints=values,line&skill=30&seed=1", size=PHONES[0])
    expect(page.locator("#story")).not_to_be_empty()
    settled(page)
    for width, _ in at_sizes(page, PHONES):
        assert page.evaluate(CUT) == [], width
    page.route("**/best-move", lambda _: None)
    page.goto(f"{page.url.partition('?')[0]}?lang={language}&game=wild-tic-tac-toe&you=O")
    expect(page.locator("#status")).to_contain_text(thinking)
    for width, _ in at_sizes(page, PHONES):
        assert page.locator("#status").evaluate(LINES) == 1, width
        assert page.evaluate(CUT) == [], width
