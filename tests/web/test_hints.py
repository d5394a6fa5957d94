"""Hints, reasons, the progress of a search and the tree: what the page shows is what the service says."""

import re

import httpx
import pytest
from playwright.sync_api import expect

from service.engine.tables.table_folder import cache_folder, table_path
from service.games.catalogue import LINE_GAMES
from service.games.families.pop_out import PopOutGame
from tests.support import Server
from tests.web.page import Visit, ask, cells, choose, settled, shown, values, with_few_nodes, with_much_time


@pytest.mark.parametrize(
    ("game", "moves"),
    [("misere-tic-tac-toe", [4, 0, 8]), ("connect-four-5x4", [2, 2, 1, 1])],
)
def test_the_hints_are_what_the_service_says(visit: Visit, server: Server, game: str, moves: list[int]) -> None:
    page = visit(f"?game={game}&moves={','.join(map(str, moves))}&you=both&hints=values,line,threats")
    analysis = ask(server, "/analysis", game=game, moves=moves)
    assert analysis["proven"]
    by_cell = shown(analysis)
    falls = LINE_GAMES[game].has_columns
    for cell, place in enumerate(cells(page).all()):
        assert values(place) == ([by_cell[cell]] if cell in by_cell and not falls else [])
        soon = analysis["pv"][:5]
        order = [str(soon.index(cell) + 1)] if cell in soon else []
        assert place.locator(".order").all_inner_texts() == order
        assert place.locator(".ghost").count() == len(order)
        for player in "XO":
            assert place.locator(f".threat-{player}").count() == (cell in analysis["threats"][player])
    best = {move["move"] for move in analysis["moves"] if move["best"]}
    assert page.locator(".option.best").count() == len(best)
    by_column = sorted(analysis["moves"], key=lambda move: move["column"]) if falls else []
    assert [values(score) for score in page.locator(".score").all()] == [[by_cell[move["move"]]] for move in by_column]


def test_the_lines_of_reasons_are_drawn(visit: Visit) -> None:
    page = visit("?moves=0,4,1&hints=values&you=both")
    option = page.locator(".option").first
    expect(option.locator(".why")).to_contain_text("Blocks the top row.")
    option.hover()
    expect(cells(page).nth(2)).to_have_class(re.compile("pointed"))
    expect(page.locator(".reason-line")).to_have_count(1)


def test_hints_are_switched_one_by_one_and_all_at_once(visit: Visit) -> None:
    page = visit("?moves=0,4,1&you=both")
    expect(page.locator(".tint")).to_have_count(0)
    page.get_by_role("button", name="Hints").click()
    for hint in (".tint", ".order", ".threat"):
        expect(page.locator(f".cell {hint}").first).to_be_visible()
    page.get_by_label("Values").uncheck()
    expect(page.locator(".tint")).to_have_count(0)
    assert page.url.endswith("hints=line,threats")
    page.get_by_role("button", name="Hints").click()
    expect(page.locator(".cell .order")).to_have_count(0)


def test_no_search_is_asked_for_that_is_longer_than_the_service_allows(visit: Visit, server: Server) -> None:
    version = httpx.get(f"{server.url}/version").json()
    page = visit("?game=connect-four&you=both")
    page.route("**/version", lambda route: route.fulfill(json={**version, "max_time_ms": 300}))
    page.reload()
    settled(page)
    with page.expect_request("**/analysis/stream") as asked:
        page.get_by_role("button", name="Hints").click()
    assert (asked.value.post_data_json or {})["limit"] == {"time_ms": 300}
    settled(page)


def test_no_value_of_another_game_or_position_is_shown_and_at_the_end_the_result(
    visit: Visit, complaints: list[str]
) -> None:
    page = visit("?hints=values&you=both&moves=0,3,1,4")
    bar = page.locator("#bar")
    expect(bar).to_have_attribute("aria-label", "Evaluation: X wins in 1 move")
    page.route("**/analysis/stream", lambda _: None)
    cells(page).nth(8).click()
    expect(bar).to_have_attribute("aria-label", "Evaluation: not known yet")
    expect(page.locator("#analysis button.option")).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    cells(page).nth(2).click()
    expect(bar).to_have_attribute("aria-label", "Evaluation: X has won")
    page.route("**/analysis/stream", lambda route: route.fulfill(status=500))
    choose(page, "qubic")
    expect(page.locator("#analysis")).to_have_text("The service did not answer")
    expect(bar).to_have_attribute("aria-label", "Evaluation: not known yet")
    complaints.clear()


DEEP = "?rows=6&columns=8&in_a_row=4&gravity=true&moves=3,2&you=both"
"""A position that no book has, and no search proves within the time that the page gives it."""


@pytest.mark.verify
def test_the_progress_of_a_deep_search_is_shown_and_it_ends_when_it_is_stopped_or_the_position_changes(
    visit: Visit,
) -> None:
    page = visit(DEEP)
    page.route("**/analysis/stream", with_much_time)
    page.get_by_role("button", name="Hints").click()
    progress = page.locator("#analysis .searching")
    expect(progress).to_contain_text(re.compile(r"Depth \d+, [\d,]+ nodes; \d of 8 moves settled"))
    expect(page.locator(".score.awaited.leading")).to_have_count(1)
    page.get_by_role("button", name="Stop").dispatch_event("click")  # it is drawn anew with each progress
    expect(page.locator("#analysis")).to_contain_text("The search was stopped.")
    page.get_by_role("button", name="Undo").click()
    expect(progress).to_be_visible()
    with page.expect_event("requestfailed", lambda asked: asked.url.endswith("/analysis/stream"), timeout=10_000):
        cells(page).nth(3).click()


@pytest.mark.verify
def test_while_a_table_is_made_the_page_says_what_it_waits_for(visit: Visit) -> None:
    # No other test asks for this game, and an earlier run has perhaps left its table.
    tables = cache_folder()
    assert tables is not None
    table_path(tables, PopOutGame(rows=4, columns=5, both="draw")).unlink(missing_ok=True)
    page = visit("?game=tic-tac-toe")
    page.route("**/analysis/stream", with_much_time)
    rules = "family=pop-out&rows=4&columns=5&both=draw"
    page.goto(f"{page.url.partition('?')[0]}?{rules}&moves=d0,d1", wait_until="commit")
    expect(page.locator("#analysis")).to_contain_text("Waiting for the table of all positions")


@pytest.mark.verify
def test_what_is_not_proven_is_called_so(visit: Visit) -> None:
    page = visit(DEEP)
    page.route("**/analysis/stream", with_few_nodes)
    page.get_by_role("button", name="Hints").click()
    expect(page.locator(".headline")).to_contain_text("Not proven yet")
    expect(page.locator(".unproven")).to_contain_text("The search ended before every value was proven")
    expect(page.locator(".score .estimate").first).to_have_text("≈")
    page.locator(".score").first.hover()
    expect(page.locator(".tip")).to_have_text(
        re.compile(r"not proven, (at (least|most) a draw|estimate \W[01][.]\d{2})")
    )
    expect(page.get_by_role("button", name="Search longer")).to_be_visible()
