"""The script that writes the tables of the documentation; `make check` compares them with what the code declares."""

import shutil
import sys
from pathlib import Path

import pytest

from tests.docs.pages import DOCS
from tests.programs import run

pytestmark = pytest.mark.verify

PAGES = (
    "games.md",
    "guide/families.md",
    "guide/positions.md",
    "operate/configuration.md",
    "operate/logs-and-metrics.md",
)


def test_a_stale_table_is_reported_and_rewritten_and_a_page_without_markers_left_alone(tmp_path: Path) -> None:
    for page in PAGES:
        (tmp_path / page).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(DOCS / page, tmp_path / page)
    first, *_, last = (tmp_path / page for page in PAGES)
    fresh = first.read_text()
    stale = fresh.replace("<!-- end -->", "stale\n<!-- end -->")
    first.write_text(stale)
    checked = run(sys.executable, DOCS / "tables.py", "--check", tmp_path)
    assert (checked.returncode, first.name in checked.stderr, first.read_text()) == (1, True, stale)
    bare = last.read_text().replace("<!-- end -->", "")
    last.write_text(bare)
    assert "has no <!--" in run(sys.executable, DOCS / "tables.py", tmp_path).stderr
    assert (first.read_text(), last.read_text()) == (fresh, bare)
