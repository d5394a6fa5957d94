"""What tests of the page do with it and read from it."""

import json
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import httpx
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Locator, Page, Route, expect

from tests.support import Server, wait_until

PHONE, DESKTOP = (390, 844), (1280, 900)

HURRY = """
const wait = setTimeout;
window.setTimeout = (run, ms, ...given) => wait(run, ms / 10, ...given);
"""
"""JavaScript that shortens every pause of a page: how long a move is seen, and when it tries again."""

LATER = "() => new Promise(done => setTimeout(done, 500))"
"""JavaScript that waits longer than a double click takes, in the shorter time of a page under test."""

SETTLED = """() => !document.documentElement.classList.contains("loading")
    && document.querySelector("#analysis").ariaBusy === "false"
    && !/thinking|denkt/.test(document.querySelector("#status").innerText)"""

SHIFTS = """() => new Promise(resolve => {
  new PerformanceObserver(list => resolve(list.getEntries().filter(({ hadRecentInput }) => !hadRecentInput)
    .reduce((sum, { value }) => sum + value, 0)))
    .observe({ type: "layout-shift", buffered: true });
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => resolve(0), 500)));
})"""
"""JavaScript for the sum of the layout shifts that no click or key has caused."""

PASTE = """text => {
  const clipboardData = new DataTransfer();
  clipboardData.setData("text", text);
  document.activeElement.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
}"""

CLOSING = """dialog => {
  dialog.dataset.closing = "waits";
  dialog.addEventListener("close", () => { dialog.dataset.closing = "done"; }, { once: true });
}"""
"""JavaScript that marks a dialog when it has closed and what listened to that before has acted."""

Open = Callable[..., Page]
"""Opens a page: ``open_page("/docs", size=PHONE, color_scheme="dark", reduced_motion="reduce")``."""

Visit = Callable[..., Page]
"""Opens the page with the board at a query: ``visit("?moves=4", size=PHONE)``."""

FirstVisit = Callable[[], Page]
"""Opens the page in a browser that has never seen it, and waits until the browser keeps it."""

InNode = Callable[..., Any]
"""Calls JavaScript without a browser: ``in_node("async (n) => (await import('./words.js')).signed(n)", 1)``."""


def settled(page: Page) -> Page:
    """Return the page when no search is running."""
    page.wait_for_function(SETTLED, timeout=30_000)
    return page


MARKS = {"Red": "X", "Yellow": "O", "empty": "."}
"""The signs of discs and of an empty cell, by what screen readers are told."""

Box = tuple[float, float, float, float]
"""The place of an element in the window: x, y, width and height."""


def box(place: Locator) -> Box:
    found = place.bounding_box()
    assert found is not None
    return found["x"], found["y"], found["width"], found["height"]


def bottom(place: Locator) -> float:
    _, y, _, height = box(place)
    return y + height


def at_sizes(page: Page, sizes: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Give the window each size in turn."""
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        yield width, height


def fresh(page: Page, **chosen: str) -> None:
    """Begin a new game, with a side and a level by their labels."""
    page.locator("#new").click()
    for label in chosen.values():
        page.get_by_label(label).check()
    close(page, "#new-game", "Start")
    settled(page)


def more(page: Page) -> None:
    """Unfold what the page of the game has for sharing and for setting up."""
    page.locator("#tab-game").click()
    page.locator("#more > summary").click()


def cells(page: Page) -> Locator:
    return page.get_by_role("gridcell")


def choose(page: Page, game: str) -> None:
    """Take a game of the catalogue, and leave the one that is on."""
    page.locator("#game").click()
    page.locator(f"#catalogue .tile[data-game={game}]").click()
    leave(page)
    settled(page)


def leave(page: Page) -> None:
    """Leave the game that is on, where the page asks."""
    if page.locator("#confirm").is_visible():
        answer(page, "Leave it")


def answer(page: Page, button: str) -> None:
    """Answer the page's question with a button."""
    close(page, "#confirm", button)


def close(page: Page, dialog: str, button: str) -> None:
    """Close a dialog by a button, and wait until the page has acted on it: it does so in a later task."""
    question = page.locator(dialog)
    question.evaluate(CLOSING)
    question.get_by_role("button", name=button).click()
    expect(question).to_have_attribute("data-closing", "done")


def shows(page: Page, position: str) -> None:
    """Wait until the board shows a position, after what changes it in a later task."""
    wait_until(lambda: marks(page) == position)


def play(page: Page, *chosen: int) -> None:
    """Press cells one after the other, each press later than the second one of a double click."""
    for number, cell in enumerate(chosen):
        if number:
            page.evaluate(LATER)
        cells(page).nth(cell).click()
        settled(page)


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)
        settled(page)


