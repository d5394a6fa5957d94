"""The lesson at /learn: its search counts what a plain one counts, and each step can be followed."""

import json
import re
from itertools import product
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from service.games.catalogue import CATALOGUE
from service.kernel.reference import Reference
from service.kernel.textbook import AlphaBeta, Minimax
from tests.programs import run
from tests.support import ROOT, need, some
from tests.web.page import DESKTOP, PHONE, SHIFTS, Open, barriers

pytestmark = pytest.mark.verify

GAME = CATALOGUE["tic-tac-toe"]
LINES = [[cell for cell in range(9) if mask >> cell & 1] for mask in GAME.line_masks]
EMPTY = "........."
FIRST = "O.XXXO..."
"""The first position when the page opens."""

COUNT = """
const ORDERS = ["cells", "best", "worst"];
const counted = ({ value, nodes, cutOffs }) => [value, nodes, cutOffs];
console.log(JSON.stringify(BOARDS.map((text) => {
  const position = positionOf(text);
  const plain = counted(search(position, { pruning: false }));
  return { plain, size: sizeOf(position), orders: ORDERS.map((order) => counted(search(position, { order }))) };
})));
"""
"""JavaScript that prints what the search of the lesson finds and counts."""


def possible(board: str) -> bool:
    """Tell whether the marks can be of one game, and the player to move has not won before."""
    mine, _ = masks(board)
    return 0 <= board.count("X") - board.count("O") <= 1 and all(line & mine != line for line in GAME.line_masks)


def some_boards() -> list[str]:
    boards = [board for cells in product(".XO", repeat=9) if possible(board := "".join(cells))]
    return [EMPTY, FIRST, *Random(18).sample(boards, 300)]


def masks(board: str) -> tuple[int, int]:
    """Return the marks of the player to move, and those of the other."""
    x, o = (sum(1 << cell for cell in range(9) if board[cell] == sign) for sign in "XO")
    return (x, o) if board.count("X") == board.count("O") else (o, x)


class InOrder(AlphaBeta):
    """Alpha-beta that tries the best moves first, or the worst."""

    def __init__(self, *, best_first: bool) -> None:
        super().__init__(GAME, 1 << 20)
        self._sign = 1 if best_first else -1
        self._worth: dict[tuple[int, int], int] = {}

    def _bound(self, mine: int, theirs: int, ply: int, alpha: int, beta: int) -> int:
        ended = self._visit(mine, theirs, ply)
        if ended is not None:
            return ended
        moves = sorted(self._moves(mine | theirs), key=lambda move: self._sign * self._exact(theirs, mine | move))
        best = -(1 << 16)
        for move in moves:
            best = max(best, -self._bound(theirs, mine | move, ply + 1, -beta, -max(alpha, best)))
            if best >= beta:
                self.cut_offs += move != moves[-1]
                break
        return best

    def _exact(self, mine: int, theirs: int) -> int:
        if (mine, theirs) not in self._worth:
            ended = self._ended(mine, theirs)
            after = (-self._exact(theirs, mine | move) for move in self._moves(mine | theirs))
            self._worth[mine, theirs] = max(after) if ended is None else ended
        return self._worth[mine, theirs]


def counted(search: Minimax, board: str) -> list[int]:
    sign = 1 if board.count("X") == board.count("O") else -1
    return [sign * search.score(*masks(board)), search.nodes, search.cut_offs]


def test_the_search_of_the_lesson_finds_and_counts_what_a_plain_one_does() -> None:
    boards = some_boards()
    source = (ROOT / "service/web/learn_search.js").read_text()
    program = f"{source}\nconst BOARDS = {json.dumps(boards)};{COUNT}"
    found: list[Any] = json.loads(run(need("node"), "--input-type=module", "--eval", program).stdout)
    for board, told in zip(boards, found, strict=True):
        plain = counted(Minimax(GAME, 1 << 20), board)
        assert told["plain"] == plain
        assert told["size"] == plain[1]
        searches = [AlphaBeta(GAME, 1 << 20), InOrder(best_first=True), InOrder(best_first=False)]
        assert told["orders"] == [counted(search, board) for search in searches]
    assert found[0]["orders"][0] == [0, 20_866, 4_856]


