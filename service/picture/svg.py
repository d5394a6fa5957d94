"""Elements of SVG documents. The library escapes every text and every value."""

from xml.etree.ElementTree import Element, tostring


def node(tag: str, *children: Element, **attributes: object) -> Element:
    """Return an element; ``_`` in the name of an attribute stands for ``-``, at its end for nothing (``class_``).

    Attributes that are None are left out.
    """
    element = Element(tag, {_name(name): _text(value) for name, value in attributes.items() if value is not None})
    element.extend(children)
    return element


def text(tag: str, content: str, **attributes: object) -> Element:
    """Return an element that holds only text."""
    element = node(tag, **attributes)
    element.text = content
    return element


def document(element: Element) -> bytes:
    """Return the bytes of a document."""
    return bytes(tostring(element, encoding="utf-8"))


def _name(name: str) -> str:
    return name.rstrip("_").replace("_", "-")


def _text(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)
