"""The pages and their files: few, and named by a hash of what they hold, so that browsers keep them for good."""

import json
import re
from base64 import b64encode
from collections.abc import Mapping, Sequence
from functools import cache
from hashlib import blake2b
from importlib.resources import files
from types import MappingProxyType
from typing import NamedTuple

from service.web.bundle import joined

PAGE, FRAME, LESSON = "index.html", "embed.html", "learn.html"
KEPT = MappingProxyType(
    {
        PAGE: ("early.js", "main.js", "page.css", "words/texts_de.js"),
        FRAME: ("embed.js", "page.css", "embed.css", "words/texts_de.js"),
        LESSON: ("early.js", "learn.js", "page.css", "learn.css", "words/texts_de.js"),
    }
)
"""The files that each page loads, by the names that its source calls them; texts only where they are read."""

ICON = "icon.svg"
"""A picture so small that it stands in the pages, which saves a request."""

WORKER, ELEMENT = "service-worker.js", "move-oracle.js"

RULES = "rules"
"""The folder of the modules that hold the rules of each family."""

FAMILIES = f"{RULES}/families.js"
"""The module that lists the classes of those, which is made here."""

FAMILY = re.compile(r"^export class (\w+) extends \w+ \{\n  static family = ", re.MULTILINE)
"""How the class of a family begins."""

OTHERS = (WORKER, ELEMENT, "docs.css", "docs.js")
"""Files that are not for the pages alone."""


class PageFiles(NamedTuple):
    """A page, and the files that it loads, by names that change with what the files hold."""

    page: bytes
    lasting: Mapping[str, bytes]


@cache
def page_files(document: str = PAGE) -> PageFiles:
    """Return a page as it is served, with its modules joined."""
    picture = f'"data:image/svg+xml;base64,{b64encode(source(ICON)).decode()}"'
    page = source(document).replace(f'"/page/{ICON}"'.encode(), picture.encode())
    lasting = dict[str, bytes]()
    for name in KEPT[document]:
        body = _script(name) if name.endswith(".js") else source(name)
        lasting_name = _named_by_hash(name, body)
        lasting[lasting_name] = body
        page = page.replace(f'"/page/{name}"'.encode(), f'"/page/{lasting_name}"'.encode())
    return PageFiles(page, lasting)


@cache
def source(name: str) -> bytes:
    """Return a file of the page as it was written, or the list of families."""
    return _families() if name == FAMILIES else (files("service.web") / name).read_bytes()


def _families() -> bytes:
    """Return the module that lists the class of each family: those of all files of rules."""
    rules = sorted((files("service.web") / RULES).iterdir(), key=lambda file: file.name)
    classes = {found[1]: file.name for file in rules if (found := FAMILY.search(file.read_text(encoding="utf-8")))}
    imports = [f'import {{ {name} }} from "./{file}";\n' for name, file in classes.items()]
    return "".join([*imports, f"export const CLASSES = [{', '.join(classes)}];\n"]).encode()


@cache
def source_names() -> frozenset[str]:
    """Return the names of the files of the page that are served as they were written, for people to read."""
    web = files("service.web")
    folders = (folder for folder in web.iterdir() if folder.is_dir())
    modules = (f"{folder.name}/{file.name}" for folder in folders for file in folder.iterdir())
    names = [*(file.name for file in web.iterdir()), *modules, FAMILIES]
    return frozenset(name for name in names if name.endswith((".css", ".js", ".svg")) and name not in OTHERS)


def service_worker(pages: Mapping[str, bytes]) -> bytes:
    """Return the script that keeps pages, by their paths, and their files in a browser.

    It changes whenever one of them does.
    """
    whole = b"".join(pages.values())
    loaded = [*pages, *(f"/page/{name}" for name in lasting_files() if name.encode() in whole)]
    version = blake2b(whole + source(WORKER), digest_size=8).hexdigest()
    head = f"const VERSION = {json.dumps(version)};\nconst FILES = {json.dumps(loaded)};\n"
    return head.encode() + source(WORKER)


@cache
def lasting_files() -> Mapping[str, bytes]:
    """Return the files that the pages load, by their names."""
    return {name: body for page in KEPT for name, body in page_files(page).lasting.items()}


def element(shapes: Mapping[str, tuple[int, int, int]], rules: Sequence[str]) -> bytes:
    """Return the script of the custom element.

    It knows the columns, rows and layers of each game, and what a query calls the parameters of own rules.
    """
    head = f"const SHAPES = new Map(Object.entries({json.dumps(shapes)}));\nconst RULES = {json.dumps(rules)};\n"
    return head.encode() + source(ELEMENT)


def _script(entry: str) -> bytes:
    modules = {name.removesuffix(".js"): source(name).decode() for name in source_names() if name.endswith(".js")}
    return joined(entry.removesuffix(".js"), modules).encode()


def _named_by_hash(name: str, body: bytes) -> str:
    stem, _, suffix = name.partition(".")
    return f"{stem}.{blake2b(body, digest_size=8).hexdigest()}.{suffix}"
