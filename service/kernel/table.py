"""The transposition table: the proven bounds of positions that a search has visited.

An entry is two words of 64 bits, ``key ^ data`` and ``data``; two entries form a bucket. The data, lowest bits first::

    8 bits   lower bound on the score, plus 128
    8 bits   upper bound on the score, plus 128
    8 bits   cell of the best move, plus 1; 0 if none is known
    8 bits   64 less the number of marks
    32 bits  check bits

Other threads and processes may write at the same moment. The data of a half-written entry does not fit its first word,
so the entry matches no position (lockless hashing, Hyatt and Mann, 2002).

A key and its check bits have 96 bits together. Some bits of the key select the bucket; an entry of another position in
that bucket matches only if the other bits agree too. These are 74 bits in a table of 128 MB (2^22 buckets), and 80 bits
for positions near the end, which share the first 2^16 buckets. A bucket has two entries, so the probability of a false
match is at most 2^-73 per probe, about 1e-22: at a million probes a second, one is due in 300 million years.
"""

from array import array
from functools import lru_cache

import cython

from service.kernel import bits, bounds
from service.kernel.board import Board

NEAR_END_BITS, NEAR_END_MAX_EMPTY = 16, 18
"""The number of index bits of positions near the end, and the maximum number of empty cells of these positions.

Most positions are near the end; their buckets take 2 MB, which stay in the cache of a core. Positions with more empty
cells use two more index bits for every three cells. They are fewer, and a search that touches less memory waits less.
"""


class Table:
    """The transposition table of one game.

    ``words`` is a flat array of 64-bit words, a power of two of them, at least four. Other threads, processes and games
    can share it. ``key_seeds`` separate the positions of different games.
    """

    def __init__(self, board: Board, words: bits.Words, key_seeds: bits.Words) -> None:
        self._board = board
        self._words = words
        self._key_seeds = key_seeds
        self._index_masks = index_masks(board.cells, len(words) // bits.WORDS_PER_BUCKET)

    def key_of(self, mine: bits.Mask, theirs: bits.Mask, marks: cython.int) -> tuple[bits.Word, bits.Word]:
        """Return the key of a position, which also selects its bucket, and its check bits.

        Symmetric positions share the key of their canonical position, the least of all images. Each of its two masks
        goes through a mixing step of its own, with a seed for the game and the number of marks. Both steps are
        bijections, so two canonical positions that differ in only one mask never share a key. Two positions that differ
        in both masks are confused only if all 96 bits agree.
        """
        least, least_theirs = self._board.canonical(mine, theirs)
        first: bits.Word = bits.mix(least ^ self._key_seeds[2 * marks])
        second: bits.Word = bits.mix_otherwise(least_theirs ^ self._key_seeds[2 * marks + 1])
        key: bits.Word = first ^ second
        if cython.compiled:  # all children get their keys before one is probed, so the waits for memory overlap
            bits.prefetch(cython.address(self._words[self._bucket(key, marks)]))
        return key, first & bits.CHECK_BITS

    def probe(self, key: bits.Word, check: bits.Word, marks: cython.int) -> tuple[cython.int, cython.int, cython.int]:
        """Return the lower bound, the upper bound and the best cell of a position.

        Without an entry the bounds are infinite. An unknown best cell is -1.
        """
        data: bits.Word = self._entry(key, check, marks)
        if not data:
            return -bounds.INFINITY, bounds.INFINITY, -1
        return (
            cython.cast(cython.int, data & 255) - 128,
            cython.cast(cython.int, data >> 8 & 255) - 128,
            cython.cast(cython.int, data >> 16 & 255) - 1,
        )

    def _entry(self, key: bits.Word, check: bits.Word, marks: cython.int) -> bits.Word:
        """Return the data of the entry of a position; 0 if there is none."""
        bucket: bits.Word = self._bucket(key, marks)
        data: bits.Word = self._words[bucket + 1]
        if self._words[bucket] ^ data == key and data & bits.CHECK_BITS == check:
            return data
        data = self._words[bucket + 3]
        if self._words[bucket + 2] ^ data == key and data & bits.CHECK_BITS == check:
            return data
        return 0

    def store(
        self,
        key: bits.Word,
        check: bits.Word,
        marks: cython.int,
        lower: cython.int,
        upper: cython.int,
        best: cython.int,
    ) -> None:
        """Store the bounds and the best cell of a position in its bucket, in place of a less valuable entry.

        A position with fewer marks has a larger subtree, so the first entry of a bucket is only replaced by the same
        position or by one with at most as many marks. In all other cases the second entry is replaced.
        """
        data: bits.Word = check
        data |= cython.cast(cython.ulonglong, lower + 128)
        data |= cython.cast(cython.ulonglong, upper + 128) << 8
        data |= cython.cast(cython.ulonglong, best + 1) << 16
        data |= cython.cast(cython.ulonglong, 64 - marks) << 24
        bucket: bits.Word = self._bucket(key, marks)
        held: bits.Word = self._words[bucket + 1]
        same: cython.bint = (self._words[bucket] ^ held) == key
        if not same and cython.cast(cython.int, (held >> 24) & 255) > 64 - marks:
            bucket += 2
        self._words[bucket] = key ^ data
        self._words[bucket + 1] = data

    def clear(self, key: bits.Word, marks: cython.int) -> None:
        """Clear both entries of the bucket of a position."""
        bucket: bits.Word = self._bucket(key, marks)
        place: cython.int
        for place in range(4):
            self._words[bucket + place] = 0

    def _bucket(self, key: bits.Word, marks: cython.int) -> bits.Word:
        """Return the index of the first word of a bucket; positions near the end use only the first buckets."""
        index_mask: bits.Word = self._index_masks[marks]
        return 4 * (key & index_mask)


@lru_cache(64)
def index_masks(cells: int, buckets: int) -> bits.Words:
    """Return, for each number of marks, the mask of the key bits that select the bucket."""
    more = (max(0, cells - marks - NEAR_END_MAX_EMPTY) * 2 // 3 for marks in range(cells + 1))
    return array("Q", (min(buckets, 1 << NEAR_END_BITS + bit) - 1 for bit in more))
