"""``--color``: whether the output has colours."""

import os
from collections.abc import Callable
from typing import Any

import click


def _choose(ctx: click.Context, _: click.Parameter, when: str | None) -> None:
    """Set the choice that click reads for each output: True, False, or None for "if it is a terminal"."""
    if when == "auto":
        ctx.color = False if os.environ.get("NO_COLOR") else None
    elif when is not None:
        ctx.color = when == "always"


def color_option(default: str | None = None) -> Callable[[Any], Any]:
    """Return the option; a command without its own default uses the choice of the group."""
    return click.option(
        "--color",
        type=click.Choice(["auto", "always", "never"]),
        default=default,
        metavar="WHEN",
        expose_value=False,
        callback=_choose,
        help="Colours: auto (the default: on a terminal, unless NO_COLOR is set), always or never.",
    )
