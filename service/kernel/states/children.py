"""The moves of the states along a line of play, each in a slot, and their order."""

from array import array

import cython

PREFERRED = cython.declare(cython.const_int, 1 << 25)  # more than any other order key

SIDES = cython.declare(cython.const_int, 2)
COUNT_LIMIT = cython.declare(cython.const_int, 1 << 20)
COUNT_BITS = cython.declare(cython.const_int, 5)
COUNT_SHARE = cython.declare(cython.const_int, 4)  # bits of a count that are left out of an order key


class Children:
    """Room for ``slots`` moves of a game, each with an order key: the greater, the earlier a search tries it.

    The game has ``moves`` moves, legal or not.

    Along a line of play each state's moves begin at the slot after the last move of the state before. The state after a
    move is only made when it is searched, because most moves are cut off.

    ``weigh`` and ``count`` keep how often each move has cut off recently, for each side to move: the history heuristic
    (Schaeffer, 1983).
    """

    def __init__(self, slots: int, moves: int) -> None:
        self.moves, self.order_keys = (array("i", bytes(4 * slots)) for _ in range(2))
        self._most_moves = moves
        self._counts = array("i", bytes(4 * SIDES * moves))

    def put(self, slot: cython.int, move: cython.int, order_key: cython.int) -> None:
        """Write a move into a slot."""
        self.moves[slot] = move
        self.order_keys[slot] = order_key

    def bring_most_promising(self, slot: cython.int, end: cython.int) -> None:
        """Exchange a slot with the most promising one of the slots from there to ``end``."""
        i: cython.int
        best: cython.int = slot
        for i in range(slot + 1, end):
            if self.order_keys[i] > self.order_keys[best]:
                best = i
        move: cython.int = self.moves[best]
        order_key: cython.int = self.order_keys[best]
        self.put(best, self.moves[slot], self.order_keys[slot])
        self.put(slot, move, order_key)

    def prefer(self, slot: cython.int, end: cython.int, move: cython.int) -> None:
        """Let a search try a move first, if one of the slots up to ``end`` has it."""
        i: cython.int
        for i in range(slot, end):
            if self.moves[i] == move:
                self.order_keys[i] = PREFERRED
                return

    def weigh(self, slot: cython.int, end: cython.int, side: cython.int) -> None:
        """Add to the order keys of the slots up to ``end`` how often their moves have cut off."""
        i: cython.int
        for i in range(slot, end):
            self.order_keys[i] += self._counts[self._most_moves * side + self.moves[i]] >> COUNT_SHARE

    def count(self, slot: cython.int, best: cython.int, side: cython.int) -> None:
        """Count that the move in slot ``best`` has cut off, and those from ``slot`` to there have not."""
        i: cython.int
        for i in range(slot, best + 1):
            sign: cython.int = 1 if i == best else -1
            place: cython.int = self._most_moves * side + self.moves[i]
            self._counts[place] += (sign * COUNT_LIMIT - self._counts[place]) >> COUNT_BITS
