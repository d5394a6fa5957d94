"""Packed tables beside a plain dictionary: compiled and interpreted, in blocks of every width."""

import random
from array import array
from collections.abc import Mapping
from types import ModuleType

import pytest

from service.kernel.states import packed_table, ranking
from tests.interpreted import interpreted_tables

INTERPRETED, INTERPRETED_RANKING = interpreted_tables()
MODULES = [packed_table, INTERPRETED]
ALL_BITS = (1 << 64) - 1
ANY_PAIR = array("Q", [0xFFFFFFFF] * 4)
"""The pairs of bits of a ranking without gaps: each pair occurs at each place."""


def drawn_by_seed(count: int, bits: int) -> dict[int, int]:
    """Ascending ranks with values; some are next to each other, so that blocks have widths of their own."""
    dice = random.Random(64 * count + bits)
    ranks = {dice.getrandbits(bits) for _ in range(count)}
    ranks |= {(rank + step) & ALL_BITS for rank in list(ranks)[: count // 2] for step in range(3)}
    return {rank: dice.getrandbits(dice.randrange(9)) for rank in sorted(ranks)}


TABLES: dict[str, dict[int, int]] = {
    "one": {0: 0},
    "the greatest": {ALL_BITS: 255},
    "the least and the greatest": {0: 1, ALL_BITS: 255},
    "one block": dict.fromkeys(range(5, 69), 7),
    "one rank more than a block": dict.fromkeys(range(5, 70), 0),
    "both ends of one block": dict.fromkeys([0, *range(ALL_BITS - 62, ALL_BITS + 1)], 255),
    **{f"{count} of {bits} bits": drawn_by_seed(count, bits) for count in (3, 200, 700) for bits in (12, 31, 52, 64)},
}


def key_of(rank: int) -> int:
    """The key with a rank in a ranking without gaps: its pairs of bits are the digits."""
    first, second = (sum((rank >> 2 * place + word & 1) << place for place in range(32)) for word in range(2))
    return first | second << 32


def words_of(table: Mapping[int, int], module: ModuleType = packed_table) -> memoryview:
    packed: memoryview = module.pack(ANY_PAIR, array("Q", table), memoryview(bytearray(table.values())))
    return packed


@pytest.mark.parametrize("module", MODULES, ids=["as installed", "interpreted"])
@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_each_rank_has_its_value_and_no_other_rank_has_one(table: dict[int, int], module: ModuleType) -> None:
    words = words_of(table, module)
    assert words == words_of(table)
    packed = module.PackedTable(words.toreadonly(), len(table))
    for near in {word & ALL_BITS for rank in table for word in (rank - 1, rank, rank + 1, rank ^ 1 << 40)}:
        key = key_of(near)
        assert packed.find((key & 0xFFFFFFFF, key >> 32)) == table.get(near)


def test_a_block_takes_two_words_and_one_for_each_other_bit_of_the_largest_distance_and_of_the_largest_value() -> None:
    def size(table: Mapping[int, int]) -> int:
        return len(words_of(table)) - len(ANY_PAIR)

    assert size(dict.fromkeys(range(64), 0)) == 2 + 2
    assert size(dict.fromkeys(range(128), 1)) == 2 * (2 + 2 + 1)
    assert size({**dict.fromkeys(range(0, 640, 10), 5), 1 << 63: 0}) == 2 + (2 + 4 + 3) + 2 + 2


@pytest.mark.parametrize(
    ("module", "ranking"),
    [(packed_table, ranking), (INTERPRETED, INTERPRETED_RANKING)],
    ids=["as installed", "interpreted"],
)
def test_states_are_ranked_by_the_pairs_of_bits_that_occur(module: ModuleType, ranking: ModuleType) -> None:
    cells = range(5)
    keys = [
        sum(1 << cell + 32 * (content - 1) for cell, content in enumerate(contents) if content)
        for contents in ([number // 3**cell % 3 for cell in cells] for number in range(3**5))
    ]
    pairs, ranks = ranking.pairs_of(array("Q", keys)), array("Q", keys)
    ranking.Ranking(pairs).rank_all(ranks)
    assert [*ranks] == [*range(3**5)]
    table = module.PackedTable(module.pack(pairs, ranks, memoryview(bytearray(3**5))), 3**5)
    assert {table.find((key & 0xFFFFFFFF, key >> 32)) for key in keys} == {0}
    for state in ((1, 1), (32, 0), (0, 1 << 31), (33, 0)):
        assert table.find(state) is None
    assert [*ranking.pairs_of(array("Q", [0b11 << 32 | 0b01]))] == [0xFFFFFFFC, 0, 0b10, 0b01]


@pytest.mark.parametrize("module", MODULES, ids=["as installed", "interpreted"])
def test_words_that_were_changed_are_refused_or_harmless(module: ModuleType) -> None:
    dice = random.Random(1)
    table = drawn_by_seed(200, 31)
    refused = 0
    for _ in range(300):
        words = memoryview(bytearray(words_of(table))).cast("Q")
        words[dice.randrange(len(words))] = dice.getrandbits(dice.choice([6, 8, 64]))
        try:
            packed = module.PackedTable(words, len(table))
        except ValueError:
            refused += 1
            continue
        assert all((packed.find((key_of(rank), 0)) or 0) < 256 for rank in [*table][::40])
    assert 100 < refused < 300
    for count in (0, -1, len(table) + 1, len(table) + 64, 1 << 62):
        with pytest.raises(ValueError, match=r"states|blocks"):
            module.PackedTable(words_of(table), count)
