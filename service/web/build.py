"""Minifies the files of the pages when the service is built: ``python -m service.web.build``.

The programs for that are only needed here. They take a second, which is too long for a start of the service.
"""

import re
from pathlib import PurePath

import brotli
import minify

from service.web.minified import COMPRESSED, FOLDER, MINIFIED, built_name
from service.web.page import KEPT, assembled

KINDS = {".css": "text/css", ".js": "application/javascript"}
"""The media types of files by their suffixes."""

PATTERN = re.compile(r"\bconst (?=[\[{])")
"""The beginning of a destructuring of constants.

Minify 2.24 moves some of these above the constants that they use, but not if they are variables: ``const a = f(); const
{ b } = (a !== null && g(a)) || {};``.
"""


def build() -> None:
    """Write the files of the pages minified and compressed, as they are served; remove those of older sources."""
    built = dict[str, bytes]()

    def small(name: str, body: bytes) -> bytes:
        kind = KINDS.get(PurePath(name).suffix)
        if kind is None:
            return body
        made: bytes = minify.string(kind, PATTERN.sub("let ", body.decode())).encode()
        built[built_name(body, MINIFIED)] = made
        return made

    pages = [assembled(document, small) for document in KEPT]
    for body in {body for page, lasting in pages for body in (page, *lasting.values())}:
        built[built_name(body, COMPRESSED)] = brotli.compress(body)
    FOLDER.mkdir(exist_ok=True)
    for name, body in built.items():
        unfinished = FOLDER / f"{name}.new"
        unfinished.write_bytes(body)
        unfinished.replace(FOLDER / name)
    for file in FOLDER.iterdir():
        if file.name not in built:
            file.unlink(missing_ok=True)


if __name__ == "__main__":
    build()
