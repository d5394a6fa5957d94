"""The tables of settings, metrics and games in the documentation are those that the code declares."""

import shutil
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest

from service.settings import Settings
from tests.support import ROOT

pytestmark = pytest.mark.verify

DOCS = ROOT / "docs"
PAGES = ("games.md", "guide/families.md", "operate/configuration.md", "operate/logs-and-metrics.md")


def tables(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run the script that writes the tables."""
    command = [sys.executable, DOCS / "tables.py", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=30, check=False)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """Copy the pages that have a table, and return their folder."""
    for page in PAGES:
        (tmp_path / page).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(DOCS / page, tmp_path / page)
    return tmp_path


def test_the_tables_of_the_pages_are_up_to_date() -> None:
    done = tables("--check")
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("page", PAGES)
def test_a_stale_table_is_reported_and_then_rewritten(copy: Path, page: str) -> None:
    fresh = (copy / page).read_text()
    stale = fresh.replace("<!-- end -->", "stale\n<!-- end -->")
    (copy / page).write_text(stale)
    checked = tables("--check", copy)
    assert (checked.returncode, page in checked.stderr) == (1, True)
    assert (copy / page).read_text() == stale
    assert tables(copy).returncode == 0
    assert (copy / page).read_text() == fresh


@pytest.mark.parametrize("page", PAGES)
def test_a_page_without_its_markers_is_not_touched(copy: Path, page: str) -> None:
    text = (copy / page).read_text().replace("<!-- end -->", "")
    (copy / page).write_text(text)
    assert "has no <!--" in tables(copy).stderr
    assert (copy / page).read_text() == text


def test_every_setting_stands_in_its_table_with_its_default_and_description() -> None:
    rows = (DOCS / "operate/configuration.md").read_text().splitlines()
    for setting in fields(Settings):
        row = next(line for line in rows if line.startswith(f"| `{setting.metadata['variable']}` |"))
        assert row.endswith(f"| {setting.metadata['description']} |")
        if setting.name not in ("workers", "max_searches"):
            assert f"| {f'`{setting.default}`' if setting.default != '' else 'empty'} |" in row
