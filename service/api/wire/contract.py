"""What models of requests have in common, and what the contract says of a field beside its type."""

from collections.abc import Callable
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, GetCoreSchemaHandler, WithJsonSchema
from pydantic.fields import FieldInfo
from pydantic_core import CoreSchema, PydanticCustomError


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


class WrittenAs:
    """Reads and describes a value as a type that is made from data, which no type checker can know."""

    def __init__(self, kind: Any) -> None:
        self._kind = kind

    def __get_pydantic_core_schema__(self, source: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Return the schema of that type."""
        del source
        return handler.generate_schema(self._kind)


class Request(BaseModel):
    """What every request body has in common: unknown fields are refused, null means left out."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


def whole(value: object) -> object:
    """Return a whole number, however JSON writes it: 4.0 is 4; true and "4" are not numbers."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if type(value) is not int:
        raise PydanticCustomError("not-whole", "not a whole number")
    return value
