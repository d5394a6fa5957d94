"""Draw the map of 3x3: the value of every reply to every first move, as text or SVG.

Run ``python examples/outcome_map.py`` beside ``make serve``, or ``python examples/outcome_map.py map.svg``. It needs
the standard library alone. The large board is X's first move. The small board inside a cell is O's reply: ``W`` wins
for X, ``D`` draws, ``L`` loses. One request to ``/best-moves`` asks for all 72 positions.
"""

import json
import os
import sys
import urllib.request
from pathlib import Path

ORACLE = os.environ.get("MOVE_ORACLE", "http://localhost:8000")
CELLS = range(9)
COLOURS = {"W": "#2e7d32", "D": "#9e9e9e", "L": "#c62828", "X": "#ffffff"}
SIZE = 30
"""The side of a small cell in the SVG, in pixels."""

Map = dict[tuple[int, int], str]


def outcomes() -> Map:
    """Return ``W``, ``D`` or ``L`` for X by first move and reply; ``X`` where the reply would be the first move."""
    pairs = [(first, reply) for first in CELLS for reply in CELLS if first != reply]
    positions = [{"moves": [first, reply]} for first, reply in pairs]
    request = urllib.request.Request(
        f"{ORACLE}/best-moves", json.dumps({"positions": positions}).encode(), {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=30) as response:
        results = json.load(response)["results"]
    letters = {pair: result["outcome"][0].upper() for pair, result in zip(pairs, results, strict=True)}
    return letters | {(first, first): "X" for first in CELLS}


def as_text(letters: Map) -> str:
    """Return nine lines of nine letters, with space between the small boards."""
    rows = []
    for row in CELLS:
        firsts = range(row // 3 * 3, row // 3 * 3 + 3)
        replies = range(row % 3 * 3, row % 3 * 3 + 3)
        rows.append("  ".join(" ".join(letters[first, reply] for reply in replies) for first in firsts))
    return "\n\n".join("\n".join(rows[top : top + 3]) for top in (0, 3, 6))


def as_svg(letters: Map) -> str:
    """Return the map as an SVG document."""
    side = 9 * SIZE
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {side} {side}" font-family="sans-serif">']
    for (first, reply), letter in letters.items():
        x, y = (first % 3 * 3 + reply % 3) * SIZE, (first // 3 * 3 + reply // 3) * SIZE
        parts.append(f'<rect x="{x}" y="{y}" width="{SIZE}" height="{SIZE}" fill="{COLOURS[letter]}" stroke="#fff"/>')
        if letter == "X":
            parts.append(f'<text x="{x + SIZE / 2}" y="{y + SIZE * 0.7}" text-anchor="middle">X</text>')
    edges = [f"M{edge} 0V{side}M0 {edge}H{side}" for edge in (3 * SIZE, 6 * SIZE)]
    parts.append(f'<path d="{"".join(edges)}" stroke="#000" stroke-width="3"/>')
    return "\n".join([*parts, "</svg>\n"])


def main() -> None:
    """Print the map, or write it to the file that the command line names."""
    letters = outcomes()
    if len(sys.argv) > 1:
        Path(sys.argv[1]).write_text(as_svg(letters))
    else:
        print(as_text(letters))


if __name__ == "__main__":
    main()
