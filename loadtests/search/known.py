"""Positions whose value is known, and the nodes that the search takes for some. Sizes are rows x columns."""

from dataclasses import dataclass
from functools import cache, reduce
from typing import TypedDict, Unpack

from service.games.game import Game, grid
from service.games.position import Position
from service.kernel.rules import Rules, make_rules


class Kind(TypedDict, total=False):
    """The rules of a board beyond its size and the length of its lines."""

    layers: int
    gravity: bool
    misere: bool
    wrap: bool


Row = tuple[int, int, int, str]
"""Rows, columns, how many in a row, and the value of the empty board."""


@dataclass(frozen=True, slots=True)
class Case:
    """A position of a game, and its value for the player to move: the outcome and the plies to the end.

    ``moves`` led there from the empty board: one digit for each column under gravity, else cells apart by spaces.
    """

    name: str
    game: Game
    moves: str
    value: str
    source: str

    @property
    def position(self) -> Position:
        """The position after the moves."""
        steps = map(int, self.moves if self.game.gravity else self.moves.split())
        return reduce(_after, steps, Position(self.game, 0, 0, "X"))


def written(score: float, plies: int) -> str:
    """Write a value as in ``Case``; only the sign of ``score`` counts."""
    return f"{'win' if score > 0 else 'loss' if score < 0 else 'draw'} {plies}"


@cache
def rules_of(game: Game) -> Rules:
    """Lay out the rules of a game for the search."""
    return make_rules(game.cells, game.lines, drop=game.drop, misere=game.misere, symmetries=game.symmetries)


def _after(position: Position, step: int) -> Position:
    if not position.game.gravity:
        return position.play(step)
    return position.play(next(move for move in position.legal_moves if position.game.column_of(move) == step))


def _family(source: str, *rows: Row, **kind: Unpack[Kind]) -> tuple[Case, ...]:
    """Return the empty boards of one kind."""
    return tuple(
        Case(game.name, game, "", value, source)
        for height, width, length, value in rows
        for game in [_board(height, width, length, **kind)]
    )


def _board(rows: int, columns: int, in_a_row: int, **kind: Unpack[Kind]) -> Game:
    """Return a game named after its rules."""
    size = "x".join(f"{side}" for side in (kind.get("layers"), rows, columns) if side)
    marks = [word for word, told in (("misère", kind.get("misere")), ("torus", kind.get("wrap"))) if told]
    name = f"Connect Four {size}" if kind.get("gravity") else " ".join([size, f"k{in_a_row}", *marks])
    return grid(id=name, name=name, rules=name, rows=rows, columns=columns, in_a_row=in_a_row, **kind)


LITERATURE = "Uiterwijk and van den Herik, 2000"  # the outcomes; the distances by brute force
TROMP = "John Tromp"  # Connect Four on small boards
BRUTE = "brute force"  # alpha-beta programs written apart from the search
BITBULLY = "bitbully"  # asked without its opening book

KNOWN = (
    *_family(
        LITERATURE,
        (2, 2, 2, "win 3"),
        (3, 2, 3, "draw 6"),
        (6, 2, 3, "draw 12"),
        (3, 3, 3, "draw 9"),
        (4, 3, 3, "win 7"),
        (5, 3, 3, "win 7"),
        (4, 4, 3, "win 5"),
        (5, 5, 3, "win 5"),
        (4, 4, 4, "draw 16"),
        (5, 4, 4, "draw 20"),
        (6, 4, 4, "draw 24"),
        (7, 4, 4, "draw 28"),
        (5, 5, 4, "draw 25"),
        (6, 5, 4, "win 11"),
        (5, 5, 5, "draw 25"),
    ),
    *_family(
        BRUTE,
        (3, 3, 3, "draw 9"),
        (4, 3, 3, "loss 11"),
        (5, 3, 3, "loss 15"),
        (6, 3, 3, "loss 17"),
        (4, 4, 3, "loss 15"),
        (5, 4, 3, "loss 19"),
        (4, 4, 4, "draw 16"),
        (5, 4, 4, "draw 20"),
        misere=True,
    ),
    *_family(BRUTE, (3, 3, 3, "win 7"), (4, 4, 4, "draw 16"), (5, 4, 4, "win 9"), (5, 5, 4, "win 11"), wrap=True),
    *_family(BRUTE, (3, 3, 3, "win 8"), (4, 4, 4, "draw 16"), wrap=True, misere=True),
    *_family(BRUTE, (2, 2, 2, "win 3"), layers=2),
    *_family(BRUTE, (3, 3, 3, "win 7"), layers=3),
    *_family(
        TROMP,
        (4, 4, 4, "draw 16"),
        (4, 5, 4, "draw 20"),
        (4, 6, 4, "loss 24"),
        (4, 7, 4, "draw 28"),
        (5, 4, 4, "draw 20"),
        (5, 5, 4, "draw 25"),
        (5, 6, 4, "draw 30"),
        (6, 4, 4, "draw 24"),
        (6, 5, 4, "draw 30"),
        (7, 4, 4, "draw 28"),
        (8, 4, 4, "draw 32"),
        (9, 4, 4, "draw 36"),
        gravity=True,
    ),
)
"""Empty boards that take a second at most."""

