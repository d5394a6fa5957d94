"""Schemas of the answers: those of the contract, with all variants of an answer laid over one another.

The contract has a schema for each variant of an answer, 33 kB for an analysis. A model that reads a list of tools
needs to know the fields, not which of them go together, so a schema here has every field of every variant once.
"""

from collections.abc import Iterator, Mapping
from typing import Any

Schema = Mapping[str, Any]


def outline(contract: Schema, name: str) -> dict[str, Any]:
    """Return the outline of a schema of the contract: valid answers of the contract are valid by it too."""
    schemas = contract["components"]["schemas"]
    return _merged([*_variants(schemas, schemas[name])], schemas)


def _variants(schemas: Schema, schema: Schema) -> Iterator[Schema]:
    """Yield the schemas of which one holds, without references."""
    if "$ref" in schema:
        named = schemas[schema["$ref"].rpartition("/")[2]]
        yield from _variants(schemas, {**named, **{key: value for key, value in schema.items() if key != "$ref"}})
    elif "oneOf" in schema or "anyOf" in schema:
        for variant in schema.get("oneOf") or schema["anyOf"]:
            for found in _variants(schemas, variant):
                yield {**found, "description": schema.get("description", found.get("description"))}
    elif "allOf" in schema:
        yield from _variants(schemas, _whole(schemas, schema))
    else:
        yield schema


def _whole(schemas: Schema, schema: Schema) -> Schema:
    """Return a schema with the fields of the groups that it consists of."""
    groups = [group for part in schema["allOf"] for group in _variants(schemas, part)]
    parts = [*groups, schema]
    return {
        **{key: value for key, value in schema.items() if key != "allOf"},
        "properties": {name: of for part in parts for name, of in part.get("properties", {}).items()},
        "required": [name for part in parts for name in part.get("required", ())],
    }


def _merged(variants: list[Schema], schemas: Schema) -> dict[str, Any]:
    """Return a schema that holds where one of the variants does."""
    types = [*dict.fromkeys(kind for variant in variants for kind in _types(variant))]
    merged: dict[str, Any] = {"type": types[0] if len(types) == 1 else types} if types else {}
    if variants[0].get("description"):
        merged["description"] = variants[0]["description"].partition(". ")[0].rstrip(".") + "."
    objects = [variant for variant in variants if "object" in _types(variant)]
    if any("properties" in variant for variant in objects):
        merged |= _fields(objects, schemas)
    items = [item for variant in variants if "items" in variant for item in _variants(schemas, variant["items"])]
    if items:
        merged["items"] = _merged(items, schemas)
    return merged


def _types(schema: Schema) -> list[str]:
    kinds = schema.get("type", [])
    return [kinds] if isinstance(kinds, str) else kinds


def _fields(objects: list[Schema], schemas: Schema) -> dict[str, Any]:
    """Return every field of the objects, and the names of those that all of them require."""
    fields: dict[str, list[Schema]] = {}
    for variant in objects:
        for name, schema in variant.get("properties", {}).items():
            fields.setdefault(name, []).extend(_variants(schemas, schema))
    required = set.intersection(*(set(variant.get("required", ())) for variant in objects))
    return {
        "properties": {name: _merged(found, schemas) for name, found in fields.items()},
        "required": [name for name in fields if name in required],
    }
