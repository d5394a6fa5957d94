"""``tree``: show the next plies, with the value of every move."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from time import monotonic
from typing import Any

import click

from service.cli import text
from service.cli.client import MAX_NODES, MAX_TIME_MS, Client, Request, open_client, read_answer, refuse
from service.cli.options import (
    EMPTY_BOARD,
    PositionCommand,
    position_of,
    position_options,
    read_request,
    request_for,
)
from service.games.game import MAX_CELLS
from service.games.position import Position

RANKS = {"loss": -1, "draw": 0, "win": 1}
OPPOSITE = {"win": "loss", "draw": "draw", "loss": "win", "unknown": "unknown"}

Value = Mapping[str, Any]


@dataclass(frozen=True)
class Branch:
    """A move, its value for the player who makes it, and the branches below it, best first."""

    move: int
    value: Value
    best: bool
    position: Position
    below: list["Branch"]

    def data(self) -> dict[str, Any]:
        """Return the branch as data for JSON."""
        below = [branch.data() for branch in self.below]
        return {"move": self.move, **self.value, "best": self.best, "position": str(self.position), "moves": below}


@click.command(cls=PositionCommand)
@position_options
@click.option("--depth", type=click.IntRange(1), default=2, show_default=True, metavar="N", help="Plies to show.")
@click.option("--width", type=click.IntRange(1), metavar="N", help="Show only so many moves of each position.")
@click.option(
    "--time-ms",
    type=click.IntRange(1, MAX_TIME_MS),
    default=5000,
    show_default=True,
    metavar="MS",
    help="How long the whole tree may take.",
)
@click.option("--nodes", type=click.IntRange(1, MAX_NODES), metavar="N", help="Positions to search for each move.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def tree(*, depth: int, width: int | None, time_ms: int, as_json: bool, **given: Any) -> None:
    """Show the next plies as a tree, with the value of every move for the player who makes it, best first.

    The tree begins at the empty board, or at POSITION. A * marks the moves that are proven to be best.
    """
    request = read_request(given, default=EMPTY_BOARD)
    start = position_of(request)
    builder = TreeBuilder(open_client(), request, width or start.game.cells, monotonic() + time_ms / 1000)
    branches = builder.build(start, depth)
    if as_json:
        about = {"game": start.game.id, "position": str(start), "player": start.player, "complete": not builder.is_cut}
        click.echo(json.dumps({**about, "moves": [branch.data() for branch in branches]}))
        return
    click.echo(
        f"{text.board(start)}\n\n{start.player} to move" if branches else f"{text.board(start)}\n\nThe game is over."
    )
    for line in _drawn(start, branches):
        click.echo(line)
    if builder.is_cut:
        click.echo("\nThe time ended before the tree was complete; --time-ms gives it more.")


class TreeBuilder:
    """Asks for the value of every move, and leaves plies out when the time, ``ends``, has come."""

    def __init__(self, client: Client, request: Request, width: int, ends: float) -> None:
        self._client = client
        self._request = request
        self._width = width
        self._ends = ends
        self._began = False  # the first ply is shown however short the time
        self.is_cut = False  # whether plies were left out

    def build(self, position: Position, depth: int) -> list[Branch]:
        """Return the branches of a position, so many plies deep; none once the time is over."""
        if not depth or not position.legal_moves:
            return []
        if self._began and monotonic() >= self._ends:
            self.is_cut = True
            return []
        self._began = True
        children = {move: position.play(move) for move in position.legal_moves}
        values = self._values(children, share=0.5 if depth > 1 else 1)
        most = max(map(_at_most, values.values()), default=0)
        ranked = sorted(values, key=lambda move: _rank(values[move]), reverse=True)[: self._width]
        return [
            Branch(
                move,
                values[move],
                values[move]["score"] is not None and values[move]["score"] >= most,
                children[move],
                self.build(children[move], depth - 1),
            )
            for move in ranked
        ]

    def _values(self, children: Mapping[int, Position], share: float) -> dict[int, Value]:
        """Return the value of each move for the player who makes it, found in this share of the time that is left."""
        if not children:
            return {}
        left = max(1, int(1000 * share * (self._ends - monotonic())))
        positions = [request_for(child, self._request) for child in children.values()]
        answer = read_answer(self._client.ask("/best-moves", {"positions": positions, "limit": {"time_ms": left}}))
        for result in answer["results"]:
            if "problem" in result:
                refuse(result["problem"])
        return {move: _for_previous_player(result) for move, result in zip(children, answer["results"], strict=True)}


def _for_previous_player(answer: Mapping[str, Any]) -> Value:
    """Return the value of a position for the player who has just moved."""
    score = answer["score"]
    value = {
        "outcome": OPPOSITE[answer["outcome"]],
        "score": score and ((score < 0) - (score > 0)) * (abs(score) - 1),  # an end a ply further away counts 1 less
        "plies": None if answer["plies"] is None else answer["plies"] + 1,
        "proven": answer["proven"],
    }
    if answer["proven"]:
        return value
    return value | {"at_least": OPPOSITE[answer["at_most"]], "at_most": OPPOSITE[answer["at_least"]]}


def _at_most(value: Value) -> int:
    """Return the greatest score that a move may have."""
    return int(value["score"]) if value["proven"] else RANKS[value["at_most"]] * (MAX_CELLS + 1)


def _rank(value: Value) -> tuple[int, int, int]:
    """Return a sort key of moves: the least outcome, the greatest, and the score."""
    least, most = (RANKS[value.get(bound, value["outcome"])] for bound in ("at_least", "at_most"))
    return least, most, value["score"] or 0


def _drawn(position: Position, branches: Sequence[Branch], indent: str = "") -> Iterator[str]:
    """Yield the lines of a tree."""
    left_out = len(position.legal_moves) - len(branches) if branches else 0
    for number, branch in enumerate(branches, start=1):
        last = number == len(branches) and not left_out
        star = click.style(" *", fg="green") if branch.best else ""
        move = f"{text.typed(position.game, branch.move)}  {text.value(branch.value)}{star}"
        yield f"{indent}{'└─' if last else '├─'} {move}"
        yield from _drawn(branch.position, branch.below, indent + ("   " if last else "│  "))
    if left_out:
        yield f"{indent}└─ … {text.count(left_out, 'more move', 'more moves')}"
