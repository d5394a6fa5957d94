"""Helpers for the types on the wire: the base of requests, and descriptions for the contract."""

import json
from collections.abc import Callable
from functools import cache
from typing import Any, get_args

from pydantic import BaseModel, ConfigDict, Field, GetCoreSchemaHandler, WithJsonSchema
from pydantic.fields import FieldInfo
from pydantic_core import CoreSchema, PydanticCustomError
from typing_extensions import TypeAliasType


def about(description: str, *, example: object = ...) -> FieldInfo:
    """Return the description and the example of a field."""
    field: FieldInfo = Field(description=description, examples=None if example is ... else [example])
    return field


def documented(schema: dict[str, Any], description: str, *, example: object = ...) -> WithJsonSchema:
    """Return a schema that the Python type does not express, with its description and, if given, an example."""
    examples = {} if example is ... else {"examples": [example]}
    return WithJsonSchema({**schema, "description": description, **examples})


def example(value: Any) -> ConfigDict:
    """Return the configuration of a model with an example."""
    return ConfigDict(json_schema_extra={"example": value})


@cache
def such_as(model: type[BaseModel]) -> str:
    """Return the end of a sentence with the example of a model; an empty text without an example."""
    extra = model.model_config.get("json_schema_extra")
    return f" such as {json.dumps(extra['example'])}" if isinstance(extra, dict) else ""


def unread(value: object, validate: Callable[[object], object]) -> object:
    """Return a value unread; a reader that knows the game reads it. The type is only for the contract."""
    del validate
    return value


class WrittenAs:
    """Reads and describes a value as a type that is made from data, unknown to type checkers."""

    def __init__(self, kind: Any) -> None:
        self._kind = kind

    def __get_pydantic_core_schema__(self, source: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Return the schema of that type."""
        del source
        return handler.generate_schema(self._kind)


class Request(BaseModel):
    """The base of request bodies: unknown fields are refused, null means left out."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


def whole(value: object) -> object:
    """Return a whole number in any JSON form: 4.0 is 4; true and "4" are not numbers."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if type(value) is not int:
        raise PydanticCustomError("not-whole", "not a whole number")
    return value


def choices(type_: TypeAliasType) -> list[str]:
    """Return the values of a named type that is a literal with a description."""
    literal, *_ = get_args(type_.__value__)
    return [*get_args(literal)]
