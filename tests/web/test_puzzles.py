"""Puzzles: every kind of them, the daily one, the streak, and what ends a puzzle."""

import re
from collections.abc import Callable
from functools import partial
from typing import Any
from urllib.parse import parse_qs, urlparse

import pytest
from playwright.sync_api import Page, Route, expect

from service.games.catalogue import CATALOGUE, LINE_GAMES
from tests.support import Server, wait_until
from tests.web.page import LATER, Open, Visit, barriers, cells, marks, settled

DAYS = [f"2026-11-{day}T12:00:00Z" for day in range(20, 31)]
"""Days whose puzzles are of line games, the first of the kinds."""

AT_ONCE = """choices => choices.forEach(([name, value]) => {
  const list = document.querySelector(`[aria-label="${name} of the puzzles"]`);
  list.value = value;
  list.dispatchEvent(new Event("change"));
})"""
"""Chooses from lists one after the other, before the page shows what the first choice brings."""

Training = Callable[[str], tuple[Page, dict[str, Any]]]


def puzzled(page: Page, name: str = "Puzzles") -> dict[str, Any]:
    """Take up a puzzle, and return it as the service tells it."""
    with page.expect_response("**/puzzles?*") as told:
        page.get_by_role("button", name=name).click()
    expect(page.locator("#status")).to_contain_text("Puzzle:")
    settled(page)
    (puzzle,) = told.value.json()["puzzles"]
    return dict(puzzle)


@pytest.fixture
def training(visit: Visit) -> Training:
    """Takes up the puzzle of a day, in a browser without a streak."""

    def begun(time: str) -> tuple[Page, dict[str, Any]]:
        page = visit("?you=both")
        page.evaluate("localStorage.clear()")
        page.clock.set_fixed_time(time)
        return page, puzzled(page)

    return begun


def solve(page: Page, puzzle: dict[str, Any]) -> None:
    line, empty = puzzle["solution"]["line"], puzzle["position"].count(".")

    def is_answered(played: int) -> bool:
        return bool(marks(page).count(".") == empty - played)

    for place in range(0, len(line), 2):
        wait_until(partial(is_answered, place))
        page.evaluate(LATER)  # or the second press of the same column could be that of a double click
        cells(page).nth(line[place]).click()
    expect(page.locator("#status")).to_have_text("✓ Solved")


def choose(page: Page, puzzle: dict[str, Any], name: object) -> None:
    """Make a move of a puzzle in a family: by the mark or the way to play, if it has one, and by taps on its cells."""
    game = CATALOGUE[puzzle["game"]]
    move = game.moves_by_name[str(name).lower()]
    fields = game.move_fields(move)
    if "mark" in fields or "pop" in fields:
        way = fields["mark"] if "mark" in fields else "Pop" if fields["pop"] else "Drop"
        page.get_by_role("radiogroup", name="What to play").get_by_label(str(way), exact=True).check()
    left = fields.get("from")
    for cell in [*([] if left is None else [int(left)]), game.cell_of(move)]:
        cells(page).nth(cell).click()


def wrong(puzzle: dict[str, Any]) -> int:
    """Return an empty cell of another move than the solution."""
    solution, game = puzzle["solution"], LINE_GAMES[puzzle["game"]]
    column = solution["column"] if game.has_columns else None
    empty = [cell for cell, mark in enumerate(puzzle["position"]) if mark == "."]
    return next(cell for cell in empty if cell != solution["move"] and game.column_of(cell) != column)


@pytest.mark.verify
def test_the_puzzles_of_a_few_days_are_of_many_games_and_both_goals_and_that_of_a_day_comes_once(
    training: Training,
) -> None:
    (_, first), (page, puzzle) = training(DAYS[0]), training(DAYS[0])
    assert first == puzzle
    puzzles = [puzzle, puzzled(page, "Next puzzle")]
    assert puzzles[0] != puzzles[1]
    for day in DAYS[1:]:
        page.clock.set_fixed_time(day)
        puzzles.append(puzzled(page, "Next puzzle"))
        assert marks(page) == puzzles[-1]["position"]
    assert len({puzzle["game"] for puzzle in puzzles}) > 5
    assert {puzzle["goal"] for puzzle in puzzles} == {"win", "hold"}


@pytest.mark.verify
def test_a_day_of_puzzles_is_a_day_of_universal_time(visit: Visit) -> None:
    page = visit(timezone_id="Pacific/Auckland")
    for time, seed in (("2026-10-01T20:00:00Z", "20261001"), ("2026-10-02T02:00:00Z", "20261002")):
        page.clock.set_fixed_time(time)
        with page.expect_request("**/puzzles?*") as asked:
            page.locator("#modes [data-mode=puzzles]").click()
        assert parse_qs(urlparse(asked.value.url).query)["seed"] == [seed]
        expect(page.locator("#status")).to_contain_text("Puzzle:")


