"""Positions whose value is known. Sizes are rows x columns.

``known.csv`` has a row for each: the game, the moves to the position, the value for the player to move (the outcome and
the plies to the end), its source, how long the search takes (``short``: a second at most, ``long``: seconds, ``hard``:
minutes), and for some the nodes of the search, its signature: a change that is not meant to change what is searched
leaves all of them as they are.

The outcomes of Uiterwijk and van den Herik are from "The advantage of the initiative", their distances by brute force;
"brute force" are alpha-beta programs written apart from the search; bitbully was asked without its opening book.
"""

import csv
from dataclasses import dataclass
from functools import cache, reduce
from pathlib import Path

from service.games.families.lines import LineGame, LinePosition, grid, line_position

FILE = Path(__file__).with_name("known.csv")
CONNECT_FOUR = "Connect Four 6x7"


@dataclass(frozen=True, slots=True)
class Case:
    """A position, and what is known of it.

    ``moves`` led there from the empty board: one digit for each column under gravity, else cells apart by spaces.
    """

    game: LineGame
    moves: str
    value: str
    source: str
    effort: str = "short"
    nodes: int | None = None

    @property
    def name(self) -> str:
        """The game and the moves."""
        return f"{self.game.name} {self.moves}".rstrip()

    @property
    def position(self) -> LinePosition:
        """The position after the moves."""
        steps = map(int, self.moves if self.game.gravity else self.moves.split())
        return reduce(_after, steps, line_position(self.game, 0, 0, "X"))


def written(score: float, plies: int) -> str:
    """Write a value as in ``Case``; only the sign of ``score`` counts."""
    return f"{'win' if score > 0 else 'loss' if score < 0 else 'draw'} {plies}"


def connect_four(moves: str, value: str = "") -> Case:
    """Return a position on 7 columns of 6, whose value comes from bitbully."""
    return Case(_game(CONNECT_FOUR), moves, value, "bitbully")


def _after(position: LinePosition, step: int) -> LinePosition:
    if not position.game.gravity:
        return position.play(step)
    return position.play(next(move for move in position.legal_moves if position.game.column_of(move) == step))


@cache
def _game(name: str) -> LineGame:
    """Return a game by its name: ``Connect Four 6x7``, or the size, the marks in a row and further rules."""
    gravity = name.startswith("Connect Four ")
    size, *rules = name.removeprefix("Connect Four ").split()
    *layers, rows, columns = map(int, size.split("x"))
    return grid(
        id=name,
        name=name,
        rules=name,
        rows=rows,
        columns=columns,
        in_a_row=4 if gravity else int(rules[0].removeprefix("k")),
        layers=layers[0] if layers else 1,
        gravity=gravity,
        misere="misère" in rules,
        wrap="torus" in rules,
    )


def _read() -> tuple[Case, ...]:
    with FILE.open(newline="") as file:
        rows = list(csv.DictReader(file))
    return tuple(
        Case(
            _game(row["game"]), row["moves"], row["value"], row["source"], row["effort"], int(row["nodes"] or 0) or None
        )
        for row in rows
    )


CASES = _read()
