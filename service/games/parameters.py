"""The parameters of a family's rules as data.

A family declares each parameter once, beside its rules. From that follow the models of requests, the parameters of
queries, the contract, the options of the command line, the tables of the documentation and the form of the page.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

ParameterValue = int | str | bool

Values = range | tuple[ParameterValue, ...] | type[bool]
"""The values of a parameter: a range of whole numbers, some choices, or true and false."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Parameter:
    """A parameter of the rules; it is required unless it has a ``default``.

    ``about`` describes it in one or several sentences; ``details`` continue these where a table has no space.
    ``choices`` names the type of the choices in generated clients. The default ``example`` is the default value.
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
        """A value for a form to begin with. A parameter without a default has an example."""
        found = self.default if self.example is None else self.example
        assert found is not None  # noqa: S101, see above
        return found


class RuleFault(NamedTuple):
    """A reason why no game has these parameters: the parameter at fault, the code of the fault, and a sentence."""

    parameter: str
    code: str
    detail: str


def no_line_fits(in_a_row: int) -> RuleFault:
    """Return the fault of a line that is longer than the board."""
    detail = f"No line of {in_a_row} cells fits on the board; give a smaller in_a_row or a larger board."
    return RuleFault("in_a_row", "no-line-fits", detail)


SIDE = range(1, 9)
"""The sides of a board whose cells are the bits of a word."""

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
    """Return the values of all parameters, with defaults for those not given. Required ones must be given."""
    return {
        parameter.name: given[parameter.name]
        if parameter.default is None
        else given.get(parameter.name, parameter.default)
        for parameter in parameters
    }
