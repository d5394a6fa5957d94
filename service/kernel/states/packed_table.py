"""A table from ranks to values in few bits, in which each rank can be looked up without the others.

Ranks are packed in blocks of 64, by the code of Elias (1974) and Fano (1971), each block by its own range (Ottaviano
and Venturini, 2014). A block has the distance of each rank from its first rank. The upper six bits of all distances
are in two words: for distance number ``i`` of the block, the bit ``i`` plus these upper bits is set. Then follow the
lower bits, as many as the largest distance needs beyond six, and the values, in as many bits as the largest needs. So
64 numbers of ``n`` bits take exactly ``n`` words, and everything begins with a word.

The words of a table are the four of its ``Ranking``, the first rank of each block, an entry for each block, and the
blocks. An entry has, lowest bits first::

    8 bits   bits of a value
    8 bits   lower bits of a distance
    48 bits  number of the block's first word
"""

from array import array

import cython

from service.kernel import bits
from service.kernel.states.family import State
from service.kernel.states.ranking import Ranking

PAIRS = cython.declare(cython.const_int, 4)
BLOCK = cython.declare(cython.const_int, 64)
UPPER_BITS = cython.declare(cython.const_int, 6)
UPPER_WORDS = cython.declare(cython.const_int, 2)
MOST_LOWER = cython.declare(cython.const_int, 58)
VALUE_BITS = cython.declare(cython.const_int, 8)
WORD_BITS = cython.declare(cython.const_int, 64)
ABSENT = cython.declare(cython.const_int, -1)


class PackedTable:
    """The values of ``states`` states, in ``words`` from ``pack``, which may be read-only.

    Raises ValueError if the words are not those of this number of states, their ranks ascending. What comes from a file
    can be wrong; a value is then wrong too, and no look-up fails.
    """

    def __init__(self, words: bits.Words, states: int) -> None:
        self._states = states
        self._blocks = blocks_of(states)
        begin = PAIRS + 2 * self._blocks
        if states < 1 or len(words) < begin:
            raise ValueError("too few words for the states")
        self._ranking = Ranking(words[:PAIRS])
        self._firsts = words[PAIRS : PAIRS + self._blocks]
        self._entries = words[PAIRS + self._blocks : begin]
        self._packed = words[begin:]
        self._size = len(self._packed)
        with cython.nogil:
            sound: cython.bint = self._fits() and self._is_ascending()
        if not sound:
            raise ValueError("the blocks do not fit together, or the ranks are not in order")

    def find(self, state: State) -> int | None:
        """Return the value of a state; None if it is not in the table."""
        value: cython.int = self._find(state[0] | state[1] << 32)
        return None if value == ABSENT else value

    def _find(self, key: bits.Word) -> cython.int:
        """Return the value of a key, or ``ABSENT``."""
        number: cython.int
        if not self._ranking.has(key):
            return ABSENT
        rank: bits.Word = self._ranking.rank(key)
        begin: cython.longlong = 0
        end: cython.longlong = self._blocks
        while begin < end:
            middle: cython.longlong = (begin + end) >> 1
            if self._firsts[middle] <= rank:
                begin = middle + 1
            else:
                end = middle
        if not begin:
            return ABSENT
        ranks = cython.declare(cython.ulonglong[64])
        for number in range(self._decode(begin - 1, ranks)):
            if ranks[number] == rank:
                entry: bits.Word = self._entries[begin - 1]
                values: bits.Word = (entry >> 16) + UPPER_WORDS + (entry >> 8 & 255)
                return self._number(values, entry & 255, number)
        return ABSENT

    def _decode(self, block: cython.longlong, ranks: cython.p_ulonglong) -> cython.int:
        """Write the ranks of a block; return how many there are."""
        word: cython.int
        number: cython.int = 0
        place: bits.Word = self._entries[block] >> 16
        lower: cython.int = self._entries[block] >> 8 & 255
        for word in range(UPPER_WORDS):
            left: bits.Word = self._packed[place + word]
            while left:
                bit: bits.Word = left & -left
                upper: bits.Word = WORD_BITS * word + bits.cell(bit) - number
                distance: bits.Word = upper << lower | self._number(place + UPPER_WORDS, lower, number)
                ranks[number] = (self._firsts[block] + distance) & bits.ALL_BITS
                left ^= bit
                number += 1
        return number

    def _number(self, place: bits.Word, width: cython.int, number: cython.int) -> bits.Word:
        """Return one of the numbers of ``width`` bits that begin with the word ``place``."""
        if not width:
            return 0
        bit: cython.int = width * number
        shift: cython.int = bit & 63
        found: bits.Word = self._packed[place + (bit >> 6)] >> shift
        if shift + width > WORD_BITS:
            found |= self._packed[place + (bit >> 6) + 1] << (WORD_BITS - shift)
        found &= bits.ALL_BITS >> (WORD_BITS - width)
        return found

    def _fits(self) -> cython.bint:
        """Return whether the blocks have all words and all states."""
        block: cython.longlong
        left: cython.longlong = self._states
        place: bits.Word = 0
        for block in range(self._blocks):
            entry: bits.Word = self._entries[block]
            lower: cython.int = entry >> 8 & 255
            width: cython.int = entry & 255
            if entry >> 16 != place or lower > MOST_LOWER or width > VALUE_BITS:
                return False
            place += UPPER_WORDS + lower + width
            if place > self._size:
                return False
            first: cython.longlong = entry >> 16
            if bits.count(self._packed[first]) + bits.count(self._packed[first + 1]) != min(left, BLOCK):
                return False
            left -= BLOCK
        return place == self._size

    def _is_ascending(self) -> cython.bint:
        block: cython.longlong
        number: cython.int
        before: bits.Word = 0
        ranks = cython.declare(cython.ulonglong[64])
        for block in range(self._blocks):
            for number in range(self._decode(block, ranks)):
                if (block or number) and ranks[number] <= before:
                    return False
                before = ranks[number]
        return True


