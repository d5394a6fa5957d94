"""Packed keys beside a plain dictionary: compiled and interpreted, in blocks of every width."""

import random
from array import array
from collections.abc import Sequence
from types import ModuleType

import pytest

from service.kernel.states import packed_keys
from tests.interpreted import interpreted_keys

MODULES = [packed_keys, interpreted_keys()]
ALL_BITS = (1 << 64) - 1


def drawn_by_seed(count: int, bits: int) -> list[int]:
    """Ascending keys; some are next to each other, so that blocks have widths of their own."""
    dice = random.Random(64 * count + bits)
    keys = {dice.getrandbits(bits) for _ in range(count)}
    return sorted(keys | {(key + step) & ALL_BITS for key in list(keys)[: count // 2] for step in range(3)})


KEYS = {
    "one": [0],
    "the greatest": [ALL_BITS],
    "the least and the greatest": [0, ALL_BITS],
    "one block": [*range(5, 69)],
    "one key more than a block": [*range(5, 70)],
    "both ends of one block": [0, *range(ALL_BITS - 62, ALL_BITS + 1)],
    **{f"{count} of {bits} bits": drawn_by_seed(count, bits) for count in (3, 200, 2000) for bits in (9, 31, 52, 64)},
}


def words_of(keys: Sequence[int], module: ModuleType = packed_keys) -> memoryview:
    packed: memoryview = module.pack(array("Q", keys))
    return packed


@pytest.mark.parametrize("module", MODULES, ids=["as installed", "interpreted"])
@pytest.mark.parametrize("keys", KEYS.values(), ids=KEYS)
def test_each_key_has_its_number_and_no_other_key_has_one(keys: list[int], module: ModuleType) -> None:
    words = words_of(keys, module)
    assert words == words_of(keys)
    packed = module.PackedKeys(words.toreadonly(), len(keys))
    numbers = {key: number for number, key in enumerate(keys)}
    for near in {word & ALL_BITS for key in keys for word in (key - 1, key, key + 1, key ^ 1 << 40)}:
        assert packed.find((near & 0xFFFFFFFF, near >> 32)) == numbers.get(near)


def test_a_block_of_distances_takes_a_word_for_each_bit_of_the_largest() -> None:
    assert len(words_of([*range(64)])) == len([0]) + len([0, 6]) + 6
    assert len(words_of([*range(128)])) == len([0, 64]) + len([0, 6, 12]) + 6 + 6
    assert len(words_of([*range(64), 1 << 63])) == len([0, 1 << 63]) + len([0, 6, 6]) + 6


@pytest.mark.parametrize("module", MODULES, ids=["as installed", "interpreted"])
def test_words_that_were_changed_are_refused_or_harmless(module: ModuleType) -> None:
    """A changed word can only move keys; a number is never beyond the last key."""
    dice = random.Random(1)
    keys = drawn_by_seed(200, 31)
    refused = 0
    for _ in range(300):
        words = memoryview(bytearray(words_of(keys))).cast("Q")
        words[dice.randrange(len(words))] = dice.getrandbits(dice.choice([6, 8, 64]))
        try:
            packed = module.PackedKeys(words, len(keys))
        except ValueError:
            refused += 1
            continue
        assert all((packed.find((key, 0)) or 0) < len(keys) for key in keys)
    assert refused > 0
    for count in (0, -1, len(keys) + 64, 1 << 62):
        with pytest.raises(ValueError, match="keys"):
            module.PackedKeys(words_of(keys), count)