@pytest.mark.verify
def test_the_streak_counts_puzzles_that_are_solved_at_once(training: Training) -> None:
    page, puzzle = training(DAYS[4])
    solve(page, puzzle)
    expect(page.locator("#prompt")).to_contain_text("Streak: 1.")
    page.clock.set_fixed_time(DAYS[0])
    puzzle = puzzled(page, "Next puzzle")
    cells(page).nth(wrong(puzzle)).click()
    expect(page.locator("#prompt")).to_contain_text("Not this move")
    assert marks(page) == puzzle["position"]
    solve(page, puzzle)
    expect(page.locator("#prompt")).to_contain_text("Streak: 1, with a slip forgiven.")
    assert barriers(page) == []
    page.clock.set_fixed_time(DAYS[1])
    puzzle = puzzled(page, "Next puzzle")
    cells(page).nth(wrong(puzzle)).click()
    expect(page.locator("#prompt")).to_contain_text("Streak: 0.")


def test_a_puzzle_tells_its_rules_and_that_of_the_day_is_shared_when_it_is_solved(training: Training) -> None:
    page, puzzle = training(DAYS[0])
    prompt = page.locator("#prompt")
    expect(prompt).to_contain_text(LINE_GAMES[puzzle["game"]].rules)
    expect(prompt).to_contain_text(puzzle["difficulty"].capitalize())
    expect(prompt.get_by_role("button")).to_have_count(0)
    solve(page, puzzle)
    page.evaluate("navigator.share = async shared => { window.shared = shared; }")
    prompt.get_by_role("button", name="Share").click()
    shared = page.evaluate("window.shared")
    assert re.fullmatch(
        r"Move Oracle, puzzle of 2026-11-20: .*, solved at the first try \(streak 1\)\.", shared["text"]
    )
    assert puzzle["position"] in shared["url"]


def test_a_puzzle_that_was_solved_with_hints_does_not_count_and_no_click_waits_after_it(training: Training) -> None:
    page, puzzle = training(DAYS[4])
    for _ in range(2):
        page.get_by_role("button", name="Hints").click()
        settled(page)
    for key in ("u", "ArrowLeft"):  # nothing before a puzzle is judged
        page.keyboard.press(key)
    assert marks(settled(page)) == puzzle["position"]
    solve(page, puzzle)
    expect(page.locator("#prompt")).to_contain_text("Streak: 0.")
    cells(page).nth(wrong(puzzle)).click(force=True)
    expect(page.locator(".queued")).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    assert marks(settled(page)) == puzzle["position"]


def test_a_game_in_which_the_oracle_moves_is_no_puzzle_any_more(training: Training) -> None:
    page, puzzle = training(DAYS[0])
    page.keyboard.press("m")
    expect(page.locator("#modes [data-mode=puzzles]")).to_have_attribute("aria-pressed", "false")
    expect(page.locator("#status")).not_to_contain_text("Puzzle:")
    settled(page)
    assert marks(page).count(".") < puzzle["position"].count(".")


def test_puzzles_are_of_the_game_the_difficulty_and_the_theme_that_are_chosen(training: Training) -> None:
    page, _ = training(DAYS[0])
    page.evaluate(AT_ONCE, [["Game", "tic-tac-toe"], ["Difficulty", "easy"], ["Theme", "defence"]])
    expect(page.locator("#game-name")).to_have_text("Tic-tac-toe")
    expect(page.locator("#prompt")).to_contain_text("Easy")
    shown = page.locator("#prompt").inner_text()
    page.reload()
    settled(page).get_by_role("button", name="Puzzles").click()
    expect(page.get_by_label("Theme of the puzzles")).to_have_value("defence")
    assert "Tic-tac-toe" in shown


def test_puzzles_that_are_wanted_while_a_link_opens_come_after_it(open_page: Open, server: Server) -> None:
    page, held = open_page("about:blank"), list[Route]()
    page.route("**/analyse/study*.js", lambda route: held.append(route))  # noqa: PLW0108, a method of a list takes no mark of Playwright
    page.goto(f"{server.url}/?moves=4,0", wait_until="commit")
    expect(page.locator("html.loading")).to_be_attached()
    page.locator("#modes [data-mode=puzzles]").dispatch_event("click")
    for route in held:
        route.continue_()
    expect(page.locator("#status")).to_contain_text("Puzzle:")


OTHERS = (
    *("three-mens-morris", "ultimate-tic-tac-toe", "wild-tic-tac-toe", "quixo-3x3", "order-and-chaos-6x6"),
    *("tapatan", "pop-out-4x4", "picaria", "snort-4x4"),
)


@pytest.mark.parametrize("game", ["notakto-2", *(pytest.param(game, marks=pytest.mark.verify) for game in OTHERS)])
def test_puzzles_of_families_are_solved_on_their_boards(training: Training, game: str) -> None:
    page, _ = training(DAYS[0])
    with page.expect_response(f"**/puzzles?*game={game}&*") as told:
        page.get_by_label("Game of the puzzles").select_option(game)
    expect(page.locator("#game-name")).to_have_text(CATALOGUE[game].name)
    (puzzle,) = told.value.json()["puzzles"]
    for move in puzzle["solution"]["line"][::2]:
        settled(page)
        page.evaluate(LATER)
        choose(page, puzzle, move)
    expect(page.locator("#status")).to_have_text("✓ Solved")
