"""Names that belong to one picture alone.

Pictures that stand in the same HTML document share its ids and its style sheets. So every id begins with a digest of
its picture, and every class with one of its style sheet.
"""

from collections.abc import Callable, Mapping
from hashlib import blake2b
from types import MappingProxyType
from xml.etree.ElementTree import Element

from service.picture.svg import document

DIGEST = 5
"""Bytes that tell pictures apart."""

Rename = Callable[[str], str]


def digest(content: bytes) -> str:
    """Return a short text for some content, which can begin an id or a class."""
    return f"m{blake2b(content, digest_size=DIGEST).hexdigest()}"


def scoped(root: Element, classes: str) -> Element:
    """Return a document after its ids, all that refers to them, and its classes got their prefixes.

    ``classes`` is the prefix of the classes in the style sheet of the document.
    """
    ids = digest(document(root))
    renames: Mapping[str, Rename] = MappingProxyType(
        {
            "id": lambda name: f"{ids}-{name}",
            "href": lambda name: f"#{ids}-{name.removeprefix('#')}",
            "fill": lambda value: value.replace("url(#", f"url(#{ids}-"),
            "class": lambda name: f"{classes}-{name}",
            "aria-labelledby": lambda name: f"{ids}-{name}",
            "aria-describedby": lambda name: f"{ids}-{name}",
        }
    )
    for element in root.iter():
        for name in renames.keys() & element.attrib.keys():
            element.set(name, renames[name](element.attrib[name]))
    return root
