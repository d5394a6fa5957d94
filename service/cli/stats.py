"""``stats``: count what textbook searches and the kernel visit from a position."""

import json
from collections.abc import Iterator
from time import perf_counter
from typing import Any

import click

from service.cli import text
from service.cli.client import MAX_NODES
from service.cli.options import EMPTY_BOARD, PositionCommand, position_of, position_options, read_request
from service.games.position import Position
from service.kernel.layout import lay_out
from service.kernel.memory import private_memory
from service.kernel.search import KERNEL, Search, Stopped
from service.kernel.textbook import AlphaBeta, Minimax, TooMany

TEXTBOOK = {"plain minimax": Minimax, "alpha-beta": AlphaBeta}
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
    help="Give a search up after N nodes.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def stats(*, most: int, as_json: bool, **given: Any) -> None:
    """Count what plain minimax, alpha-beta and the kernel visit from a position; by default from the empty board.

    A node is a position visited, once for every way to reach it, and a branch a move made. Branching is the number of
    moves made at an unfinished position, on average; a cut-off leaves the rest of them out. A search that would visit
    more than --most nodes is given up and shown as > N.
    """
    position = position_of(read_request(given, default=EMPTY_BOARD))
    rows = _counted(position, most)
    if as_json:
        about = {"game": position.game.id, "position": str(position), "player": position.player, "most": most}
        click.echo(json.dumps({**about, "searches": list(rows)}))
        return
    click.echo(f"{text.board(position)}\n\n{position.player} to move, {position.game.name}\n")
    head = ["", "nodes", "branches", "depth", "branching", "cut-offs", "score", "ms"]
    click.echo(text.table([head, *(_shown(row, most) for row in rows)], right=[False, *[True] * 7]))


def _counted(position: Position, most: int) -> Iterator[Row]:
    """Yield the counts of each search; None if it does not count something, or was given up."""
    for name, search in TEXTBOOK.items():
        yield {"search": name, **_textbook(search(position.game, most), position)}
    yield {"search": f"the kernel, {KERNEL}", **_kernel(position, most)}


def _textbook(search: Minimax, position: Position) -> Row:
    started = perf_counter()
    try:
        score = search.score(position.mine, position.theirs)
    except TooMany:
        return _row(complete=False, started=started)
    counted = (search.nodes, search.branches, search.depth, round(search.branching, 2), search.cut_offs, score)
    return _row(*counted, complete=True, started=started)


def _kernel(position: Position, most: int) -> Row:
    """Count the nodes of the kernel, which counts nothing else, from an empty table."""
    search = Search(lay_out(position.game), private_memory(most), limit=most)
    started = perf_counter()
    try:
        score = search.score(position.mine, position.theirs)
    except Stopped:
        return _row(complete=False, started=started)
    return _row(search.nodes, None, None, None, None, score, complete=True, started=started)


def _row(*counted: float | None, complete: bool, started: float) -> Row:
    numbers = dict.fromkeys(COUNTED) | dict(zip(COUNTED, counted, strict=False))
    return {"complete": complete, **numbers, "ms": round((perf_counter() - started) * 1000, 3)}


def _shown(row: Row, most: int) -> list[str]:
    numbers = ["-" if row[name] is None else f"{row[name]:,}" for name in COUNTED]
    if not row["complete"]:
        numbers[0] = f"> {most:,}"
    return [row["search"], *numbers, f"{row['ms']:,.3g}" if row["ms"] < 1000 else f"{row['ms']:,.0f}"]  # noqa: PLR2004
