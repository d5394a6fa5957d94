"""Published facts about games, each with its source: the one table that tests compare the service with.

Sources, by the letter that the rows name:

- U: J. W. H. M. Uiterwijk and H. J. van den Herik, The advantage of the initiative, 2000.
- T: John Tromp, John's Connect Four Playground: values of small boards, heights and widths from 4.
- B: two brute-force programs written apart from this service and from each other, which agree; they also found every
  distance, set of first moves and number of positions.
- C: Charatsidis, Maastricht University, 2017.
- H: W.-Y. Hsu, C.-L. Ko, J.-C. Chen, I.-C. Wu and others, Theoretical Computer Science 815, 2020.
- P: O. Patashnik, Qubic, 1980, confirmed by L. V. Allis and P. N. A. Schoo, 1992.
"""

from dataclasses import dataclass
from typing import Unpack

from service.engine.result import Outcome
from service.games.game import Game
from tests.worlds import Rules, small


@dataclass(frozen=True)
class Published:
    """What is known of a game when its first player begins on the empty board and both play best.

    ``first_moves`` are the first moves that keep value and distance, as columns under gravity; ``positions`` is the
    number of different positions that play can reach. Both are None where no source tells.
    """

    game: Game
    source: str
    outcome: Outcome
    plies: int | None
    first_moves: frozenset[int] | None = None
    positions: int | None = None

    def __str__(self) -> str:
        return self.game.id


Size = tuple[int, int, int]
"""Rows, columns, marks in a row."""

Row = tuple[Size, str, Outcome, int | None, str, int | None]
"""Size, source, outcome, plies, first moves (``*``: all of them), positions; blank or None where no source tells."""


def _games(*rows: Row, **rules: Unpack[Rules]) -> tuple[Published, ...]:
    found = []
    for size, source, outcome, plies, moves, positions in rows:
        game = small(*size, **rules)
        every = range(game.columns if game.gravity else game.cells)
        first_moves = frozenset(every if moves == "*" else map(int, moves.split())) if moves else None
        found.append(Published(game, source, outcome, plies, first_moves, positions))
    return tuple(found)


SOLVED = (
    *_games(
        ((2, 2, 2), "U", "win", 3, "", None),
        ((3, 2, 3), "U", "draw", 6, "", None),
        ((6, 2, 3), "U", "draw", 12, "", None),
        ((2, 4, 3), "B", "draw", 8, "*", 2_045),
        ((2, 5, 4), "B", "draw", 10, "*", 17_197),
        ((3, 3, 3), "U", "draw", 9, "*", 5_478),
        ((4, 3, 3), "U", "win", 7, "3 4 5 6 7 8", 111_973),
        ((3, 4, 3), "B", "win", 7, "1 2 5 6 9 10", 111_973),
        ((5, 3, 3), "U", "win", 7, "3 4 5 6 7 8 9 10 11", 2_286_668),
        ((3, 5, 4), "B", "draw", 15, "*", 3_414_564),
        ((4, 4, 3), "U", "win", 5, "5 6 9 10", 6_036_001),
        ((4, 4, 4), "U", "draw", 16, "*", 9_722_011),
        ((4, 5, 3), "B", "win", 5, "", None),
        ((5, 5, 3), "U", "win", 5, "", None),
        ((5, 4, 4), "U", "draw", 20, "", None),
        ((6, 4, 4), "U", "draw", 24, "", None),
        ((5, 5, 4), "U", "draw", 25, "", None),
        ((6, 5, 4), "U", "win", 11, "", None),
        ((6, 6, 4), "B", "win", 11, "", None),
    ),
    *_games(
        ((2, 4, 3), "B", "draw", 8, "*", 2_045),
        ((3, 3, 3), "B", "draw", 9, "4", 5_478),
        ((3, 4, 3), "B", "loss", 11, "*", 111_973),
        ((4, 3, 3), "B", "loss", 11, "*", 111_973),
        ((5, 3, 3), "B", "loss", 15, "0 1 2 3 5 7 9 11 12 13 14", 2_286_668),
        ((4, 4, 3), "B", "loss", 15, "*", 6_036_001),
        ((4, 4, 4), "B", "draw", 16, "*", 9_722_011),
        misere=True,
    ),
    *_games(
        ((2, 5, 3), "B", "win", 5, "*", 13_371),
        ((3, 3, 3), "B", "win", 7, "*", 5_194),
        ((3, 4, 4), "B", "win", 9, "*", 134_083),
        ((4, 4, 4), "B", "draw", 16, "*", 9_463_605),
        ((4, 5, 4), "B", "win", 9, "", None),
        ((5, 5, 4), "B", "win", 11, "", None),
        wrap=True,
    ),
    *_games(
        ((2, 5, 3), "B", "loss", 9, "*", 13_371),
        ((3, 3, 3), "B", "win", 8, "*", 5_194),
        ((3, 4, 3), "B", "loss", 9, "*", 70_483),
        ((4, 4, 3), "B", "loss", 13, "*", 2_730_005),
        wrap=True,
        misere=True,
    ),
    *_games(((2, 2, 2), "B", "win", 3, "", None), layers=2),
    *_games(((3, 3, 3), "B", "win", 7, "", None), layers=3),
    *_games(
        ((3, 3, 3), "B", "draw", 9, "*", 694),
        ((3, 4, 3), "B", "win", 9, "1 2", 7_157),
        ((4, 3, 4), "B", "draw", 12, "*", 6_000),
        ((4, 4, 3), "B", "win", 9, "1 2", 41_750),
        ((5, 4, 3), "B", "win", 11, "1 2", 195_472),
        ((5, 5, 3), "B", "win", 9, "2", 4_176_536),
        ((4, 4, 4), "T", "draw", 16, "*", 161_029),
        ((4, 5, 4), "T", "draw", 20, "1 2 3", 3_945_711),
        ((4, 6, 4), "T", "loss", 24, "", None),
        ((5, 4, 4), "T", "draw", 20, "*", 1_706_255),
        ((5, 5, 4), "T", "draw", 25, "*", 69_763_700),
        ((6, 4, 4), "T", "draw", 24, "", None),
        ((6, 5, 4), "T", "draw", 30, "", None),
        ((5, 6, 4), "T", "draw", 30, "", None),
        ((7, 4, 4), "T", "draw", 28, "", None),
        gravity=True,
    ),
    *_games(
        ((3, 3, 3), "B", "win", 8, "*", 694),
        ((4, 3, 3), "B", "loss", 9, "*", 2_715),
        ((3, 4, 4), "B", "loss", 11, "*", 12_031),
        ((3, 5, 3), "B", "win", 14, "0 4", 70_914),
        ((4, 5, 3), "B", "loss", 17, "0 1 3 4", 613_459),
        ((5, 5, 3), "B", "win", 22, "0 4", 4_176_536),
        gravity=True,
        misere=True,
    ),
)
"""Games that the compiled search solves within a second each."""

