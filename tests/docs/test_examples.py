"""The commands and programs of the documentation work, and print what the documentation shows.

``…`` stands for anything that is left out.
"""

import os
import re
import sys
from pathlib import Path

import pytest

from tests.docs.pages import PAGES, blocks, name
from tests.programs import run
from tests.support import Server, need, need_package

pytestmark = pytest.mark.verify

LANGUAGES = {
    "python": [sys.executable, "-c"],
    # Every browser has EventSource; Node has it only if asked.
    "js": ["node", "--experimental-eventsource", "--input-type=module", "--eval"],
}

PRINTS = re.compile(r"^ *(?:print|console\.log)\(.*\);? +(?:#|//) (.*)$", re.MULTILINE)
"""A line that prints, and in its comment what it prints."""

TERMINAL = {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}", "COLUMNS": "80"}
"""The variables of a terminal in which the service is installed."""

WITH_PANDAS = re.compile("^import pandas$", re.MULTILINE)

WITH_COMMANDS = [page for page in PAGES if blocks(page.read_text(), "console")]


def commands(block: str) -> list[tuple[str, str]]:
    """Return the commands of a block, each with what it prints."""
    parts = re.findall(r"^\$ ((?:.*\\\n)*.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE)
    assert "".join(f"$ {command}\n{printed}" for command, printed in parts) == block
    return parts


def shows(shown: str, printed: str) -> bool:
    pattern = ".*".join(re.escape(part) for part in shown.rstrip("\n").split("…"))
    return re.fullmatch(pattern, printed.rstrip("\n"), re.DOTALL) is not None


@pytest.mark.parametrize("page", WITH_COMMANDS, ids=name)
def test_the_commands_of_a_page_print_what_it_shows(server: Server, page: Path) -> None:
    need("curl")
    different = {}
    for block in blocks(page.read_text(), "console"):
        for command, shown in commands(block):
            assert command.startswith(("curl ", "move-oracle ")), command
            local = command.replace("localhost:8000", server.url.removeprefix("http://"))
            silent = re.sub(r"^curl ", "curl --silent --show-error ", local)
            done = run("bash", "-c", silent, environment=TERMINAL)
            if not shows(shown, done.stdout + done.stderr) or bool(done.returncode) != bool(done.stderr):
                different[command] = done.stdout + done.stderr, done.returncode
    assert different == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_program_of_the_documentation_prints_what_it_shows(server: Server, language: str) -> None:
    programs = [program for program in all_programs(language) if not WITH_PANDAS.search(program)]
    assert programs
    for program in programs:
        assert_prints_what_it_shows(language, program, server.url)


def test_the_recipe_with_pandas_prints_what_it_shows() -> None:
    need_package("pandas")
    (program,) = (program for program in all_programs("python") if WITH_PANDAS.search(program))
    assert_prints_what_it_shows("python", program, "")


def all_programs(language: str) -> list[str]:
    return [program for page in PAGES for program in blocks(page.read_text(), language)]


def assert_prints_what_it_shows(language: str, program: str, url: str) -> None:
    interpreter, *options = LANGUAGES[language]
    shown = PRINTS.findall(program)
    assert shown, program
    done = run(need(interpreter), *options, program.replace("http://localhost:8000", url))
    assert done.returncode == 0, done.stderr
    assert shows("\n".join(shown), done.stdout), (program, done.stdout)
