"""The picture of how strength grows with skill: an SVG written by hand, which fits light and dark pages."""

from collections.abc import Mapping

WIDTH, HEIGHT = 720, 400
LEFT, RIGHT, TOP, BOTTOM = 64, 24, 40, 56
COLOURS = ("#2f81f7", "#d29922", "#3fb950", "#db61a2")
INK = "#808890"
BOARD = (
    f'xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="13"'
    f' fill="{INK}" role="img" aria-label="Rating by skill"'
)
STEP = 200
"""Rating points between two lines of the grid."""

Curves = Mapping[str, Mapping[int, float]]
"""The rating by the level, for each game by its name."""


def draw(curves: Curves) -> str:
    """The SVG of some curves: levels to the right, ratings upwards, each curve with its name beside a dot."""
    top = max(max(curve.values()) for curve in curves.values())
    top = STEP * (1 + int(top // STEP))
    parts = [
        f"<svg {BOARD}>",
        *(_rule(rating, top) for rating in range(0, top + 1, STEP)),
        *(_text(_x(level), HEIGHT - BOTTOM + 20, str(level), "middle") for level in range(0, 101, 10)),
        _text(_x(50), HEIGHT - 12, "skill", "middle"),
        _text(LEFT - 8, TOP - 18, "rating", "end"),
        *(_curve(name, curve, COLOURS[i], i, top) for i, (name, curve) in enumerate(curves.items())),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _x(level: float) -> float:
    return LEFT + (WIDTH - LEFT - RIGHT) * level / 100


def _y(rating: float, top: int) -> float:
    return round(HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * rating / top, 1)


def _rule(rating: int, top: int) -> str:
    y = _y(rating, top)
    line = f'<path d="M{LEFT} {y}H{WIDTH - RIGHT}" stroke="{INK}" stroke-opacity="0.3"/>'
    return line + _text(LEFT - 8, y + 4, str(rating), "end")


def _curve(name: str, curve: Mapping[int, float], colour: str, number: int, top: int) -> str:
    points = [(_x(level), _y(rating, top)) for level, rating in curve.items()]
    path = " ".join(f"{x:g},{y:g}" for x, y in points)
    dots = "".join(f'<circle cx="{x:g}" cy="{y:g}" r="3.5"/>' for x, y in points)
    key = TOP + 14 + 20 * number
    return (
        f'<g fill="{colour}"><polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>{dots}'
        f'<circle cx="{LEFT + 20}" cy="{key}" r="5"/>{_text(LEFT + 32, key + 4, name, "start")}</g>'
    )


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}">{text}</text>'
