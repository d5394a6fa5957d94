"""Memory of searches: all zero, and taken only as far as it is used."""

import tracemalloc

import pytest

from service.games.catalogue import FOUR_IN_A_ROW_5X5
from service.kernel.alpha_beta.search import KERNEL, Search
from service.kernel.memory import (
    LEAST_MAPPED,
    MEGABYTE,
    MOST_PRIVATE,
    private_memory,
    private_words,
    shared_memory,
    used_part,
)


@pytest.mark.parametrize("size", [64, LEAST_MAPPED - 8, LEAST_MAPPED, MEGABYTE])
def test_words_are_zero_and_can_be_written(size: int) -> None:
    words = private_words(size // 8)
    assert (words.nbytes, words.format, any(words)) == (size, "Q", False)
    words[-1] = 1 << 63
    assert words[-1] == 1 << 63


def test_shared_memory_is_as_large_as_allowed_and_private_memory_is_empty_and_never_large() -> None:
    for megabytes in (1, 2, 3, 5, 128):
        size = shared_memory(megabytes).nbytes
        assert size.bit_count() == 1
        assert megabytes << 19 < size <= megabytes << 20
    for nodes in (1, 100, 10**6, 10**12):
        memory = private_memory(nodes)
        assert memory.nbytes.bit_count() == 1
        assert 1024 <= memory.nbytes <= MOST_PRIVATE
        assert not any(memory[:1024])


@pytest.mark.parametrize("size", [100, 1 << 12, 1 << 20])
def test_the_used_part_of_a_table_is_found_by_a_sample(size: int) -> None:
    words = private_words(size)
    assert used_part(words) == 0
    for place in range(0, size, 4):
        words[place] = 1
    assert used_part(words) == 0.25


@pytest.mark.skipif(KERNEL == "interpreted", reason="the tables are the same; only the time differs")
def test_a_short_search_writes_no_large_table() -> None:
    rules = FOUR_IN_A_ROW_5X5.lay_out()
    tracemalloc.start()
    try:
        search = Search(rules, private_memory(MOST_PRIVATE))
        search.forced_win(0, 0, 10, to_move=True)
        search.estimate(0, 0, 1, -1000, 1000)
        search.bound(0, 0, 1, 2)
        assert tracemalloc.get_traced_memory()[1] < MEGABYTE  # what Python itself has made zero
    finally:
        tracemalloc.stop()
