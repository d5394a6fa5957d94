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

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from service.engine.result import Outcome
from service.games.families.lines import LineGame
from tests.worlds import small


@dataclass(frozen=True)
class Published:
    """What is known of a game when its first player begins on the empty board and both play best.

    ``first_moves`` are the first moves that keep value and distance, as columns under gravity; ``positions`` is the
    number of different positions that play can reach. Both are None where no source tells.
    """

    game: LineGame
    source: str
    outcome: Outcome
    plies: int | None
    first_moves: frozenset[int] | None = None
    positions: int | None = None

    def __str__(self) -> str:
        return self.game.id


def _game(rules: Mapping[str, Any], source: str, outcome: Outcome, plies: int | None = None, **more: Any) -> Published:
    return Published(small(**rules), source, outcome, plies, **more)


def _solved(fact: Mapping[str, Any]) -> Published:
    moves = None if fact["best_moves"] is None else frozenset(fact["best_moves"])
    about = (fact[name] for name in ("rules", "source", "outcome", "plies"))
    return _game(*about, first_moves=moves, positions=fact["positions"])


KNOWN: list[dict[str, Any]] = json.loads(Path(__file__).with_name("games").joinpath("known_values.json").read_text())
"""Values of games; those that name a source are solved in whole by every change of the search."""

SOLVED = tuple(_solved(fact) for fact in KNOWN if "source" in fact)
"""Games that the compiled search solves within a second each."""


def _board(rows: int, columns: int, in_a_row: int, **more: object) -> Mapping[str, Any]:
    return {"rows": rows, "columns": columns, "in_a_row": in_a_row, **more}


OUTCOMES = (
    _game(_board(7, 4, 4), "U", "draw"),
    _game(_board(5, 5, 5), "U", "draw"),
    _game(_board(6, 6, 5), "U", "draw"),
)
"""Games whose outcome, not their distance, takes the search some seconds."""

LARGE = (
    _game(_board(8, 4, 4), "U", "draw", 32),
    _game(_board(6, 6, 5), "U", "draw", 36),
    _game(_board(9, 4, 4), "C", "win"),
    _game(_board(7, 7, 5), "H", "draw"),
    _game(_board(8, 8, 5), "H", "draw", 64),
    _game(_board(4, 4, 4, layers=4), "P", "win"),
    _game(_board(6, 7, 4, gravity=True), "T", "win", 41),
)
"""Games that take longer; ``python -m loadtests proofs`` and ``search --effort long`` prove most of them.

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