def test_its_values_are_those_of_the_reference() -> None:
    boards = [board for board in some_boards() if board.count(".") < 7]
    source = (ROOT / "service/web/learn_search.js").read_text()
    program = f"{source}\nconsole.log(JSON.stringify({json.dumps(boards)}.map((text) => valueOf(positionOf(text)))));"
    found = json.loads(run(need("node"), "--input-type=module", "--eval", program).stdout)
    reference = Reference(9, LINES)
    for board, value in zip(boards, found, strict=True):
        is_x = board.count("X") == board.count("O")
        verdict = reference.solve([None if sign == "." else (sign == "X") == is_x for sign in board])
        assert ((value > 0) - (value < 0)) * (1 if is_x else -1) == verdict.outcome
        assert value == 0 or abs(value) == 10 - (9 - board.count(".")) - verdict.plies


def opened(open_page: Open, path: str = "/learn", **options: Any) -> Page:
    page = open_page(path, **options)
    expect(page.locator("#picture .spot").first).to_be_attached()
    return page


def counter(page: Page, name: str) -> int:
    return int(page.locator(f"#{name}").inner_text().replace(",", ""))


def test_each_step_is_told_and_can_be_taken_back(open_page: Open) -> None:
    page = opened(open_page)
    sentence = page.locator("#sentence")
    page.get_by_role("button", name="Step", exact=True).click()
    expect(sentence).to_have_text(
        "The first position. O to move takes the lowest value of 4 moves. The window is [\N{MINUS SIGN}∞, +∞]."
    )
    page.get_by_role("button", name="Step", exact=True).click()
    expect(sentence).to_contain_text("O plays b1.")
    assert counter(page, "visited") == 2
    page.get_by_role("button", name="Back", exact=True).click()
    expect(sentence).to_contain_text("The first position.")
    assert counter(page, "visited") == 1


def test_the_counters_end_where_a_plain_search_ends(open_page: Open) -> None:
    page = opened(open_page)
    page.locator("#last").click()
    search = AlphaBeta(GAME, 1 << 20)
    _, nodes, cut_offs = counted(search, FIRST)
    assert (counter(page, "visited"), counter(page, "cut-offs")) == (nodes, cut_offs)
    assert counter(page, "plain") == counted(Minimax(GAME, 1 << 20), FIRST)[1]
    page.get_by_label("Alpha-beta", exact=True).uncheck()
    page.locator("#last").click()
    assert (counter(page, "visited"), counter(page, "cut-offs")) == (counter(page, "plain"), 0)


def test_a_cut_off_is_named_crossed_out_and_explained(open_page: Open) -> None:
    page = opened(open_page)
    page.get_by_role("button", name="Next cut-off").click()
    expect(page.locator("#sentence")).to_have_text(
        "O to move can hold a draw here, and X already has +3 elsewhere. So X will not come here. "
        "The other move is not searched."
    )
    expect(page.locator(".spot.current .tag")).to_have_text(["0 …", "[+3, 0]", "alpha cut-off"])
    expect(page.locator(".edge.cut .cross")).to_have_count(1)
    expect(page.locator(".edge.cut .cross")).to_be_visible()
    assert (page.locator("#alpha").inner_text(), page.locator("#beta").inner_text()) == ("+3", "+∞")


def test_an_unsearched_branch_fades_with_all_that_is_below_it(open_page: Open) -> None:
    page = opened(open_page)
    page.locator("#last").click()
    cut = page.locator(".spot.cut").evaluate_all("spots => spots.map(spot => spot.dataset.path)")
    below = page.locator(".spot.below").evaluate_all("spots => spots.map(spot => spot.dataset.path)")
    assert below
    assert all(any(path.startswith(each) for each in cut) for path in below)
    drawn = page.locator("#picture .spot").count()
    assert drawn - len(cut) - len(below) == counter(page, "visited")


