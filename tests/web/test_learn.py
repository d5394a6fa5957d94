"""The lesson at /learn: its search counts what a plain one counts, and each step can be followed."""

import re
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from service.cli.commands.textbook import Minimax, PlainAlphaBeta
from service.games.catalogue import LINE_GAMES
from tests.support import some
from tests.web.page import DESKTOP, PHONE, SHIFTS, InNode, Open, at_sizes, barriers, box
from tests.worlds import reachable

pytestmark = pytest.mark.verify

GAME = LINE_GAMES["tic-tac-toe"]
EMPTY = "........."
FIRST = "O.XXXO..."
"""The first position when the page opens."""

COUNT = """async (boards) => {
  const { positionOf, search, sizeOf, valueOf } = await import("./learn/search.js");
  const counted = ({ value, nodes, cutOffs }) => [value, nodes, cutOffs];
  return boards.map((text) => {
    const position = positionOf(text);
    const plain = counted(search(position, { pruning: false }));
    const orders = ["cells", "best", "worst"].map((order) => counted(search(position, { order })));
    return { plain, orders, size: sizeOf(position), value: valueOf(position) };
  });
}"""
"""JavaScript that tells what the search of the lesson finds and counts."""


def masks(board: str) -> tuple[int, int]:
    """Return the marks of the player to move, and those of the other."""
    x, o = (sum(1 << cell for cell in range(9) if board[cell] == sign) for sign in "XO")
    return (x, o) if board.count("X") == board.count("O") else (o, x)


def counted(search: Minimax, board: str) -> list[int]:
    sign = 1 if board.count("X") == board.count("O") else -1
    return [sign * search.score(*masks(board)), search.nodes, search.cut_offs]


def plain_nodes(board: str) -> int:
    return counted(Minimax(GAME, 1 << 20), board)[1]


def test_the_search_of_the_lesson_finds_and_counts_what_a_plain_one_does(in_node: InNode) -> None:
    boards = [EMPTY, FIRST, *map(str, Random(18).sample(reachable(GAME), 60))]
    found = in_node(COUNT, boards)
    for board, told in zip(boards, found, strict=True):
        plain = counted(Minimax(GAME, 1 << 20), board)
        assert told["plain"] == plain
        assert (told["value"], told["size"]) == tuple(plain[:2])
        assert told["orders"][0] == counted(PlainAlphaBeta(GAME, 1 << 20), board)
        (_, best, _), (_, worst, _) = told["orders"][1:]
        assert {value for value, *_ in told["orders"]} == {plain[0]}
        assert best <= min(worst, plain[1])
    assert found[0]["orders"][0] == [0, 20_866, 4_856]


def opened(open_page: Open, path: str = "/learn", **options: Any) -> Page:
    page = open_page(path, **options)
    expect(page.locator("#picture .spot").first).to_be_attached()
    return page


def counter(page: Page, name: str) -> int:
    return int(page.locator(f"#{name}").inner_text().replace(",", ""))


def test_each_step_is_told_and_can_be_taken_back_and_a_cut_off_is_explained(open_page: Open) -> None:
    page = opened(open_page)
    sentence = page.locator("#sentence")
    page.get_by_role("button", name="Step", exact=True).click()
    expect(sentence).to_have_text(
        "The first position. O to move takes the lowest value of 4 moves. The window is [\N{MINUS SIGN}∞, +∞]."
    )
    page.get_by_role("button", name="Step", exact=True).click()
    expect(sentence).to_contain_text("O plays b1.")
    page.get_by_role("button", name="Back", exact=True).click()
    expect(sentence).to_contain_text("The first position.")
    assert counter(page, "visited") == 1
    page.get_by_role("button", name="Next cut-off").click()
    expect(sentence).to_have_text(
        "O to move can hold a draw here, and X already has +3 elsewhere. So X will not come here. "
        "The other move is not searched."
    )
    expect(page.locator(".spot.current .tag")).to_have_text(["0 …", "[+3, 0]", "alpha cut-off"])
    expect(page.locator(".edge.cut .cross")).to_be_visible()
    assert (page.locator("#alpha").inner_text(), page.locator("#beta").inner_text()) == ("+3", "+∞")


def test_the_counters_end_where_a_plain_search_ends_and_a_branch_of_a_large_tree_opens(open_page: Open) -> None:
    page = opened(open_page)
    page.locator("#last").click()
    shown = [counter(page, name) for name in ("visited", "cut-offs", "plain")]
    assert shown == [*counted(PlainAlphaBeta(GAME, 1 << 20), FIRST)[1:], plain_nodes(FIRST)]
    page.locator("#order").select_option("best")
    page.locator("#last").click()
    assert counter(page, "visited") == int(page.locator("tr[data-order=best] td").first.inner_text()) < shown[0]
    page.get_by_label("Alpha-beta", exact=True).uncheck()
    page.locator("#last").click()
    assert (counter(page, "visited"), counter(page, "cut-offs")) == (counter(page, "plain"), 0)
    page.locator("#preset").select_option("9")
    boards = page.locator("#picture .spot")
    before = boards.count()
    page.locator("#stage").focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    assert boards.count() > before


TOLD = """() => {
  window.told = [];
  const sentence = document.querySelector("#sentence");
  new MutationObserver(() => told.push(sentence.ariaLive)).observe(sentence, { childList: true });
}"""
"""JavaScript that notes, for each sentence, whether screen readers are to tell it."""


