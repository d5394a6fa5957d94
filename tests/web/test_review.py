"""The review of a game, clicked through."""

from playwright.sync_api import expect

from tests.support import Server
from tests.web.page import Visit, ask, marks, settled

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
    lost = "Loses in 14 plies instead of 16."
    expect(page.locator("#review-now")).to_have_text(
        f"Ply 5, X column 1: slower. {lost} Best was column 2 or column 3."
    )
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
