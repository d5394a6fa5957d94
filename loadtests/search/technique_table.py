"""The nodes and the time that each technique saves, from plain minimax to the service's kernel."""

from collections.abc import Callable, Sequence
from functools import partial
from time import process_time

import click

from loadtests.interpreted import interpreted_search
from loadtests.search.techniques import STEPS, UNKNOWN, Key, Minimax, bits, empty_cells, ended, without_dead_cells
from loadtests.tables import show_row
from service.games.game import Game, grid
from service.kernel import search
from service.kernel.layout import lay_out

LIMIT = 2_000_000
"""Nodes after which a search is given up."""

MOST_RUNS, ENOUGH_SECONDS = 20, 2
"""A search is timed so many times, or until all runs took so long."""

COUNTABLE_CELLS = 16
"""The largest board whose full tree is counted: 4x4 takes some ten seconds."""


Solver = Minimax | search.Search
Make = Callable[[Game, int], Solver]
"""Makes a solver of a game with a limit of nodes and an empty memory."""


def rows() -> dict[str, Make]:
    """Return every row of the table: the techniques, and the kernel at the end."""
    steps: dict[str, Make] = {step.name: partial(Minimax, step) for step in STEPS}
    kernels: dict[str, Make] = {"the kernel, interpreted": partial(kernel, interpreted_search().Search)}
    if search.KERNEL == "compiled":
        kernels["the kernel, compiled"] = partial(kernel, search.Search)
    return steps | kernels


def kernel(source: type[search.Search], game: Game, limit: int) -> Solver:
    """Return the service's own search, with a table of 2 to the power of 16 entries."""
    return source(lay_out(game), memoryview(bytearray(16 << 16)).cast("Q"), limit=limit)


def measure(make: Make, game: Game, limit: int) -> tuple[int, float] | None:
    """Return the nodes from the empty board, and the processor time of the fastest run; None at the limit."""
    times: list[float] = []
    while len(times) < MOST_RUNS and sum(times) < ENOUGH_SECONDS:
        solver, began = make(game, limit), process_time()
        try:
            solver.score(0, 0)
        except search.Stopped:
            return None
        times.append(process_time() - began)
    return solver.nodes, min(times)


def tree_size(game: Game) -> int:
    """Return the nodes that plain minimax visits from the empty board, counting equivalent positions only once."""
    sizes: dict[Key, int] = {}

    def size(mine: int, theirs: int) -> int:
        key = without_dead_cells(game, mine, theirs)
        if key not in sizes:
            moves = bits(empty_cells(game, mine, theirs)) if ended(game, mine, theirs) == UNKNOWN else []
            sizes[key] = 1 + sum(size(theirs, mine | move) for move in moves)
        return sizes[key]

    return size(0, 0)


@click.command()
@click.argument("boards", nargs=-1, metavar="[ROWS,COLUMNS,IN_A_ROW]...")
@click.option("--nodes", type=int, default=LIMIT, help="Nodes after which a search is given up.")
def command(boards: Sequence[str], nodes: int) -> None:
    """Measure each technique of the search on BOARDS, by default 3,3,3 and 4,4,4."""
    games = [_board(board) for board in boards or ("3,3,3", "4,4,4")]
    show_row("", *(f"{game.id}: {unit}" for game in games for unit in ("nodes", "ms")))
    show_row("---", *["---:"] * 2 * len(games))
    for name, make in rows().items():
        show_row(name, *(cell for game in games for cell in _cells(make, game, nodes)))
    for game in games:
        if game.cells <= COUNTABLE_CELLS:
            print(f"\nThe full tree of {game.id} has {tree_size(game):,} nodes.", flush=True)


def _board(text: str) -> Game:
    rows, columns, in_a_row = map(int, text.split(","))
    name = f"{rows}x{columns}, {in_a_row} in a row"
    return grid(id=name, name=name, rules=name, rows=rows, columns=columns, in_a_row=in_a_row)


def _cells(make: Make, game: Game, limit: int) -> tuple[str, str]:
    """Return the nodes, and the milliseconds to two digits, of a solver."""
    measured = measure(make, game, limit)
    if measured is None:
        return f"> {limit:,}", ""
    nodes, seconds = measured
    return f"{nodes:,}", f"{float(f'{seconds * 1000:.2g}'):,g}"
