"""The documentation names all that users see: routes, settings, metrics, codes, games, commands."""

import re
from dataclasses import fields
from typing import get_args

import pytest
from prometheus_client.metrics import MetricWrapperBase

from service.api.problems import CODES, KINDS
from service.cli.main import COMMANDS
from service.explain.reason import Code
from service.games.catalogue import CATALOGUE, LINE_GAMES
from service.metrics import Metrics
from service.settings import Settings
from tests.contract import operations
from tests.docs.pages import BLOCK, INCLUDED, PAGES, blocks
from tests.support import ROOT

TEXT = "\n".join(path.read_text() for path in [*PAGES, *INCLUDED] if path.exists() and path.name != "CHANGELOG.md")

CODE = "\n".join([*(block[0] for block in BLOCK.finditer(TEXT)), *re.findall(r"`[^`\n]+`", BLOCK.sub("", TEXT))])
"""All that the documentation sets as code."""

MAKEFILE = (ROOT / "Makefile").read_text()
MADE = set(re.findall(r"(?:`|^|\s)make ([a-z][a-z-]*)", CODE, re.MULTILINE))

ROUTES = {path.partition("{")[0] for path, _, _ in operations()} - {"/", "/page/", "/docs/"} | {"`/`", "`/guide/`"}
"""The routes up to their parameter, without those that only serve the files of a page."""

FAMILIES = [
    family
    for metric in vars(Metrics()).values()
    if isinstance(metric, MetricWrapperBase)
    for family in metric.describe()
]

WORDS = {
    "setting": {setting.metadata["variable"] for setting in fields(Settings)},
    "metric": {f"{family.name}_total" if family.type == "counter" else family.name for family in FAMILIES},
    "problem type": set(KINDS),
    "reason code": set(get_args(Code)),
    "fault code": set(CODES),
    "game": set(CATALOGUE),
    "command": set(COMMANDS),
}


@pytest.mark.parametrize("kind", WORDS)
def test_every_word_of_the_interface_is_in_the_documentation(kind: str) -> None:
    assert WORDS[kind]
    assert [word for word in sorted(WORDS[kind]) if not re.search(rf"(?<![\w-]){word}(?![\w-])", CODE)] == []


def test_every_route_is_in_the_documentation() -> None:
    assert sorted(route for route in ROUTES if route not in CODE) == []


def test_every_file_that_the_readme_links_to_is_there() -> None:
    """`mkdocs build --strict` checks the links of all other pages."""
    links = re.findall(r"\]\(([^):#]+)(?:#[^)]*)?\)", (ROOT / "README.md").read_text())
    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_every_make_command_that_the_documentation_names_exists() -> None:
    assert sorted(MADE - set(re.findall(r"^([a-z-]+):", MAKEFILE, re.MULTILINE))) == []


def test_every_make_command_that_is_offered_is_in_the_documentation() -> None:
    offered = set(re.findall(r"^([a-z-]+):.*## ", MAKEFILE, re.MULTILINE)) - {"help", "clean"}
    assert sorted(offered - MADE) == []


def test_every_part_of_the_service_is_in_the_architecture() -> None:
    architecture = (ROOT / "docs/architecture.md").read_text()
    parts = {f"{folder.parent.name}/" for folder in (ROOT / "service").glob("*/__init__.py")}
    assert sorted(part for part in parts if part not in architecture) == []


def test_the_entry_shown_for_a_new_game_is_the_one_in_the_catalogue() -> None:
    entries = [block for block in blocks(TEXT, "python") if block.startswith("grid")]
    catalogue = (ROOT / "service/games/catalogue.py").read_text()
    assert entries
    assert [entry for entry in entries if entry.rstrip().removesuffix(")").rstrip() not in catalogue] == []


def test_the_readme_counts_the_line_games_right() -> None:
    assert re.findall(r"catalogue has (\d+) games", (ROOT / "README.md").read_text()) == [str(len(LINE_GAMES))]
