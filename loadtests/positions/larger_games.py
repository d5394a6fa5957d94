"""Searches of openings of larger games, limited by nodes, so that their answers are reproducible."""

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from loadtests.positions.notation import as_path

NODES = 300
"""The limit of each search: about a tenth of a millisecond."""


@dataclass(frozen=True, slots=True)
class Board:
    """A game as a query names it, and what its first moves depend on."""

    name: Mapping[str, str]
    cells: int
    in_a_row: int
    columns: int = 0
    """The columns under gravity, else 0."""


BOARDS = (
    Board({"game": "connect-four"}, 42, 4, columns=7),
    Board({"game": "qubic"}, 64, 4),
    Board({"game": "tic-tac-toe-4x4"}, 16, 4),
    Board({"game": "five-in-a-row-6x6"}, 36, 5),
    Board({"rows": "7", "columns": "7", "in_a_row": "4"}, 49, 4),
    Board({"rows": "5", "columns": "6", "in_a_row": "4", "gravity": "true"}, 30, 4, columns=6),
    Board({"rows": "4", "columns": "4", "in_a_row": "3", "misere": "true"}, 16, 3),
)


def random_opening(rng: Random) -> tuple[str, Board]:
    """Return a path that asks for the best move after a few random moves, too few for a line."""
    board = rng.choice(BOARDS)
    plies = rng.randint(0, 2 * board.in_a_row - 2)
    # No column can be full after moves of which no two are alike, nor a cell marked twice.
    moves = rng.sample(range(board.columns or board.cells), min(plies, board.columns or board.cells))
    return as_path({**board.name, "moves": ",".join(map(str, moves)), "nodes": str(NODES)}), board


def is_legal(answer: Mapping[str, Any], board: Board) -> bool:
    """Whether the move of an answer marks an empty cell, under gravity the lowest of its column."""
    position, move = answer["position"], answer["move"]
    below = move + board.columns
    return position[move] == "." and (not board.columns or below >= board.cells or position[below] != ".")
