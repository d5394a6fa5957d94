"""Elements of SVG documents. The library escapes all texts and values.

Pictures in the same HTML document share its ids and style sheets. So every id has the digest of its picture as prefix,
and every class that of its style sheet.
"""

from collections.abc import Callable, Mapping
from hashlib import blake2b
from types import MappingProxyType
from xml.etree.ElementTree import Element, tostring

DIGEST = 5
"""The bytes of the digest of a picture."""

Rename = Callable[[str], str]


def node(tag: str, *children: Element, **attributes: object) -> Element:
    """Return an element; ``_`` in the name of an attribute means ``-``, and at its end nothing (``class_``).

    Attributes that are None are left out.
    """
    element = Element(tag, {_name(name): _text(value) for name, value in attributes.items() if value is not None})
    element.extend(children)
    return element


def text(tag: str, content: str, **attributes: object) -> Element:
    """Return an element with a text."""
    element = node(tag, **attributes)
    element.text = content
    return element


def document(element: Element) -> bytes:
    """Return the bytes of a document."""
    return bytes(tostring(element, encoding="utf-8"))


def digest(content: bytes) -> str:
    """Return a short digest of some content, which is a valid beginning of ids and classes."""
    return f"m{blake2b(content, digest_size=DIGEST).hexdigest()}"


def scoped(root: Element, classes: str) -> Element:
    """Return a document with prefixes before its ids, all references to them, and its classes.

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


def _name(name: str) -> str:
    return name.rstrip("_").replace("_", "-")


def _text(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)
