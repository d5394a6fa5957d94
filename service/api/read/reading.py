"""Requests as wire models with their faults, from the JSON of a body or the parameters of a query."""

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from types import MappingProxyType
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from service.api.problems import MAX_ERRORS, MAX_SHOWN, Error, Problem, faulty, pointer, shortened
from service.api.read.json_body import all_repeated, load, repeated
from service.api.wire.contract import such_as
from service.api.wire.requests import GAME_FORMS, MAX_NAME, MOVES_FORMS, LineRules, SearchLimit, family_named
from service.api.wire.rules import IN_BODY, IN_QUERIES, IN_QUERY
from service.games.families.lines import LineGame

Model = TypeVar("Model", bound=BaseModel)
Model_co = TypeVar("Model_co", bound=BaseModel, covariant=True)
Part = TypeVar("Part")

FAULTS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "literal_error": ("not-a-choice", "must be {expected}"),
        "greater_than_equal": ("out-of-range", "must be at least {ge}"),
        "less_than_equal": ("out-of-range", "must be at most {le}"),
        "too_long": ("too-long", "must have at most {max_length} entries"),
        "string_too_long": ("too-long", "must have at most {max_length} characters"),
        "string_type": ("wrong-type", "must be a string"),
        "list_type": ("wrong-type", "must be a list"),
        "model_type": ("wrong-type", "must be a JSON object"),
        "bool_type": ("wrong-type", "must be true or false"),
        "too_short": ("too-short", "must have at least {min_length} entry"),
        "missing": ("required", "is required"),
        "not-whole": ("wrong-type", "must be a whole number"),
        "int_type": ("wrong-type", "must be a whole number"),
        "not-a-move": ("wrong-type", 'must be a number counted from 0, or a name such as "b2"'),
        "not-a-choice": ("wrong-type", "must be {choices}"),
        "not-a-name": ("wrong-type", "must be the name of a move, or a number counted from 0"),
        "for-lines": ("unknown-field", "is a field of requests about line games alone"),
        "union_tag_invalid": ("not-a-choice", "must be one of {expected_tags}"),
    }
)
"""pydantic's types of faults, each with the code and the end of the sentence of the service."""

MOVES_OF_LINE_GAME = 'must be a list of moves, a string of columns, or a string of names such as "b2 a1"'
MOVES_OF_FAMILY = "must be a list of moves, or a string with their names"
"""The end of the sentence where ``moves`` have another type."""

GROUPS: Mapping[str, str] = MappingProxyType(
    dict.fromkeys(("family", *IN_QUERIES), "game") | dict.fromkeys(SearchLimit.model_fields, "limit")
)
"""Query parameters that belong to an object in a body, with the name of the object."""

BELONGS: Mapping[str, str] = MappingProxyType(dict(GROUPS) | dict.fromkeys(LineRules.model_fields, "game"))
"""Fields of objects in a body that people write beside them, with the name of the object."""


def _rules_with(kind: type) -> Iterator[str]:
    """Yield the query names of the rule parameters that have values of a type."""
    for name, declared in IN_QUERIES.items():
        if any(kind in parameter.types for parameter in declared.values()):
            yield name


FLAGS = frozenset({"solution", "solved", "best_moves", *_rules_with(bool)})
"""Query parameters that are true or false."""

NUMBERS = frozenset(
    {"seed", "skill", "size", "count", "plies", "plies_at_least", "plies_at_most"}
    | SearchLimit.model_fields.keys()
    | {*_rules_with(int)}
)
"""Query parameters that are whole numbers."""

FORMS: Mapping[str, Collection[Any]] = MappingProxyType({"game": GAME_FORMS, "moves": MOVES_FORMS})
"""Fields with several forms, and the tags of the forms. pydantic puts the tag after the name of the field."""

MOVE_LISTS = frozenset({"moves"})
"""Query parameters that are lists of numbers or names, with commas or spaces between them or the parameter repeated."""

