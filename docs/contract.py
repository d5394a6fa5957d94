"""Write the schemas of ``openapi.yaml`` from the types of requests and answers in ``service/api``.

Run ``make contract`` after a change of one of them, or of the parameters of a family. Paths, responses and all other
parameters are written by hand above the schemas. Every schema that they name is a type of the same name.
"""

import argparse
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from inspect import cleandoc
from pathlib import Path
from textwrap import fill
from typing import Any, Literal

import yaml
from pydantic import BaseModel, TypeAdapter
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema
from typing_extensions import TypeAliasType, get_original_bases, is_typeddict

from service.api import problems
from service.api.routes import (
    analysis,
    best_moves,
    operations,
    puzzles,
    random_positions,
    review,
)
from service.api.site import documents
from service.api.wire import (
    analysis_types,
    answer_types,
    boards,
    fields,
    groups,
    position_fields,
    requests,
    review_types,
    rules,
)
from service.api.write import certificates, games, pictures, stream
from service.games.families.lines import LineGame
from service.games.notation.moves import joined
from service.games.parameters import Parameter

FILE = Path(__file__).parent.parent / "openapi.yaml"

MODULES = (
    boards,
    requests,
    rules,
    pictures,
    position_fields,
    fields,
    groups,
    answer_types,
    analysis_types,
    review_types,
    best_moves,
    analysis,
    stream,
    certificates,
    review,
    random_positions,
    puzzles,
    games,
    problems,
    documents,
    operations,
)
"""Where the types are."""

REFERENCE = "#/components/schemas/"

MARK = "    # `make contract` writes the schemas below from the types in service/api.\n"

WIDTH = 120

Schema = dict[str, Any]


class Generator(GenerateJsonSchema):
    """JSON schemas as pydantic makes them, without titles of fields, and with closed objects."""

    def field_title_should_be_set(self, schema: Any) -> bool:  # noqa: ARG002
        """Name no field twice."""
        return False

    def typed_dict_schema(self, schema: core_schema.TypedDictSchema) -> JsonSchemaValue:
        """Allow no other fields than those of the type."""
        return {**super().typed_dict_schema(schema), "additionalProperties": False}


def wire_types() -> Mapping[str, Any]:
    """Return the types that can be schemas by their names."""
    found = {
        name: found
        for module in MODULES
        for name, found in vars(module).items()
        if isinstance(found, TypeAliasType) or is_typeddict(found) or _is_model(found)
    }
    return found | {**rules.CHOICES}


MANY = 2
"""The fewest fields of a group that several types share."""

GROUPS = (requests.SearchOptions, requests.PositionRequest)
"""Types that others extend, and that no route takes by themselves; beside those of ``groups``."""

FEW, SHORT = 2, 200
"""A schema with so few references, and so few characters where there are two, is written in their places."""

NAMED = ("properties", "allOf", "additionalProperties", "enum", "discriminator")
"""What makes a schema a class in generated clients, which needs a name."""


def schemas(written: str) -> Iterator[tuple[str, Schema]]:
    """Yield the schemas that the text of a contract refers to, and those that these refer to, in that order."""
    found = dict(_referred(written))
    texts = [repr(schema) for schema in found.values()]
    for name in [*found]:
        reference = f"'{REFERENCE}{name}'"
        count = sum(text.count(reference) for text in texts)
        if reference in written or count > FEW or (count > 1 and len(repr(found[name])) > SHORT):
            continue
        if not {*NAMED} & {*found[name]}:
            inlined = found.pop(name)
            found = {other: _with(schema, REFERENCE + name, inlined) for other, schema in found.items()}
    yield from found.items()


def _with(node: Any, reference: str, inlined: Schema) -> Any:
    """Return a part of a schema with another schema in place of the references to it."""
    if isinstance(node, list):
        return [_with(each, reference, inlined) for each in node]
    if not isinstance(node, dict):
        return node
    if node.get("$ref") == reference:
        return tidy({**inlined, **{key: value for key, value in node.items() if key != "$ref"}})
    return {key: _with(value, reference, inlined) for key, value in node.items()}


def _referred(written: str) -> Iterator[tuple[str, Schema]]:
    """Yield the schemas that a text refers to, and those that these refer to, in that order."""
    types = wire_types()
    roots = list(dict.fromkeys(re.findall(rf"{REFERENCE}(\w+)", written)))
    shared = {group.__name__: group for kind in types.values() for group in _groups(kind)}
    inputs: list[tuple[str, Literal["validation", "serialization"], TypeAdapter[Any]]] = [
        (name, "validation" if _is_model(kind) else "serialization", TypeAdapter(kind))
        for name, kind in {**{name: types[name] for name in roots}, **shared}.items()
    ]
    found = TypeAdapter.json_schemas(inputs, ref_template=REFERENCE + "{model}", schema_generator=Generator)
    definitions = {_title_of(name): schema for name, schema in found[1]["$defs"].items()}
    shared = {_title_of(name): group for name, group in shared.items()}
    waiting, done = roots[::-1], set()
    while waiting:
        name = waiting.pop()
        if name not in done:
            done.add(name)
            schema = tidy(_composed(name, {**types, **shared}.get(name), definitions))
            yield name, schema
            waiting += [*dict.fromkeys(re.findall(rf"{REFERENCE}(\w+)", repr(schema)))][::-1]


