"""The board in pages of others: in a frame and as an element, from another origin."""

from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any
from urllib.parse import urljoin

import pytest
from playwright.sync_api import FrameLocator, Locator, Page, expect

from tests.support import Server, some
from tests.web.page import DESKTOP, PHONE, SHIFTS, Open, at_sizes, barriers, marks, settled

pytestmark = pytest.mark.verify

Show = Callable[..., Page]
"""Shows HTML as a page of another origin: ``show('<move-oracle></move-oracle>')``."""

HEAD = """<!doctype html><html lang="en"><head><title>A page of somebody else</title><link rel="icon" href="data:,">
<script>
window.told = [];
const kept = new CSSStyleSheet();
kept.replaceSync(".kept:not(:defined) { display: block; aspect-ratio: 7 / 6; }");
document.adoptedStyleSheets = [kept];
customElements.whenDefined("move-oracle").then(() => (window.first = sizes()));
const sizes = () => [...document.querySelectorAll("move-oracle")].map((one) => [one.offsetWidth, one.offsetHeight]);
for (const name of ["ready", "move"]) {
  addEventListener(name, ({ target, detail }) => told.push([name, target.id, detail]));
}
</script></head><body><main><h1>Two games</h1>"""


@pytest.fixture
def show(open_page: Open, server: Server) -> Iterator[Show]:
    shown = [""]

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header(
                "Content-Security-Policy", f"default-src 'self' 'unsafe-inline' data: {server.url}; style-src 'none'"
            )
            self.end_headers()
            self.wfile.write(shown[0].encode())

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as host:
        Thread(target=host.serve_forever, daemon=True).start()

        def opened(body: str, **options: object) -> Page:
            script = f'<script type="module" src="{server.url}/page/move-oracle.js"></script>'
            shown[0] = f"{HEAD}{body}</main>{script}</body></html>"
            return open_page(f"http://127.0.0.1:{host.server_port}/", **options)

        yield opened
        host.shutdown()


ASSIGN = "given => Object.assign(document.querySelector('#one'), given)"


def board(page: Page, element: str) -> FrameLocator:
    """Return what is in the frame of an element, or in a frame."""
    return page.frame_locator(f"{element} iframe" if "move-oracle" in element else element)


def cell(frame: FrameLocator, index: int) -> Locator:
    return frame.get_by_role("gridcell").nth(index)


def told(page: Page, name: str, count: int) -> list[Any]:
    """Return the details of the events of a name, once there are so many."""
    page.wait_for_function(
        "([name, count]) => told.filter(([each]) => each === name).length >= count", arg=[name, count]
    )
    return [(element, detail) for each, element, detail in page.evaluate("told") if each == name]


def test_two_elements_of_a_foreign_page_are_played_and_tell_their_own_moves(show: Show) -> None:
    page = show(
        '<move-oracle id="one" game="connect-four" drops="4435" you="both"></move-oracle>'
        '<move-oracle id="two" skill="100" controls></move-oracle>'
    )
    assert {element for element, _ in told(page, "ready", 2)} == {"one", "two"}
    cell(board(page, "move-oracle#one"), 2).click()
    ((element, detail),) = told(page, "move", 1)
    assert (element, detail["move"], detail["by"], detail["oracle"]) == ("one", "3", "X", False)
    assert (detail["game"], detail["moves"], detail["player"]) == ("connect-four", "44353", "O")
    cell(board(page, "move-oracle#two"), 0).click()
    *_, (own, first), (other, second) = told(page, "move", 3)
    assert own == other == "two"
    assert (first["board"], first["oracle"]) == ("X........", False)
    assert (second["board"], second["oracle"]) == ("X...O....", True)
    assert page.evaluate("document.querySelector('#two').position.moves") == [0, 4]


def test_a_board_is_loaded_once_has_its_shape_before_and_tells_the_end_of_its_game(show: Show) -> None:
    element = '<move-oracle id="one" class="kept" game="connect-four" drops="121212" you="both"></move-oracle>'
    page = show(f"{element}<p>Below</p>")
    told(page, "ready", 1)
    ((width, height),) = page.evaluate("first")
    assert page.evaluate("sizes()") == [[width, height]]
    assert height == pytest.approx(width * 6 / 7, abs=1)
    expect(page.locator("#one iframe")).to_have_attribute("title", "Move Oracle board")
    cell(board(page, "move-oracle#one"), 0).click()
    ((_, detail),) = told(page, "move", 1)
    assert (detail["status"], detail["winner"], detail["line"]) == ("won", "X", [14, 21, 28, 35])
    assert len(told(page, "ready", 1)) == 1
    assert page.evaluate(SHIFTS) == 0


def test_attributes_and_properties_open_other_positions_in_another_language(show: Show) -> None:
    page = show('<move-oracle id="one" you="both"></move-oracle>')
    told(page, "ready", 1)
    page.evaluate(ASSIGN, {"game": "connect-four", "drops": "44", "controls": True, "lang": "de"})
    _, (_, detail) = told(page, "ready", 2)
    assert (detail["game"], detail["moves"]) == ("connect-four", "44")
    frame = board(page, "move-oracle#one")
    expect(frame.get_by_role("button", name="Neue Partie")).to_be_visible()
    assert page.evaluate("document.querySelector('#one').getAttribute('drops')") == "44"
    page.evaluate(ASSIGN, {"controls": False, "lang": "en"})
    expect(frame.get_by_role("button", name="New game")).to_be_hidden()
    page.evaluate(ASSIGN, {"game": None, "drops": None, "family": "morris", "piece_moves": "king"})
    *_, (_, detail) = told(page, "ready", 4)
    assert detail["game"] == {"family": "morris", "moves": "king"}
    for point in (0, 4, 1, 2, 3, 5, 3, 6):
        cell(frame, point).click()
    *_, (_, last) = told(page, "move", 7)
    assert last["move"] == "a2 to a3"


