"""The example of a client like a language model, and its conversation in the documentation."""

import re

import pytest

from tests.examples.test_small_examples import run
from tests.support import ROOT, Server

pytestmark = pytest.mark.verify

TRANSCRIPT = re.compile(r"^```text\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def test_the_conversation_in_the_documentation_is_what_the_program_prints(server: Server) -> None:
    (shown,) = TRANSCRIPT.findall((ROOT / "docs/guide/mcp-game.md").read_text())
    assert "O has won." in shown
    assert shown == run("connect_four_lesson.py", url=server.url)
