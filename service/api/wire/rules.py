"""The rules of a game in a request: a model for each family, made from the parameters that it declares."""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, reduce
from operator import or_
from textwrap import fill
from types import MappingProxyType
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, WrapValidator, create_model
from pydantic_core import PydanticCustomError
from typing_extensions import TypeAliasType

from service.api.wire.contract import Request, WrittenAs, about, whole
from service.games.catalogue import FAMILIES, STATE_GAMES
from service.games.families.lines import LineGame
from service.games.game import Game
from service.games.inline import grid_by_rules
from service.games.parameters import Parameter, ParameterValue, RuleFault, with_defaults

ALL_FAMILIES: Mapping[str, type[Game]] = MappingProxyType({LineGame.family: LineGame, **FAMILIES})
"""Every family by its name, line games first."""


IN_QUERY: Mapping[str, str] = MappingProxyType({"moves": "piece_moves"})
"""Query names of rule parameters whose own names have another meaning in a query."""


IN_BODY: Mapping[str, str] = MappingProxyType({in_query: name for name, in_query in IN_QUERY.items()})
"""The names of these parameters in a body, by their query names."""

IN_QUERIES: Mapping[str, Mapping[str, Parameter]] = MappingProxyType(
    {
        name: {
            family: parameter
            for family, game in ALL_FAMILIES.items()
            for parameter in game.PARAMETERS
            if IN_QUERY.get(parameter.name, parameter.name) == name
        }
        for name in dict.fromkeys(
            IN_QUERY.get(parameter.name, parameter.name)
            for game in ALL_FAMILIES.values()
            for parameter in game.PARAMETERS
        )
    }
)
"""For each query name of a rule parameter, the declarations of the families that have it."""


def written_forms(common: str, form_of: Callable[[type[Game]], str]) -> str:
    """Return a Markdown list of spellings: the general one, and those of families with their own form."""
    families: dict[str, list[str]] = {}
    for name, game in FAMILIES.items():
        families.setdefault(form_of(game), []).append(f"`{name}`")
    own = [f"{' and '.join(names)}: {form}" for form, names in families.items() if form != form_of(Game)]
    lines = (fill(f"- {line};", 110, subsequent_indent="  ") for line in (common, *own))
    return "\n".join(lines)[:-1] + "."


def json_value(value: ParameterValue | None) -> str:
    """Return a value as sentences show it."""
    return f"`{value}`" if isinstance(value, str) else str(value).lower()


def description(parameter: Parameter) -> str:
    """Return the sentence about a parameter, with its default."""
    if parameter.default is None:
        return parameter.about
    first, dot, rest = parameter.about.partition(".")
    return f"{first}; {json_value(parameter.default)} by default{dot}{rest}"


def _either(values: tuple[ParameterValue, ...]) -> WrapValidator:
    """Return a flag or a word. A union would report a fault for each of its forms."""
    *others, last = (str(value).lower() for value in sorted(values, key=lambda value: value is not True))
    choices = f"{', '.join(others)} or {last}"

    def read(value: object, validate: Callable[[object], object]) -> object:
        try:
            return validate(value)
        except ValueError:
            raise PydanticCustomError("not-a-choice", "not a choice", {"choices": choices}) from None

    return WrapValidator(read)


def _words(values: tuple[ParameterValue, ...]) -> tuple[ParameterValue, ...]:
    """Return the choices that are not flags."""
    return tuple(value for value in values if not isinstance(value, bool))


def _choices(parameter: Parameter, values: tuple[ParameterValue, ...]) -> TypeAliasType:
    """Return the type of a parameter's choices, without flags."""
    words = _words(values)
    number = [BeforeValidator(whole)] if all(isinstance(value, int) for value in words) else []
    described = about(" ".join(filter(None, (description(parameter), parameter.details))))
    return TypeAliasType(parameter.choices, Annotated[(Literal[words], *number, described)])