KNOWN_LONG = (
    *_family(LITERATURE, (8, 4, 4, "draw 32")),
    *_family(
        TROMP,
        (4, 8, 4, "loss 32"),
        (4, 9, 4, "loss 36"),
        (5, 7, 4, "draw 35"),
        (5, 8, 4, "win 39"),
        (6, 6, 4, "loss 36"),
        (6, 7, 4, "win 41"),
        (7, 5, 4, "draw 35"),
        (7, 6, 4, "win 41"),
        (8, 5, 4, "draw 40"),
        (9, 5, 4, "draw 45"),
        (10, 4, 4, "draw 40"),
        (11, 4, 4, "draw 44"),
        (12, 4, 4, "draw 48"),
        gravity=True,
    ),
)
"""Empty boards that take more than that."""

KNOWN_HARD = _family(
    TROMP,
    (4, 10, 4, "loss 40"),
    (4, 11, 4, "loss 44"),
    (4, 12, 4, "loss 48"),
    (5, 9, 4, "win 41"),
    (6, 8, 4, "loss 48"),
    (7, 7, 4, "draw 49"),
    (8, 6, 4, "loss 48"),
    gravity=True,
)
"""Empty boards that take minutes, and may take an hour."""

_EMPTY = {case.name: case for case in (*KNOWN, *KNOWN_LONG)}
_CONNECT_FOUR = _board(6, 7, 4, gravity=True)


def connect_four(moves: str, value: str = "") -> Case:
    """Return a position on 7 columns of 6, whose value comes from bitbully."""
    return Case(f"Connect Four 6x7 {moves}".rstrip(), _CONNECT_FOUR, moves, value, BITBULLY)


CONNECT_FOUR = (
    connect_four("06232154", "win 19"),
    connect_four("32421544", "loss 32"),
    connect_four("66545355", "win 31"),
    connect_four("4444466406", "draw 32"),
    connect_four("5405532606", "win 27"),
    connect_four("10143651464", "loss 24"),
    connect_four("26664563240", "win 31"),
    connect_four("661021241642", "draw 30"),
    connect_four("6005043330265", "loss 26"),
    connect_four("0360503226130521", "draw 26"),
)
"""Random games of 8 to 16 plies in which neither player can win at once."""

EMPTY_SIZES = tuple(
    sorted(
        (case for case in (*KNOWN, *KNOWN_LONG, *KNOWN_HARD) if case.game.gravity),
        key=lambda case: (case.game.cells, case.game.rows),
    )
)
"""The empty boards of Connect Four, up to 49 cells."""

SMALL = tuple(_EMPTY[name] for name in ("3x3 k3", "4x3 k3", "Connect Four 4x4", "Connect Four 5x4"))
"""Boards that a solver in plain Python finishes."""

FIXED = (
    *(
        _EMPTY[name]
        for name in (
            "3x3 k3",
            "4x4 k4",
            "5x4 k4",
            "5x5 k4",
            "6x5 k4",
            "3x3x3 k3",
            "4x4 k4 torus",
            "4x3 k3 misère",
            "4x4 k3 misère",
            "4x4 k4 misère",
            "Connect Four 5x4",
            "Connect Four 5x5",
            "Connect Four 6x5",
        )
    ),
    *CONNECT_FOUR,
    Case("6x6 k5, ply 12", _board(6, 6, 5), "29 18 28 1 4 0 25 15 3 2 24 6", "draw 24", BRUTE),
    Case("4x4x4 k4, ply 11", _board(4, 4, 4, layers=4), "29 62 39 21 5 45 27 30 53 17 10", "win 13", BRUTE),
)
FIXED_LONG = (_EMPTY["Connect Four 6x6"], _EMPTY["Connect Four 6x7"])

NODES = {
    "3x3 k3": 19,
    "4x4 k4": 1,
    "5x4 k4": 1_030,
    "5x5 k4": 25_730,
    "6x5 k4": 31_629,
    "3x3x3 k3": 91,
    "4x4 k4 torus": 1_080,
    "4x3 k3 misère": 2_190,
    "4x4 k3 misère": 13_351,
    "4x4 k4 misère": 26_634,
    "Connect Four 5x4": 1_634,
    "Connect Four 5x5": 30_489,
    "Connect Four 6x5": 98_096,
    "Connect Four 6x7 06232154": 100_256,
    "Connect Four 6x7 32421544": 166_343,
    "Connect Four 6x7 66545355": 491_676,
    "Connect Four 6x7 4444466406": 178_782,
    "Connect Four 6x7 5405532606": 67_236,
    "Connect Four 6x7 10143651464": 63_515,
    "Connect Four 6x7 26664563240": 299_092,
    "Connect Four 6x7 661021241642": 110_162,
    "Connect Four 6x7 6005043330265": 90_898,
    "Connect Four 6x7 0360503226130521": 34_375,
    "6x6 k5, ply 12": 240_752,
    "4x4x4 k4, ply 11": 135_679,
    "Connect Four 6x6": 2_757_490,
    "Connect Four 6x7": 28_012_854,
}
"""The nodes of the search from an empty table of ``solve.TABLE_BYTES``: its signature.

A change that is not meant to change what is searched leaves all of them as they are.
"""
