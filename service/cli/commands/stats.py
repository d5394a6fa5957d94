"""``stats``: count the nodes that textbook searches and the kernel visit from a position."""

import json
from collections.abc import Iterator
from time import perf_counter
from typing import Any

import click

from service.cli import text
from service.cli.commands.textbook import Minimax, PlainAlphaBeta, TooMany
from service.cli.options import PositionCommand, line_position_of, position_options, read_request
from service.games.families.lines import LinePosition
from service.kernel.alpha_beta.search import KERNEL, Search, Stopped
from service.kernel.memory import private_memory
from service.settings import MAX_NODES

TEXTBOOK = {"plain minimax": Minimax, "alpha-beta": PlainAlphaBeta}
COUNTED = ("nodes", "branches", "depth", "branching", "cut_offs", "score")

Row = dict[str, Any]


@click.command(cls=PositionCommand)
@position_options
@click.option(
    "--most",
    type=click.IntRange(1, MAX_NODES),
    default=1_000_000,
    show_default=True,
    metavar="N",
    help="Stop a search after N nodes.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def stats(*, most: int, as_json: bool, **given: Any) -> None:
    """Count the nodes that plain minimax, alpha-beta and the kernel visit, by default from the empty board.

    A node is a visit to a position and a branch is a move made. Branching is the mean number of moves made at an
    unfinished position; a cut-off skips the rest of them. A search that needs more than --most nodes stops and is
    shown as > N.
    """
    position = line_position_of(read_request(given))
    rows = list(_counted(position, most))
    if as_json:
        about = {"game": position.game.id, "position": str(position), "player": position.player, "most": most}
        text.echo(json.dumps({**about, "searches": rows}))
        return
    text.echo(f"{text.board(position)}\n\n{position.player} to move, {position.game.name}\n")
    head = ["", "nodes", "branches", "depth", "branching", "cut-offs", "score", "ms"]
    text.echo(text.table([head, *(_shown(row, most) for row in rows)], right=[False, *[True] * 7]))


def _counted(position: LinePosition, most: int) -> Iterator[Row]:
    """Yield the counts of each search; the kernel begins with an empty table."""
    for name, search in TEXTBOOK.items():
        yield _count(name, search(position.game, most), position)
    memory = private_memory(most)
    yield _count(f"the kernel, {KERNEL}", Search(position.game.lay_out(), memory, limit=most), position)


def _count(name: str, search: Minimax | Search, position: LinePosition) -> Row:
    """Run a search; a count is None if the search gives up, or does not have it: the kernel counts nodes only."""
    row: Row = {"search": name, "complete": True, **dict.fromkeys(COUNTED)}
    started = perf_counter()
    try:
        row["score"] = search.score(*position.state)
    except (TooMany, Stopped):
        row["complete"] = False
    else:
        row["nodes"] = search.nodes
        if isinstance(search, Minimax):
            row |= {"branches": search.branches, "depth": search.depth, "branching": round(search.branching, 2)}
            row["cut_offs"] = search.cut_offs
    return row | {"ms": round((perf_counter() - started) * 1000, 3)}


def _shown(row: Row, most: int) -> list[str]:
    numbers = ["-" if row[name] is None else f"{row[name]:,}" for name in COUNTED]
    if not row["complete"]:
        numbers[0] = f"> {most:,}"
    return [row["search"], *numbers, f"{row['ms']:,.3g}" if row["ms"] < 1000 else f"{row['ms']:,.0f}"]  # noqa: PLR2004
