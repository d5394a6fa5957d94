"""Every link leads somewhere, and every page is in the navigation."""

import re
from collections.abc import Iterator
from os.path import normpath
from pathlib import Path
from typing import Any

import pytest
import yaml
from markdown.extensions.toc import slugify

from tests.docs.pages import DOCS, INCLUDED, PAGES, README, headings, name, without_blocks
from tests.support import ROOT

LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
FILES = [*PAGES, *(path for path in INCLUDED if path.exists())]


def anchors(page: Path) -> set[str]:
    """Return the anchors of the headings of a page, with those of the file that it includes."""
    text = page.read_text()
    for included in re.findall(r'^--8<-- "(.+)"$', text, re.MULTILINE):
        text += (ROOT / included).read_text()
    titles = [re.sub(r"`|\*|\[([^\]]*)\]\([^)]*\)", r"\1", title) for title in headings(text)]
    return {slugify(title, "-") for title in titles}


def links(page: Path) -> list[str]:
    """Return the targets of the links of a page to files and sections."""
    found = LINK.findall(without_blocks(page.read_text()))
    return [link for link in found if not re.match(r"\w+:", link)]


@pytest.mark.parametrize("page", FILES, ids=name)
def test_every_file_and_section_that_a_page_links_to_exists(page: Path) -> None:
    for link in links(page):
        path, _, anchor = link.partition("#")
        target = page.parent / path if path else page
        assert target.exists(), link
        if anchor:
            assert anchor in anchors(target), link


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_a_page_names_files_outside_the_documentation_as_code(page: Path) -> None:
    if page != README:
        assert [link for link in links(page) if not Path(normpath(page.parent / link)).is_relative_to(DOCS)] == []


def test_the_readme_links_to_the_documentation() -> None:
    assert [link for link in links(README) if link.startswith("docs/")]


class Loader(yaml.SafeLoader):
    """Reads mkdocs.yml, whose own tags do not matter here."""


Loader.add_constructor("!relative", lambda _, node: node.value)


def listed(entries: list[Any]) -> Iterator[str]:
    """Yield the pages of a part of the navigation."""
    for entry in entries:
        for value in entry.values():
            yield from [value] if isinstance(value, str) else listed(value)


def test_the_navigation_has_every_page_once() -> None:
    navigation = list(listed(yaml.load((ROOT / "mkdocs.yml").read_text(), Loader)["nav"]))
    assert sorted(navigation) == sorted(page.relative_to(DOCS).as_posix() for page in PAGES if page != README)
