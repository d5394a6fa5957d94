"""Searches for the load tests: openings of larger games, limited by nodes, so that their answers are reproducible."""

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from notation import as_path
from replies import Check, Reply

NODES = 300
"""What each search may cost: about a tenth of a millisecond."""


@dataclass(frozen=True, slots=True)
class Board:
    """A game as a query names it, and what is needed to play its first moves."""

    name: Mapping[str, str]
    cells: int
    in_a_row: int
    columns: int = 0
    """Under gravity how many there are, else 0."""


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
    """A path that asks for the best move after so few random moves that nobody can have a line yet."""
    board = rng.choice(BOARDS)
    plies = rng.randint(0, 2 * board.in_a_row - 2)
    # No column can be full after moves of which no two are alike, nor a cell marked twice.
    moves = rng.sample(range(board.columns or board.cells), min(plies, board.columns or board.cells))
    return as_path({**board.name, "moves": ",".join(map(str, moves)), "nodes": str(NODES)}), board


def same_as_before(path: str, board: Board, bodies: dict[str, bytes]) -> Check:
    """Checks that an answer makes sense and is, to the byte, what ``bodies`` says was answered to this path before."""

    def check(reply: Reply) -> list[str]:
        if reply.status_code != 200:
            return [f"status {reply.status_code}"]
        answer: dict[str, Any] = reply.json()
        body, kept = bytes(reply.content or b""), "immutable" in repr(reply.headers)
        return [
            *(["another answer than before"] if bodies.setdefault(path, body) != body else []),
            *(["the move is not legal"] if not _is_legal(answer, board) else []),
            *(["neither proven nor unknown"] if answer["proven"] == (answer["outcome"] == "unknown") else []),
            *(["kept or not, as it should not be"] if answer["proven"] != kept else []),
        ]

    return check


def _is_legal(answer: Mapping[str, Any], board: Board) -> bool:
    position, move = answer["position"], answer["move"]
    below = move + board.columns
    return position[move] == "." and (not board.columns or below >= board.cells or position[below] != ".")
