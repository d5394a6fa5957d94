"""JSON documents of requests: their data, and the names that their objects repeat."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from types import NoneType
from typing import Any

from service.api.problems import Error, Problem, pointer, shortened

LEAVES = frozenset({int, float, str, bool, NoneType})
"""Types of JSON values that contain no others."""


class _Repeating(dict[str, Any]):
    """An object of a JSON document that repeats ``names``; its text is unlike that of any other object."""

    names: Sequence[str] = ()

    def __repr__(self) -> str:
        return f"{self.names} repeated in {super().__repr__()}"


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object of a JSON document, with the names that it repeats."""
    found = dict(pairs)
    if len(found) == len(pairs):
        return found
    repeating = _Repeating(found)
    repeating.names = [name for name, times in Counter(name for name, _ in pairs).items() if times > 1]
    return repeating


def all_repeated(data: object, apart: str | None = None) -> Iterator[Error]:
    """Yield an error for each name that an object in the data repeats, at any depth except below ``apart``."""
    left: list[tuple[tuple[str | int, ...], Any]] = [((), data)] if _may_hold_object(data) else []
    while left:
        path, value = left.pop()
        if isinstance(value, _Repeating):
            yield from (repeated(*path, name) for name in value.names)
        if isinstance(value, dict) and LEAVES.issuperset(map(type, value.values())):
            continue
        inside: Iterable[tuple[str | int, Any]] = value.items() if isinstance(value, dict) else enumerate(value)
        left += reversed(
            [((*path, step), part) for step, part in inside if _may_hold_object(part) and (*path, step) != (apart,)]
        )


def _may_hold_object(data: object) -> bool:
    if type(data) is list:
        return not LEAVES.issuperset(map(type, data))
    return isinstance(data, dict)


def _refuse_constant(constant: str) -> object:
    raise Problem("malformed-request", f"The body is not JSON: {constant} is not a JSON number.")


_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_refuse_constant)


def load(body: bytes, such_as: str = "") -> Any:
    """Return the data of a JSON document. Raises a Problem if the document is not JSON.

    ``such_as`` is the end of a sentence about what to send.
    """
    try:
        return _DECODER.decode(body.decode("utf-8"))
    except RecursionError:
        raise Problem("malformed-request", "The body is nested too deeply.") from None
    except ValueError as error:
        raise Problem("malformed-request", _why_not_json(body, error, such_as)) from None


def _why_not_json(body: bytes, error: ValueError, such_as: str) -> str:
    advice = f" Send a JSON object{such_as}."
    if not body.strip():
        return f"The body is empty.{advice}"
    if isinstance(error, UnicodeDecodeError):
        return f"The body is not UTF-8: the byte at offset {error.start} cannot be read."
    if isinstance(error, json.JSONDecodeError):
        why = f"The body is not JSON: {error.msg.lower()} at line {error.lineno}, column {error.colno}."
        return why if body.lstrip().startswith(b"{") else f"{why}{advice}"
    return "The body contains a number with too many digits."


def repeated(*path: str | int) -> Error:
    """Return the error for a name, the last step of a path, that is given more than once."""
    return Error(pointer(*path), "repeated-field", f"{shortened(str(path[-1]))} is given more than once.")