WORD_LISTS = frozenset({"show"})
"""Query parameters that are lists of words, written in the same ways."""

LISTS = MOVE_LISTS | WORD_LISTS
"""Query parameters that may be repeated."""

ONLY_IN_A_BODY: Mapping[str, str] = MappingProxyType(
    {
        "limit": "A query has no field limit; give time_ms, nodes or prove.",
        "lines": "lines can only be given in the body of a POST request.",
        "cells": "cells, with lines, can only be given in the body of a POST request.",
    }
)
"""Fields that a query cannot have, and the advice to give."""

Where = Callable[..., str]
"""Returns the pointer by which the client knows a field of the model."""


EMPTY: Mapping[str, object] = MappingProxyType({"moves": [], "drops": "", "positions": [None]})
"""Substitutes for faulty fields that must be present, or must not be present beside another."""

NO_MOVE = "?x"
"""The substitute for a faulty move: no move has this name."""

ALIKE = 0.75
"""The least similarity of an unknown field and a field of the game to suggest the latter."""


@dataclass(slots=True)
class Reading(Generic[Model_co]):
    """A request that is being read: its sound fields, and every fault found so far.

    A faulty field of ``wanted`` counts as missing. Readers add the faults that they find in the sound fields, so that
    one problem names all faults of a request. ``where`` makes the pointers of the faults. ``game_is_known`` is False if
    a fault leaves the game open. ``substituted`` are the pointers of faulty moves, in whose places ``NO_MOVE`` is read.
    """

    wanted: Model_co
    where: "Where"
    errors: list[Error] = field(default_factory=list)
    game_is_known: bool = True
    substituted: Collection[str] = ()
    _kinds: set[str] = field(default_factory=set)

    def part(self, read: Callable[[], Part]) -> Part | None:
        """Return the result of ``read``; if it raises a Problem, add its errors to the request and return None."""
        try:
            return read()
        except Problem as problem:
            if not problem.errors:
                raise
            self._kinds.add(problem.kind)
            self.errors += [
                error
                for error in problem.errors
                if error.pointer not in self.substituted or error.code == "played-after-the-end"
            ]
            return None

    def refuse(self, *errors: Error) -> None:
        """Add errors of fields."""
        self._kinds.add("invalid-request")
        self.errors += errors

    def checked(self, part: Part | None) -> Part:
        """Return a part of the request. Raises a Problem that names every fault of the request, if there are any."""
        if part is None or self.errors:
            raise faulty(self._kinds.pop() if len(self._kinds) == 1 else "invalid-request", self.errors)
        return part

    def sound(self) -> Model_co:
        """Return the whole request. Raises a Problem that names every fault, if there are any."""
        return self.checked(self.wanted)


def in_query(*path: str | int) -> str:
    """Return the pointer to a field in a query, where game and limit are flattened."""
    if path[0] in GROUPS.values() and len(path) > 1:
        return pointer(IN_QUERY.get(str(path[1]), path[1]), *path[2:])
    return pointer(*path)


def parse_body(model: type[Model], body: bytes, *, apart: str | None = None) -> Reading[Model]:
    """Return the wire model in a JSON body, with its faults. Raises a Problem if no field is sound.

    ``parse_item`` reads the entries of the list ``apart`` later, one by one.
    """
    data = load(body, such_as(model))
    return _validated(model, data, all_repeated(data, apart), pointer)


def parse_item(model: type[Model], data: object) -> Reading[Model]:
    """Return the wire model in a part of a parsed body, with its faults. Raises a Problem if no field is sound."""
    return _validated(model, data, all_repeated(data), pointer)


def parse_lines(model: type[Model], body: bytes, query: Mapping[str, Sequence[str]], *, apart: str) -> Reading[Model]:
    """Return a wire model with its faults: the lines of a body as the list ``apart``, the other fields from a query.

    The lines are read later, one by one. Raises a Problem if no field is sound.
    """
    fields, faults = _in_query(query)
    if apart in fields:
        faults.append(Error(pointer(apart), "unknown-field", f"The {apart} are the lines of the body."))
    return _validated(model, {**fields, apart: [line for line in body.splitlines() if line.strip()]}, faults, in_query)


