"""The chart of ratings by skill."""

from collections.abc import Mapping
from pathlib import Path

COLOURS = ("#2f81f7", "#d29922", "#3fb950", "#db61a2")
GREY = "#808890"
"""Readable on light and dark pages."""

Curves = Mapping[str, Mapping[int, float]]
"""The rating by level, for each game by its name."""


def draw(curves: Curves, path: Path) -> None:
    """Draw an SVG with a transparent background."""
    from matplotlib import rc_context  # noqa: PLC0415, takes a second, and only the chart needs it
    from matplotlib.figure import Figure  # noqa: PLC0415, likewise

    figure = Figure(figsize=(7.2, 4), layout="constrained")
    axes = figure.subplots()
    for (name, curve), colour in zip(curves.items(), COLOURS, strict=False):
        axes.plot(list(curve), list(curve.values()), label=name, color=colour, marker="o", markersize=4)
    axes.set(ylim=(0, None))
    axes.set_xlabel("skill", color=GREY)
    axes.set_ylabel("rating", color=GREY)
    axes.tick_params(colors=GREY)
    axes.grid(axis="y", alpha=0.3, color=GREY)
    axes.legend(frameon=False, labelcolor=GREY)
    axes.spines[:].set_visible(False)
    with rc_context({"svg.hashsalt": "skill", "svg.fonttype": "none"}):  # the same bytes for the same figures
        figure.savefig(path, format="svg", transparent=True, metadata={"Date": None})
