"""Ranks: numbers for the states of a game, as small as their bits allow.

A state is two words of at most 32 bits, and so a pair of bits at each of 32 places. Seldom do all four pairs occur at a
place: a cell is empty or has the mark of one player, which makes three, and most places above the last cell have always
the same pair. The rank of a state has a digit for each place, the first the least, with as many values as pairs occur
there. So the states of a board of nine cells, one mark in each, have ranks below 3^9.
"""

from array import array

import cython

from service.kernel import bits

PLACES = cython.declare(cython.const_int, 32)
PAIRS = cython.declare(cython.const_int, 4)  # neither bit, that of the first word, that of the second, both
HALF = cython.declare(cython.const_ulonglong, 0xFFFFFFFF)


class Ranking:
    """The ranks of states by the ``pairs`` of bits from ``pairs_of``.

    States are given as keys: the first word in the lower 32 bits, the second in the upper ones. Any four words make a
    ranking.
    """

    def __init__(self, pairs: bits.Words) -> None:
        self._neither, self._first, self._second, self._both = pairs
        self._parts = array("Q", bytes(8 * PLACES * PAIRS))
        weight = 1
        for place in range(PLACES):
            found = [pair for pair in range(PAIRS) if pairs[pair] >> place & 1]
            for digit, pair in enumerate(found):
                self._parts[PAIRS * place + pair] = digit * weight
            weight *= max(1, len(found))

    def has(self, key: bits.Word) -> cython.bint:
        """Return whether each pair of the key occurs at its place; no other key has a rank."""
        first: bits.Word = key & HALF
        second: bits.Word = key >> 32
        return not (
            first & second & ~self._both
            | first & ~second & ~self._first
            | second & ~first & ~self._second
            | HALF & ~(first | second | self._neither)
        )

    def rank(self, key: bits.Word) -> bits.Word:
        """Return the rank of a key."""
        place: cython.int
        rank: bits.Word = 0
        for place in range(PLACES):
            pair: cython.int = (key >> place & 1) + 2 * (key >> (32 + place) & 1)
            rank += self._parts[PAIRS * place + pair]
        return rank

    def rank_all(self, keys: bits.Words) -> None:
        """Put the rank of each key in its place."""
        number: cython.longlong
        count: cython.longlong = len(keys)
        words: cython.ulonglong[::1] = keys
        with cython.nogil:
            for number in range(count):
                words[number] = self.rank(words[number])


def pairs_of(keys: bits.Words) -> bits.Words:
    """Return four words, one for each pair of bits: the places at which it occurs in any of the keys."""
    number: cython.longlong
    count: cython.longlong = len(keys)
    words: cython.ulonglong[::1] = keys
    neither: bits.Word = 0
    one: bits.Word = 0
    other: bits.Word = 0
    both: bits.Word = 0
    with cython.nogil:
        for number in range(count):
            first: bits.Word = words[number] & HALF
            second: bits.Word = words[number] >> 32
            neither |= HALF & ~(first | second)
            one |= first & ~second
            other |= second & ~first
            both |= first & second
    return array("Q", [neither, one, other, both])
