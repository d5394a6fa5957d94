"""What MkDocs calls when it builds the documentation.

Pages include files from the root of the repository, such as SECURITY.md, whose links are relative to the root. A link
to a page leads to that page; a link to any other file becomes its path, because the site does not hold that file.

The search of the theme (lunr 2.3.9) merges equal nodes of its tree of words by a key in which a digit may be a letter
of a word or the number of a node. So it may take different nodes for equal, after which it finds words that no page
has, and fails. A mark between the two makes the key unambiguous.
"""

import re
from pathlib import Path
from types import MappingProxyType
from typing import Any

from markdown import Extension, Markdown
from markdown.preprocessors import Preprocessor

LINK = re.compile(r"\[([^\]]*)\]\(([^)#]+)(#[^)]*)?\)")

FROM_ROOT = re.compile(
    r"(deploy|docs|examples|loadtests|service|tests)/.*|[A-Z]+\.md|[\w-]+\.(lock|toml|yaml)|Dockerfile"
)
"""What a path looks like that begins at the root of the repository."""

PAGES = MappingProxyType(
    {
        "CHANGELOG.md": "/changelog.md",
        "CONTRIBUTING.md": "/contributing.md",
        "README.md": "/index.md",
        "SECURITY.md": "/operate/security.md",
    }
)
"""The page that includes or replaces a file of the root; ``/`` stands for ``docs``."""

AMBIGUOUS, UNAMBIGUOUS = "e=e+s+o.id}return e", 'e=e+s+o.id+","}return e'
"""How the search of the theme puts together the key of a node, and how it should."""

AFTER_SNIPPETS = 31
"""The priority of this step: pymdownx.snippets includes files with priority 32."""


def _adapted(link: re.Match[str]) -> str:
    text, path, anchor = link.groups(default="")
    if not FROM_ROOT.fullmatch(path):
        return link[0]
    page = PAGES.get(path) or re.sub(r"^docs(?=/.+\.md$)", "", path)
    return f"[{text}]({page}{anchor})" if page.startswith("/") else f"`{path}`"


class AdaptLinks(Preprocessor):
    """The step of the conversion that adapts the links."""

    def run(self, lines: list[str]) -> list[str]:
        """Return the lines of a page with adapted links."""
        return [LINK.sub(_adapted, line) for line in lines]


class AdaptLinksExtension(Extension):
    """The extension of Python-Markdown that adds the step."""

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802, the name is Python-Markdown's
        """Add the step after the one that includes files."""
        md.preprocessors.register(AdaptLinks(md), "adapt-links", AFTER_SNIPPETS)


def on_config(config: Any) -> Any:
    """Add the extension; MkDocs calls this when it has read its configuration."""
    config.markdown_extensions.append(AdaptLinksExtension())
    return config


def on_page_content(html: str, **_: Any) -> str:
    """Return the content of a page without empty headings of tables, which say nothing when they are read out."""
    return re.sub(r"<th( align=\"\w+\")?></th>", r"<td\1></td>", html)


def on_post_build(config: Any) -> None:
    """Mend the search; MkDocs calls this when it has written the site. Raises ValueError for another search."""
    for worker in Path(config.site_dir).glob("assets/javascripts/workers/search.*.min.js"):
        text = worker.read_text()
        if text.count(AMBIGUOUS) != 1:
            raise ValueError(f"{worker.name} has no key of nodes as lunr 2.3.9 makes it: is it still ambiguous?")
        worker.write_text(text.replace(AMBIGUOUS, UNAMBIGUOUS))
