"""The minified files of the pages, made when the service was built.

Each is found by a hash of its source. So a file that has changed since is served unminified, and so are all files of an
installation without a build: they are larger, but work the same.
"""

from collections.abc import Mapping
from functools import cache
from hashlib import blake2b
from pathlib import Path
from types import MappingProxyType

FOLDER = Path(__file__).with_name("minified")
"""The folder to which ``service.web.build`` writes."""

MINIFIED, COMPRESSED = "min", "br"
"""The suffixes of the two forms of a file."""


def minified(name: str, body: bytes) -> bytes:  # noqa: ARG001, a builder needs the name
    """Return a file minified; unchanged if it was not built."""
    return _built().get(built_name(body, MINIFIED), body)


def with_brotli(body: bytes) -> bytes | None:
    """Return a document compressed with Brotli, if that was built."""
    return _built().get(built_name(body, COMPRESSED))


def built_name(body: bytes, form: str) -> str:
    """Return the file name of a form of a file, from its source."""
    return f"{blake2b(body, digest_size=12).hexdigest()}.{form}"


@cache
def _built() -> Mapping[str, bytes]:
    return MappingProxyType({file.name: file.read_bytes() for file in FOLDER.glob("*.*")})
