"""The colours of pictures in light and in dark surroundings."""

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Literal

from service.picture.svg import digest

Theme = Literal["light", "dark", "auto"]

Palette = Mapping[str, str]

LIGHT: Palette = MappingProxyType(
    {
        "ground": "#fffefb",
        "ink": "#22272e",
        "quiet": "#59616b",
        "grid": "#a9a294",
        "newest": "#fbeeb8",
        "x": "#b93a1c",
        "o": "#2456a6",
        "win": "#1c7a45",
        "tint": "#d5ecdc",
        "rack": "#2f64b5",
        "rim": "#234d8f",
        "hole": "#f4f3ee",
        "red": "#dd4040",
        "dark_red": "#861818",
        "yellow": "#f6c42f",
        "dark_yellow": "#946400",
    }
)

DARK: Palette = MappingProxyType(
    {
        "ground": "#1b2025",
        "ink": "#e6e8ea",
        "quiet": "#a4adb7",
        "grid": "#5f6b76",
        "newest": "#4a4526",
        "x": "#ff9175",
        "o": "#8db8ff",
        "win": "#8fdcaa",
        "tint": "#1f4630",
        "rack": "#27508c",
        "rim": "#1b3a69",
        "hole": "#12161a",
        "red": "#e25555",
        "dark_red": "#7c1717",
        "yellow": "#edbd35",
        "dark_yellow": "#795200",
    }
)

RULES: Mapping[str, str] = MappingProxyType(
    {
        "ground": "fill:{ground}",
        "ink": "fill:{ink}",
        "quiet": "fill:{quiet}",
        "grid": "stroke:{grid}",
        "newest": "fill:{newest}",
        "x": "stroke:{x}",
        "o": "stroke:{o}",
        "side-x": "fill:{x}",
        "side-o": "fill:{o}",
        "win": "stroke:{win}",
        "tint": "fill:{tint}",
        "rack": "fill:{rack};stroke:{rim}",
        "hole": "fill:{hole}",
        "disc-x": "fill:{red};stroke:{dark_red}",
        "disc-o": "fill:{yellow};stroke:{dark_yellow}",
        "piece-x": "fill:{x};stroke:{ground}",
        "piece-o": "fill:{o};stroke:{ground}",
        "dead": "stroke:{quiet}",
        "red": "fill:{red}",
        "yellow": "fill:{yellow}",
        "spot": "fill:#fff;stroke:#22272e",
        "ring": "stroke:#fff",
    }
)
"""The style of each class of elements. Only colours: shapes are attributes, which every renderer supports."""

DARK_SURROUNDINGS = "@media (prefers-color-scheme:dark){%s}"


@cache
def stylesheet(theme: Theme) -> str:
    """Return the style sheet of a theme; with ``auto``, it follows the viewer's colour scheme."""
    return _sheet(theme, f"{class_prefix(theme)}-")


@cache
def class_prefix(theme: Theme) -> str:
    """Return the prefix of a theme's classes, so that pictures with different themes fit into one document."""
    return digest(_sheet(theme, "").encode())


def _sheet(theme: Theme, prefix: str) -> str:
    if theme == "auto":
        return _rules(LIGHT, prefix) + DARK_SURROUNDINGS % _rules(DARK, prefix)
    return _rules(DARK if theme == "dark" else LIGHT, prefix)


def _rules(palette: Palette, prefix: str) -> str:
    return "".join(f".{prefix}{name}{{{rule.format_map(palette)}}}" for name, rule in RULES.items())
