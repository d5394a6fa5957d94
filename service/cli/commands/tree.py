"""``tree``: show the next plies, with the value of every move."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from time import monotonic
from typing import Any

import click

from service.cli import text
from service.cli.client import Client, Request, open_client, read_answer
from service.cli.options import (
    PositionCommand,
    line_position_of,
    position_options,
    read_request,
    request_for,
)
from service.explain.names import cell_name
from service.games.families.lines import LinePosition
from service.settings import MAX_NODES, MAX_TIME_MS

VALUE = (
    *("outcome", "score", "plies", "proven", "exact"),
    *("plies_at_least", "plies_at_most", "at_least", "at_most", "estimate"),
)
"""The fields with the value of a move in an analysis."""


@dataclass(frozen=True)
class Branch:
    """A ranked move, the position after it, and the branches below it, best first."""

    ranked: Mapping[str, Any]
    position: LinePosition
    below: list["Branch"]

    def data(self) -> dict[str, Any]:
        """Return the branch as data for JSON."""
        fields = {name: self.ranked[name] for name in ("move", *VALUE, "best") if name in self.ranked}
        return {**fields, "position": str(self.position), "moves": [branch.data() for branch in self.below]}


@click.command(cls=PositionCommand)
@position_options
@click.option("--depth", type=click.IntRange(1), default=2, show_default=True, metavar="N", help="Plies to show.")
@click.option("--width", type=click.IntRange(1), metavar="N", help="Moves to show of each position; by default all.")
@click.option(
    "--time-ms",
    type=click.IntRange(1, MAX_TIME_MS),
    default=5000,
    show_default=True,
    metavar="MS",
    help="Time limit of the whole tree in milliseconds.",
)
@click.option("--nodes", type=click.IntRange(1, MAX_NODES), metavar="N", help="Node limit of each search.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def tree(*, depth: int, width: int | None, time_ms: int, as_json: bool, **given: Any) -> None:
    """Show the next plies as a tree, with the value of every move for the player who makes it, best first.

    The tree begins at the empty board, or at POSITION. A * marks the moves that are proven to be best.
    """
    request = read_request(given)
    start = line_position_of(request)
    builder = TreeBuilder(open_client(), request, width or start.game.cells, monotonic() + time_ms / 1000)
    branches = builder.build(start, depth)
    if as_json:
        about = {"game": start.game.id, "position": str(start), "player": start.player, "complete": not builder.is_cut}
        text.echo(json.dumps({**about, "moves": [branch.data() for branch in branches]}))
        return
    text.echo(f"{text.board(start)}\n\n{f'{start.player} to move' if branches else 'The game is over.'}")
    for line in _branch_lines(start, branches):
        text.echo(line)
    if builder.is_cut:
        text.echo("\nThe time ended before the tree was complete; raise --time-ms.")


class TreeBuilder:
    """Asks for the analysis of every position; leaves plies out after the time ``ends``."""

    def __init__(self, client: Client, request: Request, width: int, ends: float) -> None:
        self._client = client
        self._request = request
        self._width = width
        self._ends = ends
        self._began = False  # the first ply is shown even if the time is over
        self.is_cut = False  # whether plies were left out

    def build(self, position: LinePosition, depth: int) -> list[Branch]:
        """Return the branches of a position, ``plies`` deep; none once the time is over."""
        if not depth or not position.legal_moves:
            return []
        if self._began and monotonic() >= self._ends:
            self.is_cut = True
            return []
        self._began = True
        branches = []
        for ranked in self._analyse(position, share=0.5 if depth > 1 else 1)[: self._width]:
            child = position.play(ranked["move"])
            branches.append(Branch(ranked, child, self.build(child, depth - 1)))
        return branches

    def _analyse(self, position: LinePosition, share: float) -> list[dict[str, Any]]:
        """Return the legal moves, best first, found in this share of the remaining time."""
        left = max(1, int(1000 * share * (self._ends - monotonic())))
        request = request_for(position, self._request)
        request["limit"] = {**request.get("limit", {}), "time_ms": left}
        moves: list[dict[str, Any]] = read_answer(self._client.ask("/analysis", request))["moves"]
        return moves


def _branch_lines(position: LinePosition, branches: Sequence[Branch], indent: str = "") -> Iterator[str]:
    """Yield the lines of a tree."""
    left_out = len(position.legal_moves) - len(branches) if branches else 0
    for number, branch in enumerate(branches, start=1):
        last = number == len(branches) and not left_out
        star = click.style(" *", fg="green") if branch.ranked["best"] else ""
        move = f"{cell_name(position.game, branch.ranked['move'])}  {text.value(branch.ranked)}{star}"
        yield f"{indent}{'└─' if last else '├─'} {move}"
        yield from _branch_lines(branch.position, branch.below, indent + ("   " if last else "│  "))
    if left_out:
        yield f"{indent}└─ … {text.count(left_out, 'more move', 'more moves')}"
