"""What a release says of itself, and the workflow that builds it."""

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import yaml

from service import __version__
from tests.support import ROOT

WORKFLOWS = [*(ROOT / ".github" / "workflows").glob("*.yml")]


def read(path: Path) -> Any:
    return yaml.safe_load(path.read_text())


def test_every_file_names_the_version_of_the_package() -> None:
    assert read(ROOT / "CITATION.cff")["version"] == __version__
    assert json.loads((ROOT / "server.json").read_text())["version"] == __version__


def test_the_citation_has_the_date_of_the_version_in_the_changelog() -> None:
    date = read(ROOT / "CITATION.cff")["date-released"]
    assert f"## {__version__} - {date}\n" in (ROOT / "CHANGELOG.md").read_text()


def test_the_entry_of_the_registry_is_short_enough_for_it() -> None:
    assert len(json.loads((ROOT / "server.json").read_text())["description"]) <= 100


def test_every_action_is_pinned_to_a_commit_beside_which_its_version_stands() -> None:
    used = [line for path in WORKFLOWS for line in path.read_text().splitlines() if "uses:" in line]
    assert used
    for line in used:
        assert re.fullmatch(r" +(- )?uses: [\w-]+/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", line), line


def test_the_workflow_runs_targets_that_the_makefile_has() -> None:
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    called = [target for path in WORKFLOWS for target in re.findall(r"run: make (\S+)", path.read_text())]
    assert {"test", "check", "docs"} <= {*called} <= {*targets}


def test_the_python_of_the_wheels_is_the_oldest_that_is_supported() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())
    oldest = settings["project"]["requires-python"].removeprefix(">=").replace(".", "")
    assert {build.split("-")[0] for build in settings["tool"]["cibuildwheel"]["build"]} == {f"cp{oldest}"}


def test_every_form_for_issues_asks_for_something_that_must_be_filled_in() -> None:
    forms = [path for path in (ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml") if path.name != "config.yml"]
    assert forms
    for form in forms:
        asked = [part for part in read(form)["body"] if part["type"] == "textarea"]
        assert len({part["id"] for part in asked}) == len(asked)
        assert any(part.get("validations", {}).get("required") for part in asked)
