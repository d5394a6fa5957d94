"""The table of maker-breaker results: which player prevails, and the zone that the proof needs.

It uses the memory of the transposition table. An entry is a bucket of four words::

    key ^ mix(zone)
    (check bits, with the result in the lowest two) ^ mix_otherwise(zone)
    zone
    0

Half-written entries, and entries of the transposition table, are inconsistent, so they match no position. A key and its
check bits have 126 bits together.
"""

import cython

from service.kernel import bits
from service.kernel.board import Board
from service.kernel.proofs.live_lines import LiveLines

UNKNOWN = 0  # who prevails: unknown,
HOLDS = 1  # the breaker,
FALLS = 2  # the maker

MAKER_FIRST, BREAKER_FIRST = cython.declare(cython.bint, 1), cython.declare(cython.bint, 0)

RESULT_BITS = cython.declare(cython.const_ulonglong, 3)
TO_MOVE = cython.declare(cython.ulonglong, 0x9E3779B97F4A7C15)  # any odd word: marks that the maker moves first


class ZoneTable:
    """The table of one game; ``words`` and ``key_seeds`` as for the transposition table.

    After ``probe`` has found an entry, ``zone`` is its zone.
    """

    def __init__(self, board: Board, live_lines: LiveLines, words: bits.Words, key_seeds: bits.Words) -> None:
        self._board = board
        self._live_lines = live_lines
        self._words = words
        self._first_seed = key_seeds[0]
        self._second_seed = key_seeds[1]
        self._index_mask = len(words) // bits.WORDS_PER_BUCKET - 1
        self._key = 0
        self._check = 0
        self.zone = 0

    def identify(self, frame: cython.int, maker_first: cython.bint) -> tuple[bits.Word, bits.Word, cython.int]:
        """Return the key of the lines in a frame, its check bits, and the symmetry whose image has this key.

        The symmetry is -1 for the identity. The key is the least of all images while at least half of the game's lines
        are live; with fewer lines, images occur again too rarely to be compared.
        """
        symmetry: cython.int
        best: cython.int = -1
        self._hash(frame, -1)
        key: bits.Word = self._key
        check: bits.Word = self._check
        if 2 * self._live_lines.counts[frame] >= self._live_lines.places:
            for symmetry in range(self._board.symmetries):
                if self._board.inverses[symmetry] >= 0:
                    self._hash(frame, symmetry)
                    if self._key < key:
                        key = self._key
                        check = self._check
                        best = symmetry
        if maker_first:
            key = bits.mix(key ^ TO_MOVE)
        return key, check | RESULT_BITS, best

    def probe(self, key: bits.Word, check: bits.Word, symmetry: cython.int) -> cython.int:
        """Return the stored result, and set the ``zone``; ``UNKNOWN`` without an entry."""
        bucket: bits.Word = bits.WORDS_PER_BUCKET * (key & self._index_mask)
        zone: bits.Mask = self._words[bucket + 2]
        found: bits.Word = self._words[bucket + 1] ^ bits.mix_otherwise(zone)
        if self._words[bucket] ^ bits.mix(zone) != key or found | RESULT_BITS != check:
            return UNKNOWN
        self.zone = zone if symmetry < 0 else self._board.image(zone, self._board.inverses[symmetry])
        return cython.cast(cython.int, found & RESULT_BITS)

    def store(
        self, key: bits.Word, check: bits.Word, symmetry: cython.int, result: cython.int, zone: bits.Mask
    ) -> None:
        """Store a result and its zone, over any other entry."""
        bucket: bits.Word = bits.WORDS_PER_BUCKET * (key & self._index_mask)
        if symmetry >= 0:
            zone = self._board.image(zone, symmetry)
        self._words[bucket] = key ^ bits.mix(zone)
        self._words[bucket + 1] = (check ^ RESULT_BITS ^ cython.cast(cython.ulonglong, result)) ^ bits.mix_otherwise(
            zone
        )
        self._words[bucket + 2] = zone
        self._words[bucket + 3] = 0

    def _hash(self, frame: cython.int, symmetry: cython.int) -> None:
        """Set the key and the check bits of an image of the lines, in any order; ``symmetry`` -1 is the identity."""
        i: cython.int
        line: bits.Mask
        start: cython.int = frame * self._live_lines.places
        self._key = 0
        self._check = 0
        for i in range(start, start + self._live_lines.counts[frame]):
            line = self._live_lines.lines[i]
            if symmetry >= 0:
                line = self._board.image(line, symmetry)
            self._key ^= bits.mix(line ^ self._first_seed)
            self._check ^= bits.mix_otherwise(line ^ self._second_seed)
