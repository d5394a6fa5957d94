"""The files of the pages as they were made small when the service was built.

Each is found by a hash of what it was before. So a file that has changed since is served as it was written, and an
installation that was never built serves all of them like that: they are larger, and do the same.
"""

from collections.abc import Mapping
from functools import cache
from hashlib import blake2b
from pathlib import Path
from types import MappingProxyType

FOLDER = Path(__file__).with_name("minified")
"""Where ``service.web.build`` puts the files."""

MINIFIED, COMPRESSED = "min", "br"
"""The suffixes of the two forms of a file."""


def minified(name: str, body: bytes) -> bytes:  # noqa: ARG001, who builds it has to know the kind of file
    """Return a file without all that a browser does not need; as it is, if that was not built."""
    return _built().get(built_name(body, MINIFIED), body)


def with_brotli(body: bytes) -> bytes | None:
    """Return a document compressed with Brotli, if that was built."""
    return _built().get(built_name(body, COMPRESSED))


def built_name(body: bytes, form: str) -> str:
    """Return the name of a form of a file, as it is before that."""
    return f"{blake2b(body, digest_size=12).hexdigest()}.{form}"


@cache
def _built() -> Mapping[str, bytes]:
    return MappingProxyType({file.name: file.read_bytes() for file in FOLDER.glob("*.*")})
