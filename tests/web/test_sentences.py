"""The sentences above the board: whole on every phone, in both languages."""

import pytest
from playwright.sync_api import expect

from tests.web.page import Visit, settled

pytestmark = pytest.mark.verify

PHONES = pytest.mark.parametrize("size", [(390, 844), (320, 640), (844, 390)], ids=str)
LANGUAGES = pytest.mark.parametrize("language", ["en", "de"])

CUT = """() => [...document.querySelectorAll("#status, #story")]
  .filter(node => node.scrollHeight > node.clientHeight || node.scrollWidth > node.clientWidth)
  .map(node => node.textContent)"""
"""JavaScript for the sentences of which a part is not seen."""

LINES = """node => Math.round(node.clientHeight / parseFloat(getComputedStyle(node).lineHeight))"""
"""JavaScript for the lines of a sentence."""

LONGEST = (
    "Second played b2 to a2. Moves the piece on b2 to a2: loses in 32 plies against best play; no move holds out "
    "longer. Nicht bewiesen, mindestens Remis, Schätzung +0,24; kein Zug hält länger stand."
)


@PHONES
@LANGUAGES
@pytest.mark.parametrize("query", ["game=connect-four&drops=444", "game=three-mens-morris&moves=0"])
def test_what_the_oracle_says_of_its_move_is_seen_whole(
    visit: Visit, size: tuple[int, int], language: str, query: str
) -> None:
    page = visit(f"?lang={language}&{query}&you=X&hints=values,line&skill=30&seed=1", size=size)
    expect(page.locator("#story")).not_to_be_empty()
    settled(page)
    assert page.evaluate(CUT) == []
    page.locator("#story").evaluate("(story, text) => { story.textContent = text; }", LONGEST)
    assert page.locator("#story").evaluate(LINES) > 1
    assert page.evaluate(CUT) == []


@PHONES
@LANGUAGES
@pytest.mark.parametrize("game", ["connect-four", "wild-tic-tac-toe"])
def test_the_thinking_of_the_oracle_is_told_in_one_line(
    visit: Visit, size: tuple[int, int], language: str, game: str
) -> None:
    page = visit("?you=both", size=size)
    page.route("**/best-move", lambda _: None)
    page.goto(f"{page.url.partition('?')[0]}?lang={language}&game={game}&you=O")
    expect(page.locator("#status")).to_contain_text(
        {"en": "the oracle is thinking", "de": "Das Orakel denkt"}[language]
    )
    assert page.locator("#status").evaluate(LINES) == 1
    assert page.evaluate(CUT) == []
