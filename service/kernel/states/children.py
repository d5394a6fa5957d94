"""The states after the moves of a search, each in a slot."""

from array import array

import cython

from service.kernel import bits

PREFERRED = cython.declare(cython.int, 1 << 25)  # more than any other order key


class Children:
    """Room for ``slots`` states, each with an order key: the greater, the earlier a search tries it.

    Along a line of play each state's children begin at the slot after the last child of the state before.
    """

    def __init__(self, slots: int) -> None:
        self.firsts, self.seconds = array("Q", bytes(8 * slots)), array("Q", bytes(8 * slots))
        self.order_keys = array("i", bytes(4 * slots))

    def put(self, slot: cython.int, first: cython.ulonglong, second: cython.ulonglong, order_key: cython.int) -> None:
        """Write a state into a slot."""
        self.firsts[slot] = first
        self.seconds[slot] = second
        self.order_keys[slot] = order_key

    def bring_most_promising(self, slot: cython.int, end: cython.int) -> None:
        """Exchange a slot with the most promising one of the slots from there to ``end``."""
        i: cython.int
        best: cython.int = slot
        for i in range(slot + 1, end):
            if self.order_keys[i] > self.order_keys[best]:
                best = i
        first: cython.ulonglong = self.firsts[best]
        second: cython.ulonglong = self.seconds[best]
        order_key: cython.int = self.order_keys[best]
        self.put(best, self.firsts[slot], self.seconds[slot], self.order_keys[slot])
        self.put(slot, first, second, order_key)

    def tag(self, slot: cython.int) -> cython.int:
        """Return seven bits by which ``prefer`` finds a state again, or rarely another one."""
        return bits.mix(self.firsts[slot] ^ bits.mix_otherwise(self.seconds[slot])) & 127

    def prefer(self, slot: cython.int, end: cython.int, tag: cython.int) -> None:
        """Let a search try the state with this tag first, if one of the slots up to ``end`` has it."""
        i: cython.int
        for i in range(slot, end):
            if self.tag(i) == tag:
                self.order_keys[i] = PREFERRED
                return