def parse_query(model: type[Model], query: Mapping[str, Sequence[str]]) -> Reading[Model]:
    """Return the wire model in the parameters of a query, with its faults. Raises a Problem if no field is sound."""
    return _validated(model, *_in_query(query), in_query)


def _in_query(query: Mapping[str, Sequence[str]]) -> tuple[dict[str, Any], list[Error]]:
    """Return the fields in the parameters of a query, and the faults of the parameters."""
    first = {name: texts[0] for name, texts in query.items()}
    family = first.get("family") or family_named(first.get("game"))
    faults = [repeated(name) for name, texts in query.items() if len(texts) > 1 and name not in LISTS]
    fields: dict[str, Any] = {}
    for name, texts in query.items():
        value, group = _from_texts(name, texts), GROUPS.get(name)
        if name in ONLY_IN_A_BODY:
            faults.append(Error(pointer(name), "unknown-field", ONLY_IN_A_BODY[name]))
        elif group is None:
            fields[name] = value
        elif family == LineGame.family and LineGame.family not in IN_QUERIES.get(name, family):
            detail = f"There is no field {name}. {name} is a rule of a family; give family too."
            faults.append(Error(in_query(name), "unknown-field", detail))
        elif group in query:
            detail = f"Give {group} with an id of the catalogue, or the rules, not both."
            faults.append(Error(in_query(name), "conflicting-field", detail))
        else:
            fields.setdefault(group, {})[IN_BODY.get(name, name)] = value
    return fields, faults


def _from_texts(name: str, texts: Sequence[str]) -> object:
    if name in MOVE_LISTS:
        return split_moves(",".join(texts)) if any(texts) else []
    if name in WORD_LISTS:
        return [part for part in ",".join(texts).split(",") if part]
    if name in FLAGS:
        return {"true": True, "false": False}.get(texts[0].lower(), texts[0])
    return _number(texts[0]) if name in NUMBERS else texts[0]


_SEPARATOR = re.compile(r"(?:\s*,\s*|(?<!cell)(?<!col)(?<!column)(?<!popping)\s+)(?![0-9\s,]{0,9}\))", re.IGNORECASE)
"""The separators of moves: commas and spaces, but not within the brackets of a pair."""


def split_moves(text: str) -> list[object]:
    """Return the numbers and names in a text, separated by commas or spaces.

    A number with more characters than a name may have remains a text, which is refused as too long.
    """
    return [part if len(part) > MAX_NAME else _number(part) for part in _SEPARATOR.split(text.strip())]


def _number(text: str) -> object:
    """Return the number in a text; return any other text unchanged, so that the model refuses it by name."""
    return int(text) if re.fullmatch(r"[+-]?[0-9]{1,20}", text.strip()) else text


def _validated(model: type[Model], data: object, faults: Iterable[Error], where: Where) -> Reading[Model]:
    """Return the model of the sound fields, with the given ``faults`` and those that validation finds.

    Raises a Problem if no field is sound.
    """
    family = family_named(data.get("game")) if isinstance(data, dict) else LineGame.family
    errors = [*faults]
    substituted: set[str] = set()
    try:
        wanted = model.model_validate(data, context=family)
    except ValidationError as error:
        found = error.errors(include_url=False)[:MAX_ERRORS]
        errors += [_field_error(model, fault, where, family) for fault in found]
        for fault in found:
            path = _without_form(fault["loc"])
            _leave_out(data, path)
            if path[0:1] == ["moves"]:
                substituted.add(where(*path))
        try:
            wanted = model.model_validate(data, context=family)
        except ValidationError:
            raise faulty("invalid-request", errors) from None
    reading = Reading(wanted, where)
    if errors:
        reading.refuse(*errors)
        reading.game_is_known = not any(_leaves_game_open(error, model) for error in errors)
        reading.substituted = substituted
    return reading


