"""The example of a client like a language model, and its conversation in the documentation."""

import re

import pytest

from tests.examples.test_small_examples import run
from tests.support import ROOT, Server

pytestmark = pytest.mark.verify

TRANSCRIPT = re.compile(r"^```text\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def test_the_conversation_in_the_documentation_is_what_the_program_prints(server: Server) -> None:
    shown = TRANSCRIPT.findall((ROOT / "docs/guide/mcp-game.md").read_text())
    assert shown == [run("connect_four_lesson.py", url=server.url)]


def test_every_move_is_played_and_explained() -> None:
    shown = TRANSCRIPT.findall((ROOT / "docs/guide/mcp-game.md").read_text())[0]
    asked = re.findall(r"^> (\w+) ", shown, re.MULTILINE)
    plies = asked.count("best_move")
    assert plies > 10
    assert asked == ["describe_rules", *["best_move", "explain_move"] * plies, "review_game"]
    assert "O has won." in shown