def test_the_search_plays_by_itself_to_its_end(open_page: Open) -> None:
    page = opened(open_page)
    page.locator("#speed").fill("5")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator("#sentence")).to_contain_text("Done. Best play from here is a draw.")
    expect(page.locator("#play")).to_have_text("Play")


TOLD = """() => {
  window.told = [];
  const sentence = document.querySelector("#sentence");
  new MutationObserver(() => told.push(sentence.ariaLive)).observe(sentence, { childList: true });
}"""
"""JavaScript that notes, for each sentence, whether screen readers are to tell it."""


def test_screen_readers_tell_where_the_search_is_when_it_pauses(open_page: Open) -> None:
    page = opened(open_page)
    page.evaluate(TOLD)
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_function("() => told.length > 1")
    page.get_by_role("button", name="Pause").click()
    told = page.evaluate("told")
    assert set(told[:-1]) == {"off"}
    assert told[-1] == "polite"


def test_best_moves_first_visit_fewer_positions(open_page: Open) -> None:
    page = opened(open_page)
    page.locator("#last").click()
    before = counter(page, "visited")
    page.locator("#order").select_option("best")
    page.locator("#last").click()
    assert counter(page, "visited") == int(page.locator("tr[data-order=best] td").first.inner_text()) < before


def test_a_branch_of_a_large_tree_opens_and_the_count_stays(open_page: Open) -> None:
    page = opened(open_page)
    page.locator("#preset").select_option("9")
    assert counter(page, "plain") == 549_946
    boards = page.locator("#picture .spot")
    before = boards.count()
    page.locator("#stage").focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    visited = counter(page, "visited")
    page.keyboard.press("Enter")
    assert boards.count() > before
    assert counter(page, "visited") <= visited
    page.locator("#last").click()
    assert counter(page, "visited") == 20_866


def test_cells_set_the_first_position(open_page: Open) -> None:
    page = opened(open_page)
    page.locator("#preset").select_option("9")
    for cell in ("a1", "b2", "c1"):
        page.get_by_role("button", name=f"{cell}, empty").click()
    expect(page.locator("#turn-note")).to_contain_text("O moves next.")
    assert counter(page, "plain") == counted(Minimax(GAME, 1 << 20), "X.X.O....")[1]
    page.get_by_role("button", name="c1, X").click()
    assert counter(page, "plain") == counted(Minimax(GAME, 1 << 20), "X...O....")[1]


def test_no_mark_is_added_to_a_game_that_is_over(open_page: Open) -> None:
    page = opened(open_page, path="/learn#board=XXXOO....")
    expect(page.locator("#turn-note")).to_have_text("The game is over here. Take a mark away.")
    page.get_by_role("button", name="c3, empty").click(force=True)
    assert counter(page, "plain") == 1
    page.get_by_role("button", name="c1, X").click()
    expect(page.locator("#turn-note")).to_contain_text("X moves next.")


def test_the_address_holds_the_position_and_the_search(open_page: Open) -> None:
    page = opened(open_page, path="/learn#board=X...O....&order=worst&search=minimax")
    assert counter(page, "plain") == counted(Minimax(GAME, 1 << 20), "X...O....")[1]
    expect(page.locator("#order")).to_have_value("worst")
    expect(page.get_by_label("Alpha-beta", exact=True)).not_to_be_checked()
    expect(page.locator("#compare [aria-current]")).to_contain_text("Plain minimax")
    page.get_by_label("Alpha-beta", exact=True).check()
    page.get_by_role("button", name="c3, empty").click()
    assert page.url.endswith("#board=X...O...X&order=worst&search=alpha-beta")


@pytest.mark.parametrize("board", ["XO", "XXXOOO...", "12......."])
def test_an_address_without_a_position_is_told(open_page: Open, board: str) -> None:
    page = opened(open_page, path=f"/learn#board={board}")
    expect(page.locator("#sentence")).to_contain_text(f"The address of this page names no position: “{board}”.")
    assert counter(page, "plain") == counted(Minimax(GAME, 1 << 20), FIRST)[1]


