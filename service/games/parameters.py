"""The parameters of a family's rules as data.

A family declares each of its parameters once, beside its rules. The models of requests, the parameters of queries, the
contract, the options of the command line, the tables of the documentation and the form of the page are made from that.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

ParameterValue = int | str | bool

Values = range | tuple[ParameterValue, ...] | type[bool]
"""What a parameter may be: a whole number of a range, one of some choices, or true or false."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Parameter:
    """A parameter of the rules; without a ``default`` it is required.

    ``about`` says what it is, in one or several sentences. ``details`` continue it where choices need more words than
    a table has room for. ``choices`` names the type of the choices in generated clients. The ``example`` is the default
    where none is given.
    """

    name: str
    values: Values
    about: str
    default: ParameterValue | None = None
    example: ParameterValue | None = None
    choices: str = ""
    details: str = ""

    @property
    def types(self) -> frozenset[type]:
        """The types of the values."""
        return frozenset(map(type, self.legal))

    @property
    def legal(self) -> Sequence[ParameterValue]:
        """The values."""
        return (False, True) if isinstance(self.values, type) else self.values

    @property
    def sample(self) -> ParameterValue:
        """A value to begin with. A parameter without a default has an example."""
        found = self.default if self.example is None else self.example
        assert found is not None  # noqa: S101, as said
        return found


class RuleFault(NamedTuple):
    """A reason why no game has these parameters: the one at fault, the code of the fault, and a sentence."""

    parameter: str
    code: str
    detail: str


def no_line_fits(in_a_row: int) -> RuleFault:
    """Return the fault of a line that is longer than the board."""
    detail = f"No line of {in_a_row} cells fits on the board; give a smaller in_a_row or a larger board."
    return RuleFault("in_a_row", "no-line-fits", detail)


SIDE = range(1, 9)
"""Sides of a board whose cells are the bits of a word."""

MISERE = Parameter(
    name="misere", values=bool, default=False, about="Whether the player who completes a line loses.", example=False
)


def board_size(
    rows: int, columns: int, in_a_row: int, *, defaults: Sequence[int | None] = (None, None, None)
) -> tuple[Parameter, Parameter, Parameter]:
    """Return the parameters of a board, with these examples."""
    return (
        Parameter(name="rows", values=SIDE, default=defaults[0], about="The number of rows.", example=rows),
        Parameter(name="columns", values=SIDE, default=defaults[1], about="The number of columns.", example=columns),
        Parameter(
            name="in_a_row",
            values=SIDE,
            default=defaults[2],
            about="The number of marks that make a line.",
            example=in_a_row,
        ),
    )


def with_defaults(parameters: Sequence[Parameter], given: Mapping[str, ParameterValue]) -> dict[str, ParameterValue]:
    """Return the values of all parameters: those given, and the defaults of the others. Required ones are given."""
    return {
        parameter.name: given[parameter.name]
        if parameter.default is None
        else given.get(parameter.name, parameter.default)
        for parameter in parameters
    }
