"""The bar with the value of a position: the first player's share from the left, then the other player's."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from xml.etree.ElementTree import Element

from service.engine.result import OPPOSITE, Known, Outcome, ends, estimate, plies_bounds
from service.games.position import Position
from service.picture.svg import node
from service.picture.words import capitalised

BETWEEN: Mapping[tuple[Outcome, Outcome], str] = MappingProxyType(
    {
        ("loss", "win"): "Estimate for {0}: {2:+z.2f}",
        ("draw", "win"): "{0} at least draws",
        ("loss", "draw"): "{1} at least draws",
        ("win", "win"): "{0} wins",
        ("draw", "draw"): "Draw with best play",
        ("loss", "loss"): "{1} wins",
    }
)
"""The text for the least and the greatest outcome of the first player, with the expected result."""

SHARE: Mapping[Outcome, float] = MappingProxyType({"loss": 0.0, "draw": 0.5, "win": 1.0})
"""The first player's part of the bar for an outcome."""

HEIGHT = 30


@dataclass(frozen=True, slots=True)
class BarValue:
    """The least and the greatest outcome for the first player, the expected result, and the plies if proven.

    ``expected`` is None in games without estimates.
    """

    players: tuple[str, str]
    least: Outcome
    most: Outcome
    expected: float | None
    plies: int | None

    @property
    def words(self) -> str:
        """The value in a few words."""
        if (self.least, self.most) == ("loss", "win") and self.expected is None:
            return "Not proven yet"
        said = BETWEEN[self.least, self.most].format(*map(capitalised, self.players), self.expected)
        is_decided = self.least == self.most != "draw"
        return f"{said} in {plies(self.plies)}" if is_decided and self.plies else said


def evaluation(known: Known, position: Position) -> BarValue:
    """Return the value of a position for the first player, from the value ``known`` for the player to move."""
    least, most = ends(known)
    players = position.game.players
    is_first = position.player == players[0]
    expected = round(estimate(known) if is_first else -estimate(known), 2) if position.game.has_estimates else None
    if not is_first:
        least, most = OPPOSITE[most], OPPOSITE[least]
    shortest, longest = plies_bounds(known, position)
    return BarValue(players, least, most, expected, shortest if shortest == longest else None)


def plies(count: int) -> str:
    """Return a number of plies in words."""
    return f"{count} {'ply' if count == 1 else 'plies'}"


def bar(value: BarValue, top: int, width: int, *, discs: bool) -> Iterator[Element]:
    """Yield the bar: solid where it is proven, hatched where it is estimated."""
    sides = ("red", "yellow") if discs else ("side-x", "side-o")
    start, end = (round(width * SHARE[outcome]) for outcome in (value.least, value.most))
    expected = SHARE["draw"] if value.expected is None else (value.expected + 1) / 2
    middle = min(max(round(width * expected), start), end)
    if start < end:
        yield from [_hatching(side) for side in sides]
    parts = [(sides[0], 0, start), (_hatched(sides[0]), start, middle)]
    parts += [(_hatched(sides[1]), middle, end), (sides[1], end, width)]
    yield from [_part(kind, left, right, top) for kind, left, right in parts if left < right]
    yield node("path", class_="ground", d=f"M{width // 2 - 2} {top}h4v{HEIGHT}h-4z")


def _hatched(side: str) -> str:
    return f"hatched-{side}"


def _part(kind: str, left: int, right: int, top: int) -> Element:
    """Return a part of the bar: in the colour of a player, or hatched with it."""
    look = {"fill": f"url(#{kind})"} if kind.startswith("hatched") else {"class_": kind}
    return node("rect", x=left, y=top, width=right - left, height=HEIGHT, **look)


def _hatching(side: str) -> Element:
    stripe = node("path", class_=side, d="M0 0h7v14h-7z")
    look = {"patternUnits": "userSpaceOnUse", "patternTransform": "rotate(45)"}
    return node("pattern", stripe, id=_hatched(side), width=14, height=14, **look)
