"""The pages and their files: few, and named by a hash of their contents, so that browsers cache them for ever."""

import json
import re
from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from hashlib import blake2b
from importlib.resources import files
from types import MappingProxyType
from typing import NamedTuple

from service.web.bundle import bundled
from service.web.minified import minified

PAGE, FRAME, LESSON, MISSING = "index.html", "embed.html", "learn.html", "missing.html"
FONT = "kalam.woff2"
"""The font of headings: English and German letters of Kalam Bold, of the npm package ``@fontsource/kalam`` 5.3.0.

Made by ``pyftsubset --no-hinting --layout-features= --flavor=woff2 --text=...``. It is embedded in the style sheet, so
that no text waits for it.
"""

KEPT = MappingProxyType(
    {
        PAGE: ("main.js", "page.css", "parts.css", "words/texts_de.js"),
        FRAME: ("embed.js", "page.css", "parts.css", "embed.css", "words/texts_de.js"),
        LESSON: ("learn.js", "page.css", "learn.css", "words/texts_de.js"),
        MISSING: ("missing.js", "page.css", "words/texts_de.js"),
    }
)
"""The files that each page loads, by their names in its source; other texts are loaded on demand."""

EARLY = "early.js"
"""A script that is embedded in the pages, because they wait for it."""

ICON = "icon.svg"
"""A picture that is embedded in the pages because it is small, which saves a request."""

WORKER, ELEMENT = "service-worker.js", "move-oracle.js"

RULES = "rules"
"""The folder of the modules with the rules of each family."""

FAMILIES = f"{RULES}/families.js"
"""The module that loads the classes of the families on demand; it is generated here."""

FAMILY = re.compile(r'^export class (\w+) extends \w+ \{\n  static family = "([^"]+)";', re.MULTILINE)
"""The beginning of the class of a family."""

FIRST = frozenset({"line.js", "own_lines.js"})
"""Rules that the page has from the start."""

OTHERS = (WORKER, ELEMENT, "docs.css", "docs.js")
"""Files that are not only for the pages."""

VERSION = "@version"
"""The placeholder of the hash in the names of scripts, which refer to each other."""

HASHED = re.compile(r"\.[0-9a-f]{16}\.")
"""The hash in the name of a file as it is served."""

Minify = Callable[[str, bytes], bytes]
"""Minifies a file with a name."""


class PageFiles(NamedTuple):
    """A page, and the files that it loads, by names that change with their contents."""

    page: bytes
    lasting: Mapping[str, bytes]


@cache
def page_files(document: str = PAGE) -> PageFiles:
    """Return a page as it is served, with its modules joined."""
    return assembled(document, minified)


def assembled(document: str, minify: Minify) -> PageFiles:
    """Return a page, with its files after ``minify``."""
    picture = f'"data:image/svg+xml;base64,{b64encode(source(ICON)).decode()}"'
    page = source(document).replace(f'"/page/{ICON}"'.encode(), picture.encode())
    page = page.replace(f' src="/page/{EARLY}">'.encode(), b">" + next(iter(_scripts(EARLY, minify).values())))
    lasting = dict[str, bytes]()
    font = f'"data:font/woff2;base64,{b64encode(source(FONT)).decode()}"'
    for name in KEPT[document]:
        named = source(name).replace(f'"/page/{FONT}"'.encode(), font.encode())
        loaded = _scripts(name, minify) if name.endswith(".js") else _hashed({_versioned(name): named}, minify)
        lasting |= loaded
        for served in loaded:
            page = page.replace(f'"/page/{HASHED.sub(".", served)}"'.encode(), f'"/page/{served}"'.encode())
    return PageFiles(page, lasting)


@cache
def source(name: str) -> bytes:
    """Return the source of a file of the page, or the generated list of families."""
    return _families() if name == FAMILIES else (files("service.web") / name).read_bytes()


def _families() -> bytes:
    """Return the module that loads the class of each family, from all files of rules."""
    rules = sorted((files("service.web") / RULES).iterdir(), key=lambda file: file.name)
    classes = {
        found[2]: f'import("./{file.name}").then(({{ {found[1]} }}) => {found[1]})'
        for file in rules
        if file.name not in FIRST and (found := FAMILY.search(file.read_text(encoding="utf-8")))
    }
    listed = [f'  "{family}": () => {imported},\n' for family, imported in classes.items()]
    return "".join(["export const RULES = {\n", *listed, "};\n"]).encode()


@cache
def source_names() -> frozenset[str]:
    """Return the names of the files that are served as sources, for people to read."""
    web = files("service.web")
    folders = (folder for folder in web.iterdir() if folder.is_dir())
    modules = (f"{folder.name}/{file.name}" for folder in folders for file in folder.iterdir())
    names = [*(file.name for file in web.iterdir()), *modules, FAMILIES]
    return frozenset(
        name
        for name in names
        if name.endswith((".css", ".js", ".svg", ".webmanifest", ".woff2")) and name not in OTHERS
    )


def service_worker(pages: Mapping[str, bytes]) -> bytes:
    """Return the script that caches pages, by their paths, and their files in a browser.

    It changes whenever one of them does.
    """
    whole = b"".join(pages.values())
    kept = [name for page in (PAGE, LESSON) for name in page_files(page).lasting]
    loaded = [*pages, *(f"/page/{name}" for name in dict.fromkeys(kept))]
    version = blake2b(whole + source(WORKER), digest_size=8).hexdigest()
    head = f"const VERSION = {json.dumps(version)};\nconst FILES = {json.dumps(loaded)};\n"
    return head.encode() + source(WORKER)


@cache
def lasting_files() -> Mapping[str, bytes]:
    """Return the files that the pages load, by their names."""
    return {name: body for page in KEPT for name, body in page_files(page).lasting.items()}


def element(shapes: Mapping[str, tuple[int, int, int]], rules: Sequence[str]) -> bytes:
    """Return the script of the custom element.

    It has the columns, rows and layers of each game, and the query names of the parameters of own rules.
    """
    head = f"const SHAPES = new Map(Object.entries({json.dumps(shapes)}));\nconst RULES = {json.dumps(rules)};\n"
    return head.encode() + source(ELEMENT)


@cache
def _scripts(entry: str, minify: Minify) -> dict[str, bytes]:
    """Return the files of a script: the one that a page loads at first, and those loaded on demand."""
    modules = {name.removesuffix(".js"): source(name).decode() for name in source_names() if name.endswith(".js")}
    texts = bundled(entry.removesuffix(".js"), modules, f"/page/{{}}.{VERSION}.js")
    return _hashed({_versioned(f"{name}.js"): text.encode() for name, text in texts.items()}, minify)


def _versioned(name: str) -> str:
    stem, _, suffix = name.partition(".")
    return f"{stem}.{VERSION}.{suffix}"


def _hashed(files: Mapping[str, bytes], minify: Minify) -> dict[str, bytes]:
    """Return files that may refer to each other, with a hash of all contents in each name."""
    version = blake2b(b"".join(files.values()), digest_size=8).hexdigest()
    named = {name.replace(VERSION, version): body for name, body in files.items()}
    return {name: minify(name, body.replace(VERSION.encode(), version.encode())) for name, body in named.items()}