def _leave_out(data: Any, path: Sequence[str | int]) -> None:
    """Remove a faulty value from the data of a request."""
    match path:
        case ["moves", int(place)]:
            data["moves"][place] = NO_MOVE
        case [str(name)] if name in EMPTY:
            data[name] = EMPTY[name]
        case ["limit", name]:
            del data["limit"][name]
        case [name, *_]:
            data.pop(name, None)


def _leaves_game_open(error: Error, model: type[BaseModel]) -> bool:
    """Return whether an error leaves the game open: it is about the game, or about an unknown field of its rules."""
    name = error.pointer.split("/")[1] if error.pointer else ""
    if error.code == "unknown-field":
        name = (get_close_matches(name[:MAX_SHOWN], [*model.model_fields, *BELONGS], 1, ALIKE) or [name])[0]
    return BELONGS.get(name, name) == "game"


def _field_error(model: type[BaseModel], fault: ErrorDetails, where: Where, family: str) -> Error:
    """Return the error for a fault found by pydantic."""
    path = _without_form(fault["loc"])
    if fault["type"] == "union_tag_invalid":
        path.append("family")
    at = where(*path) if path else ""
    field = shortened(at.removeprefix("/").replace("/", ".")) or "The request"
    if fault["type"] == "extra_forbidden":
        advice = _misplaced(model, fault, where) or _guess(_fields_beside(model, fault["loc"], where, family), path)
        return Error(at, "unknown-field", f"There is no field {field}. {advice}")
    code, sentence = FAULTS.get(fault["type"], ("wrong-type", "is invalid"))
    if path == ["game"]:
        sentence = "must be an id of the catalogue, or an object with rules or lines"
    if path == ["moves"] and code == "wrong-type":
        sentence = MOVES_OF_LINE_GAME if family == LineGame.family else MOVES_OF_FAMILY
    told = sentence.format_map(fault.get("ctx", {}))
    if fault["type"] == "model_type" and path in ([], ["limit"]):
        told += such_as(SearchLimit if path else model)
    return Error(at, code, f"{field} {told}.")


def _without_form(loc: Sequence[str | int]) -> list[str | int]:
    """Return the path of a fault without the names of the forms that a field may have."""
    forms = FORMS.get(str(loc[0]), ()) if loc else ()
    last = 2 if "by_family" in loc[1:2] else 1  # a family is a form of the rules
    return [step for place, step in enumerate(loc) if not 1 <= place <= last or step not in forms]


def _fields_beside(model: type[BaseModel], path: Sequence[str | int], where: Where, family: str) -> list[str]:
    """Return the possible names at the last step of a path."""
    if where is in_query:
        rules = [name for name, declared in IN_QUERIES.items() if family in declared]
        names = [name for name in model.model_fields if name != "limit"]
        return [*names, "family", *rules, *SearchLimit.model_fields]
    for step in path[:-1]:
        model = {**GAME_FORMS, "limit": SearchLimit}.get(str(step)) or model
    return list(model.model_fields)


def _misplaced(model: type[BaseModel], fault: ErrorDetails, where: Where) -> str | None:
    """Return the object to which a misplaced field belongs; None if it is not misplaced."""
    name = str(fault["loc"][-1])
    if where is in_query:
        return None
    group = BELONGS.get(name)
    if len(fault["loc"]) > 1 or group not in model.model_fields:
        return None
    value = json.dumps(fault["input"]) if isinstance(fault["input"], int) else "..."
    return f'{name} belongs in {group}: {{"{group}": {{"{name}": {shortened(value)}}}}}.'


def _guess(names: Sequence[str], path: Sequence[str | int]) -> str:
    close = get_close_matches(str(path[-1])[:MAX_SHOWN], names, n=1)
    return f"Did you mean {close[0]}?" if close else f"The fields are {', '.join(names)}."
