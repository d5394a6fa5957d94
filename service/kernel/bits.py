"""Operations on 64-bit words: count bits, mix bits. ``bits.pxd`` has the same in C, for the compiled kernel."""

from collections.abc import MutableSequence
from typing import NamedTuple

Mask = int
"""A set of cells: bit ``c`` is cell ``c``."""

Word = int
"""A 64-bit word that is not a set of cells: a key, or one of the two words of an entry of the transposition table."""

Words = MutableSequence[int] | memoryview
"""An array of 64-bit words, private or shared."""


class Pair(NamedTuple):
    """Two words."""

    first: Word
    second: Word


ALL_BITS = 0xFFFFFFFFFFFFFFFF

CHECK_BITS = 0xFFFFFFFF00000000
"""The mask of the upper 32 bits of a mixed word: an entry of the transposition table stores them as check bits."""

MAX_CELLS = 64
"""The maximum number of cells of a board, and of a line."""

WORDS_PER_BUCKET = 4
"""The number of words in a bucket of the transposition table: two entries of two words each."""

UNIT = 1 << 48
"""The weight of a completed line in ``bounds.potential``; each missing cell halves it."""


def count(mask: Mask) -> int:
    """Return the number of cells in a mask."""
    return mask.bit_count()


def cell(bit: Mask) -> int:
    """Return the cell of a mask of one cell."""
    return bit.bit_length() - 1


def mix(word: Word) -> Word:
    """Spread every bit of a word over all 64 bits.

    A bijection: the finalizer of splitmix64 (Steele, Lea and Flood, 2014).
    """
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9 & ALL_BITS
    word = (word ^ (word >> 27)) * 0x94D049BB133111EB & ALL_BITS
    return word ^ (word >> 31)


def mix_otherwise(word: Word) -> Word:
    """Spread every bit of a word over all 64 bits, by a bijection independent of ``mix``.

    The finalizer of MurmurHash3 (Appleby, 2011).
    """
    word = (word ^ (word >> 33)) * 0xFF51AFD7ED558CCD & ALL_BITS
    word = (word ^ (word >> 33)) * 0xC4CEB9FE1A85EC53 & ALL_BITS
    return word ^ (word >> 33)


def prefetch(address: object) -> None:
    """Fetch the memory at an address into the processor's cache before its use; a no-op when interpreted."""
