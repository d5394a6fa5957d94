"""The road from plain minimax to the service's kernel, one technique at a time, measured.

``python loadtests/road.py`` prints the table of the README. The techniques are in ``rungs.py``.
"""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Mapping
from functools import partial
from random import Random
from time import process_time
from typing import Protocol

from interpreted import interpreted_search
from rungs import ROAD, UNKNOWN, Key, Minimax, bits, empty_cells, ended, without_dead_cells
from tables import show_row

from service.games.game import Game, grid
from service.games.position import Position
from service.kernel import rules, search
from service.kernel.reference import Reference

LIMIT = 2_000_000
"""Nodes after which a search is given up."""

MOST_RUNS, ENOUGH_SECONDS = 20, 2
"""A search is timed so many times, or until it took so long altogether."""

COUNTABLE_CELLS = 16
"""The largest board whose full tree is counted: 4x4 takes some ten seconds."""


class Solver(Protocol):
    """What every row of the table can do."""

    @property
    def nodes(self) -> int:
        """Positions visited so far."""

    def score(self, mine: int, theirs: int) -> int:
        """The exact score for the player to move. Raises ``Stopped`` at the limit of nodes."""


Make = Callable[[Game, int], Solver]
"""Makes a solver of a game, with a limit of nodes and nothing remembered."""


def rows() -> dict[str, Make]:
    """Every row of the table: the rungs, and the kernel at the end of the road."""
    rungs: dict[str, Make] = {rung.name: partial(Minimax, rung) for rung in ROAD}
    kernels: dict[str, Make] = {"the kernel, interpreted": partial(kernel, interpreted_search().Search)}
    if search.KERNEL == "compiled":
        kernels["the kernel, compiled"] = partial(kernel, search.Search)
    return rungs | kernels


def kernel(source: type[search.Search], game: Game, limit: int) -> Solver:
    """The service's own search, with a table of 2 to the power of 16 entries."""
    laid_out = rules.make_rules(game.cells, game.lines, symmetries=game.symmetries)
    return source(laid_out, memoryview(bytearray(16 << 16)).cast("Q"), limit=limit)


def truths(game: Game, count: int = 50) -> dict[Position, int]:
    """The reference's scores of unfinished positions with six empty cells at most, from games played at random."""
    dice, found = Random(0), dict[Position, int]()
    while len(found) < count:
        position = _after(game, dice, plies=game.cells - dice.randint(1, 6))
        if position.legal_moves:
            found[position] = _truth(position)
    return found


def _after(game: Game, dice: Random, plies: int) -> Position:
    position = Position(game, 0, 0, "X")
    while position.occupied.bit_count() < plies and position.legal_moves:
        position = position.play(dice.choice(position.legal_moves))
    return position


def _truth(position: Position) -> int:
    game = position.game
    board = [None if mark == "." else mark == position.player for mark in str(position)]
    verdict = Reference(game.cells, game.lines).solve(board)
    return verdict.outcome * (game.cells + 1 - verdict.plies - position.occupied.bit_count())


def check(make: Make, scores: Mapping[Position, int]) -> None:
    """Raises an error if a solver gives one of the positions another score."""
    for position, expected in scores.items():
        found = make(position.game, LIMIT).score(position.mine, position.theirs)
        if found != expected:
            raise ValueError(f"{position}, {position.player} to move, is worth {expected}, not {found}")


def measure(make: Make, game: Game, limit: int) -> tuple[int, float] | None:
    """The nodes visited from the empty board, and the seconds of processor time; None if the limit was too low.

    Of several runs the fastest counts, which was disturbed least by whatever else the machine does.
    """
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
    """The nodes that plain minimax visits from the empty board, counted without going through like positions twice."""
    sizes: dict[Key, int] = {}

    def size(mine: int, theirs: int) -> int:
        key = without_dead_cells(game, mine, theirs)
        if key not in sizes:
            moves = bits(empty_cells(game, mine, theirs)) if ended(game, mine, theirs) == UNKNOWN else []
            sizes[key] = 1 + sum(size(theirs, mine | move) for move in moves)
        return sizes[key]

    return size(0, 0)


def main() -> None:
    """Prints the table, and below it the sizes of the full trees."""
    options = _options()
    games = {game: truths(game) for game in map(_board, options.boards)}
    show_row("", *(f"{game.id}: {unit}" for game in games for unit in ("nodes", "ms")))
    show_row("---", *["---:"] * 2 * len(games))
    for name, make in rows().items():
        show_row(name, *(cell for game, scores in games.items() for cell in _cells(make, game, scores, options.nodes)))
    for game in games:
        if game.cells <= COUNTABLE_CELLS:
            print(f"\nThe full tree of {game.id} has {tree_size(game):,} nodes.", flush=True)


def _options() -> Namespace:
    parser = ArgumentParser(description="Measures each technique of the search. Every row is checked by the reference.")
    parser.add_argument("boards", nargs="*", default=["3,3,3", "4,4,4"], help="rows,columns,marks in a row")
    parser.add_argument("--nodes", type=int, default=LIMIT, help=f"where a search is given up, default: {LIMIT:,}")
    return parser.parse_args()


def _board(text: str) -> Game:
    rows, columns, in_a_row = map(int, text.split(","))
    name = f"{rows}x{columns}, {in_a_row} in a row"
    return grid(id=name, name=name, rules=name, rows=rows, columns=columns, in_a_row=in_a_row)


def _cells(make: Make, game: Game, scores: Mapping[Position, int], limit: int) -> tuple[str, str]:
    """Nodes and milliseconds to two digits, of a solver that was checked first."""
    check(make, scores)
    measured = measure(make, game, limit)
    if measured is None:
        return f"> {limit:,}", ""
    nodes, seconds = measured
    return f"{nodes:,}", f"{float(f'{seconds * 1000:.2g}'):,g}"


if __name__ == "__main__":
    main()
