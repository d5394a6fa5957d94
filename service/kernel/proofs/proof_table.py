"""The table of a proof-number search: proof and disproof numbers of positions, with exact keys.

An entry is three words: the attacker's marks, the defender's marks, and both numbers with the side to move. A position
can be in any of ``WAYS`` consecutive entries.
"""

import cython

from service.kernel import bits
from service.kernel.memory import private_words

PROOF_ENTRIES = 1 << 20
"""The entries of the table: 24 MB. Only used pages take memory."""

PROOF_INDEX = cython.declare(cython.ulonglong, PROOF_ENTRIES - 1)
NUMBER_BITS = cython.declare(cython.const_ulonglong, (1 << 31) - 1)
WAYS = cython.declare(cython.const_int, 4)
WORDS = cython.declare(cython.const_int, 3)


class ProofTable:
    """The proof and disproof numbers of the positions of one search.

    The entry of a proven win has the plies of the win in place of the disproof number, which is infinite.
    """

    def __init__(self) -> None:
        self._table = private_words(3 * (PROOF_ENTRIES + 4))

    def look_up(
        self, attacker: bits.Mask, defender: bits.Mask, attacks: cython.bint
    ) -> tuple[cython.longlong, cython.longlong]:
        """Return the proof and the disproof number of a position; -1 for both without an entry."""
        place: cython.int = self._place(attacker, defender)
        data: bits.Word
        proof: cython.longlong
        disproof: cython.longlong
        _way: cython.int
        for _way in range(WAYS):
            if (
                self._table[place] == attacker
                and self._table[place + 1] == defender
                and self._table[place + 2] >> 62 == (1 if attacks else 2)
            ):
                data = self._table[place + 2]
                proof = data >> 31 & NUMBER_BITS
                disproof = data & NUMBER_BITS
                return proof, disproof
            place += WORDS
        return -1, -1

    def store(
        self,
        attacker: bits.Mask,
        defender: bits.Mask,
        attacks: cython.bint,
        proof: cython.longlong,
        disproof: cython.longlong,
    ) -> None:
        """Store the numbers of a position in its own entry, an empty one, or an undecided one, else in the first one.

        For a proven win, ``disproof`` is the plies of the win.
        """
        place: cython.int = self._place(attacker, defender)
        chosen: cython.int = place
        _way: cython.int
        undecided: cython.bint = False
        for _way in range(WAYS):
            if not self._table[place + 2] or (
                self._table[place] == attacker
                and self._table[place + 1] == defender
                and self._table[place + 2] >> 62 == (1 if attacks else 2)
            ):
                chosen = place
                break
            if not undecided and self._table[place + 2] >> 31 & NUMBER_BITS and self._table[place + 2] & NUMBER_BITS:
                undecided = True
                chosen = place
            place += WORDS
        self._table[chosen] = attacker
        self._table[chosen + 1] = defender
        self._table[chosen + 2] = (
            cython.cast(cython.ulonglong, 1 if attacks else 2) << 62
            | cython.cast(cython.ulonglong, proof) << 31
            | cython.cast(cython.ulonglong, disproof)
        )

    def prefetch(self, attacker: bits.Mask, defender: bits.Mask) -> None:
        """Fetch the entries of a position into the processor's cache before their use."""
        if cython.compiled:
            bits.prefetch(cython.address(self._table[self._place(attacker, defender)]))

    def _place(self, attacker: bits.Mask, defender: bits.Mask) -> cython.int:
        key: bits.Word = bits.mix(attacker) ^ bits.mix_otherwise(defender)
        place: cython.int = WORDS * (key & PROOF_INDEX)
        return place
