"""What the contract says of a field beside its type."""

from collections.abc import Callable
from typing import Any

from pydantic import ConfigDict, Field, WithJsonSchema
from pydantic.fields import FieldInfo


def about(description: str, *, example: object = ...) -> FieldInfo:
    """Return the description and the example of a field."""
    field: FieldInfo = Field(description=description, examples=None if example is ... else [example])
    return field


def documented(schema: dict[str, Any], description: str, *, example: object = ...) -> WithJsonSchema:
    """Return the schema of a type that Python does not tell, with its description and, if given, an example."""
    examples = {} if example is ... else {"examples": [example]}
    return WithJsonSchema({**schema, "description": description, **examples})


def example(value: Any) -> ConfigDict:
    """Return the configuration of a model with an example."""
    return ConfigDict(json_schema_extra={"example": value})


def unread(value: object, validate: Callable[[object], object]) -> object:
    """Take a value as it is, for a reader that knows its game: the type is what the contract says of it."""
    del validate
    return value
