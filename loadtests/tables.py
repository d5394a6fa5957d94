"""The tables that commands print."""

import platform
from collections.abc import Iterable, Iterator, Mapping, Sequence
from statistics import median

from service.cores import cores

Row = Sequence[str]


def show_machine() -> None:
    """Print what the figures are measured with."""
    print(f"Python {platform.python_version()}, {cores()} cores, {platform.machine()}")


def show_title(title: str, conditions: str) -> None:
    """Print what is measured, and how."""
    print(f"\n### {title}\n\n{conditions}\n", flush=True)


def show_table(rows: Sequence[Row]) -> None:
    """Print the rows as Markdown; the first is the head."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    rule = ["-" * widths[0], *(f"{'-' * (width - 1)}:" for width in widths[1:])]
    for cells in _aligned([rows[0], rule, *rows[1:]], widths):
        show_row(*cells)


def show_row(*cells: str) -> None:
    """Print one row of Markdown, for tables whose rows take long."""
    print("|", " | ".join(cells), "|", flush=True)


def show_checks(holds: Mapping[str, bool]) -> int:
    """Print what must hold and whether it does; return the exit code, 0 if all of it does."""
    for sentence, held in holds.items():
        print("pass" if held else "FAIL", sentence, sep="  ", flush=True)
    return 0 if all(holds.values()) else 1


def spread(numbers: Iterable[float], decimals: int = 0) -> str:
    """Format the median, the lowest and the highest."""
    ordered = sorted(numbers)
    middle, low, high = (f"{number:,.{decimals}f}" for number in (median(ordered), ordered[0], ordered[-1]))
    return f"{middle} ({low} to {high})"


def ratio(numbers: Sequence[float], base: Sequence[float]) -> float:
    """Return the median of the ratios within each round."""
    return median(mine / other for mine, other in zip(numbers, base, strict=True))


def times(ratio: float) -> str:
    """Format a ratio."""
    return f"{ratio:,.2f}x"


def _aligned(rows: Iterable[Row], widths: Sequence[int]) -> Iterator[Row]:
    """Pad the first cell of each row on the right, the others on the left."""
    for first, *others in rows:
        yield first.ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True))
