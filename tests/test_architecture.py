"""docs/architecture.md speaks of files and names that the service has."""

import re

import pytest

from tests.support import ROOT

TEXT = (ROOT / "docs/architecture.md").read_text()
SERVICE = ROOT / "service"
CODE = "\n".join(file.read_text() for file in SERVICE.rglob("*.py"))

FILES = sorted(set(re.findall(r"\b((?:\w+/)?\w+\.py)\b", TEXT)))
NAMES = sorted(set(re.findall(r"`(?:\w+[.:])*(_?[A-Za-z]\w+)(?:\(.*?\))?`", TEXT)) - {"py", "toml"})


@pytest.mark.parametrize("file", FILES)
def test_every_file_that_is_named_exists(file: str) -> None:
    assert (SERVICE / file).is_file()


@pytest.mark.parametrize("name", NAMES)
def test_every_name_stands_in_the_code(name: str) -> None:
    assert re.search(rf"\b{name}\b", CODE)


def test_every_package_stands_in_the_picture_of_imports() -> None:
    packages = {f"{init.parent.name}/" for init in SERVICE.glob("*/__init__.py")}
    assert packages <= set(re.findall(r"\w+/", TEXT))
