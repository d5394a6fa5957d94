"""The load tests are one package, and its commands those that ``make`` starts."""

import re
import sys

import pytest

from loadtests.__main__ import COMMANDS
from tests.programs import written
from tests.support import ROOT

pytestmark = pytest.mark.verify


def test_the_help_describes_every_command_and_make_starts_each() -> None:
    text = written(sys.executable, "-m", "loadtests", "--help")
    assert re.findall(r"^  ([a-z-]+)  +\S", text[text.index("Commands:") :], re.MULTILINE) == list(COMMANDS)
    assert set(re.findall(r"python -m loadtests ([a-z-]+)", (ROOT / "Makefile").read_text())) == set(COMMANDS)


def test_locust_finds_its_users_in_the_file() -> None:
    users = written(sys.executable, "-m", "locust", "-f", "loadtests/locustfile.py", "--list").split()
    assert {"OpeningUser", "PositionUser", "AnalysisUser", "LargerGameUser", "InvalidUser"} <= set(users)
