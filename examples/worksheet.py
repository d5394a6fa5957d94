"""Make a sheet of puzzles to print: an HTML page with the solutions on a page of their own.

Run ``python examples/worksheet.py > worksheet.html`` beside ``make serve``, and print the page from a browser. Name
another game and a seed: ``python examples/worksheet.py connect-four 20261122``. The same seed has the same puzzles. It
needs the standard library alone.
"""

import json
import os
import sys
import urllib.request
from html import escape
from typing import Any
from urllib.parse import urlencode

ORACLE = os.environ.get("MOVE_ORACLE", "http://localhost:8000")
PUZZLES = 9

STYLE = """
@page { size: A4; margin: 15mm }
body { font-family: sans-serif }
.puzzles { display: grid; grid-template-columns: repeat(3, 1fr); gap: 8mm }
figure { margin: 0; break-inside: avoid; text-align: center }
svg { width: 100%; height: 52mm }
.solutions { break-before: page }
"""


def asked(path: str, **query: object) -> str:
    """Return what the service answers to a query."""
    with urllib.request.urlopen(f"{ORACLE}{path}?{urlencode(query)}", timeout=65) as response:
        return str(response.read().decode())


def figure(number: int, puzzle: dict[str, Any]) -> str:
    """Return a puzzle with its picture, which can stand beside others in the same page."""
    picture = asked(
        "/position.svg", game=puzzle["game"], board=puzzle["position"], player=puzzle["player"], theme="light"
    )
    return f"<figure>{picture}<figcaption>{number}. {escape(puzzle['question'])}</figcaption></figure>"


def main() -> None:
    """Print the page."""
    game, seed = (*sys.argv[1:], *("tic-tac-toe", "1")[len(sys.argv) - 1 :])
    found = json.loads(asked("/puzzles", game=game, seed=seed, count=PUZZLES, solution="true"))["puzzles"]
    figures = "\n".join(figure(number, puzzle) for number, puzzle in enumerate(found, 1))
    solutions = "\n".join(
        f"<li>{escape(puzzle['solution']['name'])}: {escape(puzzle['solution']['reason'])}</li>" for puzzle in found
    )
    print(
        f'<!DOCTYPE html>\n<html lang="en"><meta charset="utf-8"><title>Puzzles</title><style>{STYLE}</style>\n'
        f'<h1>Puzzles</h1>\n<div class="puzzles">\n{figures}\n</div>\n'
        f'<section class="solutions">\n<h1>Solutions</h1>\n<ol>\n{solutions}\n</ol>\n</section>\n</html>'
    )


if __name__ == "__main__":
    main()