def test_the_keyboard_steps_zooms_and_moves_the_picture(open_page: Open) -> None:
    page = opened(open_page)
    world = page.locator(".world")
    for key, steps in (("ArrowRight", "1/"), ("ArrowRight", "2/"), ("Home", "0/")):  # wherever the focus is
        page.keyboard.press(key)
        expect(page.locator("#place")).to_have_text(re.compile(f"^{steps}"))
    page.locator("#step").click()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#place")).to_have_text(re.compile("^2/"))
    page.locator("#speed").focus()
    page.keyboard.press("ArrowLeft")
    page.locator("#preset").focus()
    page.keyboard.press("c")
    expect(page.locator("#place")).to_have_text(re.compile("^2/"))
    page.locator("#stage").focus()
    page.keyboard.press("c")
    expect(page.locator("#cut-offs")).to_have_text("1")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#cut-offs")).to_have_text("0")
    for key in ("+", "-", "Shift+ArrowDown", "0"):
        before = world.get_attribute("transform")
        page.keyboard.press(key)
        expect(world).not_to_have_attribute("transform", before or "")


def test_the_picture_is_dragged_and_zoomed_by_the_pointer(open_page: Open) -> None:
    page = opened(open_page)
    world, stage = page.locator(".world"), page.locator("#stage")
    boards = page.locator("#picture .spot").count()
    box = stage.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 200, box["y"] + 200)
    before = world.get_attribute("transform")
    page.mouse.down()
    page.mouse.move(box["x"] + 260, box["y"] + 230, steps=4)
    page.mouse.up()
    expect(world).not_to_have_attribute("transform", before or "")
    before = world.get_attribute("transform")
    page.mouse.wheel(0, -300)
    expect(world).not_to_have_attribute("transform", before or "")
    assert page.locator("#picture .spot").count() == boards


PINCH = [("touchStart", 40), ("touchMove", 60), ("touchMove", 90), ("touchEnd", None)]
"""Events of two fingers, and how far each is from the middle."""


def test_two_fingers_zoom_the_picture(open_page: Open) -> None:
    page = opened(open_page, size=PHONE)
    box = page.locator("#stage").bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    before = scale(page)
    touch = page.context.new_cdp_session(page)
    for name, far in PINCH:
        fingers = [] if far is None else [{"x": x - far, "y": y, "id": 0}, {"x": x + far, "y": y, "id": 1}]
        touch.send("Input.dispatchTouchEvent", {"type": name, "touchPoints": fingers})
    assert scale(page) == pytest.approx(before * 90 / 40, rel=0.05)
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


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("size", some([(320, 640), PHONE, (844, 390), DESKTOP], 2), ids=str)
def test_every_sentence_has_room(open_page: Open, size: tuple[int, int], language: str) -> None:
    page = opened(open_page, f"/learn?lang={language}", size=size)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.evaluate(
        "[...document.querySelectorAll('.card')].every((card) => card.scrollWidth <= card.clientWidth)"
    )
    for cells in ("5", "9"):
        page.locator("#preset").select_option(cells)
        assert page.evaluate(CRAMPED) == []


@pytest.mark.parametrize(
    ("size", "scheme"), some([(PHONE, "light"), (DESKTOP, "light"), (DESKTOP, "dark"), (PHONE, "dark")], 2)
)
def test_axe_finds_no_barrier_and_nothing_jumps(open_page: Open, size: tuple[int, int], scheme: str) -> None:
    page = opened(open_page, size=size, scheme=scheme)
    assert barriers(page) == []
    for _ in range(3):
        page.get_by_role("button", name="Next cut-off").click()
    assert barriers(page) == []
    page.locator("#last").click()
    assert barriers(page) == []
    page.locator("#preset").select_option("9")
    page.get_by_label("c3, empty").click()
    page.get_by_role("button", name="Step", exact=True).click()
    assert barriers(page) == []
    assert page.evaluate(SHIFTS) == 0
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