OUTCOMES = _games(
    ((7, 4, 4), "U", "draw", None, "", None),
    ((8, 4, 4), "U", "draw", None, "", None),
    ((5, 5, 5), "U", "draw", None, "", None),
    ((6, 6, 5), "U", "draw", None, "", None),
)
"""Games whose outcome, not their distance, takes the search at most a minute."""

LARGE = (
    *_games(
        ((6, 6, 5), "U", "draw", 36, "", None),
        ((9, 4, 4), "C", "win", None, "", None),
        ((7, 7, 5), "H", "draw", None, "", None),
        ((8, 8, 5), "H", "draw", None, "", None),
    ),
    *_games(((4, 4, 4), "P", "win", None, "", None), layers=4),
    *_games(((6, 7, 4), "T", "win", 41, "", None), gravity=True),
)
"""Games that take longer; ``python -m loadtests proofs boards`` proves most of those without gravity.

Not here: 10x4 (C, win), which was not tried, and 30x4 and 15x15, which have more than 64 cells.
"""


# Tic-tac-toe, counted: Henry Bottomley, How many Tic-Tac-Toe games are possible?, 2001; Steve Schaefer,
# MathRec Solutions: Tic-Tac-Toe, 2002.

POSITIONS_BY_PLY = (1, 9, 72, 252, 756, 1_260, 1_520, 1_140, 390, 78)
POSITIONS = 5_478
POSITIONS_BUT_FOR_SYMMETRY = 765
FINISHED = 958
FINISHED_BUT_FOR_SYMMETRY = 138
FULL_AND_WON, FULL_AND_DRAWN = 62, 16
VALUES_FOR_X = {"win": 2_936, "draw": 1_068, "loss": 1_474}

PERFT = (1, 9, 72, 504, 3_024, 15_120, 54_720, 148_176, 200_448, 127_872)
"""Sequences of so many moves from the empty board."""

GAMES = 255_168
GAMES_BY_LENGTH = {5: 1_440, 6: 5_328, 7: 47_952, 8: 72_576, 9: 127_872}
GAMES_BY_OWNER_OF_THE_LINE = {"X": 131_184, "O": 77_904, None: 46_080}


CONNECT_FOUR_POSITIONS_BY_PLY = (1, 7, 49, 238, 1_120, 4_263, 16_422)
"""Legal positions of 7 columns of 6 after so many plies: OEIS A212693 (John Tromp, 2012)."""