def test_what_another_window_sends_is_not_believed(show: Show, server: Server) -> None:
    page = show(
        f'<move-oracle id="one"></move-oracle><iframe title="Other" src="{server.url}/embed?you=both"></iframe>'
    )
    told(page, "ready", 1)
    page.evaluate("window.postMessage({ moveOracle: 'move', position: { game: 'forged' } }, '*')")
    cell(board(page, "main > iframe"), 4).click()
    expect(cell(board(page, "main > iframe"), 4)).to_have_attribute("aria-label", "b2, X")
    cell(board(page, "move-oracle#one"), 4).click()
    assert {element for element, _ in told(page, "move", 2)} == {"one"}
    assert page.evaluate("document.querySelector('#one').position.game") == "tic-tac-toe"


def test_a_frame_without_a_script_is_played_by_keyboard_and_its_controls_lead_to_the_page(
    show: Show, server: Server
) -> None:
    page = show(f'<iframe title="A board" src="{server.url}/embed?you=both&controls=minimal"></iframe>')
    frame = board(page, "iframe")
    cell(frame, 4).press("Enter")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    expect(cell(frame, 5)).to_have_attribute("aria-label", "c2, O")
    frame.get_by_role("button", name="Undo").click()
    expect(cell(frame, 5)).to_have_attribute("aria-label", "c2, empty")
    whole = frame.get_by_role("link", name="Analyse")
    assert whole.get_attribute("href") == "/?game=tic-tac-toe&moves=4,5&ply=1&hints="
    frame.get_by_role("button", name="New game").click()
    expect(cell(frame, 4)).to_have_attribute("aria-label", "b2, empty")


@pytest.mark.parametrize(
    ("background", "theme", "ink"), [("fff4d6", "light", "#000000"), ("%23123", "dark", "#ffffff")]
)
def test_a_background_decides_which_theme_can_be_read_on_it(
    open_page: Open, background: str, theme: str, ink: str
) -> None:
    other = {"light": "dark", "dark": "light"}[theme]
    page = open_page(f"/embed?background={background}&accent=0a7d4f&controls=minimal&theme={other}")
    expect(page.locator("html")).to_have_attribute("data-theme", theme)
    found = "node => ['--ink', '--accent', '--on-accent'].map(name => getComputedStyle(node).getPropertyValue(name))"
    assert page.locator(".frame").evaluate(found) == [ink, "#0a7d4f", "#ffffff"]
    assert barriers(page) == []


def test_what_is_no_colour_and_no_game_is_refused_in_words(open_page: Open) -> None:
    page = open_page("/embed?accent=0a7d4f;x:y")
    expect(page.get_by_role("alert")).to_contain_text("Not a colour: accent.")
    assert page.locator("html").get_attribute("style") is None
    other = open_page("/embed?game=chess")
    expect(other.get_by_role("alert")).to_contain_text("“chess” is not a game of this service")


GAMES = [
    "moves=4,0&you=both",
    "game=connect-four&drops=4435&you=both&hints=values",
    "game=qubic&moves=0,21&you=both",
    "game=notakto-3&you=both",
    "game=numerical-tic-tac-toe&you=both",
    "game=picaria&you=both",
    "rows=4&columns=6&in_a_row=4&wrap=true&moves=3&you=both",
]

SIZES = some([(200, 240), DESKTOP, PHONE, (800, 500)], 2)

OUTSIDE = """cells => cells.map(cell => cell.getBoundingClientRect()).filter(({ left, top, right, bottom }) =>
  left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1).length"""
"""JavaScript for the number of cells that do not fit the window."""


def test_a_frame_says_whose_turn_it_is_and_leads_to_the_whole_page_unless_it_is_to_have_nothing(
    open_page: Open,
) -> None:
    page = open_page("/embed?moves=4&you=both")
    expect(page.get_by_role("heading")).to_have_text("O to move")
    expect(page.get_by_role("heading")).to_have_css("font-weight", "700")
    whole = page.get_by_role("link").get_attribute("href")
    assert whole == "/?game=tic-tac-toe&moves=4&hints="
    expect(page.get_by_role("button")).to_have_count(0)
    page.goto(f"{page.url}&controls=none")
    expect(page.get_by_role("gridcell").first).to_be_visible()
    expect(page.get_by_role("link")).to_have_count(0)
    page.goto(urljoin(page.url, whole))
    expect(page.locator("#modes [data-mode=analyse]")).to_have_attribute("aria-pressed", "true")
    assert marks(settled(page)) == "....X...."
    expect(page.locator(".tint")).to_have_count(0)


@pytest.mark.parametrize(("controls", "scheme"), [("none", "light"), ("", "light"), ("minimal", "dark")])
def test_every_kind_of_board_fits_its_frame_without_a_barrier(open_page: Open, controls: str, scheme: str) -> None:
    for query in some(GAMES, 4):
        page = open_page(f"/embed?{query}&controls={controls}", size=SIZES[0], color_scheme=scheme)
        expect(page.get_by_role("gridcell").first).to_be_visible()
        assert page.evaluate(SHIFTS) == 0, query
        assert barriers(page) == [], query
        for width, height in at_sizes(page, SIZES):
            scrolled = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]")
            assert scrolled == [width, height], query
            assert page.get_by_role("gridcell").evaluate_all(OUTSIDE) == 0, query
        page.close()
