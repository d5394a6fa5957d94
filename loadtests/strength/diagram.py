"""The reliability diagram: for each range of estimates, the mean of the results."""

from collections.abc import Iterator, Mapping, Sequence
from statistics import mean

Pairs = Sequence[tuple[float, int]]
"""Estimates and results, from -1 to 1."""

SIZE, MARGIN = 320, 44
BINS = 8
FEWEST = 5
"""Positions of a range below which it is left out."""

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00")
"""Colours that remain apart for people who see fewer of them (Okabe and Ito)."""


def draw(games: Mapping[str, Pairs]) -> str:
    """Return the diagram as SVG, with a line for each game."""
    parts = [*_frame(), *(part for number, game in enumerate(games) for part in _game(number, game, games[game]))]
    width, height = SIZE + 2 * MARGIN + 150, SIZE + 2 * MARGIN
    font = 'font-family="sans-serif" font-size="12"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" {font}>'
    return "\n".join([head, f'<rect width="{width}" height="{height}" fill="#fff"/>', *parts, "</svg>", ""])


def reliability(pairs: Pairs) -> list[tuple[float, float]]:
    """Return the mean estimate and the mean result of each range of estimates."""
    ranges: list[list[tuple[float, int]]] = [[] for _ in range(BINS)]
    for pair in pairs:
        ranges[min(BINS - 1, int((pair[0] + 1) / 2 * BINS))].append(pair)
    return [tuple(map(mean, zip(*part, strict=True))) for part in ranges if len(part) >= FEWEST]


def _frame() -> Iterator[str]:
    left, right, top, bottom = MARGIN, MARGIN + SIZE, MARGIN, MARGIN + SIZE
    yield f'<path d="M{left} {top}V{bottom}H{right}V{top}Z" fill="none" stroke="#888"/>'
    yield f'<path d="M{left} {bottom}L{right} {top}" stroke="#888" stroke-dasharray="4"/>'
    for number in (-1, 0, 1):
        x, y = _point(number, number)
        yield f'<text x="{x:.0f}" y="{bottom + 16}" text-anchor="middle">{number}</text>'
        yield f'<text x="{left - 8}" y="{y + 4:.0f}" text-anchor="end">{number}</text>'
    yield f'<text x="{(left + right) / 2:.0f}" y="{bottom + 34}" text-anchor="middle">estimate</text>'
    yield f'<text x="{left}" y="{top - 12}">mean result</text>'


def _game(number: int, name: str, pairs: Pairs) -> Iterator[str]:
    colour, y = COLOURS[number % len(COLOURS)], MARGIN + 14 + 20 * number
    points = [_point(*point) for point in reliability(pairs)]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    yield f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>'
    yield from (f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in points)
    yield f'<text x="{MARGIN + SIZE + 12}" y="{y}" fill="{colour}">{name}</text>'


def _point(estimate: float, result: float) -> tuple[float, float]:
    return MARGIN + SIZE * (estimate + 1) / 2, MARGIN + SIZE * (1 - result) / 2