def test_the_search_plays_by_itself_and_screen_readers_tell_where_it_is_when_it_pauses(open_page: Open) -> None:
    page = opened(open_page)
    page.evaluate(TOLD)
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_function("() => told.length > 1")
    page.get_by_role("button", name="Pause").click()
    told = page.evaluate("told")
    assert set(told[:-1]) == {"off"}
    assert told[-1] == "polite"
    page.locator("#speed").fill("5")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator("#sentence")).to_contain_text("Done. Best play from here is a draw.")
    expect(page.locator("#play")).to_have_text("Play")


def test_cells_and_the_address_set_the_position_and_the_search(open_page: Open) -> None:
    page = opened(open_page, path="/learn#board=X...O....&order=worst&search=minimax")
    assert counter(page, "plain") == plain_nodes("X...O....")
    expect(page.locator("#order")).to_have_value("worst")
    expect(page.locator("#compare [aria-current]")).to_contain_text("Plain minimax")
    page.get_by_label("Alpha-beta", exact=True).check()
    page.get_by_role("button", name="c3, empty").click()
    assert page.url.endswith("#board=X...O...X&order=worst&search=alpha-beta")
    wrong = opened(open_page, path="/learn#board=XXXOOO...")
    expect(wrong.locator("#sentence")).to_contain_text("The address of this page names no position: “XXXOOO...”.")
    assert counter(wrong, "plain") == plain_nodes(FIRST)
    over = opened(open_page, path="/learn#board=XXXOO....")
    expect(over.locator("#turn-note")).to_have_text("The game is over here. Take a mark away.")
    over.get_by_role("button", name="c3, empty").click(force=True)
    assert counter(over, "plain") == 1
    over.get_by_role("button", name="c1, X").click()
    expect(over.locator("#turn-note")).to_contain_text("X moves next.")


def test_the_keyboard_steps_zooms_and_moves_the_picture(open_page: Open) -> None:
    page = opened(open_page)
    world = page.locator(".world")
    for key, steps in (("ArrowRight", "1/"), ("ArrowRight", "2/"), ("Home", "0/")):  # wherever the focus is
        page.keyboard.press(key)
        expect(page.locator("#place")).to_have_text(re.compile(f"^{steps}"))
    page.locator("#preset").focus()
    page.keyboard.press("c")
    expect(page.locator("#place")).to_have_text(re.compile("^0/"))
    page.locator("#stage").focus()
    page.keyboard.press("c")
    expect(page.locator("#cut-offs")).to_have_text("1")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#cut-offs")).to_have_text("0")
    for key in ("+", "-", "Shift+ArrowDown", "0"):
        before = world.get_attribute("transform")
        page.keyboard.press(key)
        expect(world).not_to_have_attribute("transform", before or "")


PINCH = [("touchStart", 40), ("touchMove", 50), ("touchEnd", None)]
"""Events of two fingers, and how far each is from the middle."""


def test_the_picture_is_dragged_and_zoomed_by_the_pointer_and_two_fingers(open_page: Open) -> None:
    page = opened(open_page, size=PHONE)
    world = page.locator(".world")
    page.locator("#stage").scroll_into_view_if_needed()
    x, y, width, height = box(page.locator("#stage"))
    before = world.get_attribute("transform") or ""
    page.mouse.move(x + 100, y + 100)
    page.mouse.down()
    page.mouse.move(x + 160, y + 130, steps=4)
    page.mouse.up()
    expect(world).not_to_have_attribute("transform", before)
    before = world.get_attribute("transform") or ""
    page.mouse.wheel(0, -300)
    expect(world).not_to_have_attribute("transform", before)
    scaled, touch = scale(page), page.context.new_cdp_session(page)
    x, y = x + width / 2, y + height / 2
    for name, far in PINCH:
        fingers = [] if far is None else [{"x": x - far, "y": y, "id": 0}, {"x": x + far, "y": y, "id": 1}]
        touch.send("Input.dispatchTouchEvent", {"type": name, "touchPoints": fingers})
    assert scale(page) == pytest.approx(scaled * 50 / 40, rel=0.05)
    assert page.evaluate("visualViewport.scale") == 1


def scale(page: Page) -> float:
    found: float = page.locator(".world").evaluate("world => world.transform.baseVal.consolidate().matrix.a")
    return found


CRAMPED = """() => {
  const texts = [...document.querySelectorAll("#sentence, .counters :is(dt, dd), .compare :is(th, td)")];
  const found = new Set();
  const step = document.querySelector("#step");
  for (; step.ariaDisabled !== "true"; step.click())
    for (const text of texts)
      if (text.scrollWidth > text.clientWidth || text.scrollHeight > text.clientHeight + 1) found.add(text.textContent);
  return [...found];
}"""
"""JavaScript that makes every step, and returns what had no room."""


@pytest.mark.parametrize("language", some(["de", "en"], 1))
def test_every_sentence_has_room(open_page: Open, language: str) -> None:
    page = opened(open_page, f"/learn?lang={language}")
    for width, _ in at_sizes(page, some([(320, 640), PHONE, (844, 390), DESKTOP], 2)):
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        for cells in ("5", "9"):
            page.locator("#preset").select_option(cells)
            assert page.evaluate(CRAMPED) == [], (width, cells)


@pytest.mark.parametrize(("size", "scheme"), some([(PHONE, "dark"), (DESKTOP, "light")], 1), ids=str)
def test_axe_finds_no_barrier_and_nothing_jumps(open_page: Open, size: tuple[int, int], scheme: str) -> None:
    page = opened(open_page, size=size, color_scheme=scheme)
    for _ in range(3):
        page.get_by_role("button", name="Next cut-off").click()
    assert barriers(page) == []
    page.locator("#preset").select_option("9")
    page.get_by_label("c3, empty").click()
    page.get_by_role("button", name="Step", exact=True).click()
    assert barriers(page) == []
    assert page.evaluate(SHIFTS) == 0
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
