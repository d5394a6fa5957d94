"""What the benchmarks print: a title with the command that repeats it, tables, figures, and whether budgets hold."""

import platform
from collections.abc import Iterable, Iterator, Mapping, Sequence
from statistics import median

from serving import cores

Row = Sequence[str]


def show_machine() -> None:
    """Prints what the figures were measured with."""
    print(f"Python {platform.python_version()}, {cores()} cores, {platform.machine()}")


def show_title(title: str, conditions: str, command: str) -> None:
    """Prints what is measured, how, and the command under ``loadtests`` that does it again."""
    print(f"\n{title}\n{conditions}\nRepeat with: python loadtests/{command}\n", flush=True)


def show_table(rows: Sequence[Row]) -> None:
    """Prints the rows in columns as wide as their widest cell."""
    for cells in _aligned(rows, _widths(rows)):
        print("  ".join(cells).rstrip(), flush=True)


def show_markdown(rows: Sequence[Row]) -> None:
    """Prints the rows likewise, as Markdown; the first is the head."""
    widths = _widths(rows)
    rule = ["-" * widths[0], *(f"{'-' * (width - 1)}:" for width in widths[1:])]
    for cells in _aligned([rows[0], rule, *rows[1:]], widths):
        show_row(*cells)


def show_row(*cells: str) -> None:
    """Prints a row of Markdown by itself, for tables that grow while one watches."""
    print("|", " | ".join(cells), "|", flush=True)


def show_thresholds(holds: Mapping[str, bool]) -> int:
    """Prints what must hold, and whether it does. The exit code: 0 if all of it does, else 1."""
    for sentence, held in holds.items():
        print("pass" if held else "FAIL", sentence, sep="  ", flush=True)
    return 0 if all(holds.values()) else 1


def spread(numbers: Iterable[float], decimals: int = 0) -> str:
    """Median, lowest and highest."""
    ordered = sorted(numbers)
    middle, low, high = (f"{number:,.{decimals}f}" for number in (median(ordered), ordered[0], ordered[-1]))
    return f"{middle} ({low} to {high})"


def ratio(numbers: Sequence[float], base: Sequence[float]) -> float:
    """The median of the ratios within each round."""
    return median(mine / other for mine, other in zip(numbers, base, strict=True))


def times(ratio: float, decimals: int = 2) -> str:
    """A ratio in words."""
    return f"{ratio:,.{decimals}f}x"


def verdict(budget: str, *, holds: bool) -> str:
    """A budget, and whether it holds."""
    return f"{budget} {'met' if holds else 'MISSED'}"


def at_most(number: float, budget: float, unit: str) -> str:
    """A budget that the number may not exceed, and whether it does not."""
    return verdict(f"<= {budget:g}{unit}", holds=number <= budget)


def _widths(rows: Sequence[Row]) -> list[int]:
    return [max(map(len, column)) for column in zip(*rows, strict=True)]


def _aligned(rows: Iterable[Row], widths: Sequence[int]) -> Iterator[Row]:
    """The first cell of each row on the left of its column, the others on the right."""
    for first, *others in rows:
        yield first.ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True))
