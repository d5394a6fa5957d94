"""Random positions near the end, of every family: outcomes compared with plain minimax, certificates checked."""

import json
import tempfile
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import cycle, islice
from pathlib import Path
from random import Random

from loadtests.hunt.certificates import judge_certificate
from loadtests.hunt.games import Board, Game, by_hand, draw_board, draw_game, grid_of
from loadtests.hunt.judge import judge_best_move
from loadtests.hunt.product import Json, Refused, Service
from loadtests.hunt.reference import Reference, Values, best_of

POSITIONS_EACH = 20
"""Positions of one game, one after the other: games are slower to draw than positions."""

EMPTIES = range(4, 10)
SOLVED_NODES = 100_000
LIMITS = ({"nodes": 20_000}, {"nodes": 500}, {"time_ms": 100})
"""Limits that take turns; only those in time use the table that all positions share."""

CERTIFIED_EACH = 7
"""Of so many positions one is certified; no divisor of it is one of ``POSITIONS_EACH``."""

CERTIFIED_LIMIT = {"nodes": 1_000_000}


def _sides(dice: Random) -> tuple[int, int, int]:
    """Return rows, columns, and the marks in a row."""
    rows, columns = dice.randint(2, 8), dice.randint(2, 8)
    return rows, columns, dice.randint(2, min(5, max(rows, columns)))


def _flat(dice: Random, **rules: bool) -> Game:
    return grid_of(1, *_sides(dice), **rules)


def _solid(dice: Random) -> Game:
    layers, rows, columns = (dice.randint(2, 4) for _ in range(3))
    in_a_row = dice.randint(2, max(layers, rows, columns))
    return grid_of(layers, rows, columns, in_a_row, gravity=dice.random() < 0.3, misere=dice.random() < 0.3)


def _custom(dice: Random) -> Game:
    while True:
        game = draw_game(dice)
        if "lines" in game.request:
            return game


def _plain_by_hand(dice: Random) -> Game:
    return by_hand(_flat(dice))


FAMILIES: Mapping[str, Callable[[Random], Game]] = {
    "plain": _flat,
    "misère": partial(_flat, misere=True),
    "gravity": partial(_flat, gravity=True),
    "misère, gravity": partial(_flat, misere=True, gravity=True),
    "wrapped": partial(_flat, wrap=True),
    "misère, wrapped": partial(_flat, misere=True, wrap=True),
    "in 3-D": _solid,
    "custom lines": _custom,
    "a grid by its lines": _plain_by_hand,
}


class NearEnd:
    """Asks one instance of the service about positions of each family by turns, and counts what it compares."""

    def __init__(self, seed: int, folder: Path) -> None:
        self.compared = dict.fromkeys(FAMILIES, 0)
        self.proven = self.certificates = 0
        self._dice = Random(seed)
        self._reference = Reference(folder)
        self.service = Service()
        self._limits = cycle(LIMITS)

    def findings(self, count: int) -> Iterator[str]:
        """Compare so many positions; yield each that is wrong, with its request."""
        for family in cycle(FAMILIES):
            left = count - sum(self.compared.values())
            if not left:
                return
            for board, values in islice(self._positions(FAMILIES[family]), min(left, POSITIONS_EACH)):
                self.compared[family] += 1
                yield from self._compare(board, values)

    def _positions(self, draw: Callable[[Random], Game]) -> Iterator[tuple[Board, Values]]:
        """Yield positions of a game that the reference can solve; of another game where it cannot."""
        while True:
            game = draw(self._dice)
            for _ in range(POSITIONS_EACH if game.lines else 0):
                board = draw_board(self._dice, game, min(game.cells, self._dice.choice(EMPTIES)))
                values = self._reference.values(board, SOLVED_NODES) if board.legal_moves() else None
                if values is not None:
                    yield board, values

    def _compare(self, board: Board, values: Values) -> Iterator[str]:
        request = {
            "game": board.game.request,
            "board": board.text(),
            "player": board.player,
            "limit": next(self._limits),
        }
        try:
            answer = self.service.ask("/best-move", request)
        except Refused as refusal:
            yield f"{json.dumps(request)}: {refusal}"
            return
        self.proven += answer["proven"]
        for wrong in judge_best_move(self._reference, board, values, answer):
            yield f"{json.dumps(request)}: {wrong}"
        if sum(self.compared.values()) % CERTIFIED_EACH == 0:
            yield from self._certify(request, best_of(values).outcome)

    def _certify(self, request: Json, outcome: str) -> Iterator[str]:
        text = self.service.certificate({**request, "limit": CERTIFIED_LIMIT})
        if text is None:
            yield f"{json.dumps(request)}: no certificate"
            return
        self.certificates += 1
        for wrong in judge_certificate(text, outcome, self._dice):
            yield f"/proof {json.dumps(request)}: {wrong}"


def hunt_near_end(count: int, seed: int) -> int:
    """Compare so many positions, print what is wrong and how many were compared, and return the number of faults."""
    faults = 0
    with tempfile.TemporaryDirectory() as folder:
        hunter = NearEnd(seed, Path(folder))
        for finding in hunter.findings(count):
            faults += 1
            print(finding, flush=True)
    families = ", ".join(f"{number:,} {family}" for family, number in hunter.compared.items())
    print(f"seed {seed}: {count:,} positions ({families}), {hunter.proven:,} proven,", end=" ")
    print(f"{hunter.certificates:,} certified; {faults} faults")
    return faults
