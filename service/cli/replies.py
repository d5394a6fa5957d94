"""What the service replies, handed on: as it is, as data, or as words about what was wrong with the request."""

import json
import re
import sys
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, NoReturn

import click

from service.cli.options import LIMITS, RULES
from service.cli.services import Reply

IN_STRING = re.compile(r"^moves\[(\d+)\]: ")
"""How a fault begins that is at a place of a string of columns."""

IN_GROUPS = frozenset({*RULES, *LIMITS, "cells", "lines"})
"""Fields of a request that stand in an object of their own and are options of their own here."""


def print_body(body: bytes) -> None:
    """Prints a body as it is; on a terminal the prompt gets a line of its own."""
    sys.stdout.flush()
    sys.stdout.buffer.write(body)
    sys.stdout.buffer.flush()
    if sys.stdout.isatty():
        click.echo()


def answer_of(reply: Reply, *, as_json: bool) -> dict[str, Any] | None:
    """The answer, None if it was printed as JSON. Where it is a problem, it is said and ends the command."""
    if reply.status >= HTTPStatus.BAD_REQUEST:
        refuse(reply.data, reply.body)
    if as_json:
        print_body(reply.body)
    return None if as_json else reply.data


class Refused(click.ClickException):
    """There is something wrong with the request."""

    exit_code = 2


def refuse(problem: Mapping[str, Any], body: bytes | None = None) -> NoReturn:
    """Ends the command with a problem: in words that name the options, and the document itself if JSON was wanted."""
    if click.get_current_context().params.get("as_json"):
        print_body(json.dumps(problem).encode() if body is None else body)
    errors = problem.get("errors") or [{"pointer": "", "detail": problem["detail"]}]
    said = "\n       ".join(_in_words(**error) for error in errors)
    raise (Refused if problem["status"] < HTTPStatus.INTERNAL_SERVER_ERROR else click.ClickException)(said)


def _in_words(pointer: str, detail: str, code: str = "") -> str:  # noqa: ARG001, a field of every error
    """An error with the option that it is about."""
    detail = detail.replace("GET /games", "move-oracle games")
    steps = pointer.split("/")[1:]
    if not steps:
        return detail
    name, *rest = steps[1:] if len(steps) > 1 and steps[1] in IN_GROUPS else steps
    in_string = IN_STRING.match(detail)  # a pointer does not reach into a string
    place = rest[0] if name == "moves" and rest else in_string and in_string[1]
    where = f" (move {int(place) + 1})" if place else ""
    detail = IN_STRING.sub("", detail)
    return f"--{name.replace('_', '-')}{where}: {detail.removeprefix('game.').removeprefix('limit.')}"
