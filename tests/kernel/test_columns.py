"""Columns that grow: they keep their items, in the same memory where the system can do that."""

import mmap
from unittest.mock import patch

import pytest

from service.kernel.states import columns

ITEMS = [3, 1, 4, 1, 5]


def column_of(items: list[int]) -> memoryview:
    column = columns.zeros("I", len(items))
    for place, item in enumerate(items):
        column[place] = item
    return column


def test_a_column_that_is_extended_keeps_its_items_and_has_zeros_after_them() -> None:
    column = columns.extended(column_of(ITEMS), 1 << 20)
    assert (column.format, len(column)) == ("I", 1 << 20)
    assert [*column[: len(ITEMS)]] == ITEMS
    assert not any(column[len(ITEMS) :])


def test_an_extended_column_leaves_no_other_view_of_its_memory() -> None:
    column = column_of(ITEMS)
    columns.extended(column, 10)
    with pytest.raises(ValueError, match="released"):
        column[0]


def test_a_column_that_something_else_has_a_view_of_is_not_moved_away_from_it() -> None:
    column = column_of(ITEMS)
    view = column[1:]
    with pytest.raises(BufferError):
        columns.extended(column, 10)
    assert [*view] == ITEMS[1:]


def test_where_memory_cannot_be_extended_a_column_is_copied() -> None:
    class Fixed(mmap.mmap):
        def resize(self, newsize: int) -> None:
            raise SystemError(f"mmap: resizing to {newsize} not available--no mremap()")

    with patch.object(mmap, "mmap", Fixed):
        column = columns.extended(column_of(ITEMS), 10)
    assert [*column] == [*ITEMS, 0, 0, 0, 0, 0]
