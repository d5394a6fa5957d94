"""Own rules: the form that the page makes of what the service announces, the links to such games, and their faults."""

from playwright.sync_api import Page, Route, expect

from tests.web.page import PHONE, Visit, barriers, box, cells, marks, more, play, settled

FIRST = ("tic-tac-toe", "connect-four", "qubic", "misere-tic-tac-toe", "five-in-a-row-6x6")
"""Games that the page knows before the service has told any."""

SUBMIT = "Play by these rules"


def describe(page: Page, family: str, **values: str) -> None:
    """Choose a family in the form of own rules, and the values of some of its parameters by their labels."""
    page.locator("#game").click()
    page.get_by_label("Kind of game").select_option(family)
    for label, value in values.items():
        place = page.locator("#own-rules").get_by_label(label.replace("_", " "), exact=True)
        if place.evaluate("place => place.tagName") == "SELECT":
            place.select_option(value)
        else:
            place.fill(value)


def submit(page: Page) -> None:
    page.get_by_role("button", name=SUBMIT).click()
    expect(page.locator("#catalogue")).to_be_hidden()
    settled(page)


def query(page: Page) -> str:
    return "?" + page.url.partition("?")[2]


def test_own_rules_are_played_and_kept_in_the_link(visit: Visit) -> None:
    page = visit("?you=both")
    describe(page, "line", Rows="3", Columns="4", In_a_row="3")
    page.get_by_label("Gravity").check()
    submit(page)
    play(page, 0, 1, 0, 1, 0)
    expect(page.locator("#status")).to_have_text("Red has won")
    assert "rows=3&columns=4&in_a_row=3&gravity=true" in page.url
    shared = visit(query(page))
    assert marks(shared) == marks(page)
    shared.get_by_role("button", name="Undo").click()
    shared.get_by_role("button", name="Hints").click()
    settled(shared)
    expect(shared.locator(".headline")).to_contain_text("wins in 1 move")


def test_the_form_follows_when_the_service_has_told_its_families(visit: Visit) -> None:
    page, held = visit("?you=both"), list[Route]()

    def hold(route: Route) -> None:
        held.append(route)

    page.evaluate("localStorage.clear()")
    page.route("**/games", hold)
    page.reload()
    page.locator("#game").click()
    expect(page.locator("#catalogue .tile")).to_have_count(len(FIRST))
    expect(page.locator("#own-rules")).to_have_count(0)
    held[0].continue_()
    expect(page.get_by_label("Kind of game")).to_have_value("line")


def test_a_family_is_played_by_own_rules_reviewed_and_shared(visit: Visit) -> None:
    page = visit("?you=both")
    describe(page, "morris", Moves="king")
    submit(page)
    expect(page.locator("#game-name")).to_have_text("Three men's morris and its relatives, Moves: King")
    play(page, 4, 0, 2, 6, 3, 5, 4, 7)
    assert "4%3E7" in page.url
    page.get_by_role("button", name="Review the game").click()
    expect(page.locator("#review-now")).to_contain_text("Ply 7, ")
    shared = visit(query(page))
    assert marks(shared) == marks(page)
    expect(shared.locator("#game-name")).to_have_text(page.locator("#game-name").inner_text())


def test_own_lines_are_played(visit: Visit) -> None:
    page = visit("?cells=5&lines=0-1,2-3-4&you=both&hints=values")
    expect(page.locator(".headline")).to_contain_text("A draw with best play")
    more(page)
    expect(page.get_by_role("button", name="Picture")).to_have_count(0)
    play(page, 0, 2, 1)
    expect(page.locator("#status")).to_have_text("X has won")
    page = visit("?you=both")
    describe(page, "lines", Cells="4", Lines="")
    for cell in (3, 0):
        page.locator("#own-rules .cell").nth(cell).click()
    page.get_by_role("button", name="Add the line").click()
    submit(page)
    assert "cells=4&lines=3-0" in page.url


def test_faults_of_rules_are_told_beside_their_fields(visit: Visit, complaints: list[str]) -> None:
    page = visit("?you=both", size=PHONE)
    describe(page, "morris", Points="13", Moves="king", Marks="5")
    page.get_by_role("button", name=SUBMIT).click()
    expect(page.locator("#own-marks-fault")).to_have_text("Give a whole number from 1 to 4.")
    expect(page.get_by_label("Marks")).to_have_attribute("aria-invalid", "true")
    page.get_by_label("Marks").fill("3")
    page.get_by_role("button", name=SUBMIT).click()
    fault = page.locator("#own-moves-fault")
    expect(fault).to_contain_text("only on a board of 9 points")
    expect(page.locator("#own-marks-fault")).to_be_empty()
    field, told = box(page.locator("#own-moves")), box(fault)
    assert 0 < told[1] - field[1] < 200
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE[0]
    assert barriers(page) == []
    page.get_by_label("Points").select_option("9")
    submit(page)
    expect(cells(page)).to_have_count(9)
    complaints.clear()


def test_rules_that_no_field_is_to_blame_for_are_refused_in_the_words_of_the_service(
    visit: Visit, complaints: list[str]
) -> None:
    page = visit("?you=both")
    describe(page, "pop-out", Rows="8", Columns="8")
    page.get_by_role("button", name=SUBMIT).click()
    expect(page.locator("#own-fault")).to_contain_text("Give a smaller board.")
    complaints.clear()
