"""The documentation names all that users see: routes, settings, metrics, codes, games, commands."""

import re
from dataclasses import fields
from typing import get_args

from prometheus_client.metrics import MetricWrapperBase

from service.api.problems import CODES, KINDS
from service.cli.main import COMMANDS
from service.explain.statements import Code
from service.games.catalogue import CATALOGUE
from service.metrics import Metrics
from service.settings import Settings
from tests.contract import operations
from tests.docs.pages import BLOCK, INCLUDED, PAGES
from tests.support import ROOT

TEXT = "\n".join(path.read_text() for path in [*PAGES, *INCLUDED] if path.name != "CHANGELOG.md")

CODE = "\n".join([*(block[0] for block in BLOCK.finditer(TEXT)), *re.findall(r"`[^`\n]+`", BLOCK.sub("", TEXT))])
"""All that the documentation sets as code."""

TARGETS = re.findall(r"^([a-z-]+):(.*## )?", (ROOT / "Makefile").read_text(), re.MULTILINE)

METRICS = [
    f"{family.name}_total" if family.type == "counter" else family.name
    for metric in vars(Metrics()).values()
    if isinstance(metric, MetricWrapperBase)
    for family in metric.describe()
]

WORDS = {
    "setting": {setting.metadata["variable"] for setting in fields(Settings)},
    "metric": set(METRICS),
    "problem type": set(KINDS),
    "reason code": set(get_args(Code)),
    "fault code": set(CODES),
    "game": set(CATALOGUE),
    "command": set(COMMANDS),
    "make": {f"make {name}" for name, is_offered in TARGETS if is_offered} - {"make help", "make clean"},
}


def test_every_word_of_the_interface_is_in_the_documentation() -> None:
    assert all(WORDS.values())
    missing = [
        (kind, word)
        for kind, words in WORDS.items()
        for word in words
        if not re.search(rf"(?<![\w-]){word}(?![\w-])", CODE)
    ]
    routes = {path.partition("{")[0] for path, _, _ in operations()} - {"/", "/page/", "/docs/"} | {"`/`", "`/guide/`"}
    assert (missing, [route for route in routes if route not in CODE]) == ([], [])


def test_every_make_command_that_the_documentation_names_exists() -> None:
    made = set(re.findall(r"(?:`|^|\s)make ([a-z][a-z-]*)", CODE, re.MULTILINE))
    assert made - {name for name, _ in TARGETS} == set()


def test_every_file_that_the_readme_links_to_is_there() -> None:
    """`mkdocs build --strict` checks the links of all other pages."""
    links = re.findall(r"\]\(([^):#]+)(?:#[^)]*)?\)", (ROOT / "README.md").read_text())
    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []
