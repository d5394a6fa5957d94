"""docs/architecture.md speaks of files and names that the service has."""

import re

from tests.support import ROOT

TEXT = (ROOT / "docs/architecture.md").read_text()
SERVICE = ROOT / "service"
CODE = "\n".join(file.read_text() for file in SERVICE.rglob("*.py"))


def test_every_file_that_is_named_exists() -> None:
    named = set(re.findall(r"\b((?:\w+/)*\w+\.py)\b", TEXT))
    assert {name for name in named if not (SERVICE / name).is_file()} == set()


def test_every_name_stands_in_the_code() -> None:
    named = set(re.findall(r"`(?:\w+[.:])*(_?[A-Za-z]\w+)(?:\(.*?\))?`", TEXT)) - {"py", "toml"}
    assert named - set(re.findall(r"\w+", CODE)) == set()


def test_every_package_stands_in_the_picture_of_imports() -> None:
    packages = {f"{init.parent.name}/" for init in SERVICE.glob("*/__init__.py")}
    assert packages <= set(re.findall(r"\w+/", TEXT))
