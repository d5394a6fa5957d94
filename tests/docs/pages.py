"""The pages of the documentation as text: README.md and every page in docs/."""

import re
from pathlib import Path

from tests.support import ROOT

DOCS = ROOT / "docs"
README = ROOT / "README.md"
PAGES = [README, *sorted(DOCS.rglob("*.md"))]
INCLUDED = [ROOT / name for name in ("CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")]
"""Files of the root that pages of docs/ include."""

BLOCK = re.compile(r"^( *)```.*?^\1```$", re.MULTILINE | re.DOTALL)


def name(page: Path) -> str:
    """Return the path of a page from the root, for the names of tests."""
    return page.relative_to(ROOT).as_posix()


def blocks(text: str, language: str) -> list[str]:
    """Return what the code blocks of a language hold."""
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def without_blocks(text: str) -> str:
    """Return a page without its code blocks, comments and included files."""
    return re.sub(r"<!--.*?-->|^--8<--.*?$", "", BLOCK.sub("", text), flags=re.MULTILINE | re.DOTALL)


def headings(text: str) -> list[str]:
    """Return the headings of a page, as they are written."""
    return re.findall(r"^#+ +(.+?) *#*$", without_blocks(text), re.MULTILINE)


def passages(text: str) -> list[str]:
    """Return the paragraphs, items of lists and cells of tables of a page, each as one line of plain words."""
    found: list[str] = []
    paragraph: list[str] = []
    for line in [*without_blocks(text).splitlines(), ""]:
        item = re.match(r"\s*(?:[-*+]|\d+\.)\s+", line)
        if (not line.strip() or item or line.lstrip().startswith(("#", "|", "!!!"))) and paragraph:
            found.append(" ".join(paragraph))
            paragraph = []
        if line.startswith("|"):
            found += [cell for cell in re.split(r"(?<!\\)\|", line) if re.search(r"\w", cell)]
        elif line.strip() and not line.startswith("#"):
            paragraph.append(line[item.end() :] if item else line.strip())
    return [plain(passage) for passage in found if plain(passage)]


def plain(passage: str) -> str:
    """Return a passage without what only marks it up: code counts as one word, a link as its text."""
    coded = re.sub(r"(`+).+?\1", "code", passage)
    linked = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", coded)
    return re.sub(r"\*+|<[^>]+>", "", linked).strip()


def sentences(text: str) -> list[str]:
    """Return the sentences of a page."""
    return [found for passage in passages(text) for found in re.split(r"(?<=[.!?])[)\"”]* +(?=\S)", passage)]


def words(sentence: str) -> int:
    """Return how many words a sentence has; numbers count, signs do not."""
    return len([word for word in sentence.split() if re.search(r"\w", word)])
