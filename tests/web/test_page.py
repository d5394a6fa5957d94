"""The page at / in a real browser: games are played, analysed, reviewed and shared, by mouse, keyboard and ear."""

import json
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import httpx
import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Browser, Error, Locator, Page, Route, expect, sync_playwright

from service.games.catalogue import CATALOGUE
from tests.support import Server, need

PHONE, DESKTOP = (390, 844), (1280, 900)

expect.set_options(timeout=20_000)  # the machine may be busy with other tests

Visit = Callable[..., Page]
"""Opens the page at a query: ``visit("?moves=4", size=PHONE, scheme="dark", motion="reduce")``."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=need("chromium"), args=["--no-sandbox", "--disable-quic", "--disable-background-networking"]
        )
        yield browser
        browser.close()


@pytest.fixture
def complaints() -> list[str]:
    """What the console has complained of; a test that provokes complaints takes them away."""
    return []


@pytest.fixture
def visit(browser: Browser, server: Server, complaints: list[str]) -> Iterator[Visit]:
    """The test fails if a page asks for anything elsewhere, breaks its own policy or has an error."""
    asked_for: list[str] = []
    contexts = []

    def open_page(
        query: str = "", *, size: tuple[int, int] = DESKTOP, scheme: str = "light", motion: str = "reduce"
    ) -> Page:
        options: dict[str, Any] = {"color_scheme": scheme, "reduced_motion": motion}
        context = browser.new_context(viewport={"width": size[0], "height": size[1]}, **options)
        contexts.append(context)
        page = context.new_page()
        page.on("request", lambda asked: asked_for.append(asked.url))
        page.on("console", lambda said: complaints.append(said.text) if said.type in {"error", "warning"} else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(f"{server.url}/{query}")
        expect(page.locator(".cell").first).to_be_visible()
        return settled(page)

    yield open_page
    for context in contexts:
        context.close()
    assert [url for url in asked_for if not url.startswith((f"{server.url}/", "data:"))] == []
    assert complaints == []


def settled(page: Page) -> Page:
    """The page, when nobody is thinking any more."""
    expect(page.locator("#analysis")).to_have_attribute("aria-busy", "false", timeout=30_000)
    expect(page.locator("#status")).not_to_contain_text("thinking")
    return page


def cells(page: Page) -> Locator:
    return page.get_by_role("gridcell")


def play(page: Page, *chosen: int) -> None:
    for cell in chosen:
        cells(page).nth(cell).click()
        settled(page)


def marks(page: Page) -> str:
    """The position as the page tells it to those who listen."""
    labels = [cell.get_attribute("aria-label") or "" for cell in cells(page).all()]
    found = [re.search(r"column \d+, (X|O|empty)", label) for label in labels]
    return "".join("." if match is None or match[1] == "empty" else match[1] for match in found)


def ask(server: Server, route: str, **body: Any) -> Any:
    return httpx.post(f"{server.url}{route}", json=body, timeout=60).raise_for_status().json()


def code(value: dict[str, Any]) -> str:
    """What the page calls a proven value."""
    letter = {"win": "W", "draw": "D", "loss": "L"}[value["outcome"]]
    return letter if letter == "D" else f"{letter}{value['plies']}"


# Games to their ends


def test_a_game_of_two_people_is_won_and_its_line_is_drawn(visit: Visit) -> None:
    page = visit("?you=both")
    play(page, 0, 3, 1, 4, 2)
    expect(page.locator("#status")).to_have_text("X has won")
    expect(page.locator("#story")).to_have_text("X has completed the top row and won.")
    expect(page.locator(".won")).to_have_count(3)
    expect(page.locator(".won-line")).to_have_attribute("d", "M0.5 0.5L1.5 0.5M1.5 0.5L2.5 0.5")
    cells(page).nth(8).click(force=True)
    assert marks(page) == "XXXOO...."


def play_on(page: Page, wanted: tuple[str, ...]) -> None:
    """Plays to the end, each time at the first cell whose hint is of the first kind wanted that there is."""
    while re.search("move", page.locator("#status").inner_text()):
        choices = (page.locator(f".cell.{kind}") for kind in wanted)
        next(choice for choice in choices if choice.count()).first.click()
        settled(page)


def test_the_perfect_oracle_is_beaten_from_a_won_position(visit: Visit) -> None:
    page = visit("?moves=0,1&hints=values")
    play_on(page, ("best", "win"))
    expect(page.locator("#status")).to_have_text("You have won as X")


def test_the_perfect_oracle_is_held_to_a_draw_by_its_own_hints(visit: Visit) -> None:
    page = visit("?hints=values")
    play_on(page, ("best", "draw"))
    expect(page.locator("#status")).to_have_text("A draw")


def test_who_blunders_loses_to_the_perfect_oracle(visit: Visit) -> None:
    page = visit("?hints=values&you=O")
    play_on(page, ("loss", "draw"))
    expect(page.locator("#status")).to_have_text("The oracle has won as X")


def test_the_oracle_plays_itself_to_a_draw(visit: Visit) -> None:
    page = visit("?you=none")
    expect(page.locator("#status")).to_have_text("A draw", timeout=20_000)


def test_a_weak_oracle_repeats_its_moves_with_the_seed_of_the_link(visit: Visit) -> None:
    first, second = (visit("?you=none&skill=0&seed=7") for _ in range(2))
    for page in (first, second):
        expect(page.locator("#status")).to_have_text(re.compile("draw|won"), timeout=20_000)
    assert first.url == second.url
    assert "moves=" in first.url


def test_the_skill_that_was_set_is_asked_for(visit: Visit) -> None:
    page = visit()
    page.get_by_label("Skill of the oracle").fill("40")
    settled(page)
    with page.expect_request(lambda asked: "skill" in (asked.post_data or "")) as asked:
        play(page, 4)
    assert json.loads(asked.value.post_data or "")["skill"] == 40
    assert "skill=40" in page.url


# What is shown


@pytest.mark.parametrize(
    ("game", "moves"),
    [("tic-tac-toe", [0, 8]), ("misere-tic-tac-toe", [4, 0, 8]), ("connect-four-5x4", [2, 2, 1, 1])],
)
def test_the_hints_are_what_the_service_says(visit: Visit, server: Server, game: str, moves: list[int]) -> None:
    page = visit(f"?game={game}&moves={','.join(map(str, moves))}&you=both&hints=values,line,threats")
    analysis = ask(server, "/analysis", game=game, moves=moves)
    assert analysis["proven"]
    by_cell = {move["move"]: move for move in analysis["moves"]}
    falls = CATALOGUE[game].has_columns
    for cell, shown in enumerate(cells(page).all()):
        values = [code(by_cell[cell])] if cell in by_cell and not falls else []
        assert shown.locator(".value").all_inner_texts() == values
        order = [str(analysis["pv"].index(cell) + 1)] if cell in analysis["pv"] else []
        assert shown.locator(".order").all_inner_texts() == order
        assert shown.locator(".ghost").count() == len(order)
        threats = [f"{player}!" for player in "XO" if cell in analysis["threats"][player]]
        assert shown.locator(".threat").all_inner_texts() == threats
    best = {move["move"] for move in analysis["moves"] if move["best"]}
    assert page.locator(".option.best").count() == len(best)
    by_column = sorted(analysis["moves"], key=lambda move: move["column"]) if falls else []
    assert page.locator(".score b").all_inner_texts() == [code(move) for move in by_column]


def test_reasons_are_told_in_words_and_their_lines_drawn(visit: Visit, server: Server) -> None:
    page = visit("?moves=0,4,1&hints=values&you=both")
    (blocking, *_) = ask(server, "/analysis", moves=[0, 4, 1])["moves"]
    option = page.locator(".option").first
    expect(option.locator(".why")).to_have_text(" ".join(reason["detail"] for reason in blocking["reasons"]))
    option.hover()
    expect(cells(page).nth(2)).to_have_class(re.compile("pointed"))
    expect(page.locator(".reason-line")).to_have_count(1)


def test_reasons_speak_of_columns_where_moves_are_columns(visit: Visit, server: Server) -> None:
    page = visit("?game=connect-four-5x4&moves=2,2,1&hints=values&you=both")
    reason = ask(server, "/analysis", game="connect-four-5x4", moves="332")["reason"]
    assert reason.startswith("Drops into the 4th column and stops X")
    expect(page.locator(".headline + p")).to_have_text(reason)


def test_the_lines_of_a_reason_go_with_the_hints(visit: Visit) -> None:
    page = visit("?moves=0,3,1&you=both&hints=values")
    page.locator(".option").first.hover()
    expect(page.locator(".reason")).to_have_count(3)
    page.keyboard.press("h")
    settled(page)
    expect(page.locator(".reason, .pointed, .reason-line")).to_have_count(0)


def test_hints_are_switched_one_by_one_and_all_at_once(visit: Visit) -> None:
    page = visit("?moves=0,4,1&you=both")
    expect(page.locator(".value")).to_have_count(0)
    page.get_by_role("button", name="Hints").click()
    for shown in (".value", ".order", ".threat"):
        expect(page.locator(f".cell {shown}").first).to_be_visible()
    page.get_by_label("Values").uncheck()
    expect(page.locator(".value")).to_have_count(0)
    assert page.url.endswith("hints=line,threats")
    page.get_by_role("button", name="Hints").click()
    expect(page.locator(".cell .order")).to_have_count(0)


def test_the_progress_of_a_deep_search_is_shown_and_it_can_be_stopped(visit: Visit) -> None:
    page = visit("?game=connect-four&moves=3,2&you=both")
    page.get_by_label("Values").check()
    progress = page.locator("#analysis .searching")
    expect(progress).to_contain_text(re.compile(r"Depth \d+, [\d,]+ nodes; \d of 7 moves settled"))
    expect(page.locator(".score.awaited.leading")).to_have_count(1)
    page.get_by_role("button", name="Stop").click()
    expect(page.locator("#analysis")).to_contain_text("The search was stopped.")


def test_a_search_ends_when_the_position_changes(visit: Visit) -> None:
    page = visit("?game=connect-four&moves=3,2&you=both")
    page.get_by_label("Values").check()
    expect(page.locator("#analysis .searching")).to_be_visible()
    with page.expect_event("requestfailed", lambda asked: asked.url.endswith("/analysis")):
        cells(page).nth(3).click()
    settled(page)


def test_what_is_not_proven_is_called_so(visit: Visit) -> None:
    page = visit("?game=connect-four&hints=values&you=both")
    expect(page.locator(".headline")).to_contain_text("Not proven yet")
    expect(page.locator(".unproven")).to_contain_text("The search ended before every proof")
    expect(page.locator(".score.unknown b").first).to_have_text(re.compile("[?≥≤]"))
    expect(page.get_by_role("button", name="Search longer")).to_be_visible()


def test_no_search_is_asked_for_that_is_longer_than_the_service_allows(visit: Visit, server: Server) -> None:
    version = httpx.get(f"{server.url}/version").json()
    page = visit("?game=connect-four&you=both")
    page.route("**/version", lambda route: route.fulfill(json={**version, "max_time_ms": 300}))
    page.reload()
    settled(page)
    with page.expect_request("**/analysis") as asked:
        page.get_by_role("button", name="Hints").click()
    assert json.loads(asked.value.post_data or "")["limit"] == {"time_ms": 300}
    settled(page)


def test_the_tree_shows_two_plies_with_symmetric_moves_as_one(visit: Visit) -> None:
    page = visit("?you=both")
    page.get_by_text("Game tree").click()
    settled(page)
    expect(page.locator(".branch")).to_have_count(3)
    corner = page.locator(".branch").first
    expect(corner.locator("> .node")).to_contain_text("X a1 D")
    expect(corner.locator("> .node")).to_contain_text("and 3 alike")
    expect(corner.locator(".replies .node").first).to_contain_text("O b2 D")
    expect(corner.locator(".replies .node").nth(1)).to_contain_text("L")


# The review


BLUNDER = "?moves=0,1,4,2,8&you=both"


def test_the_review_names_the_blunder_and_the_turning_point(visit: Visit, server: Server) -> None:
    page = visit(BLUNDER)
    report = ask(server, "/review", moves=[0, 1, 4, 2, 8])
    page.get_by_role("button", name="Review the game").click()
    expect(page.locator(".mistakes li")).to_have_count(1)
    expect(page.locator(".mistakes")).to_contain_text("Turning point")
    expect(page.locator(".mistakes")).to_contain_text("Ply 2, O b1: a mistake (draw -> loss)")
    expect(page.locator(".mistakes")).to_contain_text("Best was b2.")
    accuracy = "".join(f"{player} {report['accuracy'][player]:g} %" for player in "XO")
    expect(page.locator(".accuracy")).to_have_text(f"Accuracy {accuracy}")
    verdicts = [glyph.split()[-1] for glyph in page.locator("#sheet .glyph").all_inner_texts()]
    assert verdicts == [ply["verdict"] for ply in report["plies"]]


def test_the_review_of_a_game_of_columns_speaks_of_columns(visit: Visit) -> None:
    page = visit("?game=connect-four-5x4&drops=44521&you=both")
    page.get_by_role("button", name="Review the game").click()
    lost = "Loses in 14 plies, where 16 can be held out."
    expect(page.locator("#review-now")).to_have_text(f"Ply 5, X column 1: slower. {lost} Best was column 2, 3.")
    page.get_by_label("Ply of the review").press("Home")
    page.get_by_label("Ply of the review").press("ArrowRight")
    expect(page.locator("#review-now")).to_have_text("Ply 1, X column 4: best. Holds the draw.")
    page.get_by_label("Ply of the review").press("ArrowRight")
    expect(page.locator("#review-now")).to_contain_text("Ply 2, O column 4: ")


def test_the_curve_is_clicked_through(visit: Visit) -> None:
    page = visit(BLUNDER)
    page.get_by_role("button", name="Review the game").click()
    curve = page.locator(".evaluation")
    expect(curve.locator(".point")).to_have_count(5)
    curve.locator(".point.mistake").click()
    settled(page)
    assert marks(page) == "XO......."
    assert "ply=2" in page.url
    expect(page.locator("#review-now")).to_contain_text("Ply 2, O b1: a mistake")
    page.get_by_label("Ply of the review").press("ArrowRight")
    settled(page)
    assert marks(page) == "XO..X...."
    page.locator("#sheet button").last.click()
    settled(page)
    assert marks(page) == "XOO.X...X"
    expect(curve).to_be_visible()


def test_another_game_has_no_review_yet(visit: Visit) -> None:
    page = visit(BLUNDER)
    page.get_by_role("button", name="Review the game").click()
    expect(page.locator(".evaluation")).to_be_visible()
    page.get_by_role("button", name="New game").click()
    expect(page.locator(".evaluation")).to_have_count(0)


# Links, and the way back


def test_a_shared_link_restores_everything(visit: Visit, server: Server) -> None:
    page = visit()
    page.get_by_label("Game", exact=True).select_option("connect-four-5x4")
    page.get_by_label("Both sides").check()
    page.get_by_label("Skill of the oracle").fill("60")
    settled(page)
    play(page, 2, 2, 1)
    page.get_by_role("button", name="Undo").click()
    page.get_by_label("Threats").check()
    settled(page)
    shared = visit(page.url.removeprefix(f"{server.url}/"))
    assert marks(shared) == marks(page) == "............O....X.."
    expect(shared.get_by_label("Game", exact=True)).to_have_value("connect-four-5x4")
    expect(shared.get_by_label("Both sides")).to_be_checked()
    expect(shared.get_by_label("Skill of the oracle")).to_have_value("60")
    expect(shared.get_by_label("Threats")).to_be_checked()
    expect(shared.get_by_label("Values")).not_to_be_checked()
    shared.get_by_role("button", name="Redo").click()
    settled(shared)
    assert marks(shared) == "............O...XX.."


def test_the_link_is_copied(visit: Visit) -> None:
    page = visit("?you=both")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    play(page, 4)
    page.get_by_role("button", name="Copy link").click()
    expect(page.locator("#copied")).to_have_text("Copied.")
    assert page.evaluate("navigator.clipboard.readText()") == page.url
    assert "moves=4" in page.url


def test_undo_and_redo_lead_from_one_own_move_to_another(visit: Visit) -> None:
    page = visit()
    play(page, 0)
    assert marks(page) == "X...O...."
    play(page, 8)
    after = marks(page)
    page.get_by_role("button", name="Undo").click()
    settled(page)
    assert marks(page) == "X...O...."
    page.get_by_role("button", name="Undo").click()
    settled(page)
    assert marks(page) == "........."
    expect(page.get_by_role("button", name="Undo")).to_have_attribute("aria-disabled", "true")
    for position in ("X...O....", after):
        page.get_by_role("button", name="Redo").click()
        settled(page)
        assert marks(page) == position


def test_the_browser_goes_back_to_the_game_before(visit: Visit) -> None:
    page = visit("?you=both")
    play(page, 4, 0)
    page.get_by_role("button", name="New game").click()
    settled(page)
    assert marks(page) == "........."
    page.go_back()
    settled(page)
    assert marks(page) == "O...X...."


# Keyboard and ear


def test_a_game_is_played_with_the_keyboard_alone(visit: Visit) -> None:
    page = visit("?you=both")
    for key in ("Tab", "Enter", "Tab"):
        page.keyboard.press(key)
    expect(cells(page).first).to_be_focused()
    for key in ("Enter", "ArrowDown", "Space", "ArrowUp", "ArrowRight", "Enter", "ArrowDown", "Enter"):
        page.keyboard.press(key)
        settled(page)
    assert marks(page) == "XX.OO...."
    page.keyboard.press("u")
    settled(page)
    assert marks(page) == "XX.O....."
    page.keyboard.press("r")
    settled(page)
    for key in ("Home", "ArrowUp", "End", "Enter"):
        page.keyboard.press(key)
        settled(page)
    expect(page.locator("#status")).to_have_text("X has won")
    said = page.locator("#said")
    expect(said).to_contain_text("X at row 1, column 1.")
    expect(said).to_contain_text("X has won. X has completed the top row and won.")


def test_the_way_to_the_board_disturbs_no_search(visit: Visit) -> None:
    page = visit("?you=both")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("#board$"))
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    settled(page)
    assert marks(page) == "X........"
    assert len([url for url in asked if url.endswith("/best-move")]) == 1


def test_a_cell_tells_what_is_known_of_it(visit: Visit) -> None:
    page = visit("?moves=0,4,1&hints=values,line,threats&you=both")
    expect(cells(page).nth(0)).to_have_attribute("aria-label", "row 1, column 1, X")
    label = "row 1, column 3, empty, draws, best, number 1 of the best line, X could complete a line here"
    expect(cells(page).nth(2)).to_have_attribute("aria-label", label)


def test_letter_keys_can_be_switched_off(visit: Visit) -> None:
    page = visit("?you=both")
    play(page, 4)
    page.get_by_text("Keyboard", exact=True).click()
    page.get_by_label("Letter keys").uncheck()
    cells(page).first.focus()
    page.keyboard.press("u")
    settled(page)
    assert marks(page) == "....X...."


# Boards of every kind


def test_a_mark_falls_in_the_column_that_was_clicked(visit: Visit) -> None:
    page = visit("?game=connect-four&you=both")
    cells(page).nth(3).hover()
    expect(cells(page).nth(38).locator(".aim")).to_have_count(1)
    play(page, 3, 3)
    assert [cell for cell, mark in enumerate(marks(page)) if mark != "."] == [31, 38]
    assert "drops=44" in page.url


def lane(page: Page) -> list[int]:
    """The columns that are set off, by the cells, the numbers below and the values above."""
    found = [
        node.evaluate("node => [...node.parentElement.children].indexOf(node)") for node in page.locator(".lane").all()
    ]
    return sorted(set(found))


def test_the_whole_column_is_set_off_where_somebody_points_and_a_disc_waits_where_it_would_land(visit: Visit) -> None:
    page = visit("?game=connect-four&you=both&drops=4433333322")
    cells(page).nth(8).hover()
    assert lane(page) == [1]
    expect(page.locator(".cell.lane")).to_have_count(6)
    expect(cells(page).nth(22).locator(".aim.mark-X")).to_have_count(1)
    page.locator(".column-names span").nth(3).hover()
    assert lane(page) == [3]
    expect(cells(page).nth(24).locator(".aim.mark-X")).to_have_count(1)
    cells(page).nth(2).hover()
    assert lane(page) == []
    expect(page.locator(".aim")).to_have_count(0)
    page.locator(".column-names span").nth(3).click()
    settled(page)
    assert page.url.endswith("drops=44333333224&you=both")
    assert lane(page) == [3]


def test_digits_play_columns_unless_they_are_switched_off(visit: Visit) -> None:
    page = visit("?game=connect-four-5x4&you=both")
    for key in "33333695":
        page.keyboard.press(key)
        settled(page)
    assert "drops=33335" in page.url
    page.get_by_text("Keyboard", exact=True).click()
    page.get_by_label("Letter keys").uncheck()
    page.keyboard.press("1")
    settled(page)
    assert "drops=33335" in page.url
    flat = visit("?you=both")
    flat.keyboard.press("1")
    assert marks(settled(flat)) == "........."


def test_arrows_move_between_columns(visit: Visit) -> None:
    page = visit("?game=connect-four&you=both")
    cells(page).first.focus()
    for key, column in (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowDown", 2), ("End", 6), ("ArrowLeft", 5)):
        page.keyboard.press(key)
        assert lane(page) == [column]
    page.keyboard.press("Enter")
    settled(page)
    assert "drops=6" in page.url
    expect(cells(page).nth(33).locator(".aim.mark-O")).to_have_count(1)


def test_the_value_of_every_column_stands_above_it_and_can_be_heard_and_clicked(visit: Visit, server: Server) -> None:
    page = visit("?game=connect-four-5x4&you=both&drops=33241&hints=values")
    analysis = ask(server, "/analysis", game="connect-four-5x4", moves="33241")
    by_column = {move["column"]: move for move in analysis["moves"]}
    scores = page.get_by_role("list", name="What each column is worth").get_by_role("listitem")
    for column, score in enumerate(scores.all()):
        move = by_column[column]
        words = {"win": f"wins in {move['plies']} plies", "draw": "draws", "loss": f"loses in {move['plies']} plies"}
        told = f"Column {column + 1}: {words[move['outcome']]}{', best' if move['best'] else ''}"
        expect(score.locator("span")).to_have_text(told)
        expect(score.locator("b")).to_have_text(code(move))
    scores.nth(1).click()
    settled(page)
    assert "drops=332412" in page.url
    page.get_by_label("Values").uncheck()
    expect(scores).to_have_count(0)


def unanswered(_: Route) -> None:
    """Lets a request wait for good."""


def test_a_column_waits_for_its_value_while_the_search_goes_on(visit: Visit) -> None:
    page = visit("?game=connect-four&you=both&drops=121212")
    with page.expect_request("**/analysis"):
        page.get_by_label("Values").check()
    settled(page)
    expect(page.locator(".score b").first).to_have_text("W1")
    page.route("**/analysis", unanswered)
    page.keyboard.press("7")
    expect(page.locator(".score.awaited b")).to_have_text(["…"] * 7)
    page.unroute_all(behavior="ignoreErrors")


def test_what_the_oracle_plays_is_told_by_its_column(visit: Visit) -> None:
    page = visit("?game=connect-four-5x4")
    page.keyboard.press("3")
    expect(page.locator("#story")).to_have_text(re.compile(r"^O drops into the (middle|\dth|\d..) column"))
    settled(page)
    expect(page.locator("#sheet .name")).to_have_text(["3", re.compile("^[1-5]$")])


def test_an_old_link_shows_the_same_game_and_becomes_a_new_one(visit: Visit) -> None:
    old, new = visit("?game=connect-four&moves=3,3,2&you=both"), visit("?game=connect-four&drops=443&you=both")
    assert marks(old) == marks(new)
    assert marks(old).count(".") == 39
    assert "drops=443" in old.url
    assert "drops=4&" in visit("?game=connect-four&moves=3&you=both").url


PASTE = """text => {
  const clipboardData = new DataTransfer();
  clipboardData.setData("text", text);
  document.activeElement.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
}"""


def test_a_string_of_columns_is_pasted_and_typed(visit: Visit) -> None:
    page = visit("?game=connect-four&you=both&drops=7")
    page.evaluate(PASTE, " 44455\n")
    expect(page.get_by_label("Columns played")).to_have_value("44455")
    assert marks(settled(page)).count(".") == 37
    page.get_by_label("Columns played").fill("1, 2 1")
    page.get_by_role("button", name="Load").click()
    expect(page.get_by_label("Columns played")).to_have_value("121")
    assert "drops=121" in settled(page).url
    page.evaluate(PASTE, "not a game")
    page.go_back()
    settled(page)
    assert "drops=44455" in page.url


def test_a_string_is_forgotten_where_another_game_is_begun_before_it_is_read(visit: Visit) -> None:
    page, held = visit("?game=connect-four&you=both&drops=7"), list[Route]()

    def hold(route: Route) -> None:
        if '"44455"' in (route.request.post_data or ""):
            held.append(route)
        else:
            route.continue_()

    page.route("**/best-move", hold)
    with page.expect_request(lambda request: '"44455"' in (request.post_data or "")):
        page.evaluate(PASTE, "44455")
    page.get_by_label("Game", exact=True).select_option("tic-tac-toe-4x4")
    settled(page)
    with suppress(Error):  # the page has given the question up
        held[0].continue_()
    page.wait_for_timeout(500)
    assert marks(page) == "." * 16
    page.unroute_all(behavior="ignoreErrors")


def test_a_string_that_is_no_game_is_told_and_nothing_is_lost(visit: Visit, complaints: list[str]) -> None:
    page = visit("?game=connect-four&you=both&drops=7")
    page.evaluate(PASTE, "4448")
    expect(page.get_by_role("alert")).to_contain_text(
        "moves[3]: There is no column 8; Connect Four has columns 1 to 7."
    )
    assert "drops=7" in page.url
    assert marks(page).count(".") == 41
    page.get_by_label("Columns played").fill("4x")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text('moves[1]: "x" is no digit')
    complaints.clear()


def test_a_link_with_columns_that_are_none_says_which(visit: Visit, complaints: list[str]) -> None:
    page = visit("?game=connect-four&drops=40&you=both")
    expect(page.get_by_role("alert")).to_contain_text("moves[1]: There is no column 0;")
    complaints.clear()


def test_there_is_no_string_of_columns_where_a_move_is_no_column(visit: Visit) -> None:
    page = visit("?you=both&moves=4")
    expect(page.locator("#record")).to_be_hidden()
    page.evaluate(PASTE, "44")
    assert marks(settled(page)) == "....X...."


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_narrow_phone_has_room_for_seven_columns(visit: Visit, scheme: str) -> None:
    page = visit("?game=connect-four&you=both&drops=4444435326625533&hints=values,line", size=(360, 740), scheme=scheme)
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    for score in page.locator(".score").all():
        assert score.evaluate("node => node.scrollWidth <= node.clientWidth")
    middle = "node => { const { left, right } = node.getBoundingClientRect(); return (left + right) / 2; }"
    for column in range(7):
        shown = (page.locator(".score"), cells(page), page.locator(".column-names span"))
        above, cell, below = (nodes.nth(column).evaluate(middle) for nodes in shown)
        assert above == pytest.approx(cell, abs=2) == below
    assert barriers(page) == []


def test_a_board_of_layers_is_walked_and_played_through(visit: Visit) -> None:
    page = visit("?game=qubic&you=both")
    expect(page.get_by_role("grid")).to_have_count(4)
    play(page, 21)
    cells(page).nth(21).focus()
    for key in ("PageDown", "ArrowRight", "ArrowRight", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    settled(page)
    assert "moves=21,52" in page.url
    expect(cells(page).nth(52)).to_have_attribute("aria-label", "layer 4, row 2, column 1, O")


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_every_game_of_the_catalogue_has_its_board(visit: Visit, size: tuple[int, int]) -> None:
    page = visit("?you=both", size=size)
    for game in CATALOGUE.values():
        page.get_by_label("Game", exact=True).select_option(game.id)
        settled(page)
        expect(cells(page)).to_have_count(game.cells)
        play(page, game.columns // 2)
        assert marks(page).count("X") == 1
        assert page.evaluate("document.documentElement.scrollWidth") == size[0]


@pytest.mark.parametrize(("motion", "animation"), [("no-preference", "fall"), ("reduce", "none")])
def test_marks_fall_visibly_unless_one_prefers_less_motion(visit: Visit, motion: str, animation: str) -> None:
    page = visit("?game=connect-four&you=both", motion=motion)
    play(page, 3)
    expect(cells(page).nth(38).locator(".mark-X")).to_have_css("animation-name", animation)


# When something fails


def problem(route: Route) -> None:
    body = {"type": "/problems/overloaded", "title": "Too much to do", "status": 503, "detail": "Every search is busy."}
    route.fulfill(status=503, content_type="application/problem+json", body=json.dumps(body))


def lost(route: Route) -> None:
    route.abort()


@pytest.mark.parametrize(
    ("failure", "told"),
    [(problem, "Too much to do Every search is busy."), (lost, "The service cannot be reached")],
    ids=["problem", "lost"],
)
def test_a_failure_is_told_kindly_and_nothing_is_lost(
    visit: Visit, complaints: list[str], failure: Callable[[Route], None], told: str
) -> None:
    page = visit()
    play(page, 0)
    page.route("**/best-move", failure)
    cells(page).nth(8).click()
    expect(page.get_by_role("alert")).to_contain_text(told)
    expect(page.locator("#status")).to_have_text("O to move: there was no answer")
    assert marks(page) == "X...O...X"
    page.unroute("**/best-move")
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("alert")).to_be_hidden()
    settled(page)
    assert marks(page).count("O") == 2
    complaints.clear()


def test_the_page_tries_again_by_itself_where_there_is_no_room_at_first(visit: Visit, complaints: list[str]) -> None:
    page, refused = visit(), list[str]()

    def busy_at_first(route: Route) -> None:
        if refused:
            route.continue_()
        else:
            refused.append(route.request.url)
            route.fulfill(status=503, content_type="application/problem+json", headers={"Retry-After": "1"}, body="{}")

    page.route("**/best-move", busy_at_first)
    play(page, 0)
    assert len(refused) == 1
    assert marks(page).count("O") == 1
    expect(page.get_by_role("alert")).to_be_hidden()
    complaints.clear()


def test_a_search_that_breaks_off_is_told_and_tried_again(visit: Visit) -> None:
    page = visit("?you=both")
    progress = {"depth": 3, "nodes": 9, "at_least": "loss", "at_most": "win", "move": 4, "settled": 0, "moves": 9}
    broken = json.dumps({"progress": progress}) + "\n"
    page.route("**/analysis", lambda route: route.fulfill(content_type="application/x-ndjson", body=broken))
    page.get_by_role("button", name="Hints").click()
    expect(page.get_by_role("alert")).to_contain_text("The search broke off")
    page.unroute("**/analysis")
    page.get_by_role("button", name="Try again").click()
    expect(page.locator(".headline")).to_contain_text("A draw with best play")


def test_a_link_to_an_unknown_game_opens_one_that_is_known(visit: Visit) -> None:
    page = visit("?game=chess&moves=3,3")
    expect(page.get_by_role("alert")).to_contain_text("No such game The link asks for “chess”.")
    page.get_by_role("button", name="Dismiss").click()
    play(page, 4)
    assert marks(page).count("O") == 1


def test_a_link_to_an_impossible_game_says_why(visit: Visit, complaints: list[str]) -> None:
    page = visit("?moves=0,0&you=both")
    expect(page.get_by_role("alert")).to_contain_text("This board cannot arise in the game Cell 0 is marked")
    expect(page.locator("#status")).to_have_text("X to move: there was no answer")
    page.get_by_role("button", name="New game").click()
    expect(page.get_by_role("alert")).to_be_hidden()
    settled(page)
    play(page, 0)
    assert marks(page) == "X........"
    complaints.clear()


def test_the_game_goes_on_where_the_browser_refuses_another_address(visit: Visit) -> None:
    page = visit("?you=both")
    page.add_init_script("history.replaceState = () => { throw new DOMException('Too many', 'SecurityError'); }")
    page.reload()
    settled(page)
    play(page, 4, 0)
    assert marks(page) == "O...X...."


def test_any_seed_of_a_link_leaves_room_for_every_ply(visit: Visit) -> None:
    page = visit("?moves=4&skill=0&seed=9007199254740991")
    assert marks(page).count("O") == 1


# For everybody


def test_the_present_move_is_in_sight_however_long_the_list(visit: Visit) -> None:
    page = visit(f"?game=connect-four&you=both&drops={'1' * 6 + '2' * 6 + '4' * 6 + '7' * 6}")
    present = page.locator("#sheet [aria-current=step]")
    expect(present).to_contain_text("24")
    expect(present).to_be_in_viewport(ratio=1)
    page.evaluate("document.activeElement.blur()")
    page.locator("#undo").click()
    expect(present).to_contain_text("23")
    expect(present).to_be_in_viewport(ratio=1)
    for _ in range(22):
        page.locator("#undo").click()
    expect(present).to_contain_text("1")
    expect(present).to_be_in_viewport(ratio=1)


def test_what_a_background_tells_is_told_by_a_line_where_colours_are_forced(visit: Visit) -> None:
    page = visit("?you=both&moves=0,3,1,4,2")
    page.emulate_media(forced_colors="active")
    expect(page.locator(".won").first).to_have_css("outline-style", "solid")
    page.locator("#undo").click()
    expect(page.locator(".newest")).to_have_css("outline-style", "dashed")
    hints = page.get_by_role("button", name="Hints")
    plain = hints.evaluate("button => getComputedStyle(button).backgroundColor")
    hints.click()
    expect(hints).not_to_have_css("background-color", plain)


def hurried(route: Route) -> str:
    """The body of a request, with so low a limit that nothing is proven."""
    return json.dumps({**(route.request.post_data_json or {}), "limit": {"nodes": 10}})


def test_a_verdict_has_room_on_the_narrowest_phone(visit: Visit) -> None:
    page = visit("?game=qubic&you=both&moves=0,1", size=(320, 640))
    page.route("**/review", lambda route: route.continue_(post_data=hurried(route)))
    page.locator("#review-button").click()
    expect(page.locator("#sheet .glyph").first).to_contain_text("unknown")
    for button in page.locator("#sheet button").all():
        assert button.evaluate("node => node.scrollWidth <= node.clientWidth")


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_keeps_anybody_from_using_the_page(visit: Visit, size: tuple[int, int], scheme: str) -> None:
    page = visit("?moves=0,4,1&you=both", size=size, scheme=scheme)
    assert barriers(page) == []
    page.get_by_role("button", name="Hints").click()
    page.get_by_text("Game tree").click()
    page.get_by_text("Keyboard", exact=True).click()
    settled(page)
    assert barriers(page) == []
    play(page, 8, 2)
    expect(page.locator("#status")).to_have_text("X has won")
    assert barriers(page) == []
    page.get_by_role("button", name="Review the game").click()
    expect(page.locator(".evaluation")).to_be_visible()
    assert barriers(page) == []
    page.get_by_label("Game", exact=True).select_option("connect-four-5x4")
    settled(page)
    play(page, 2)
    assert barriers(page) == []


def barriers(page: Page) -> list[str]:
    """What axe finds, serious or not, with the places."""
    found = Axe().run(page).response["violations"]
    return [f"{violation['id']}: {[node['target'] for node in violation['nodes']]}" for violation in found]
