"""The pages of the documentation as text: README.md and every page in docs/."""

import re
from pathlib import Path

from tests.support import ROOT

DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]
INCLUDED = [ROOT / name for name in ("CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")]
"""Files of the root that pages of docs/ include."""

BLOCK = re.compile(r"^( *)```.*?^\1```$", re.MULTILINE | re.DOTALL)


def name(page: Path) -> str:
    """Return the path of a page from the root, for the names of tests."""
    return page.relative_to(ROOT).as_posix()


def blocks(text: str, language: str) -> list[str]:
    """Return what the code blocks of a language hold."""
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
