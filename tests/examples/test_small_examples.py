"""The short examples print what they should, beside a real server, without one, and in a real browser."""

import functools
import http.server
import re
import sys
import threading
import urllib.error
from collections.abc import Iterator
from email.message import Message
from io import BytesIO
from itertools import permutations
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from playwright.sync_api import expect, sync_playwright

from examples import client, patient_bot
from service.games.catalogue import LINE_GAMES
from service.games.families.lines import line_position
from tests.programs import written
from tests.support import ROOT, Server, need
from tests.typescript import run_typescript
from tests.worlds import verdict

pytestmark = pytest.mark.verify

NOWHERE = "http://127.0.0.1:9"
UNREACHED = "I cannot reach my oracle. Please try again later."


def run(name: str, *arguments: str, url: str) -> str:
    """Return what an example prints, run as its docstring says."""
    return written(sys.executable, ROOT / "examples" / name, *arguments, MOVE_ORACLE=url)


def test_the_python_client_answers_and_raises_problems(server: Server) -> None:
    with client.Oracle(server.url) as oracle:
        answer = oracle.ask("/best-move", board="X...O....")
        assert (answer["move"], answer["outcome"], answer["proven"]) == (1, "draw", True)
        with pytest.raises(client.ProblemError, match="X has 4 marks") as refused:
            oracle.ask("/best-move", board="XXXX.....")
    assert refused.value.status == 422


def test_the_fano_plane_is_won_by_whoever_begins(server: Server) -> None:
    normal, misere = run("custom_lines.py", url=server.url).splitlines()
    assert normal.startswith("Normal: a win in 7 plies for X.")
    assert misere.startswith("Misère: a ")


def test_the_conversation_in_the_documentation_is_what_the_program_prints(server: Server) -> None:
    page = (ROOT / "docs/guide/mcp-game.md").read_text()
    (shown,) = re.findall(r"^```text\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert "O has won." in shown
    assert shown == run("connect_four_lesson.py", url=server.url)


def test_the_map_of_3x3_agrees_with_plain_minimax(server: Server) -> None:
    printed = [line.split() for line in run("outcome_map.py", url=server.url).splitlines() if line]
    for first, reply in permutations(range(9), 2):
        position = line_position(LINE_GAMES["tic-tac-toe"], 1 << first, 1 << reply, "X")
        letter = printed[first // 3 * 3 + reply // 3][first % 3 * 3 + reply % 3]
        assert letter == "LDW"[verdict(position).outcome + 1]


def refusal(status: int, body: bytes = b'{"detail": "No."}', /, **headers: str) -> urllib.error.HTTPError:
    sent = Message()
    for name, value in headers.items():
        sent[name.replace("_", "-")] = value
    return urllib.error.HTTPError("/", status, "", sent, BytesIO(body))


BUSY = [refusal(503, Retry_After="1"), refusal(429, Retry_After="0"), {"move": None, "reason": "Over."}]

REPLIES: tuple[tuple[list[Any], str], ...] = (
    ([refusal(404, b"<h1>Not Found</h1>")], UNREACHED),
    ([refusal(429, Retry_After="60")], "I am busy. Please try again in 60 s."),
    ([refusal(500)], "My oracle has a fault. Please tell its operator."),
    (BUSY, "Over."),
)
"""What a service answers one after the other, and what the bot makes of it."""


def test_the_patient_bot_waits_for_a_busy_service_and_gives_up_in_words(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(patient_bot, "ORACLE", server.url)
    monkeypatch.setattr(patient_bot, "SECONDS", 30.0)  # the machine may be busy with other tests
    assert patient_bot.reply("X...O....").startswith("X plays b1. ")
    assert patient_bot.reply("XXXX.....").startswith("I cannot play that. X has 4 marks")
    slept = list[float]()
    for answers, said in REPLIES:
        monkeypatch.setattr(patient_bot, "ask", Mock(side_effect=answers))
        assert patient_bot.reply(".........", slept.append) == said
    assert slept == [1, 0]


@pytest.fixture
def other_origin() -> Iterator[str]:
    """The URL of a web server that knows the examples and nothing of the service."""
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=str(ROOT / "examples"))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_the_page_on_another_origin_plays_a_game(server: Server, other_origin: str) -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=need("chromium"), args=["--no-sandbox"])
        page = browser.new_page()
        page.goto(f"{other_origin}/other_origin.html?oracle={server.url}")
        buttons, says = page.locator("#board button"), page.get_by_role("status")
        buttons.nth(0).click()
        expect(buttons.nth(4)).to_have_text("O", timeout=20_000)
        buttons.nth(8).click()  # X holds two opposite corners; a reply on an edge holds the draw
        expect(says).to_contain_text("draw", timeout=20_000)
        buttons.nth(2).click()
        expect(page.locator("#board button", has_text="O")).to_have_count(3, timeout=20_000)
        page.goto(f"{other_origin}/other_origin.html?oracle={NOWHERE}")
        page.locator("#board button").nth(0).click()
        expect(page.get_by_role("status")).to_contain_text("No answer", timeout=20_000)
        browser.close()


def test_a_worksheet_has_its_solutions_on_a_page_of_their_own_and_pictures_that_do_not_touch_each_other(
    server: Server,
) -> None:
    sheets = [run("worksheet.py", *arguments, url=server.url) for arguments in ((), ("connect-four-5x4", "7"))]
    assert [sheet.count("<svg") for sheet in sheets] == [9, 9]
    names = [re.findall(r"<li>(.+?): ", sheet) for sheet in sheets]
    assert all(re.fullmatch("[abc][123]", name) for name in names[0])
    assert all(re.fullmatch("column [1-5]", name) for name in names[1])
    ids = re.findall(r' id="([^"]+)"', "".join(sheets))
    assert len(ids) == len(set(ids))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=need("chromium"), args=["--no-sandbox"])
        page = browser.new_page()
        page.set_content("".join(sheets))
        mark = 'document.querySelector(each.querySelector("use").getAttribute("href")).tagName'
        looks = page.evaluate(f'[...document.querySelectorAll("figure")].map((each) => {mark})')
        assert looks[0] == "path"  # a mark by a pen, beside discs of another game
        assert looks[9] == "g"
        page.set_content(sheets[0])
        assert len(re.findall(rb"/Type */Page\b", page.pdf(prefer_css_page_size=True))) == 2
        browser.close()


def test_the_typescript_client_compiles_strictly_and_runs(server: Server, tmp_path: Path) -> None:
    said = run_typescript((ROOT / "examples/client.ts").read_text(), server.url, tmp_path)
    answer, over, unproven, review, problem = said.strip().split("\n")[:5]
    assert answer == "1 draw in 7"
    assert over == "X has completed the top row and won."
    assert re.fullmatch(r"\d+ expects -?[01]\.\d, from loss to win", unproven)
    assert review == "best best best mistake"
    assert problem.startswith("422 X has 4 marks")