def _bases(kind: Any) -> list[Any]:
    """Return the types that a type extends."""
    if not is_typeddict(kind) and not _is_model(kind):
        return []
    return [base for base in get_original_bases(kind) if is_typeddict(base) or _is_model(base)]


def _above(kind: Any) -> set[Any]:
    """Return all types above a type."""
    return {*_bases(kind)}.union(*map(_above, _bases(kind)))


@cache
def _shared() -> frozenset[Any]:
    """Return the types with fields that several types share, and that are no answer or request by themselves."""
    below = Counter(group for kind in wire_types().values() for group in _above(kind))
    return frozenset(
        group for group, times in below.items() if times > 1 and len(group.__annotations__) >= MANY and _is_group(group)
    )


def _is_group(kind: Any) -> bool:
    """Return whether a type is a group of fields, and no request or answer."""
    return kind.__name__.startswith("_") or kind in GROUPS or kind.__module__ == groups.__name__


def _groups(kind: Any) -> Iterator[Any]:
    """Yield the shared types that a type consists of, the next ones above it."""
    for base in _bases(kind):
        yield from [base] if base in _shared() else _groups(base)


def _composed(name: str, kind: Any, definitions: Mapping[str, Schema]) -> Schema:
    """Return the schema of a type as the groups of fields that it shares with others, and its own fields."""
    schema, groups = definitions[name], [_title_of(group.__name__) for group in _groups(kind)]
    own = dict(schema.get("properties", {}))
    for group in groups:
        own = {field: of for field, of in own.items() if definitions[group]["properties"].get(field) != of}
    if len(groups) == 1 and not own:
        groups = []
    fields = {"required": [field for field in schema.get("required", ()) if field in own], "properties": own}
    composed = {**schema, **fields} if groups else schema
    if groups:
        composed["allOf"] = [{"$ref": REFERENCE + group} for group in groups]
    if len(groups) == 1:  # openapi-python-client takes a type that consists of one part for that part
        part = {"type": "object", **{key: of for key, of in fields.items() if of}}
        composed["allOf"].insert(0 if next(iter(schema["properties"])) in own else 1, part)
        composed = {key: of for key, of in composed.items() if key not in fields}
    is_group = kind in _shared()
    if groups or is_group:
        composed.pop("additionalProperties", None)
    if groups and not is_group:
        composed["unevaluatedProperties"] = False
    return {key: value for key, value in composed.items() if value not in ([], {})}


def _title_of(name: str) -> str:
    return name.removeprefix("_")


def _is_model(found: Any) -> bool:
    return isinstance(found, type) and issubclass(found, BaseModel)


FIRST = (
    "description",
    "$ref",
    "type",
    "const",
    "enum",
    "format",
    "allOf",
    "additionalProperties",
    "unevaluatedProperties",
    "required",
)
"""What is written first of a schema."""

LAST = ("example",)


