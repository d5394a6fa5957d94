"""The README's commands work and print what it says they print."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.cli import main as cli
from tests.support import HUNG_SECONDS, ROOT, Server, need

README = (ROOT / "README.md").read_text()
MAKEFILE = (ROOT / "Makefile").read_text()

HEADINGS = re.findall(r"^##+ (.+)$", README, re.MULTILINE)

RECIPES = README[README.index("\n## Recipes\n") : README.index("\n## The command line\n")]

EXAMPLES = re.findall(r"^```console\n\$ (.+?)\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
REQUESTS = [example for example in EXAMPLES if example[0].startswith("curl ")]
COMMANDS = [example for example in EXAMPLES if example[0].startswith("move-oracle ")]


@pytest.fixture
def server() -> Iterator[Server]:
    """A server that nobody has asked yet: what a limit does not suffice for must not be known from another example."""
    with Server() as running:
        yield running


def test_the_readme_has_examples() -> None:
    assert len(REQUESTS) >= 3
    assert len(COMMANDS) >= 3
    assert len(REQUESTS) + len(COMMANDS) == len(EXAMPLES)


@pytest.mark.parametrize(("command", "printed"), COMMANDS)
def test_a_command_prints_what_the_readme_says(command: str, printed: str) -> None:
    installed = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "COLUMNS": "80",
    }
    done = subprocess.run(
        ["bash", "-c", command],
        env=installed,
        capture_output=True,
        text=True,
        timeout=HUNG_SECONDS,
        check=True,
        cwd=ROOT,
    )
    assert (done.stdout.rstrip("\n"), done.stderr) == (printed.rstrip("\n"), "")


def test_every_command_of_the_command_line_is_in_the_readme() -> None:
    assert [name for name in cli.COMMANDS if f"`{name}`" not in README] == []


@pytest.mark.parametrize(("command", "printed"), REQUESTS)
def test_an_example_prints_what_the_readme_says(server: Server, command: str, printed: str) -> None:
    need("curl")
    local = command.replace("localhost:8000", server.url).replace("curl ", "curl --silent --show-error ")
    done = subprocess.run(["bash", "-c", local], capture_output=True, text=True, timeout=HUNG_SECONDS, check=True)
    assert re.fullmatch(re.escape(printed.rstrip("\n")).replace("…", ".*"), done.stdout.rstrip("\n"), re.DOTALL), (
        done.stdout
    )


@pytest.mark.parametrize("language", ["python", "js"])
def test_the_recipes_print_what_they_say_they_print(server: Server, language: str) -> None:
    run = {"python": [sys.executable, "-c"], "js": ["node", "--input-type=module", "--eval"]}[language]
    recipes = re.findall(rf"^```{language}\n(.*?)^```", RECIPES, re.MULTILINE | re.DOTALL)
    assert len(recipes) >= 2
    for recipe in recipes:
        printed = re.findall(r"^ *(?:print|console\.log)\(.*\);? +(?:#|//) (.*)\n", recipe, re.MULTILINE)
        assert printed
        script = recipe.replace("http://localhost:8000", server.url)
        command = [need(run[0]), *run[1:], script]
        done = subprocess.run(command, capture_output=True, text=True, timeout=HUNG_SECONDS, check=False)
        assert (done.stdout.splitlines(), done.returncode) == (printed, 0), done.stderr


def test_every_recipe_is_run() -> None:
    assert set(re.findall(r"^```(\w+)", RECIPES, re.MULTILINE)) == {"console", "python", "js"}


def test_every_make_command_that_the_readme_names_exists() -> None:
    named = set(re.findall(r"(?:`|^)make ([a-z]+)", README, re.MULTILINE))
    assert named <= set(re.findall(r"^([a-z]+):", MAKEFILE, re.MULTILINE))


def test_every_command_of_the_makefile_that_people_use_is_in_the_readme() -> None:
    offered = set(re.findall(r"^([a-z]+):.*## ", MAKEFILE, re.MULTILINE)) - {"help", "clean"}
    assert offered <= set(re.findall(r"(?:`|^)make ([a-z]+)", README, re.MULTILINE))


def test_every_file_that_the_readme_links_to_exists() -> None:
    for path in re.findall(r"\]\(([^)#]+)\)", README):
        assert (ROOT / path).exists(), path


def test_every_section_that_the_readme_links_to_exists() -> None:
    headings = {re.sub(r"[^a-z0-9-]", "", line.lower().replace(" ", "-")) for line in HEADINGS}
    linked = re.findall(r"\]\(#([^)]+)\)", README)
    assert linked
    assert set(linked) <= headings


def test_every_part_of_the_service_stands_in_the_picture_of_it() -> None:
    (picture,) = re.findall(r"^```\nservice/\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
    parts = {f"{folder.parent.name}/" for folder in (ROOT / "service").glob("*/__init__.py")}
    assert parts <= set(re.findall(r"^  (\S+)", picture, re.MULTILINE))


def test_the_entry_shown_for_a_new_game_is_the_one_in_the_catalogue() -> None:
    (entry,) = re.findall(r"^```python\n(grid.*?)^```", README, re.MULTILINE | re.DOTALL)
    catalogue = (ROOT / "service/games/catalogue.py").read_text()
    assert entry.rstrip().removesuffix(")").rstrip() in catalogue
