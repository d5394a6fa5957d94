"""Pairing strategies: disjoint pairs of empty cells; a player who answers in the same pair breaks every line."""

from collections.abc import Iterable
from itertools import combinations

MOST_STEPS = 100
"""The default maximum of pairs to try."""

Pairs = tuple[tuple[int, int], ...]


def find_pairs(lines: list[int], steps: int = MOST_STEPS) -> Pairs | None:
    """Return disjoint pairs of cells such that each of the ``lines`` contains one (Hales and Jewett, 1963).

    The lines are masks of empty cells. Return None if there are no such pairs, or none are found within the steps: the
    number of pairs to try.
    """
    found = _Pairing(steps).extend(_shortest(lines), 0)
    return None if found is None else cells_of(found)


def _shortest(lines: list[int]) -> list[int]:
    """Return the lines that contain no other line: a pair in the shorter one is also in the longer one."""
    kept: list[int] = []
    for line in sorted(set(lines), key=lambda line: (line.bit_count(), line)):
        if not any(other & line == other for other in kept):
            kept.append(line)
    return kept


def cells_of(pairs: Iterable[int]) -> Pairs:
    """Return pairs that are given as masks."""
    return tuple(((pair & -pair).bit_length() - 1, pair.bit_length() - 1) for pair in pairs)


class _Pairing:
    """A depth-first search for pairs with a maximum number of steps."""

    def __init__(self, steps: int) -> None:
        self._steps = steps

    def extend(self, lines: list[int], used: int) -> list[int] | None:
        """Return pairs of unused cells, one in each line; None if there are none."""
        if not lines:
            return []
        tightest = min(lines, key=lambda line: (line & ~used).bit_count())
        for pair in _pairs_in(tightest & ~used, lines):
            self._steps -= 1
            if self._steps < 0:
                return None
            rest = self.extend([line for line in lines if line & pair != pair], used | pair)
            if rest is not None:
                return [pair, *rest]
        return None


def _pairs_in(cells: int, lines: list[int]) -> list[int]:
    """Return the pairs of these cells as masks, those in most lines first."""
    single = [1 << cell for cell in range(cells.bit_length()) if cells >> cell & 1]
    pairs = [one | other for one, other in combinations(single, 2)]
    return sorted(pairs, key=lambda pair: -sum(line & pair == pair for line in lines))
