"""Answers in words and tables."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import click

COLOURS: Mapping[str, str] = {"win": "green", "draw": "yellow", "loss": "red"}
OUTCOMES = ("loss", "draw", "win")


def value(known: Mapping[str, Any]) -> str:
    """What is known of a position or a move: ``win in 7 plies``, ``draw``, or ``draw or win, not proven``."""
    outcome, plies = known["outcome"], known["plies"]
    if outcome in ("win", "loss"):
        return click.style(f"{outcome} in {count(plies, 'ply', 'plies')}" if plies else outcome, fg=COLOURS[outcome])
    if outcome == "draw":
        return click.style("draw", fg=COLOURS["draw"])
    least, most = OUTCOMES.index(known.get("at_least", "loss")), OUTCOMES.index(known.get("at_most", "win"))
    if least == most:
        return f"{OUTCOMES[least]}, distance not proven"
    return f"{' or '.join(OUTCOMES[least : most + 1])}, not proven" if most - least == 1 else "not proven"


def count(number: int, one: str, many: str) -> str:
    """A number and what it counts: ``1 ply``, ``2 plies``."""
    return f"{number:,} {one if number == 1 else many}"


def short(number: float) -> str:
    """A large number in a few characters: ``532``, ``12.3 k``, ``4.20 M``."""
    for unit, size in (("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if number >= size:
            return f"{number / size:.3g} {unit}"
    return f"{number:.0f}"


def numbers(numbers: Iterable[int]) -> str:
    """Numbers one after the other: ``4 0 8``."""
    return " ".join(map(str, numbers))


def table(rows: Sequence[Sequence[str]], right: Sequence[bool] = ()) -> str:
    """Rows as aligned columns, two spaces apart, the first row dimmed as the head; ``right`` aligns numbers."""
    widths = [max(len(click.unstyle(row[place])) for row in rows) for place in range(len(rows[0]))]
    aligned = [*right, *[False] * (len(widths) - len(right))]
    lines = [
        "  ".join(_padded(cell, width, right) for cell, width, right in zip(row, widths, aligned, strict=True)).rstrip()
        for row in rows
    ]
    return "\n".join([click.style(lines[0], dim=True), *lines[1:]])


def _padded(cell: str, width: int, right: bool) -> str:  # noqa: FBT001
    space = " " * (width - len(click.unstyle(cell)))
    return space + cell if right else cell + space


def facts(pairs: Sequence[tuple[str, str]]) -> str:
    """Names and what they are, one a line, aligned."""
    width = max(len(name) for name, _ in pairs)
    return "\n".join(f"  {click.style(f'{name:<{width}}', dim=True)}  {text}" for name, text in pairs)
