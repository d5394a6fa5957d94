"""Certificates of ``/proof``: each must convince a checker of ``examples/``, and no changed one may."""

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from random import Random
from typing import Any

from examples import check_family_proof, check_proof

Lines = list[Any]
"""The lines of a certificate, read: a header, and for each claim a line and its entries."""

SIDES = (("X", "O"), ("first", "second"), ("odd", "even"), ("Order", "Chaos"))
OTHER = {player: other for sides in SIDES for player, other in (sides, sides[::-1])}

BEYOND = 1_000_000
"""A move that no game has: texts of boards may be shorter than the board, so their length can be a legal move."""


def judge_certificate(text: str, outcome: str, dice: Random) -> Iterator[str]:
    """Yield what is wrong about the certificate of a position with this outcome, or about the checker."""
    lines = [json.loads(line) for line in text.splitlines()]
    if lines[0]["outcome"] != outcome:
        yield f"the certificate is of a {lines[0]['outcome']}, but it is a {outcome}"
    if not convinces(lines):
        yield "the certificate does not convince the checker"
    for wrong in surely_wrong(lines, dice):
        if convinces(wrong):
            yield f"a wrong certificate convinces the checker: {json.dumps(wrong)}"


def convinces(lines: Lines) -> bool:
    """Return the verdict of ``check_proof.py``, or for a family that of ``check_family_proof.py``."""
    return holds([json.dumps(line, separators=(",", ":")) for line in lines])


def holds(written: Sequence[str]) -> bool:
    """Return the verdict on the lines of a certificate as text."""
    check = check_family_proof.check if written and '"family"' in written[0] else check_proof.check
    try:
        check(written)
    except (LookupError, TypeError, ValueError, AttributeError):
        return False
    return True


def surely_wrong(lines: Lines, dice: Random) -> Iterator[Lines]:
    """Yield certificates that prove nothing: better claims, and if there is an entry, one lost and an illegal move."""
    yield from raised(lines)
    places = entries(lines)
    if places:
        place = dice.choice(places)
        board, _, *pairs = lines[place]
        taken = [cell for cell, mark in enumerate(board) if mark != "."] if "rows" in lines[0] else []
        yield lines[:place] + lines[place + 1 :]
        yield [*lines[:place], [board, dice.choice([*taken, BEYOND]), *pairs], *lines[place + 1 :]]


def entries(lines: Lines) -> list[int]:
    """Return the places of the entries among the lines."""
    return [place for place, line in enumerate(lines) if isinstance(line, list)]


def raised(lines: Lines) -> Iterator[Lines]:
    """Yield certificates that claim a better outcome for either player than the one that is true."""
    header, *rest = lines
    mover, other = header["player"], OTHER[header["player"]]
    parts = [list(group) for group in _claims(rest)]
    for outcome, holder in (("win", mover), ("loss", other)):
        if header["outcome"] != outcome:
            own = [part[1:] for part in parts if part[0]["holder"] == holder]
            claim = {"holder": holder, "at_least": "win"}
            yield [{**header, "outcome": outcome}, claim, *chain.from_iterable(own or [part[1:] for part in parts])]
    if header["outcome"] != "draw":
        both = [{"holder": player, "at_least": "draw"} for player in (mover, other)]
        yield [{**header, "outcome": "draw"}, both[0], *parts[0][1:], both[1], *parts[0][1:]]


def _claims(rest: Lines) -> Iterable[Lines]:
    """Return the claims, each with its entries."""
    parts: list[Lines] = []
    for line in rest:
        if isinstance(line, dict):
            parts.append([])
        parts[-1].append(line)
    return parts
