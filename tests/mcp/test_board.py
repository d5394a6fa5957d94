"""The page of MCP Apps in a browser, in a frame of a host that speaks the protocol of the extension."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import FrameLocator, Page, expect, sync_playwright

from service.mcp import board
from service.picture.colours import DARK
from tests.edge_client import EdgeClient
from tests.mcp.clients import HANDSHAKE, call
from tests.support import need

pytestmark = pytest.mark.verify

POLICY = (
    "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "media-src 'self' data:; connect-src 'none'"
)
"""The policy that hosts have to use for a page that declares no domains."""

HOST = """
<!DOCTYPE html><body><iframe sandbox="allow-scripts" style="width: 400px; height: 600px; border: 0"></iframe><script>
window.received = [];
const frame = document.querySelector("iframe");
const reply = (message) => frame.contentWindow.postMessage({ jsonrpc: "2.0", ...message }, "*");
addEventListener("message", ({ data }) => {
  received.push(data);
  const hostContext = { theme: "dark", styles: { variables: { "--font-sans": "monospace" } } };
  const result = { protocolVersion: "2026-01-26", hostInfo: {}, hostCapabilities: {}, hostContext };
  if (data.method === "ui/initialize") reply({ id: data.id, result });
});
</script></body>
"""


POSITIONS: dict[str, dict[str, Any]] = {"tic-tac-toe": {"board": "XX..O...."}, "chess": {"game": "chess"}}


@pytest.fixture(scope="module")
def results(client: EdgeClient) -> dict[str, Any]:
    """What the tool answers; asked before the browser runs a loop of its own."""
    return {
        name: client.post("/mcp", **call("analyze_position", HANDSHAKE, **position)).get_json()["result"]
        for name, position in POSITIONS.items()
    }


@pytest.fixture(scope="module")
def page(results: dict[str, Any]) -> Iterator[Page]:
    assert results
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=need("chromium"), args=["--no-sandbox"])
        yield browser.new_page()
        browser.close()


@pytest.fixture
def view(page: Page) -> FrameLocator:
    """The page in the frame of a host, once it has told that it is ready."""
    page.goto("about:blank")
    page.set_content(HOST)
    html = board.page().replace("<head>", f'<head><meta http-equiv="Content-Security-Policy" content="{POLICY}">', 1)
    page.evaluate("(html) => { document.querySelector('iframe').srcdoc = html; }", html)
    page.wait_for_function("received.some(({ method }) => method === 'ui/notifications/initialized')")
    return page.frame_locator("iframe")


def pass_on(page: Page, **message: Any) -> None:
    """Send the page a message, as its host would."""
    page.evaluate("(message) => reply(JSON.parse(message))", json.dumps(message))


CORNER = """async (image) => {
  await image.decode();
  const canvas = Object.assign(document.createElement("canvas"), { width: 480, height: 480 }).getContext("2d");
  canvas.drawImage(image, 0, 0, 480, 480);
  return [...canvas.getImageData(240, 2, 1, 1).data].slice(0, 3);
}"""
"""JavaScript for the colour at the edge of a picture."""


def test_the_page_shows_the_picture_and_the_sentence_in_colours_and_fonts_of_its_host(
    page: Page, view: FrameLocator, results: dict[str, Any]
) -> None:
    pass_on(page, method="ui/notifications/tool-result", params=results["tic-tac-toe"])
    status, picture = view.get_by_role("status"), view.get_by_role("img")
    expect(status).to_contain_text("Best for O is c1, a proven draw.")
    expect(status).to_have_css("font-family", "monospace")
    expect(picture).to_be_visible()
    assert picture.evaluate(CORNER) == [*bytes.fromhex(DARK["ground"].removeprefix("#"))]


def test_a_refusal_and_an_answer_without_a_picture_show_their_sentence(
    page: Page, view: FrameLocator, results: dict[str, Any]
) -> None:
    plain = {name: value for name, value in results["tic-tac-toe"].items() if name != "_meta"}
    pass_on(page, method="ui/notifications/tool-result", params=plain)
    expect(view.get_by_role("status")).to_contain_text("Best for O is c1, a proven draw.")
    expect(view.get_by_role("img")).to_be_hidden()
    pass_on(page, method="ui/notifications/tool-result", params=results["chess"])
    expect(view.get_by_role("status")).to_have_text("There is no game chess. The tool list_games lists the games.")


def test_the_page_tells_its_size_and_answers_its_host(page: Page, view: FrameLocator) -> None:
    expect(view.get_by_role("status")).to_be_visible()
    page.wait_for_function("received.some(({ method }) => method === 'ui/notifications/size-changed')")
    pass_on(page, id=7, method="ui/resource-teardown", params={"reason": "closed"})
    page.wait_for_function("received.some(({ id, result }) => id === 7 && result)")
    pass_on(page, method="ui/notifications/tool-cancelled", params={"reason": "stopped"})
    expect(view.get_by_role("status")).to_have_text("The analysis was cancelled.")