def blocks_of(states: int) -> int:
    """Return the number of blocks for a number of states."""
    return (states + 63) // 64


def pack(pairs: bits.Words, ranks: bits.Words, values: memoryview) -> memoryview:
    """Return the words of a table: of ``Ranking(pairs)``, ascending ranks, and the value of each."""
    blocks = blocks_of(len(ranks))
    entries = array("Q", [0]) * blocks
    size = _measure(ranks, values, entries)
    words = array("Q", [0]) * (PAIRS + 2 * blocks + size)
    words[:PAIRS] = array("Q", pairs)
    words[PAIRS : PAIRS + blocks] = array("Q", ranks[::64])
    words[PAIRS + blocks : PAIRS + 2 * blocks] = entries
    _write(ranks, values, entries, memoryview(words)[PAIRS + 2 * blocks :])
    return memoryview(words)


def _measure(ranks: bits.Words, values: memoryview, entries: bits.Words) -> int:
    """Write the entries of all blocks; return the number of words of the blocks."""
    block: cython.longlong
    number: cython.longlong
    count: cython.longlong = len(ranks)
    blocks: cython.longlong = len(entries)
    all_ranks: cython.ulonglong[::1] = ranks
    all_values: cython.uchar[::1] = values
    found: cython.ulonglong[::1] = entries
    place: cython.ulonglong = 0
    with cython.nogil:
        for block in range(blocks):
            last: cython.longlong = min(BLOCK * block + BLOCK, count) - 1
            distance: cython.ulonglong = all_ranks[last] - all_ranks[BLOCK * block]
            lower: cython.ulonglong = 0
            while lower < MOST_LOWER and distance >> (lower + UPPER_BITS):
                lower += 1
            most: cython.int = 0
            for number in range(BLOCK * block, last + 1):
                most |= all_values[number]
            width: cython.ulonglong = 0
            while most >> width:
                width += 1
            found[block] = place << 16 | lower << 8 | width
            place += UPPER_WORDS + lower + width
    return int(place)


def _write(ranks: bits.Words, values: memoryview, entries: bits.Words, words: bits.Words) -> None:
    """Write the blocks into ``words``, which are 0 before."""
    number: cython.longlong
    count: cython.longlong = len(ranks)
    all_ranks: cython.ulonglong[::1] = ranks
    all_values: cython.uchar[::1] = values
    all_entries: cython.ulonglong[::1] = entries
    packed: cython.ulonglong[::1] = words
    one: cython.ulonglong = 1
    with cython.nogil:
        for number in range(count):
            entry: cython.ulonglong = all_entries[number >> 6]
            place: cython.ulonglong = entry >> 16
            lower: cython.int = entry >> 8 & 255
            in_block: cython.int = number & 63
            distance: cython.ulonglong = all_ranks[number] - all_ranks[number & ~63]
            bit: cython.ulonglong = (distance >> lower) + in_block
            packed[place + (bit >> 6)] |= one << (bit & 63)
            _put(packed, place + UPPER_WORDS, lower, in_block, distance & (one << lower) - 1)
            _put(packed, place + UPPER_WORDS + lower, entry & 255, in_block, all_values[number])


def _put(
    packed: cython.ulonglong[::1], place: bits.Word, width: cython.int, number: cython.int, value: bits.Word
) -> None:
    """Write one of the numbers of ``width`` bits that begin with the word ``place``."""
    if not value:
        return
    bit: cython.int = width * number
    shift: cython.int = bit & 63
    packed[place + (bit >> 6)] |= value << shift & bits.ALL_BITS
    if shift + width > WORD_BITS:
        packed[place + (bit >> 6) + 1] |= value >> (WORD_BITS - shift)
