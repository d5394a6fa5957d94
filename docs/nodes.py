"""Draw the picture of the nodes of known searches by release, from ``loadtests/search/releases.csv`` and ``known.csv``.

Run ``python docs/nodes.py`` after a change of either file. At a release, ``python docs/nodes.py --release 0.4.0`` first
appends a column with the nodes of ``known.csv``.
"""

import argparse
import csv
import sys
from collections.abc import Iterator, Mapping, Sequence
from math import log2
from pathlib import Path

SEARCH = Path(__file__).parent.parent / "loadtests/search"
KNOWN, RELEASES = SEARCH / "known.csv", SEARCH / "releases.csv"
PICTURE = Path(__file__).parent / "assets/nodes.svg"

SVG = "http://www.w3.org/2000/svg"

FEWEST = 1_000
"""The fewest nodes of a search in the picture: shorter ones depend on details."""

LEFT, OCTAVE, ROW, TOP, OCTAVES = 250, 38, 20, 44, 6
"""Pixels: the widths of names and of a factor of two, the heights of a row and of the title; the number of factors."""

LONGEST = 36
"""The most characters of a name."""

COLOURS = ("#999", "#4a90d9", "#c0392b", "#2e8b57", "#8e44ad")

Row = Mapping[str, str]


def read(file: Path) -> Sequence[Row]:
    """Return the rows of a file."""
    with file.open(newline="", encoding="utf-8") as rows:
        return list(csv.DictReader(rows))


def key(row: Row) -> tuple[str, str]:
    """Return the position of a row."""
    return row["game"], row["moves"]


def today() -> Mapping[tuple[str, str], str]:
    """Return the nodes of each position as the code is now."""
    return {key(row): row["nodes"] for row in read(KNOWN)}


def counts() -> Mapping[tuple[str, str], Mapping[str, int]]:
    """Return the nodes of each position by release; the last is of the code as it is now."""
    now = today()
    return {
        key(row): {name: int(nodes) for name, nodes in row.items() if name not in ("game", "moves")}
        | {"now": int(now[key(row)])}
        for row in read(RELEASES)
    }


def picture() -> Iterator[str]:
    """Yield the lines of the picture. Each row has a dot for each release, at the nodes over those of the first."""
    shown = {place: nodes for place, nodes in counts().items() if min(nodes.values()) >= FEWEST}
    names = list(next(iter(shown.values())))
    width, height = LEFT + 2 * OCTAVES * OCTAVE + 30, TOP + ROW * len(shown) + 10
    yield f'<svg xmlns="{SVG}" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">'
    yield f'<rect width="{width}" height="{height}" fill="#fff"/>'
    for number, name in enumerate(names):
        x = LEFT + 80 * number
        yield f'<circle cx="{x}" cy="12" r="4" fill="{COLOURS[number]}"/><text x="{x + 8}" y="16">{name}</text>'
    for octave in range(-OCTAVES, OCTAVES + 1):
        line = place_of(2.0**octave)
        yield f'<path d="M{line} {TOP - 6}V{height - 8}" stroke="#ddd"/>'
        yield f'<text x="{line}" y="{TOP - 10}" text-anchor="middle">{name_of(octave)}</text>'
    for number, ((game, moves), nodes) in enumerate(shown.items()):
        y = TOP + ROW * number + 10
        yield f'<text x="4" y="{y + 4}">{shortened(f"{game} {moves}")}</text>'
        for colour, of_release in zip(COLOURS, nodes.values(), strict=False):
            yield f'<circle cx="{place_of(of_release / nodes[names[0]])}" cy="{y}" r="4" fill="{colour}"/>'
    yield "</svg>"


def name_of(octave: int) -> str:
    """Return a factor in short: 4, or 1/4."""
    return f"{2**octave}" if octave >= 0 else f"1/{2**-octave}"


def place_of(ratio: float) -> float:
    """Return the x of a ratio; those beyond the octaves are at the edge."""
    return round(LEFT + OCTAVE * (OCTAVES + max(-OCTAVES, min(OCTAVES, log2(ratio)))), 1)


def shortened(name: str) -> str:
    """Return a name that fits beside the rows."""
    return name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"


def main() -> int:
    """Write the picture, or with ``--check`` only report that it is stale."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="change nothing; exit with 1 if the picture is stale")
    parser.add_argument("--release", help="append the nodes of today as those of this version")
    arguments = parser.parse_args()
    if arguments.release:
        now = today()
        rows = [{**row, arguments.release: now[key(row)]} for row in read(RELEASES)]
        with RELEASES.open("w", newline="", encoding="utf-8") as file:
            written = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
            written.writeheader()
            written.writerows(rows)
    drawn = "\n".join(picture()) + "\n"
    stale = not PICTURE.exists() or PICTURE.read_text(encoding="utf-8") != drawn
    if stale and arguments.check:
        sys.stderr.write(f"{PICTURE} is stale; run python docs/nodes.py\n")
        return 1
    PICTURE.write_text(drawn, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
