"""Ascending keys in few bytes; each can be read without the others.

Keys are packed in blocks of 64. A block has its first key, and for each key the distance from the first, in as many
bits as the largest distance needs: a frame of reference (Goldstein, Ramakrishnan and Shaft, 1998). So 64 distances of
``n`` bits take exactly ``n`` words, and every block begins with a word.

The words of ``n`` blocks are: the first key of each block; for each block the offset of its distances, and at last the
number of words of all distances; the distances.
"""

from array import array

import cython

from service.kernel import bits
from service.kernel.states.family import State

BLOCK = cython.declare(cython.const_longlong, 64)
WORD_BITS = cython.declare(cython.const_ulonglong, 64)
ABSENT = cython.declare(cython.const_longlong, -1)


class PackedKeys:
    """The keys in ``words`` from ``pack``; keys have numbers from 0, ascending. The words may be read-only.

    Raises ValueError if the words are not those of this number of keys, ascending. What comes from a file can be wrong;
    a number is then never beyond the last key, and no look-up fails.
    """

    def __init__(self, words: bits.Words, keys: int) -> None:
        self._keys = keys
        self._blocks = blocks_of(keys)
        if keys < 1 or len(words) < 2 * self._blocks + 1:
            raise ValueError("too few words for the keys")
        self._firsts = words[: self._blocks]
        self._offsets = words[self._blocks : 2 * self._blocks + 1]
        self._distances = words[2 * self._blocks + 1 :]
        self._words = len(self._distances)
        with cython.nogil:
            sound: cython.bint = self._fits() and self._is_ascending()
        if not sound:
            raise ValueError("the blocks do not fit together, or the keys are not in order")

    def find(self, state: State) -> int | None:
        """Return the number of the key of a state; None if it is not among the keys."""
        number: cython.longlong = self._find(state[0] | state[1] << 32)
        return None if number == ABSENT else number

    def _find(self, key: bits.Word) -> cython.longlong:
        """Return the number of a key, or ``ABSENT``."""
        middle: cython.longlong
        begin: cython.longlong = 0
        end: cython.longlong = self._blocks
        while begin < end:
            middle = (begin + end) >> 1
            if self._firsts[middle] <= key:
                begin = middle + 1
            else:
                end = middle
        end = min(BLOCK * begin, self._keys)
        begin = max(BLOCK * (begin - 1), 0)
        while begin < end:
            middle = (begin + end) >> 1
            if self._key(middle) < key:
                begin = middle + 1
            else:
                end = middle
        return begin if begin < self._keys and self._key(begin) == key else ABSENT

    def _key(self, number: cython.longlong) -> bits.Word:
        """Return the key of a number."""
        block: cython.longlong = number >> 6
        key: bits.Word = self._firsts[block]
        width: cython.ulonglong = self._offsets[block + 1] - self._offsets[block]
        if not width:
            return key
        bit: cython.ulonglong = width * (number & 63)
        word: cython.ulonglong = self._offsets[block] + (bit >> 6)
        shift: cython.ulonglong = bit & 63
        distance: bits.Word = self._distances[word] >> shift
        if shift + width > WORD_BITS:
            distance |= self._distances[word + 1] << (WORD_BITS - shift)
        key += distance & bits.ALL_BITS >> (WORD_BITS - width)
        return key

    def _fits(self) -> cython.bint:
        """Return whether each block has at most 64 bits for a distance, and all blocks together all words."""
        block: cython.longlong
        if self._offsets[0] or self._offsets[self._blocks] != self._words:
            return False
        for block in range(self._blocks):
            begin: cython.ulonglong = self._offsets[block]
            if self._offsets[block + 1] < begin or self._offsets[block + 1] - begin > WORD_BITS:
                return False
        return True

    def _is_ascending(self) -> cython.bint:
        number: cython.longlong
        before: bits.Word = self._key(0)
        for number in range(1, self._keys):
            key: bits.Word = self._key(number)
            if key <= before:
                return False
            before = key
        return True


def blocks_of(keys: int) -> int:
    """Return the number of blocks for a number of keys."""
    return (keys + 63) // 64


def pack(keys: bits.Words) -> memoryview:
    """Return the words of these keys, each greater than the one before it."""
    blocks = blocks_of(len(keys))
    offsets = array("Q", [0]) * (blocks + 1)
    for block in range(blocks):
        last = min(64 * block + 63, len(keys) - 1)
        offsets[block + 1] = offsets[block] + (keys[last] - keys[64 * block]).bit_length()
    words = array("Q", [0]) * (2 * blocks + 1 + offsets[blocks])
    words[:blocks] = array("Q", keys[::64])
    words[blocks : 2 * blocks + 1] = offsets
    _pack_distances(keys, offsets, memoryview(words)[2 * blocks + 1 :])
    return memoryview(words)


def _pack_distances(keys: bits.Words, offsets: bits.Words, words: bits.Words) -> None:
    """Write the distances of keys from the first of their block into ``words``, which are 0 before."""
    number: cython.longlong
    count: cython.longlong = len(keys)
    all_keys: cython.ulonglong[::1] = keys
    begins: cython.ulonglong[::1] = offsets
    distances: cython.ulonglong[::1] = words
    with cython.nogil:
        for number in range(count):
            width: cython.ulonglong = begins[(number >> 6) + 1] - begins[number >> 6]
            distance: cython.ulonglong = all_keys[number] - all_keys[number & ~63]
            bit: cython.ulonglong = width * (number & 63)
            word: cython.ulonglong = begins[number >> 6] + (bit >> 6)
            shift: cython.ulonglong = bit & 63
            if distance:
                distances[word] |= distance << shift & bits.ALL_BITS
                if shift + width > WORD_BITS:
                    distances[word + 1] |= distance >> (WORD_BITS - shift)