def tidy(schema: Any) -> Any:
    """Return a schema as it is written: in one order of keys, with one example, and with its prose unwrapped."""
    if isinstance(schema, list):
        return [tidy(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    schema = {key: value for key, value in schema.items() if key != "title" and (key, value) != ("default", None)}
    if "properties" in schema:
        schema["properties"] = {name: tidy(value) for name, value in schema["properties"].items()}
    for key in {"items", "allOf", "anyOf", "oneOf", "additionalProperties"} & {*schema}:
        schema[key] = tidy(schema[key])
    if "description" in schema:
        schema["description"] = prose(schema["description"])
    if "examples" in schema:
        schema["example"] = schema.pop("examples")[0]
    if "const" in schema:
        schema.pop("example", None)
    if schema.get("type") == "boolean" and "const" in schema:
        del schema["type"]  # openapi-python-client reads a boolean with a type as any boolean
    nullable(schema)
    order = [*FIRST, *(key for key in schema if key not in (*FIRST, *LAST)), *LAST]
    return {key: schema[key] for key in order if key in schema}


def nullable(schema: Schema) -> None:
    """Write ``anyOf: [A, null]`` as ``A`` that may be null, unless A is a reference or a constant."""
    match schema.get("anyOf"):
        case [{"type": str(kind)} as branch, {"type": "null"}] if "const" not in branch:
            del schema["anyOf"]
            schema.update({**branch, "type": [kind, "null"]})
            if "enum" in schema:
                schema["enum"] = [*schema["enum"], None]


def prose(text: str) -> str:
    """Return a docstring as Markdown: one paragraph, or with lists as many as it has."""
    paragraphs = cleandoc(text).replace("``", "`").split("\n\n")
    if not any(each.startswith("- ") for each in paragraphs):
        return " ".join(" ".join(paragraphs).split("\n"))
    return "\n\n".join(each if each.startswith("- ") else fill(each, WIDTH - 20) for each in paragraphs)


class Writer(yaml.SafeDumper):
    """Writes schemas for people: references and short lists in one line, long texts folded."""

    def ignore_aliases(self, data: Any) -> bool:  # noqa: ARG002
        """Write what occurs twice twice."""
        return True


def _text(writer: Writer, text: str) -> yaml.Node:
    style = "|" if "\n" in text else ">" if len(text) > WIDTH - 30 else None
    return writer.represent_scalar("tag:yaml.org,2002:str", text, style=style)


def _mapping(writer: Writer, data: Schema) -> yaml.Node:
    flow = all(_is_short(value) for value in data.values()) and not {"description", "example"} & {*data}
    return writer.represent_mapping(
        "tag:yaml.org,2002:map", data.items(), flow_style=flow and len(repr(data)) < WIDTH - 40
    )


def _sequence(writer: Writer, data: list[Any]) -> yaml.Node:
    return writer.represent_sequence("tag:yaml.org,2002:seq", data, flow_style=all(_is_short(item) for item in data))


def _is_short(value: Any) -> bool:
    """Return whether a value goes into one line: no text of its own, and nothing nested but lists of such."""
    return not isinstance(value, dict) and (not isinstance(value, list) or all(map(_is_short, value)))


Writer.add_representer(str, _text)
Writer.add_representer(dict, _mapping)
Writer.add_representer(list, _sequence)


RULES = re.compile(r"^( *)# rules: (.*)\n(?:.*\n)*?\1# end of rules\n", re.MULTILINE)
"""A place where the parameters of rules go: all of them or those of line games into a list, else what they are."""


def with_rules(written: str) -> str:
    """Return the part of the contract above the schemas with the parameters of rules that the families declare."""

    def block(match: re.Match[str]) -> str:
        indent, kind = match.groups()
        if kind in ("all", LineGame.family):
            names = [name for name, found in rules.IN_QUERIES.items() if kind == "all" or kind in found]
            data: Any = [{"$ref": f"#/components/parameters/{_title(name)}"} for name in names]
        else:
            data = {_title(name): _query_parameter(name, found) for name, found in rules.IN_QUERIES.items()}
        text = yaml.dump(data, Dumper=Writer, width=WIDTH - 20, sort_keys=False, allow_unicode=True)
        lines = [f"# rules: {kind}", *text.splitlines(), "# end of rules"]
        return "".join(f"{indent}{line}\n" for line in lines)

    return RULES.sub(block, written)


def _title(name: str) -> str:
    return name.title().replace("_", "")


def _query_parameter(name: str, declared: Mapping[str, Parameter]) -> Schema:
    """Return a parameter of queries, from what each of the families declares of it."""
    parameter = next(iter(declared.values()))
    described = parameter.about
    if LineGame.family not in declared:
        families = joined([f"`{family}`" for family in declared])
        described = f"{described.rstrip('.')}, in the {'families' if len(declared) > 1 else 'family'} {families}."
    if name != parameter.name:
        described += f" In the body of a POST request this is the field `{parameter.name}` of the rules."
    ranges = [each.values for each in declared.values() if isinstance(each.values, range)]
    schema: Schema = {"type": "boolean"}
    if ranges:
        least, most = min(values[0] for values in ranges), max(values[-1] for values in ranges)
        schema = {"type": "integer", "minimum": least, "maximum": most}
    elif isinstance(parameter.values, tuple):
        choices = {"$ref": REFERENCE + parameter.choices}
        schema = {"anyOf": [schema, choices]} if True in parameter.values else choices
    return {"name": name, "in": "query", "description": described, "schema": schema}


def contract(text: str) -> str:
    """Return the text of the contract with its schemas as the types have them."""
    written = with_rules(text.partition(MARK)[0])
    blocks = [
        yaml.dump({name: schema}, Dumper=Writer, width=WIDTH - 20, sort_keys=False, allow_unicode=True)
        for name, schema in schemas(written)
    ]
    lines = "\n".join(blocks).splitlines()
    return written + MARK + "".join(f"    {line}".rstrip() + "\n" for line in lines)


def main() -> None:
    """Write the schemas; with ``--check`` fail if they are not up to date."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="fail if the file is not up to date")
    before = FILE.read_text(encoding="utf-8")
    after = contract(before)
    if not parser.parse_args().check:
        FILE.write_text(after, encoding="utf-8")
    elif after != before:
        sys.exit("openapi.yaml is not up to date; run make contract.")


if __name__ == "__main__":
    main()
