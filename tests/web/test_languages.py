"""The page in German, by the browser, by a link and by the settings; and back to English."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.support import Server, some
from tests.web.page import SHIFTS, Open, at_sizes, barriers, cells, more, settled

pytestmark = pytest.mark.verify

OVERFLOWING = """() => [...document.querySelectorAll("body :is(button, a, span, h1, h2, h3, label, p, li, summary)")]
  .filter(node => node.getClientRects().length && !node.closest(".unseen, .skip, .bar") && node.clientWidth > 0)
  .filter(node => node.scrollWidth > node.clientWidth + 1 && getComputedStyle(node).display !== "inline")
  .filter(node => getComputedStyle(node).clipPath === "none")
  .map(node => `${node.id || node.className}: ${node.textContent}`)
  .concat(document.documentElement.scrollWidth > innerWidth ? ["the page"] : [])"""
"""JavaScript for the elements whose text is wider than they are."""

ENGLISH = re.compile(r"\b(?:the|move|moves|wins|draws|loses|plies|ply|game|board|empty|column|row|Undo|Settings)\b")


@pytest.fixture
def speak(open_page: Open) -> Open:
    """Opens a page in a browser of a language: ``speak("/?moves=4", locale="de-AT", size=PHONE)``."""

    def opened(path: str = "/", *, locale: str = "de-DE", **options: object) -> Page:
        page = open_page(path, locale=locale, **options)
        cells(page).or_(page.locator("#root button")).first.wait_for()
        return page

    return opened


def said(page: Page) -> str:
    """Return all that the page says: what is seen, the names for screen readers, and the announcements."""
    labels: list[str] = page.locator("[aria-label]").evaluate_all("nodes => nodes.map(node => node.ariaLabel)")
    own: list[str] = page.locator("body").evaluate(
        """body => { const copy = body.cloneNode(true);
          for (const node of copy.querySelectorAll("[lang=en], noscript")) node.remove();
          return [...copy.querySelectorAll("*")].flatMap(node => [...node.childNodes])
            .filter(node => node.nodeType === Node.TEXT_NODE).map(node => node.data); }"""
    )
    return "\n".join([page.title(), *labels, *own])


def language(page: Page) -> str:
    return str(page.evaluate("document.documentElement.lang"))


def test_a_game_is_played_with_hints_and_reviewed_in_german(speak: Open) -> None:
    page = settled(speak("/?skill=0&seed=1"))
    assert language(page) == "de"
    expect(page.locator("#status")).to_have_text("Du bist am Zug: X")
    assert cells(page).nth(4).get_attribute("aria-label") == "b2, leer"
    cells(page).nth(4).click()
    expect(page.locator("#said")).to_contain_text("O hat ")
    settled(page)
    page.get_by_role("button", name="Tipps").click()
    settled(page)
    expect(page.locator("#analysis .headline")).to_contain_text(re.compile(r"X gewinnt in \d Z[uü]ge?n?|Remis"))
    assert re.search(r"^[abc]\d, leer, ([XO] gewinnt in|Remis)", said(page), re.MULTILINE)
    for _ in range(4):
        if page.locator("#advise").get_attribute("aria-disabled") == "true":
            break
        page.get_by_role("button", name="Orakel zieht").click()
        settled(page)
    expect(page.locator("#status")).to_have_text(re.compile("gewonnen|Remis"))
    page.locator("#review-button").click()
    expect(page.locator("#review-now")).to_contain_text("Halbzug")
    expect(page.locator("#said")).to_contain_text("Der Rückblick ist fertig.")
    assert ENGLISH.findall(said(page)) == []
    assert barriers(page) == []


def test_the_settings_change_the_language_of_all_that_is_shown(speak: Open) -> None:
    page = settled(speak("/?moves=0,4,1&hints=values&you=both"))
    expect(page.locator("#analysis .why").first).to_have_text(
        "Blockiert die obere Reihe. Der einzige Zug, der das Remis hält. Führt zum Remis."
    )
    page.locator("#review-button").click()
    expect(page.locator("#review-now")).to_contain_text("Halbzug 3")
    german = said(page)
    page.get_by_role("button", name="Optionen").click()
    page.get_by_role("radio", name="English").check()
    page.get_by_role("button", name="Done").click()
    expect(page.locator("#review-now")).to_contain_text("Ply 3")
    assert language(settled(page)) == "en"
    assert re.search(r"Züge|Halbz|leer|gewinnt|Partie", said(page).replace("Deutsch", "")) is None
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("radio", name="System").last.check()
    page.get_by_role("button", name="Fertig").click()
    expect(page.locator("#review-now")).to_contain_text("Halbzug 3")
    settled(page)
    assert {line for line in said(page).splitlines() if ENGLISH.search(line)} == set()
    assert {*german.splitlines()} - {*said(page).splitlines()} <= {"Der Rückblick ist fertig."}


@pytest.mark.parametrize(
    ("path", "locale", "told"),
    [
        ("/", "fr-FR", "en"),
        ("/?lang=tlh", "de-AT", "de"),
        ("/?lang=en", "de-DE", "en"),
        ("/?lang=%22%5D", "en-US", "en"),
    ],
)
def test_the_link_then_the_browser_choose_the_language(speak: Open, path: str, locale: str, told: str) -> None:
    page = settled(speak(path, locale=locale))
    cells(page).nth(0).click()
    assert (language(settled(page)), "lang=" in page.url) == (told, path.endswith(told))


@pytest.mark.parametrize("lost", ["**/texts_de.*", "**/main.*.js"])
def test_the_page_stays_english_without_its_other_texts_or_its_script(
    open_page: Open, server: Server, complaints: list[str], lost: str
) -> None:
    page = open_page("about:blank", locale="de-DE")
    page.route(lost, lambda route: route.abort())
    page.goto(server.url)
    expect(page.get_by_role("heading", name="Your move: X")).to_be_visible()
    assert language(page) == "en"
    complaints.clear()


def test_what_has_no_german_text_is_marked_as_english(speak: Open, complaints: list[str]) -> None:
    page = settled(speak())
    problem = {"title": "No", "detail": "Not so.", "status": 400}
    page.route("**/analysis/stream", lambda route: route.fulfill(status=400, json=problem))
    page.get_by_role("button", name="Tipps").click()
    expect(page.get_by_role("alert").locator("[lang=en]")).to_have_text(["No", "Not so."])
    expect(page.get_by_role("button", name="Noch mal versuchen")).to_be_visible()
    complaints.clear()


def test_german_fits_and_nothing_jumps(speak: Open) -> None:
    sizes = some([(320, 640), (390, 844), (1440, 900)], 2)
    for path in (
        "/?moves=4,0,1,2,7&you=both",
        "/?game=connect-four&drops=44455&hints=values,line,threats&you=both",
        "/?game=tic-tac-toe-3d&moves=0,13,1,2,26&you=both",
    ):
        page = settled(speak(path, size=sizes[0]))
        assert page.evaluate(SHIFTS) == 0
        page.keyboard.press("v")
        expect(page.locator("#sheet .glyph")).to_have_count(5)
        for width, _ in at_sizes(page, sizes):
            assert page.evaluate(OVERFLOWING) == [], (path, width)
    expect(page.locator("#sheet .glyph")).to_have_text(
        ["?! Fehler", "✓ am besten", "✓ bester", "✓ am besten", "~ ungenau"]
    )
    more(page)
    for opener, dialog in (("#preferences", "#settings-dialog"), ("#game", "#catalogue"), ("#edit", "#editor")):
        page.locator(opener).click()
        expect(page.locator(dialog)).to_be_visible()
        for width, _ in at_sizes(page, sizes):
            assert page.evaluate(OVERFLOWING) == [], (dialog, width)
        page.keyboard.press("Escape")


def test_a_frame_and_the_lesson_are_told_in_german(speak: Open) -> None:
    frame = speak("/embed?game=connect-four&lang=de&controls=minimal&you=both", locale="en-US")
    expect(frame.get_by_role("button", name="Neue Partie")).to_be_visible()
    assert frame.title() == "Vier gewinnt"
    assert "lang=de" in (frame.locator("#whole").get_attribute("href") or "")
    page = speak("/learn")
    page.get_by_role("button", name="Schritt", exact=True).click()
    expect(page.locator("#sentence")).to_have_text(
        "Die erste Stellung. O am Zug nimmt den niedrigsten Wert von 4 Zügen. Das Fenster ist [\N{MINUS SIGN}∞, +∞]."
    )
    page.get_by_role("button", name="Ende", exact=True).click()
    expect(page.locator("#sentence")).to_contain_text("Fertig. Das Ergebnis bei bestem Spiel: ein Remis.")
    page.get_by_label("Leere Felder").select_option("9")
    expect(page.locator("#plain")).to_have_text("549.946")
