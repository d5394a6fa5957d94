"""Play on the Fano plane, a board of 7 points and 7 lines that no grid can show.

Run ``python examples/custom_lines.py`` beside ``make serve``. It needs the standard library alone. A game is a number
of cells and the lines that win, so any hypergraph of up to 64 cells is a game. Set ``misere`` to make a line lose.
"""

import json
import os
import urllib.request
from typing import Any

ORACLE = os.environ.get("MOVE_ORACLE", "http://localhost:8000")
FANO_PLANE = [[0, 1, 2], [0, 3, 4], [0, 5, 6], [1, 3, 5], [1, 4, 6], [2, 3, 6], [2, 4, 5]]


def best_move(moves: list[int], *, misere: bool) -> dict[str, Any]:
    """Return the answer for the position after these moves, with X to begin."""
    game = {"cells": 7, "lines": FANO_PLANE, "misere": misere}
    body = json.dumps({"game": game, "moves": moves}).encode()
    request = urllib.request.Request(f"{ORACLE}/best-move", body, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=30) as response:
        answer: dict[str, Any] = json.load(response)
        return answer


def main() -> None:
    """Print a perfect game of each kind: the first move, its value, and the line of best play."""
    for misere in (False, True):
        answer = best_move([], misere=misere)
        outcome = "a draw" if answer["outcome"] == "draw" else f"a {answer['outcome']} in {answer['plies']} plies"
        print(f"{'Misère' if misere else 'Normal'}: {outcome} for X. Best play: {answer['pv']}")


if __name__ == "__main__":
    main()