CHOICES: Mapping[str, TypeAliasType] = MappingProxyType(
    {
        parameter.choices: _choices(parameter, parameter.values)
        for game in ALL_FAMILIES.values()
        for parameter in game.PARAMETERS
        if isinstance(parameter.values, tuple)
    }
)
"""The types of choices by their names."""


def wire_type(parameter: Parameter) -> Any:
    """Return the type of a parameter in a request."""
    values = parameter.values
    if isinstance(values, range):
        return Annotated[int, Field(ge=values[0], le=values[-1]), BeforeValidator(whole)]
    if not isinstance(values, tuple):
        return bool
    choices = CHOICES[parameter.choices]
    return choices if _words(values) == values else Annotated[bool | choices, _either(values)]


class GameRules(Request):
    """The rules of a game: its family, and those of the family's parameters that are given."""

    family: str | None = None


def _field(parameter: Parameter) -> Any:
    """Return a parameter as a field of a model."""
    details = "" if parameter.choices else parameter.details
    described = about(" ".join(filter(None, (description(parameter), details))), example=parameter.sample)
    kind = wire_type(parameter)
    return (Annotated[kind, described], ...) if parameter.default is None else (Annotated[kind | None, described], None)


def _model(game: type[Game], name: str, *, required: bool) -> type[GameRules]:
    """Return the model of the rules of a family."""
    described = about("The family.", example=game.family)
    kind = Literal[game.family]  # type: ignore[name-defined]  # a name that is data
    family: Any = (Annotated[kind, described], ...) if required else (Annotated[kind | None, described], None)
    shown: dict[str, ParameterValue] = {"family": game.family} if required else {}
    shown |= {
        parameter.name: parameter.sample for parameter in game.PARAMETERS if parameter.sample != parameter.default
    }
    return create_model(
        name,
        __base__=GameRules,
        __doc__=f"{game.title}. {game.about}",
        __module__=__name__,
        __cls_kwargs__={"json_schema_extra": {"example": shown}},
        family=family,
        **{parameter.name: _field(parameter) for parameter in game.PARAMETERS},
    )


GridRules = _model(LineGame, "GridRules", required=False)

RULES_BY_FAMILY: Mapping[str, type[GameRules]] = MappingProxyType(
    {name: _model(game, f"{name.title().replace('-', '')}Rules", required=True) for name, game in FAMILIES.items()}
)
"""The models of the rules of all families except line games, by the name of the family."""

FamilyRules = TypeAliasType(
    "FamilyRules",
    Annotated[
        GameRules,
        WrittenAs(Annotated[reduce(or_, RULES_BY_FAMILY.values()), Field(discriminator="family")]),
        about(
            "A game of a family by its rules; `family` says which parameters it has.",
            example={"family": "vanishing", "remove": "after"},
        ),
    ],
)

MOST_KEPT_GAMES = 64
"""The number of games in the cache, which later requests use again."""

_NAMED = {game.digest: game for game in STATE_GAMES.values()}


class RulesError(ValueError):
    """The family has no game with these rules; ``faults`` are the reasons."""

    def __init__(self, faults: Sequence[RuleFault]) -> None:
        super().__init__(" ".join(fault.detail for fault in faults))
        self.faults = faults


def game_by_rules(rules: GameRules) -> Game:
    """Return the game with these rules; missing ones have the defaults of the family.

    It comes from the catalogue, the cache, or is made now. Raises RulesError, which names every fault, if there is no
    such game.
    """
    family = rules.family or LineGame.family
    parameters = with_defaults(ALL_FAMILIES[family].PARAMETERS, rules.model_dump(exclude={"family"}, exclude_none=True))
    faults = [*ALL_FAMILIES[family].rule_faults(parameters)]
    if faults:
        raise RulesError(faults)
    return _game(family, tuple(parameters.items()))


@lru_cache(MOST_KEPT_GAMES)
def _game(family: str, parameters: tuple[tuple[str, ParameterValue], ...]) -> Game:
    if family == LineGame.family:
        return grid_by_rules(**dict(parameters))
    game: Game = FAMILIES[family](**dict(parameters))  # type: ignore[arg-type]  # values that are data
    return _NAMED.get(game.digest, game)