def marks(page: Page) -> str:
    """Return the position as the page tells it to screen readers."""
    labels: list[str] = cells(page).evaluate_all("cells => cells.map(cell => cell.ariaLabel)")
    found = [re.search(r"\d, (X|O|Red|Yellow|empty)", label) for label in labels]
    return "".join("." if match is None else MARKS.get(match[1], match[1]) for match in found)


def ask(server: Server, route: str, **body: Any) -> Any:
    return httpx.post(f"{server.url}{route}", json=body, timeout=60).raise_for_status().json()


VALUES = """nodes => nodes.map(node => ({
  kind: ["win", "draw", "loss", "unknown"].find(name => node.classList.contains(name)),
  best: node.classList.contains("best"),
  sign: node.innerText,
}))"""


def values(place: Locator) -> list[tuple[str, bool, str]]:
    """Return the values that stand at a place: the outcome, whether it is the best, and the sign that is shown."""
    return [(found["kind"], found["best"], found["sign"]) for found in place.locator(".tint").evaluate_all(VALUES)]


def outlook(value: dict[str, Any], player: str = "X", opponent: str = "O") -> str:
    """Return what the page says of a proven value of a player's move."""
    if value["outcome"] == "draw":
        return "A draw"
    moves = (value["plies"] + 1) // 2
    winner = player if value["outcome"] == "win" else opponent
    return f"{winner} wins in {moves} move{'s' if moves > 1 else ''}"


SIGNS = {"win": "+", "draw": "=", "loss": "\N{MINUS SIGN}"}


def shown(analysis: dict[str, Any]) -> dict[int, tuple[str, bool, str]]:
    """Return how the proven values of an analysis are shown, by cell; none is best where all are."""
    is_choice = not all(move["best"] for move in analysis["moves"])
    return {
        move["move"]: (move["outcome"], move["best"] and is_choice, SIGNS[move["outcome"]])
        for move in analysis["moves"]
    }


def code(value: dict[str, Any]) -> str:
    """Return what the page calls a proven value."""
    letter = {"win": "W", "draw": "D", "loss": "L"}[value["outcome"]]
    return letter if letter == "D" else f"{letter}{value['plies']}"


def lane(page: Page) -> list[int]:
    """Return the columns that are set off, by the cells, the numbers below and the values above."""
    found: list[int] = page.locator(".lane").evaluate_all(
        "nodes => nodes.map(node => [...node.parentElement.children].indexOf(node))"
    )
    return sorted(set(found))


def with_few_nodes(route: Route) -> None:
    """Let a search begin with so low a limit that it ends at once and proves nothing."""
    route.continue_(post_data=json.dumps({**(route.request.post_data_json or {}), "limit": {"nodes": 10}}))


def with_much_time(route: Route) -> None:
    """Let a search take so long that a busy machine does what ends it before that."""
    route.continue_(post_data=json.dumps({**(route.request.post_data_json or {}), "limit": {"time_ms": 15_000}}))


def barriers(page: Page) -> list[str]:
    """Return what axe finds, serious or not, with the places."""
    found = Axe().run(page).response["violations"]
    return [f"{violation['id']}: {[node['target'] for node in violation['nodes']]}" for violation in found]
