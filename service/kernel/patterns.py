"""Tests of all lines of a game at once, by their patterns. ``patterns.pxd`` has the same in C, for the compiled kernel.

A shift by an offset and an AND test one cell of all lines of a pattern. For example, the rows of a 3x3 board have the
offsets 0, 1, 2 and start in the cells 0, 3 and 6. With bit 0 on the right::

    marks            000 011 011
    starts           001 001 001
    & marks >> 0     000 001 001
    & marks >> 1     000 001 001    rows 0 and 1 have their first two cells,
    & marks >> 2     000 000 000    and neither has its third

The C twin does this with four patterns at once, in the lanes of one register. So the patterns of each length are filled
up to a multiple of four by patterns without starts.
"""

from collections.abc import Sequence
from typing import NamedTuple

from service.kernel.bits import Mask

Patterns = Sequence[tuple[Mask, Sequence[int]]]
"""The mask of the starts of each pattern that has lines, and its offsets."""


class Lacking(NamedTuple):
    """The cells of some lines, and the cells that are on several of them."""

    once: Mask
    several: Mask


def from_arrays(starts: Sequence[int], offsets: Sequence[int], lengths: Sequence[int]) -> Patterns:
    """Return the patterns that ``Rules`` has in flat arrays."""
    count = len(starts)
    return [
        (first, tuple(offsets[pattern : pattern + lengths[pattern] * count : count]))
        for pattern, first in enumerate(starts)
        if first
    ]


def completing(patterns: Patterns, marks: Mask) -> Mask:
    """Return the cells that would complete a line of ``marks``; among them may be marked cells."""
    found = 0
    for starts, offsets in patterns:
        none, one = starts, 0  # the starts of lines without a missing cell so far, and of lines with one
        for offset in offsets:
            here = marks >> offset
            one = (one & here) | (none & ~here)
            none &= here
            if not (none | one):
                break
        if one:
            for offset in offsets:
                found |= one << offset
    return found


def within(patterns: Patterns, cells: Mask) -> Mask:
    """Return the cells of all lines that lie completely within ``cells``."""
    found = 0
    for starts, offsets in patterns:
        whole = _whole(starts, offsets, cells)
        if whole:
            for offset in offsets:
                found |= whole << offset
    return found


def has_line(patterns: Patterns, marks: Mask) -> bool:
    """Return whether ``marks`` contain a whole line."""
    # Without ``_whole``, whose calls would add two thirds to the time: records of moves ask this after each move.
    for starts, offsets in patterns:
        for offset in offsets:
            starts &= marks >> offset  # noqa: PLW2901, the starts of lines that are whole so far
            if not starts:
                break
        else:
            return True
    return False


def lacking_two(patterns: Patterns, marks: Mask, against: Mask) -> Lacking:
    """Return the cells of all lines that lack two of ``marks`` and have none of ``against``."""
    once = several = 0
    for starts, offsets in patterns:
        none, one, two = starts, 0, 0
        for offset in offsets:
            here, free = marks >> offset, ~(against >> offset)
            two = ((two & here) | (one & ~here)) & free
            one = ((one & here) | (none & ~here)) & free
            none &= here & free
            if not (none | one | two):
                break
        if two:
            for offset in offsets:
                here = two << offset
                several |= once & here
                once |= here
    return Lacking(once, several)


def _whole(starts: Mask, offsets: Sequence[int], cells: Mask) -> Mask:
    """Return the starts of a pattern's lines that lie completely within ``cells``."""
    for offset in offsets:
        starts &= cells >> offset
        if not starts:
            break
    return starts
